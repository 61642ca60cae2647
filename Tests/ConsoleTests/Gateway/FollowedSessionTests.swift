import Conversation
import GatewayFixture
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordLog
import Synchronization
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
        let rows = JSON.array([.object(["parameter": "what", "text": "marker", "value": "marker"])])
        let kind = JSON.string("confirmIntent")
        result(.promptIssued, 1, Self.ann, ["prompt": "p", "kind": kind, "dialog": "marker?", "parameters": rows])
    }

    @Test mutating func `a session's next owner sees nothing of the previous one, even for the same request id`() {
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
    mutating func `a lookalike of the owner is another principal, and sees nothing`(_ owner: String, _ other: String) {
        let (owner, other) = (Principal(.appUser, Identifier(owner)), Principal(.appUser, Identifier(other)))
        said(.requested, "r", of: "r", by: owner, ["intent": "Order"])
        result(.promptIssued, 1, owner, ["prompt": "p", "kind": "confirmIntent", "dialog": "marker?"])
        let viewer = Viewer(.own(other), isMasked: false)
        #expect(!viewer.sees(session) && viewer.isShutOut(of: session) && !shown(to: other).contains("marker"))
        #expect(session.events.compactMap(viewer.view).isEmpty)
        said(.promptAnswered, "a", by: other, ["prompt": "p", "action": "accept"])
        #expect(session.openPrompt != nil)
    }

    @Test
    mutating func `a reminder opens a prompt that the topic has not kept, and an answer that was not enough again`() {
        let approval = JSON.object([
            "approvers": .array([.object(["type": "app_user", "id": "bob"]), .object(["role": "finance"])]), "count": 2,
        ])
        let asked = JSON.string("confirmIntent")
        func remind(_ sequence: Int, _ reason: JSON) {
            result(
                .promptReminded, sequence, Self.ann,
                ["prompt": "p", "kind": asked, "dialog": "marker?", "approval": approval, "reason": reason])
        }
        remind(7, "reminder")
        var viewer = Viewer(.own(Self.bob), isMasked: false)
        #expect(session.openPrompt != nil && !viewer.sees(session) && !viewer.mayApprove(session))
        #expect(session.requests.map(\.state) == [.prompt] && session.requests.first?.turns == 0)
        said(.promptAnswered, "b", by: Principal(.appUser, "eve"), ["prompt": "p", "action": "accept"])
        #expect(session.openPrompt != nil)
        viewer.approver = Viewer.Approver(Self.bob, roles: [])
        #expect(!viewer.sees(session) && viewer.mayApprove(session))
        said(.promptAnswered, "a", by: Self.bob, ["prompt": "p", "action": "accept"])
        #expect(session.openPrompt == nil)
        remind(8, "reminder")
        #expect(session.openPrompt == nil)
        remind(9, "agreed")
        #expect(session.openPrompt != nil)
    }

    @Test func `sessions and requests whose ids only look equal are kept apart`() {
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
    mutating func `a new owner is detected even if the session's first result was not read`(sequence: Int) {
        order()
        result(.progressed, sequence, Self.bob, ["phase": "resolve"])
        #expect(session.owner == Self.bob && !shown(to: Self.bob).contains("marker"))
    }

    @Test mutating func `events of another sender change nothing that the owner sees`() {
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

    @Test mutating func `an answered prompt is not open, and is open again if its answer is rejected`() {
        order()
        said(.promptAnswered, "a", by: Self.ann, ["prompt": "p", "action": "accept"])
        #expect(session.openPrompt == nil)
        result(.rejected, 2, Self.ann, ["event": "a", "reason": "invalid"])
        #expect(session.openPrompt?.data.view["prompt"]?.string == "p")
    }

    @Test(arguments: [false, true])
    mutating func `a prompt stays open after words that are no answer, in whatever order they are read`(
        _ isReadFirst: Bool
    ) {
        order()
        let said: KeyValuePairs<String, JSON> = ["prompt": "p", "utterance": "repeat"]
        if !isReadFirst { self.said(.promptAnswered, "a", by: Self.ann, said) }
        #expect((session.openPrompt == nil) == !isReadFirst)
        result(.answerRead, 2, Self.ann, ["prompt": "p", "readAs": "repeat", "dialog": "marker?", "event": "a"])
        if isReadFirst { self.said(.promptAnswered, "a", by: Self.ann, said) }
        #expect(session.openPrompt != nil && session.state == .prompt && session.current?.state == .prompt)
        self.said(.promptAnswered, "b", by: Self.ann, ["prompt": "p", "utterance": "yes"])
        result(.answerRead, 3, Self.ann, ["prompt": "p", "readAs": "yes", "event": "b"])
        #expect(session.openPrompt == nil)
        let masked = session.redacted(for: Viewer(.all, isMasked: true))
        #expect(!"\(masked.events)".contains("marker?") && "\(masked.events)".contains("readAs"))
    }

    @Test mutating func `events of others before the first result are not the owner's`() {
        said(.requested, "q", of: "q", by: Self.bob, ["intent": "SendPayment"])
        order()
        #expect(session.requests.map(\.id) == ["r"] && !shown(to: Self.ann).contains("SendPayment"))
    }

    @Test mutating func `a masked viewer gets a session, its open prompt and its requests without values`() throws {
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
        #expect(running.session("s")?.events.first { $0.type == .requested }?.data.view["intent"]?.string == "Order")
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

    @Test func `the stored values of requests count, even after their events are evicted`() {
        var session = FollowedSession("s", partition: 0, at: Instant(milliseconds: 1))
        for number in 1...40 { _ = session.apply(Self.completion(number, of: "s", bytes: 50_000)) }
        #expect(session.requests.count == 40 && session.bytes > 40 * 50_000)
        // The session stores at most 50 requests, and each request once.
        for number in 41...120 { _ = session.apply(Self.completion(number, of: "s", bytes: 10)) }
        _ = session.apply(Self.completion(120, of: "s", bytes: 10))
        #expect(session.requests.count == 50 && session.bytes < 700_000)
    }

    @Test func `sessions with large requests are evicted for others`() {
        var board = SessionBoard(maximumBytes: 4 << 20)
        for session in ["a", "b", "c"] {
            for number in 1...40 { _ = board.apply(Self.completion(number, of: Identifier(session), bytes: 50_000)) }
        }
        #expect(board["a"] == nil && board["c"] != nil)
    }
}

@Suite("Readers of events") struct ReadersTests {
    @Test func `each reader gets a sign of life every fifteen seconds, in equal shares per second`() {
        var (readers, now) = (Readers(at: Instant(milliseconds: 0)), Instant(milliseconds: 0))
        for number in 0..<300 { _ = readers.add(of: number.isMultiple(of: 3) ? nil : "session-\(number % 7)") }
        #expect(readers.count == 300)
        for _ in 0..<3 {
            let turns = (0..<Readers.turns).map { _ in
                now = now.advanced(by: Readers.interval)
                return (readers.advancePulse(at: now) ?? []).map(ObjectIdentifier.init)
            }
            #expect(readers.advancePulse(at: now) == nil)
            #expect(turns.allSatisfy { $0.count == 20 })
            #expect(Set(turns.joined()).count == 300)
        }
    }
}

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

    @Test func `evicted results are read from the log`() async throws {
        let (running, _, first) = try await forgetting()
        let range = try #require(missing(running, from: first, -1))
        let found = try await running.archive.results(of: "s", in: first.partition, range, for: .unrestricted)
        #expect(found.events.map(\.position) == [first] && found.events.map(\.type) == [.promptIssued])
        #expect(found.end == range.upperBound)
    }

    @Test func `results before an eviction are missing to readers, and the session says so`() async throws {
        let (running, prompt, first) = try await forgetting()
        try await running.say(answer(to: prompt))
        try await running.untilPrompt("s")
        #expect(missing(running, from: first, -1)?.contains(first.offset) == true)
        #expect(running.gateway.view(for: .unrestricted).json(of: "s", canAnswer: true)?.view["earlier"]?.bool == true)
        // A reader that has seen the last stored event continues without the missing ones.
        let last = try #require(running.session("s")?.events.last { $0.origin == .results }).position
        #expect(missing(running, from: last) == nil)
    }

    @Test func `the results are missing of a session with stored answers only`() async throws {
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

    @Test func `a range ends after about 1 MiB of visible events, and says where to continue`() async throws {
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

    @Test func `a principal reads one range at a time, and a cancelled read ends at once`() async throws {
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
