import Conversation
import GatewayFixture
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordLog
import Testing

@testable import PersonGateway

@Suite("A session as a gateway follows it") struct FollowedSessionTests {
    private static let ann = Principal(.appUser, "ann")
    private static let bob = Principal(.appUser, "bob")
    private var session = FollowedSession("s", partition: 0, at: Instant(milliseconds: 1))
    private var offset: Int64 = 0

    private mutating func result(
        _ type: EventType, _ sequence: Int, _ owner: Principal?, _ data: KeyValuePairs<String, JSON> = [:]
    ) { advance(.results, type, nil, of: "r", owner, sequence, data) }

    private mutating func said(
        _ type: EventType, _ id: Identifier, of request: Identifier? = nil, by principal: Principal?,
        _ data: KeyValuePairs<String, JSON> = [:]
    ) { advance(.answers, type, id, of: request, principal, nil, data) }

    private mutating func advance(
        _ origin: TimelineEvent.Origin, _ type: EventType, _ id: Identifier?, of request: Identifier?,
        _ principal: Principal?, _ sequence: Int?, _ data: KeyValuePairs<String, JSON>
    ) {
        offset += 1
        _ = session.apply(
            TimelineEvent(
                origin: origin, position: LogPosition(partition: 0, offset: offset), type: type,
                id: id ?? "result-\(offset)", time: Instant(milliseconds: offset), session: "s", request: request,
                data: .object(data)
            ).setting(\.principal, principal).setting(\.sequence, sequence))
    }

    private func shown(to principal: Principal) -> String {
        let viewer = Viewer(.own(principal), isMasked: false)
        let place = LogPosition(partition: 0, offset: offset)
        let all = session.json(for: viewer, canAnswer: true, position: place) { _ in nil }
        return "\(all)\(session.summary(for: viewer) { _ in nil })"
    }

    /// Plays Ann's request `r` with the value "marker", from its beginning to its end.
    private mutating func order() {
        said(.requested, "r", of: "r", by: Self.ann, ["intent": "Order"])
        let row = JSON.object(["parameter": "what", "text": "marker", "value": "marker"])
        result(
            .promptIssued, 1, Self.ann,
            ["prompt": "p", "kind": "confirmIntent", "dialog": "marker?", "parameters": .array([row])])
    }

    @Test("the next owner of a session's name sees nothing of the owner before, also with a request of the same id")
    mutating func nextOwner() {
        order()
        result(.completed, 2, Self.ann, ["status": "success", "parameters": .object(["what": "marker"])])
        #expect(shown(to: Self.ann).contains("marker"))
        said(.requested, "r", of: "r", by: Self.bob, ["intent": "Order"])
        result(.progressed, 1, Self.bob, ["phase": "resolve"])
        #expect(session.owner == Self.bob && !shown(to: Self.bob).contains("marker"))
        #expect(session.requests.map(\.id) == ["r"] && session.requests.first?.parameters.isEmpty == true)
        #expect(session.events.allSatisfy { $0.principal == Self.bob }, "\(session.events)")
    }

    @Test(arguments: [("jos\u{E9}", "jose\u{301}"), ("\u{212A}ate", "Kate")])
    mutating func `who only looks like the owner is another one, and sees nothing`(_ owner: String, _ other: String) {
        let (owner, other) = (Principal(.appUser, Identifier(owner)), Principal(.appUser, Identifier(other)))
        said(.requested, "r", of: "r", by: owner, ["intent": "Order"])
        result(.promptIssued, 1, owner, ["prompt": "p", "kind": "confirmIntent", "dialog": "marker?"])
        let viewer = Viewer(.own(other), isMasked: false)
        #expect(!viewer.sees(session) && viewer.isShutOut(of: session) && !shown(to: other).contains("marker"))
        #expect(session.events.compactMap(viewer.view).isEmpty)
        said(.promptAnswered, "a", by: other, ["prompt": "p", "action": "accept"])
        #expect(session.openPrompt != nil)
    }

    @Test("two sessions whose keys only look equal are two: neither hides the other's prompt, and two requests are two")
    func lookalikeSessions() {
        var board = SessionBoard()
        for (offset, name) in (["K-0", "\u{212A}-0"] as [Identifier]).enumerated() {
            for (number, request) in (["\u{E9}", "e\u{301}"] as [Identifier]).enumerated() {
                _ = board.apply(
                    TimelineEvent(
                        origin: .results, position: LogPosition(partition: 0, offset: Int64(2 * offset + number)),
                        type: .promptIssued, id: "\(name).\(number)", time: Instant(milliseconds: 1), session: name,
                        request: request, data: .object(["prompt": "p", "kind": "value"])
                    ).setting(\.sequence, number + 1))
            }
        }
        #expect(board.count == 2 && board.waitingSessions.map(\.id) == ["K-0", "\u{212A}-0"])
        #expect(board["K-0"]?.openPrompt != nil && board["\u{212A}-0"]?.openPrompt != nil)
        #expect(board["K-0"]?.requests.map(\.id) == ["\u{E9}", "e\u{301}"])
    }

