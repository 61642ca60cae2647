import Conversation
import GatewayFixture
import IntentEvents
import IntentModel
import Testing

@testable import PersonGateway

@Suite("What sessions take in memory")
struct SessionMemoryTests {
    private static func completion(_ number: Int, of session: Identifier, bytes: Int) -> TimelineEvent {
        let values = JSON.object(["what": .string(String(repeating: "x", count: bytes))])
        return TimelineEvent(
            origin: .results, position: LogPosition(partition: 0, offset: Int64(number)), type: .completed,
            id: "\(session)-\(number)",
            time: Instant(milliseconds: 1), session: session, request: "r\(number)",
            data: .object(["intent": "Order", "status": "success", "parameters": values])
        ).setting(\.sequence, number)
    }

    @Test("the values that requests keep count, also when their events are not kept any more")
    func requests() {
        var session = FollowedSession("s", partition: 0, at: Instant(milliseconds: 1))
        for number in 1...40 { _ = session.apply(Self.completion(number, of: "s", bytes: 50_000)) }
        #expect(session.requests.count == 40)
        #expect(session.bytes > 40 * 50_000)
        // The session stores at most 50 requests, and each request once.
        for number in 41...120 { _ = session.apply(Self.completion(number, of: "s", bytes: 10)) }
        _ = session.apply(Self.completion(120, of: "s", bytes: 10))
        #expect(session.requests.count == 50 && session.bytes < 700_000)
    }

    @Test("sessions whose requests take too much make room for others")
    func bound() {
        var board = SessionBoard(maximumBytes: 4 << 20)
        for session in ["a", "b", "c"] {
            for number in 1...40 { _ = board.apply(Self.completion(number, of: Identifier(session), bytes: 50_000)) }
        }
        #expect(board["a"] == nil && board["c"] != nil)
    }
}
