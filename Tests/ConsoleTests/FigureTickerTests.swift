import Conversation
import GatewayFixture
import IntentEvents
import IntentModel
import Logging
import PersonGateway
import PipelineTestKit
import RecordLog
import Testing

@testable import Console

@Suite("The ticker of figures")
struct FigureTickerTests {
    private func monitor(of running: RunningGateway) throws -> TopicMonitor {
        let log = running.pipeline.log
        return TopicMonitor(
            client: try log.connect(ClientConfiguration(clientID: "monitor")), log: log, topics: running.gateway.topics,
            partitions: 2,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    @Test("operators are told every second, persons when their own sessions have changed and once in fifteen seconds")
    func turns() async throws {
        let running = try await RunningGateway()
        let ticker = FigureTicker(gateway: running.gateway, monitor: try monitor(of: running))
        var everyone = ticker.overviews(for: .unrestricted).makeAsyncIterator()
        var ann = ticker.overviews(for: Viewer(.own(Principal(.appUser, "ann")), isMasked: false)).makeAsyncIterator()
        var bob = ticker.overviews(for: Viewer(.own(Principal(.appUser, "bob")), isMasked: false)).makeAsyncIterator()
        _ = (await everyone.next(), await ann.next(), await bob.next())
        _ = try await running.ask("s", principal: Principal(.appUser, "ann"))
        ticker.publish(second: 0)
        #expect(await everyone.next()?.view["changed"]?.elements.count == 1)
        let own = try #require(await ann.next()?.view)
        #expect(own["changed"]?.elements.count == 1 && own["open"]?["prompts"]?.int == 1)
        // Bob has got nothing yet. His next event comes in his turn, and has no change.
        for second in 1..<FigureTicker.turns {
            ticker.publish(second: second)
            #expect(await everyone.next() != nil)
        }
        let his = try #require(await bob.next()?.view)
        #expect(his["changed"] == nil && his["open"]?["prompts"]?.int == 0)
    }

    @Test("a reader that comes after the end is told how things are, and nothing more", .timeLimit(.minutes(1)))
    func late() async throws {
        let running = try await RunningGateway()
        let ticker = FigureTicker(gateway: running.gateway, monitor: try monitor(of: running))
        var early = ticker.overviews(for: .unrestricted).makeAsyncIterator()
        ticker.close()
        var late = ticker.overviews(for: .unrestricted).makeAsyncIterator()
        #expect(await early.next() != nil)
        #expect(await early.next() == nil)
        #expect(await late.next() != nil)
        #expect(await late.next() == nil)
    }

    @Test("two minutes are remembered, whether anyone looks or not, with each figure as it was")
    func history() async throws {
        let running = try await RunningGateway()
        let monitor = try monitor(of: running)
        let ticker = FigureTicker(gateway: running.gateway, monitor: monitor)
        #expect(ticker.history.view["times"]?.elements.isEmpty == true)
        ticker.publish(second: 1)
        _ = try await running.ask("s")
        try monitor.measure()
        ticker.publish(second: 2)
        let history = ticker.history.view
        #expect(history["times"]?.elements.count == 2)
        #expect(history["rates"]?["prompts"]?.elements.compactMap(\.double) == [0, 0.1])
        let waits = try #require(history["waits"]?["promptOldest"]?.elements)
        #expect(waits[0].isNull && waits[1].double != nil)
        let requests = try #require(
            history["topics"]?.elements.first { $0["topic"]?.string == running.gateway.topics.requests })
        #expect(
            requests["rate"]?.elements.map(\.isNull) == [true, false],
            "it was read for the first time after the first second")
        for second in 3...FigureHistory.length + 2 { ticker.publish(second: second) }
        #expect(ticker.history.view["rates"]?["results"]?.elements.count == FigureHistory.length)
    }
}