    @Test(arguments: [1, 7])
    mutating func `a new owner is seen also if the first result of the new session is not read`(sequence: Int) {
        order()
        result(.progressed, sequence, Self.bob, ["phase": "resolve"])
        #expect(session.owner == Self.bob && !shown(to: Self.bob).contains("marker"))
    }

    @Test mutating func `what another one says in a session changes nothing that its owner sees of it`() {
        order()
        let before = shown(to: Self.ann)
        said(.requested, "q", of: "q", by: Self.bob, ["intent": "SendPayment"])
        said(.requested, "r", of: "r", by: Self.bob, ["intent": "SendPayment"])
        said(.promptAnswered, "a", by: Self.bob, ["prompt": "p", "action": "accept"])
        said(.handoffCompleted, "h", by: Self.bob, ["handoff": "h", "dialog": "Transfer your money"])
        #expect(session.openPrompt != nil && session.requests.map(\.id) == ["r"] && session.current?.intent == "Order")
        let after = shown(to: Self.ann)
        #expect(!after.contains("SendPayment") && !after.contains("Transfer"), "\(before) \(after)")
    }

    @Test mutating func `what others have said before the first result is not its owner's`() {
        said(.requested, "q", of: "q", by: Self.bob, ["intent": "SendPayment"])
        order()
        #expect(session.requests.map(\.id) == ["r"] && !shown(to: Self.ann).contains("SendPayment"))
    }

    @Test("a viewer who sees no values gets a session without them, its open prompt and its requests included")
    mutating func masked() throws {
        order()
        let own = session.redacted(for: Viewer(.own(Self.ann), isMasked: false))
        #expect("\(own)".contains("marker") && own.events.count == 2)
        let masked = session.redacted(for: Viewer(.all, isMasked: true))
        #expect(!"\(masked)".contains("marker"), "\(masked)")
        #expect(masked.openPrompt?.data.view["prompt"]?.string == "p" && masked.requests.map(\.id) == ["r"])
    }

    @Test func `a gateway shows the request that coordinators do, in whatever form it is written`() async throws {
        let running = try await RunningGateway()
        let value = #"{"specversion":"1.0","intent":"Order","data":{"intent":"GetRideStatus"}}"#
        try running.pipeline.send(
            Record(
                topic: running.pipeline.topics.requests, key: Bytes("s".utf8), value: Bytes(value.utf8),
                headers: [RecordHeader("ce_type", "intent.requested.v1"), RecordHeader("ce_id", "r")],
                timestamp: running.pipeline.clock.now.milliseconds))
        try await running.untilPrompt("s")
        #expect(running.prompt("s")?["intent"]?.string == "Order")
        let requested = running.session("s")?.events.first { $0.type == .requested }
        #expect(requested?.data.view["intent"]?.string == "Order")
    }
}

@Suite("What sessions take in memory") struct SessionMemoryTests {
    private static func completion(_ number: Int, of session: Identifier, bytes: Int) -> TimelineEvent {
        let values = JSON.object(["what": .string(String(repeating: "x", count: bytes))])
        return TimelineEvent(
            origin: .results, position: LogPosition(partition: 0, offset: Int64(number)), type: .completed,
            id: "\(session)-\(number)", time: Instant(milliseconds: 1), session: session, request: "r\(number)",
            data: .object(["intent": "Order", "status": "success", "parameters": values])
        ).setting(\.sequence, number)
    }

    @Test func `the values that requests keep count, also when their events are not kept any more`() {
        var session = FollowedSession("s", partition: 0, at: Instant(milliseconds: 1))
        for number in 1...40 { _ = session.apply(Self.completion(number, of: "s", bytes: 50_000)) }
        #expect(session.requests.count == 40)
        #expect(session.bytes > 40 * 50_000)
        // The session stores at most 50 requests, and each request once.
        for number in 41...120 { _ = session.apply(Self.completion(number, of: "s", bytes: 10)) }
        _ = session.apply(Self.completion(120, of: "s", bytes: 10))
        #expect(session.requests.count == 50 && session.bytes < 700_000)
    }

    @Test func `sessions whose requests take too much make room for others`() {
        var board = SessionBoard(maximumBytes: 4 << 20)
        for session in ["a", "b", "c"] {
            for number in 1...40 { _ = board.apply(Self.completion(number, of: Identifier(session), bytes: 50_000)) }
        }
        #expect(board["a"] == nil && board["c"] != nil)
    }
}

@Suite("Readers of events") struct ReadersTests {
    @Test func `each gets a sign of life once in fifteen seconds, and each second brings it to a fifteenth of them`() {
        var readers = Readers()
        for number in 0..<300 { _ = readers.add(of: number.isMultiple(of: 3) ? nil : "session-\(number % 7)") }
        #expect(readers.count == 300)
        for _ in 0..<3 {
            let turns = (0..<Readers.turns).map { _ in readers.advancePulse().map(ObjectIdentifier.init) }
            #expect(turns.allSatisfy { $0.count == 20 })
            #expect(Set(turns.joined()).count == 300)
        }
    }
}
