import Conversation
import GatewayFixture
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordLog
import Synchronization
import Testing

@testable import PersonGateway

@Suite("Readers who go on after their last event") struct GoingOnTests {
    /// A gateway that has forgotten the session `s`, with the place of the session's first result.
    private func forgetting() async throws -> (running: RunningGateway, prompt: String, first: LogPosition) {
        let running = try await RunningGateway(board: SessionBoard(maximumSessions: 1))
        let prompt = try await running.ask("s")
        let first = try #require(running.session("s")?.events.first { $0.origin == .results }).position
        // The session `t` displaces the first one.
        try await running.ask("t")
        #expect(running.session("s") == nil)
        return (running, prompt, first)
    }

    private func answer(to prompt: String) -> SaidEvent {
        let data = JSON.object(["prompt": .string(prompt), "action": "accept", "value": "tea"])
        return SaidEvent(.promptAnswered, session: "s", id: "a1", data: data)
    }

    /// The offsets that a reader of the session `s` misses.
    private func missing(_ running: RunningGateway, from place: LogPosition, _ change: Int64 = 0) -> Range<Int64>? {
        let start = LogPosition(partition: place.partition, offset: place.offset + change)
        let (events, missing) = running.gateway.follow("s", after: start)
        running.gateway.cancel(events, of: "s")
        return missing
    }

    @Test func `what a gateway does not keep is read from the log`() async throws {
        let (running, _, first) = try await forgetting()
        let range = try #require(missing(running, from: first, -1))
        let found = try await running.archive.results(of: "s", in: first.partition, range, for: .unrestricted)
        #expect(found.events.map(\.position) == [first] && found.events.map(\.type) == [.promptIssued])
        #expect(found.end == range.upperBound)
    }

    @Test(
        "results from before a session was forgotten are missing to the reader, and the session says that there are earlier ones"
    )
    func forgotten() async throws {
        let (running, prompt, first) = try await forgetting()
        try await running.say(answer(to: prompt))
        try await running.untilPrompt("s")
        #expect(missing(running, from: first, -1)?.contains(first.offset) == true)
        #expect(running.gateway.session("s", for: .unrestricted, canAnswer: true)?.view["earlier"]?.bool == true)
        // A reader that has seen the last stored event continues without the missing ones.
        let last = try #require(running.session("s")?.events.last { $0.origin == .results }).position
        #expect(missing(running, from: last) == nil)
    }

    @Test
    func `of a session of which only what was said is kept, the results are missing to the reader`() async throws {
        let (running, prompt, first) = try await forgetting()
        let answer = answer(to: prompt)
        _ = try await running.during { [gateway = running.gateway] in try await gateway.send(answer) }
        while running.session("s") == nil { try running.gateway.step(timeout: .zero) }
        #expect(running.session("s")?.events.map(\.type) == [.promptAnswered])
        #expect(missing(running, from: first, -1)?.contains(first.offset) == true)
    }

    /// A client that gets no events while it is held.
    private final class HeldClient: ForwardingClient, @unchecked Sendable {
        let isHeld = Mutex(false)
        let polls = Mutex(0)

        override func poll(maximum: Int, timeout: Duration) throws(LogError) -> [LogEvent] {
            polls.withLock { $0 += 1 }
            return isHeld.withLock { $0 } ? [] : try super.poll(maximum: maximum, timeout: timeout)
        }
    }

    private static func write(_ count: Int, bytes: Int, to running: RunningGateway) throws {
        let dialog = JSON.string(String(repeating: "x", count: bytes))
        for number in 1...count {
            try running.write(
                .progressed, of: "s", id: "x-\(number)", in: 0, owner: number.isMultiple(of: 2) ? "ann" : "bob",
                ["sequence": .number(number), "request": "r", "dialog": dialog])
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
        client.isHeld.withLock { $0 = true }
        let first = Task { try await archive.results(of: "s", in: 0, 0..<3, for: .unrestricted, ann) }
        let deadline = ContinuousClock.now.advanced(by: .seconds(60))
        while client.polls.withLock({ $0 }) == 0, ContinuousClock.now < deadline { await Task.yield() }
        let problem = await #expect(throws: GatewayProblem.self) {
            try await archive.results(of: "s", in: 0, 0..<3, for: .unrestricted, ann)
        }
        #expect(problem?.message.contains("for you already") == true)
        first.cancel()
        await #expect(throws: CancellationError.self) { _ = try await first.value }
        client.isHeld.withLock { $0 = false }
        #expect(try await archive.results(of: "s", in: 0, 0..<3, for: .unrestricted, ann).events.count == 3)
    }
}
