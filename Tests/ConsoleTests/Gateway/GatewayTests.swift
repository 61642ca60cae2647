import Conversation
import GatewayFixture
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordLog
import Testing

@testable import PersonGateway

@Suite("A gateway")
struct GatewayTests {
    private static let ann = Principal(.appUser, "ann")

    @Test("whatever timestamps producers give their records, the gateway goes on")
    func timestamps() async throws {
        let running = try await RunningGateway()
        var encoder = EventEncoder(source: "/test")
        func send(_ type: EventType, _ data: JSON, id: Identifier) throws {
            let topics = running.pipeline.topics
            var record = encoder.record(
                type, value: data, session: "s", id: id, to: topics.requests, from: nil, trace: nil,
                at: running.pipeline.clock.now)
            record.timestamp = Int64.max
            try running.pipeline.send(record)
        }
        func prompt() -> JSONView? { running.gateway.session("s")?.openPrompt?.data.view }
        try send(.requested, .object(["intent": "Order"]), id: "r")
        try await running.until("a prompt") { _ in prompt()?["kind"]?.string == "value" }
        let first = try #require(prompt()?["prompt"]?.json)
        try send(.promptAnswered, .object(["prompt": first, "action": "accept", "value": "tea"]), id: "a1")
        try await running.until("the confirmation") { _ in prompt()?["kind"]?.string == "confirmIntent" }
        let second = try #require(prompt()?["prompt"]?.json)
        try send(.promptAnswered, .object(["prompt": second, "action": "accept"]), id: "a2")
        try await running.until("the end") { $0.gateway.session("s")?.state == .idle }
        #expect(try #require(running.gateway.session("s")?.current?.duration) >= 0)
        try running.close()
    }

    @Test("holds a conversation: what it says is acknowledged, and the session shows each step")
    func conversation() async throws {
        let running = try await RunningGateway()
        _ = try await running.ask("s")
        #expect(running.gateway.session("s")?.state == .prompt)
        try await running.answer("s", "tea", id: "a1")
        try await running.until("the confirmation") {
            $0.gateway.session("s")?.openPrompt?.data.view["kind"]?.string == "confirmIntent"
        }
        try await running.answer("s", nil, id: "a2")
        try await running.until("the end") { $0.gateway.session("s")?.state == .idle }
        let request = try #require(running.gateway.session("s")?.current)
        #expect(request.status == "success" && request.turns == 2 && request.state == .ended)
        let what = try #require(request.parameters.first { $0.name == "what" })
        #expect(what.value == "tea" && what.prompts.count == 1)
        let types = running.gateway.session("s")?.events.map(\.type) ?? []
        #expect(types == [.requested, .promptIssued, .promptAnswered, .promptIssued, .promptAnswered, .completed])
    }

