import Conversation
import GatewayFixture
import IntentModel
import Logging
import PersonGateway
import PipelineTestKit
import RecordLog
import Testing

@testable import Console

@Suite("The ticker of figures")
struct FigureTickerTests {
    @Test("operators are told every second, persons when their own sessions have changed and once in fifteen seconds")
    func turns() async throws {
        let running = try await RunningGateway()
        let log = running.pipeline.log
        let monitor = TopicMonitor(
            client: try log.connect(ClientConfiguration(clientID: "monitor")), log: log, topics: running.gateway.topics, partitions: 2,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        let ticker = FigureTicker(gateway: running.gateway, monitor: monitor)
        var everyone = ticker.overviews(for: .unrestricted).makeAsyncIterator()
        var ann = ticker.overviews(for: Viewer(.own(Principal(.appUser, "ann")), isMasked: false)).makeAsyncIterator()
        var bob = ticker.overviews(for: Viewer(.own(Principal(.appUser, "bob")), isMasked: false)).makeAsyncIterator()
        _ = (await everyone.next(), await ann.next(), await bob.next())
        _ = try await running.ask("s", principal: Principal(.appUser, "ann"))
        ticker.tell(0)
        #expect(await everyone.next()?.view["changed"]?.elements.count == 1)
        let own = try #require(await ann.next()?.view)
        #expect(own["changed"]?.elements.count == 1 && own["open"]?["prompts"]?.int == 1)
        // Bob was told nothing yet: what comes next is of his turn, and has no change.
        for second in 1..<FigureTicker.turns {
            ticker.tell(second)
            #expect(await everyone.next() != nil)
        }
        let his = try #require(await bob.next()?.view)
        #expect(his["changed"] == nil && his["open"]?["prompts"]?.int == 0)
    }

    @Test("a reader that comes after the end is told how things are, and nothing more", .timeLimit(.minutes(1)))
    func late() async throws {
        let running = try await RunningGateway()
        let log = running.pipeline.log
        let monitor = TopicMonitor(
            client: try log.connect(ClientConfiguration(clientID: "monitor")), log: log, topics: running.gateway.topics, partitions: 2,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        let ticker = FigureTicker(gateway: running.gateway, monitor: monitor)
        var early = ticker.overviews(for: .unrestricted).makeAsyncIterator()
        ticker.close()
        var late = ticker.overviews(for: .unrestricted).makeAsyncIterator()
        #expect(await early.next() != nil)
        #expect(await early.next() == nil)
        #expect(await late.next() != nil)
        #expect(await late.next() == nil)
    }
}
