import Conversation
import GatewayFixture
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordLog
import Synchronization
import Testing

@testable import PersonGateway

@Suite("Readers who go on after their last event")
struct GoingOnTests {
    private static func before(_ place: LogPosition) -> LogPosition {
        LogPosition(partition: place.partition, offset: place.offset - 1)
    }

    @Test(
        "results from before a session was forgotten are missing to the reader, and the session says that there are earlier ones"
    )
    func forgotten() async throws {
        let running = try await RunningGateway(board: SessionBoard(maximumSessions: 1))
        let prompt = try await running.ask("s")
        let first = try #require(running.gateway.session("s")?.events.first { $0.origin == .results }).position
        // The session `t` displaces the first one, which then continues.
        _ = try await running.ask("t")
        let answer = JSON.object(["prompt": .string(prompt), "action": "accept", "value": "tea"])
        try await running.say(SaidEvent(.promptAnswered, session: "s", id: "a1", data: answer))
        try await running.until("the next prompt") { $0.gateway.session("s")?.openPrompt != nil }
        let (events, missing) = running.gateway.follow("s", after: Self.before(first))
        #expect(missing?.contains(first.offset) == true)
        running.gateway.cancel(events, of: "s")
        #expect(running.gateway.session("s", for: .unrestricted, canAnswer: true)?.view["earlier"]?.bool == true)
        // A reader that has seen the last stored event continues without the missing ones.
        let last = try #require(running.gateway.session("s")?.events.last { $0.origin == .results }).position
        let (later, none) = running.gateway.follow("s", after: last)
        #expect(none == nil)
        running.gateway.cancel(later, of: "s")
    }

    @Test("of a session of which only what was said is kept, the results are missing to the reader")
    func onlySaid() async throws {
        let running = try await RunningGateway(board: SessionBoard(maximumSessions: 1))
        let prompt = try await running.ask("s")
        let first = try #require(running.gateway.session("s")?.events.first { $0.origin == .results }).position
        _ = try await running.ask("t")
        let answer = JSON.object(["prompt": .string(prompt), "action": "accept", "value": "tea"])
        _ = try await running.during { [gateway = running.gateway] in
            try await gateway.send(SaidEvent(.promptAnswered, session: "s", id: "a1", data: answer))
        }
        while running.gateway.session("s") == nil { try running.gateway.step(timeout: .zero) }
        #expect(running.gateway.session("s")?.events.map(\.type) == [.promptAnswered])
        let (events, missing) = running.gateway.follow("s", after: Self.before(first))
        #expect(missing?.contains(first.offset) == true)
        running.gateway.cancel(events, of: "s")
    }

    /// A client that gets no events while it is held.
    private final class HeldClient: ForwardingClient, @unchecked Sendable {
        let hold = Hold()

        override func poll(maximum: Int, timeout: Duration) throws(LogError) -> [LogEvent] {
            hold.polls.withLock { $0 += 1 }
            return hold.isHeld.withLock { $0 } ? [] : try super.poll(maximum: maximum, timeout: timeout)
        }
    }

    private static func write(_ count: Int, bytes: Int, to running: RunningGateway) throws {
        for number in 1...count {
            let data = JSON.make { writer in
                writer.beginObject()
                writer.member("session", "s")
                writer.member("sequence", number)
                writer.member("request", "r")
                writer.member("dialog", String(repeating: "x", count: bytes))
                writer.member(
                    "principal", .object(["type": "app_user", "id": .string(number.isMultiple(of: 2) ? "ann" : "bob")]))
                writer.endObject()
            }
            try running.pipeline.log.append(
                Record(
                    topic: running.pipeline.topics.results, partition: 0, key: Bytes("s".utf8), value: data.bytes,
                    headers: [RecordHeader("ce_type", "intent.progressed.v1"), RecordHeader("ce_id", "x-\(number)")]))
        }
    }

    @Test("a reading ends at about 1 MiB of what the reader may see, and says where the next one goes on")
    func parts() async throws {
        let running = try await RunningGateway()
        let count = 30
        try Self.write(count, bytes: 100_000, to: running)
        let archive = running.archive
        let part = try await archive.results(of: "s", in: 0, 0..<Int64(count), for: .unrestricted)
        let bytes = part.events.reduce(0) { $0 + $1.data.bytes.count }
        #expect(bytes > ResultArchive.maximumBytes / 2 && bytes < ResultArchive.maximumBytes + 101_000)
        #expect(part.end == part.events.last.map { $0.position.offset + 1 } && part.end < Int64(count))
        let next = try await archive.results(of: "s", in: 0, part.end..<Int64(count), for: .unrestricted)
        #expect(next.events.first?.position.offset == part.end)
        // Events that the reader may not see do not count.
        let ann = Viewer(.own(Principal(.appUser, "ann")), isMasked: false)
        let own = try await archive.results(of: "s", in: 0, 0..<16, for: ann)
        #expect(own.events.count == 8 && own.end == 16)
    }

    @Test("a principal reads one range at a time, and a reading that is not wanted any more ends at once")
    func fair() async throws {
        let running = try await RunningGateway()
        try Self.write(3, bytes: 10, to: running)
        let client = HeldClient(try running.pipeline.log.connect(ClientConfiguration(clientID: "held")))
        // Only the cancellation ends the held reading.
        let archive = ResultArchive(client: client, topics: running.pipeline.topics, patience: .seconds(3_600))
        let ann = Principal(.appUser, "ann")
        client.hold.isHeld.withLock { $0 = true }
        let first = Task { try await archive.results(of: "s", in: 0, 0..<3, for: .unrestricted, ann) }
        let deadline = ContinuousClock.now.advanced(by: .seconds(60))
        while client.hold.polls.withLock({ $0 }) == 0, ContinuousClock.now < deadline { await Task.yield() }
        await #expect { _ = try await archive.results(of: "s", in: 0, 0..<3, for: .unrestricted, ann) } throws: {
            error in
            (error as? GatewayProblem)?.message.contains("for you already") == true
        }
        first.cancel()
        await #expect(throws: CancellationError.self) { _ = try await first.value }
        client.hold.isHeld.withLock { $0 = false }
        #expect(try await archive.results(of: "s", in: 0, 0..<3, for: .unrestricted, ann).events.count == 3)
    }
}

private final class Hold: Sendable {
    let isHeld = Mutex(false)
    let polls = Mutex(0)
}