    @Test("refuses at once what a coordinator would refuse without looking at the session, and names the member")
    func refuses() async throws {
        let running = try await RunningGateway()
        for (type, data, field) in [
            (EventType.requested, JSON.object(["intent": .number(1)]), "intent"),
            (.requested, .object(["intent": "Order", "paramters": .object([:])]), "paramters"),
            (.promptAnswered, .object(["prompt": "p", "action": "maybe"]), "action"),
            (.handoffClaimed, .object(["handoff": "h", "claimant": "c", "secret": "short"]), "secret"),
            (.handoffReturned, .object(["handoff": "h", "claimant": "c"]), "secret"),
            (.handoffReturned, .object(["handoff": "h", "claimant": "c", "secret": .null]), "secret"),
        ] {
            await #expect { try await running.say(SaidEvent(type, session: "s", id: "x", data: data)) } throws: {
                error in
                (error as? GatewayProblem)?.field == field
            }
        }
        await #expect(throws: GatewayProblem.self) {
            try await running.say(SaidEvent(.requested, session: "$s", id: "x", data: .object(["intent": "Order"])))
        }
    }

    @Test("an answered prompt is not open any more, and is again if the answer is rejected")
    func rejectedAnswer() async throws {
        let running = try await RunningGateway()
        let prompt = try await running.ask("s", principal: Self.ann)
        try await running.answer("s", "tea", id: "a1", principal: Principal(.appUser, "bob"))
        try await running.until("the rejection") { $0.gateway.session("s")?.events.last?.type == .rejected }
        #expect(running.gateway.session("s")?.openPrompt?.data.view["prompt"]?.string == prompt)
    }

    @Test("a session is its owner's: another one sees neither it nor its events")
    func owner() async throws {
        let running = try await RunningGateway()
        _ = try await running.ask("s", principal: Self.ann)
        let own = Viewer(.own(Self.ann), isMasked: false)
        let other = Viewer(.own(Principal(.appUser, "bob")), isMasked: false)
        #expect(running.gateway.session("s", for: own, canAnswer: true) != nil)
        #expect(running.gateway.session("s", for: other, canAnswer: true) == nil)
        let events = try #require(running.gateway.session("s")?.events)
        #expect(events.allSatisfy { own.view($0) != nil && other.view($0) == nil })
        for (viewer, count) in [(own, 1), (other, 0)] {
            let sessions = try running.gateway.sessions(for: viewer, search: nil, state: nil, after: nil, limit: 10)
            #expect(sessions.view["sessions"]?.elements.count == count)
            #expect(running.gateway.inbox(for: viewer, deadLetters: false).view["questions"]?.elements.count == count)
        }
    }

    @Test(
        "a session is not that of a sender who was rejected outside of it, and what was there is not shown to who opens it again"
    )
    func otherOwner() async throws {
        let running = try await RunningGateway()
        let bob = Principal(.appUser, "bob")
        _ = try await running.ask("s", ["what": "marker"], principal: Self.ann)
        func write(_ sequence: Int?, _ request: Identifier) throws {
            var value: [(String, JSON)] = [
                ("session", "s"), ("request", .string(request)), ("intent", "Order"), ("status", "success"),
                ("code", "success"),
            ]
            if let sequence { value.append(("sequence", .number(sequence))) }
            let data = JSON.make { writer in
                writer.beginObject()
                for (name, value) in value { writer.member(named: name, value) }
                writer.member("principal", .object(["type": "app_user", "id": "bob"]))
                writer.endObject()
            }
            let type = sequence == nil ? "request.rejected.v1" : "intent.completed.v1"
            let partition = try #require(running.gateway.session("s")).partition
            try running.pipeline.send(
                Record(
                    topic: running.pipeline.topics.results, partition: partition, key: Bytes("s".utf8),
                    value: data.bytes,
                    headers: [RecordHeader("ce_type", type), RecordHeader("ce_id", "x-\(request)")],
                    timestamp: running.pipeline.clock.now.milliseconds + 1))
        }
        let other = Viewer(.own(bob), isMasked: false)
        try write(nil, "q1")
        try await running.until("the rejection") {
            $0.gateway.session("s")?.events.contains { $0.type == .rejected } == true
        }
        #expect(running.gateway.session("s", for: other, canAnswer: true) == nil)
        try write(1, "q2")
        try await running.until("the new session") {
            $0.gateway.session("s")?.events.contains { $0.type == .completed } == true
        }
        let shown = "\(try #require(running.gateway.session("s", for: other, canAnswer: true)))"
        #expect(!shown.contains("marker") && shown.contains("q2") && !shown.contains("What would you like"))
    }

    @Test(
        "keeps no secret: neither of a request, nor of an answer, nor of what no service has published or no contract knows"
    )
    func secrets() async throws {
        let running = try await RunningGateway()
        _ = try await running.ask("s", ["what": "marker-1", "secretly": .bool(true)])
        try await running.answer("s", "marker-2", id: "a1")
        try await running.until("the confirmation") {
            $0.gateway.session("s")?.openPrompt?.data.view["kind"]?.string == "confirmIntent"
        }
        let said =
            running.gateway.session("s")?.events.filter { $0.origin != .results }.map { "\($0.data)" }.joined() ?? ""
        #expect(!said.contains("marker"))
        let all = "\(try #require(running.gateway.session("s", for: .unrestricted, canAnswer: true)))"
        #expect(!all.contains("marker-2"))
        let unknown = JSON.object(["intent": "Order", "memo": .object(["pin": "marker-3"])])
        try await running.say(SaidEvent(.requested, session: "t", id: "r", data: unknown))
        try await running.until("a prompt") { $0.gateway.session("t")?.openPrompt != nil }
        let kept = running.gateway.session("t")?.events.first { $0.type == .requested }?.data
        #expect(kept?.view["intent"]?.string == "Order" && kept?.view["memo"] == nil)
        // The prompt is not marked as secret, and the intent's parameter is not published.
        try await running.answer("t", "marker-4", id: "a2")
        try await running.until("the answer") { $0.gateway.session("t")?.events.contains { $0.id == "a2" } == true }
        let answer = running.gateway.session("t")?.events.first { $0.id == "a2" }?.data
        #expect(answer?.view["action"]?.string == "accept" && answer?.view["value"] == nil)
    }

    @Test("keeps no code that a person brings from signing in")
    func signInCode() async throws {
        let running = try await RunningGateway { invocation in
            guard invocation.phase == .handle, invocation.context.answers.isEmpty else {
                return await Asking.perform(invocation)
            }
            return .asked(
                PhaseQuestion(id: "account", kind: .signIn(SignIn(url: "https://accounts.example/authorize"))))
        }
        _ = try await running.ask("s", ["what": "tea"])
        try await running.answer("s", nil, id: "a1")
        try await running.until("the sign-in") {
            $0.gateway.session("s")?.openPrompt?.data.view["kind"]?.string == "signIn"
        }
        try await running.answer("s", "marker", id: "a2")
        try await running.until("the end") { $0.gateway.session("s")?.state == .idle }
        let session = try #require(running.gateway.session("s"))
        #expect(session.current?.status == "success")
        #expect(
            session.events.contains { $0.id == "a2" } && !session.events.contains { "\($0.data)".contains("marker") })
    }

    @Test("those who may not see values see what happened, and nothing that was said")
    func masked() async throws {
        let running = try await RunningGateway()
        _ = try await running.ask("s")
        try await running.answer("s", "marker", id: "a1")
        try await running.until("the confirmation") {
            $0.gateway.session("s")?.openPrompt?.data.view["kind"]?.string == "confirmIntent"
        }
        try await running.answer("s", nil, id: "a2")
        try await running.until("the end") { $0.gateway.session("s")?.state == .idle }
        let masked = Viewer(.all, isMasked: true)
        let shown =
            "\(try #require(running.gateway.session("s", for: masked, canAnswer: false)))"
            + "\(try running.gateway.sessions(for: masked, search: nil, state: nil, after: nil, limit: 10))"
        #expect(!shown.contains("marker") && !shown.contains("Here you are"))
        #expect(
            shown.contains("intent.completed.v1") && shown.contains("\"code\":\"success\"")
                && shown.contains("\"masked\":true"))
        let plain = "\(try #require(running.gateway.session("s", for: .unrestricted, canAnswer: false)))"
        #expect(plain.contains("marker") && plain.contains("Here you are"))
    }

    @Test(
        "those who see their own sessions alone are told which have changed and how many wait, and nothing of how the pipeline is"
    )
    func ownOverview() async throws {
        let running = try await RunningGateway()
        _ = try await running.ask("mine", principal: Self.ann)
        _ = try await running.ask("other", principal: Principal(.appUser, "bob"))
        let changed = running.gateway.drainChangedSessions()
        let (ann, carl) = (
            Viewer(.own(Self.ann), isMasked: false), Viewer(.own(Principal(.appUser, "carl")), isMasked: false)
        )
        let overviews = running.gateway.overviews(topics: [], changed: changed, for: [ann, carl, .unrestricted])
        #expect(overviews[carl] == nil, "nothing of theirs has changed")
        #expect(running.gateway.overviews(topics: [], for: [carl], inAnyCase: [carl]).count == 1)
        let own = try #require(overviews[ann]).view
        #expect(own["open"]?["prompts"]?.int == 1 && own["open"]?["handoffs"]?.int == 0)
        #expect(own["changed"]?.elements.compactMap { $0["session"]?.string } == ["mine"])
        #expect(Set(own.members.map(\.name)) == ["time", "caughtUp", "changed", "open"])
        let all = try #require(overviews[.unrestricted]).view
        #expect(
            all["open"]?["prompts"]?.int == 2 && all["changed"]?.elements.count == 2 && all["workers"] != nil
                && all["rates"] != nil)
    }

    @Test("a subscription brings what comes after the reader's last event, and what comes then")
    func resumes() async throws {
        let running = try await RunningGateway()
        let prompt = try await running.ask("s")
        let first = try #require(running.gateway.session("s")?.events.first { $0.origin == .results }).position
        let (all, missing) = running.gateway.follow(
            "s", after: LogPosition(partition: first.partition, offset: first.offset - 1))
        #expect(missing == nil)
        guard case .events(let before) = await all.next() else { return #expect(Bool(false)) }
        #expect(before.map { $0.data.view["prompt"]?.string } == [prompt])
        let (later, _) = running.gateway.follow("s", after: first)
        try await running.answer("s", "tea", id: "a1")
        var types: [EventType] = []
        try await running.until("the next prompt") {
            $0.gateway.session("s")?.events.count { $0.type == .promptIssued } == 2
        }
        while !types.contains(.promptIssued), case .events(let events) = await later.next() {
            types += events.map(\.type)
        }
        #expect(types == [.promptAnswered, .promptIssued])
        running.gateway.cancel(all, of: "s")
        running.gateway.cancel(later, of: "s")
        #expect(running.gateway.load.readers == 0)
    }

    @Test("what it does not keep is read from the log")
    func archived() async throws {
        let running = try await RunningGateway(board: SessionBoard(maximumSessions: 1))
        _ = try await running.ask("s")
        let first = try #require(running.gateway.session("s")?.events.first { $0.origin == .results }).position
        // The session `t` displaces the first one.
        _ = try await running.ask("t")
        #expect(running.gateway.session("s") == nil)
        let (events, missing) = running.gateway.follow(
            "s", after: LogPosition(partition: first.partition, offset: first.offset - 1))
        let range = try #require(missing)
        let found = try await running.archive.results(of: "s", in: first.partition, range, for: .unrestricted)
        #expect(
            found.events.map(\.position) == [first] && found.events.map(\.type) == [.promptIssued]
                && found.end == range.upperBound)
        running.gateway.cancel(events, of: "s")
    }

    @Test("a reader that takes nothing is cut off, and the others go on")
    func slow() async throws {
        let running = try await RunningGateway()
        let (slow, _) = running.gateway.followAll()
        let (quick, _) = running.gateway.followAll()
        let taking = Task {
            var count = 0
            while case .events(let events) = await quick.next() { count += events.count { $0.type == .completed } }
            return count
        }
        for number in 0..<600 {
            try await running.say(
                SaidEvent(.requested, session: "s\(number)", id: "r", data: .object(["intent": "Order"])))
        }
        try await running.until("the slow one is cut off") { _ in slow.ending == .tooSlow }
        #expect(quick.ending == nil)
        running.gateway.cancel(quick)
        _ = await taking.value
    }

    @Test("when it ends, its readers are told, and what is under way is refused by name")
    func closes() async throws {
        let running = try await RunningGateway()
        let (events, _) = running.gateway.follow("s")
        try running.close()
        #expect(await events.ended() == .closed)
        await #expect(throws: GatewayProblem.self) {
            try await running.gateway.send(
                SaidEvent(.requested, session: "s", id: "x", data: .object(["intent": "Order"])))
        }
    }

    @Test("sessions are found by id, intent and state, and come in pages")
    func pages() async throws {
        let running = try await RunningGateway()
        for number in 0..<5 { _ = try await running.ask("kitchen-\(number)") }
        func names(_ page: JSON) -> [String] {
            page.view["sessions"]?.elements.compactMap { $0["session"]?.string } ?? []
        }
        let all = Viewer.unrestricted
        let first = try running.gateway.sessions(for: all, search: "KITCHEN", state: .prompt, after: nil, limit: 2)
        #expect(names(first) == ["kitchen-4", "kitchen-3"])
        let second = try running.gateway.sessions(
            for: all, search: nil, state: nil, after: first.view["next"]?.string, limit: 200)
        #expect(names(second) == ["kitchen-2", "kitchen-1", "kitchen-0"] && second.view["next"] == nil)
        #expect(names(try running.gateway.sessions(for: all, search: nil, state: .idle, after: nil, limit: 10)).isEmpty)
        #expect(throws: GatewayProblem.self) {
            try running.gateway.sessions(for: all, search: nil, state: nil, after: "x", limit: 10)
        }
        #expect(throws: GatewayProblem.self) {
            try running.gateway.sessions(for: all, search: nil, state: nil, after: nil, limit: 0)
        }
    }

    @Test("a dead letter is replayed once, and only if the record that it names is the one that it holds")
    func deadLetters() async throws {
        let running = try await RunningGateway()
        let topics = running.pipeline.topics
        try running.pipeline.send(
            Record(topic: topics.requests, partition: 0, key: Bytes("s".utf8), value: Bytes("{".utf8)))
        try await running.until("the dead letter") {
            $0.gateway.inbox(for: .unrestricted, deadLetters: true).view["deadLetters"]?.elements.count == 1
        }
        let place = LogPosition(partition: 0, offset: 0)
        // The record is still unreadable, so it can't be replayed.
        func deal(_ place: LogPosition, _ kind: DeadLetterMark.Kind) async throws {
            try await running.during { [gateway = running.gateway, archive = running.archive] in
                try await gateway.view(for: .unrestricted).resolveDeadLetter(at: place, kind, by: "ann", archive)
            }
        }
        await #expect(throws: GatewayProblem.self) { try await deal(place, .replayed) }
        try await deal(place, .dropped)
        try await running.until("the mark") {
            $0.gateway.inbox(for: .unrestricted, deadLetters: true).view["deadLetters"]?.elements.isEmpty == true
        }
        await #expect(throws: GatewayProblem.self) { try await deal(place, .dropped) }
        await #expect(throws: GatewayProblem.self) { try await deal(LogPosition(partition: 1, offset: 9), .dropped) }
    }
}
