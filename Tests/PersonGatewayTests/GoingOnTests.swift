import Conversation
import GatewayFixture
import IntentEvents
import IntentModel
import PersonGateway
import RecordLog
import Testing

@Suite("Readers who go on after their last event")
struct GoingOnTests {
    private static func before(_ place: LogPosition) -> LogPosition { LogPosition(partition: place.partition, offset: place.offset - 1) }

    @Test("results from before a session was forgotten are missing to the reader, and the session says that there are earlier ones")
    func forgotten() async throws {
        let running = try await RunningGateway(board: SessionBoard(maximumSessions: 1))
        let prompt = try await running.ask("s")
        let first = try #require(running.gateway.session("s")?.events.first { $0.origin == .results }).position
        // Another session takes the room of the first one, which then goes on.
        _ = try await running.ask("t")
        let answer = JSON.object(["prompt": .string(prompt), "action": "accept", "value": "tea"])
        try await running.say(SaidEvent(.promptAnswered, session: "s", id: "a1", data: answer))
        try await running.until("the next prompt") { $0.gateway.session("s")?.openPrompt != nil }
        let (events, missing) = running.gateway.follow("s", after: Self.before(first))
        #expect(missing?.contains(first.offset) == true)
        running.gateway.cancel(events, of: "s")
        #expect(running.gateway.session("s", for: .unrestricted, canAnswer: true)?.view["earlier"]?.bool == true)
        // With what is kept, it goes on without them.
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
            try await gateway.say(SaidEvent(.promptAnswered, session: "s", id: "a1", data: answer))
        }
        while running.gateway.session("s") == nil { try running.gateway.step(timeout: .zero) }
        #expect(running.gateway.session("s")?.events.map(\.type) == [.promptAnswered])
        let (events, missing) = running.gateway.follow("s", after: Self.before(first))
        #expect(missing?.contains(first.offset) == true)
        running.gateway.cancel(events, of: "s")
    }
}
