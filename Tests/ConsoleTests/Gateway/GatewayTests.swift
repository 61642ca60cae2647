import Conversation
import GatewayFixture
import IntentEvents
import IntentModel
import Pipeline
import PipelineService
import PipelineTestKit
import RecordLog
import Synchronization
import Testing

@testable import PersonGateway

@Suite("A gateway") struct GatewayTests {
    private static let (ann, bob) = (Principal(.appUser, "ann"), Principal(.appUser, "bob"))

    private func own(_ principal: Principal) -> Viewer { Viewer(.own(principal), isMasked: false) }

    private func order(in session: Identifier) -> SaidEvent {
        SaidEvent(.requested, session: session, id: "r", data: .object(["intent": "Order"]))
    }

    @Test func `the gateway accepts records with any timestamp`() async throws {
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
        try send(.requested, .object(["intent": "Order"]), id: "r")
        let first = JSON.string(try await running.untilPrompt("s", "value"))
        try send(.promptAnswered, .object(["prompt": first, "action": "accept", "value": "tea"]), id: "a1")
        let second = JSON.string(try await running.untilPrompt("s", "confirmIntent"))
        try send(.promptAnswered, .object(["prompt": second, "action": "accept"]), id: "a2")
        try await running.untilEnd("s")
        #expect(try #require(running.session("s")?.current?.duration) >= 0)
        try running.close()
    }

    @Test func `a conversation's events are acknowledged, and the session shows each step`() async throws {
        let running = try await RunningGateway()
        try await running.order("s")
        let request = try #require(running.session("s")?.current)
        #expect(request.status == "success" && request.turns == 2 && request.state == .ended)
        let what = try #require(request.parameters.first { $0.name == "what" })
        #expect(what.value == "tea" && what.prompts.count == 1)
        let types = running.session("s")?.events.map(\.type) ?? []
        #expect(types == [.requested, .promptIssued, .promptAnswered, .promptIssued, .promptAnswered, .completed])
    }

    @Test func `an event that no session can accept is refused at once, naming the member`() async throws {
        let running = try await RunningGateway()
        for (type, data, field) in [
            (EventType.requested, JSON.object(["intent": .number(1)]), "intent"),
            (.requested, .object(["intent": "Order", "paramters": .object([:])]), "paramters"),
            (.promptAnswered, .object(["prompt": "p", "action": "maybe"]), "action"),
            (.handoffClaimed, .object(["handoff": "h", "claimant": "c", "secret": "short"]), "secret"),
            (.handoffReturned, .object(["handoff": "h", "claimant": "c"]), "secret"),
            (.handoffReturned, .object(["handoff": "h", "claimant": "c", "secret": .null]), "secret"),
        ] {
            let problem = await #expect(throws: GatewayProblem.self) {
                try await running.say(SaidEvent(type, session: "s", id: "x", data: data))
            }
            #expect(problem?.field == field)
        }
        await #expect(throws: GatewayProblem.self) { try await running.say(order(in: "$s")) }
    }

    @Test func `a rejected sender does not get the session, and its next owner sees nothing earlier`() async throws {
        let running = try await RunningGateway()
        try await running.ask("s", ["what": "marker"], principal: Self.ann)
        let partition = try #require(running.session("s")).partition
        func write(_ type: EventType, _ request: Identifier) throws {
            let members: KeyValuePairs<String, JSON> = [
                "request": .string(request), "intent": "Order", "status": "success", "code": "success",
                "sequence": type == .completed ? .number(1) : .null,
            ]
            try running.write(type, of: "s", id: "x-\(request)", in: partition, owner: "bob", members)
        }
        let other = own(Self.bob)
        try write(.rejected, "q1")
        try await running.until("the rejection") { $0.session("s")?.events.contains { $0.type == .rejected } == true }
        #expect(running.gateway.view(for: other).json(of: "s", canAnswer: true) == nil)
        try write(.completed, "q2")
        try await running.until("the new session") {
            $0.session("s")?.events.contains { $0.type == .completed } == true
        }
        let shown = "\(try #require(running.gateway.view(for: other).json(of: "s", canAnswer: true)))"
        #expect(!shown.contains("marker") && shown.contains("q2") && !shown.contains("What would you like"))
    }

    @Test func `values of secret, unpublished and unknown members are not stored`() async throws {
        let running = try await RunningGateway()
        try await running.ask("s", ["what": "marker-1", "secretly": .bool(true)])
        try await running.answer("s", "marker-2", id: "a1")
        try await running.untilPrompt("s", "confirmIntent")
        let said = running.session("s")?.events.filter { $0.origin != .results }.map { "\($0.data)" }.joined() ?? ""
        #expect(!said.contains("marker"))
        let all = "\(try #require(running.gateway.view(for: .unrestricted).json(of: "s", canAnswer: true)))"
        #expect(!all.contains("marker-2"))
        let unknown = JSON.object(["intent": "Order", "memo": .object(["pin": "marker-3"])])
        try await running.say(SaidEvent(.requested, session: "t", id: "r", data: unknown))
        try await running.untilPrompt("t")
        let kept = running.session("t")?.events.first { $0.type == .requested }?.data
        #expect(kept?.view["intent"]?.string == "Order" && kept?.view["memo"] == nil)
        // The prompt is not marked as secret, and the intent's parameter is not published.
        try await running.answer("t", "marker-4", id: "a2")
        try await running.until("the answer") { $0.session("t")?.events.contains { $0.id == "a2" } == true }
        let answer = running.session("t")?.events.first { $0.id == "a2" }?.data
        #expect(answer?.view["action"]?.string == "accept" && answer?.view["value"] == nil)
        try await running.say(SaidEvent(.requested, session: "u", id: "r", data: .object(["intent": "Order"])))
        let prompt = try await running.untilPrompt("u")
        let words = JSON.object(["prompt": .string(prompt), "utterance": "marker-5"])
        try await running.say(SaidEvent(.promptAnswered, session: "u", id: "a3", data: words))
        try await running.until("the words") { $0.session("u")?.events.contains { $0.id == "a3" } == true }
        let stored = running.session("u")?.events.first { $0.id == "a3" }?.data
        #expect(stored?.view["prompt"] != nil && stored?.view["utterance"] == nil)
    }

    @Test func `the code of a sign-in is not stored`() async throws {
        let running = try await RunningGateway { invocation in
            guard invocation.phase == .handle, invocation.context.answers.isEmpty else {
                return await Asking.perform(invocation)
            }
            return .asked(PhaseQuestion(id: "account", kind: .signIn(SignIn(url: "https://a.example/authorize"))))
        }
        try await running.ask("s", ["what": "tea"])
        try await running.answer("s", nil, id: "a1")
        try await running.untilPrompt("s", "signIn")
        try await running.answer("s", "marker", id: "a2")
        try await running.untilEnd("s")
        let session = try #require(running.gateway.session("s"))
        #expect(session.current?.status == "success")
        let events = session.events
        #expect(events.contains { $0.id == "a2" } && !events.contains { "\($0.data)".contains("marker") })
    }

    @Test func `a masked viewer sees the events without their values`() async throws {
        let running = try await RunningGateway()
        try await running.order("s", "marker")
        let masked = Viewer(.all, isMasked: true)
        let shown =
            "\(try #require(running.gateway.view(for: masked).json(of: "s", canAnswer: false)))"
            + "\(try running.gateway.view(for: masked).sessions(SessionQuery()))"
        #expect(!shown.contains("marker") && !shown.contains("Here you are"))
        for text in ["intent.completed.v1", "\"code\":\"success\"", "\"masked\":true"] { #expect(shown.contains(text)) }
        let plain = "\(try #require(running.gateway.view(for: .unrestricted).json(of: "s", canAnswer: false)))"
        #expect(plain.contains("marker") && plain.contains("Here you are"))
    }

    @Test func `an own-sessions viewer gets changed sessions and open counts, and no pipeline figures`() async throws {
        let running = try await RunningGateway()
        try await running.ask("mine", principal: Self.ann)
        try await running.ask("other", principal: Self.bob)
        let changed = running.gateway.state.withLock { $0.timeline.drainChanged() }
        let (ann, carl) = (own(Self.ann), own(Principal(.appUser, "carl")))
        let overviews = running.gateway.overviews(topics: [], changed: changed, for: [ann, carl, .unrestricted])
        #expect(overviews[carl] == nil, "nothing of theirs has changed")
        #expect(running.gateway.overviews(topics: [], for: [carl], inAnyCase: [carl]).count == 1)
        let theirs = try #require(overviews[ann]).view
        #expect(theirs["open"]?["prompts"]?.int == 1 && theirs["open"]?["handoffs"]?.int == 0)
        #expect(theirs["changed"]?.elements.compactMap { $0["session"]?.string } == ["mine"])
        #expect(Set(theirs.members.map(\.name)) == ["time", "caughtUp", "changed", "open"])
        let all = try #require(overviews[.unrestricted]).view
        #expect(all["open"]?["prompts"]?.int == 2 && all["changed"]?.elements.count == 2)
        #expect(all["workers"] != nil && all["rates"] != nil)
    }

    @Test func `an overview tells which processes own what, which are late or gone, and what the faults are`()
        async throws
    {
        let running = try await RunningGateway()
        let (pipeline, started) = (running.pipeline, running.pipeline.clock.now)
        var encoder = EventEncoder(source: "/test")
        func renew(_ lease: WorkerLease) throws {
            try pipeline.send(encoder.record(lease, topics: pipeline.topics, at: pipeline.clock.now))
        }
        func worker(_ name: String) -> WorkerLease {
            WorkerLease(instance: name, intents: ["Book"], phases: Phase.allCases.map(\.rawValue))
        }
        func overview() async throws -> JSONView {
            let pending = pipeline.clock.now
            try await running.until("all is read") { _ in pending == pipeline.clock.now }
            running.gateway.show(running.gateway.faultsOfLeases)
            return running.gateway.view(for: .unrestricted).overview(topics: []).view
        }
        var coordinator = WorkerLease.ofCoordinator("c", started: started)
        let stall = WorkerLease.Stall(partition: 1, since: started.advanced(by: .seconds(-60)), problem: "records wait")
        coordinator.ownership = WorkerLease.Ownership(partitions: [0, 1], stalls: [stall])
        try renew(coordinator)
        for name in ["a", "b"] { try renew(worker(name)) }
        let first = try await overview()
        let owner = try #require(first["coordinators"]?.elements.first)
        #expect(
            owner["partitions"]?.elements.compactMap(\.int) == [0, 1]
                && owner["stalled"]?.elements.compactMap(\.int) == [1])
        #expect(first["workers"]?.elements.compactMap { $0["instance"]?.string } == ["a", "b"])
        #expect(first["faults"]?.elements.compactMap { $0["kind"]?.string } == ["partitionStalled"])

        pipeline.clock.advance(by: .seconds(12))
        coordinator.ownership?.stalls = []
        try renew(coordinator)
        try renew(worker("a"))
        let second = try await overview()
        #expect(second["workers"]?.elements.map { $0["late"]?.bool } == [nil, true])
        #expect(second["faults"]?.elements.compactMap { $0["kind"]?.string } == ["processLate"])

        try pipeline.send(
            encoder.withdrawal(
                of: .worker(service: nil, instance: "b"), topics: pipeline.topics, at: pipeline.clock.now))
        let third = try await overview()
        #expect(third["workers"]?.elements.map { $0["gone"]?.string == nil } == [true, false])
        #expect(third["faults"]?.elements.isEmpty == true)
    }

    @Test func `a subscription has the events after the reader's last one, and later events`() async throws {
        let running = try await RunningGateway()
        let prompt = try await running.ask("s")
        let first = try #require(running.session("s")?.events.first { $0.origin == .results }).position
        let (all, missing) = running.gateway.follow(
            "s", after: LogPosition(partition: first.partition, offset: first.offset - 1))
        #expect(missing == nil)
        var before: [TimelineEvent] = []
        if case .events(let events) = await all.next() { before = events }
        #expect(before.map { $0.data.view["prompt"]?.string } == [prompt])
        let (later, _) = running.gateway.follow("s", after: first)
        try await running.answer("s", "tea", id: "a1")
        var types: [EventType] = []
        try await running.untilPrompt("s", "confirmIntent")
        while !types.contains(.promptIssued), case .events(let events) = await later.next() {
            types += events.map(\.type)
        }
        #expect(types == [.promptAnswered, .promptIssued])
        running.gateway.cancel(all, of: "s")
        running.gateway.cancel(later, of: "s")
        #expect(running.gateway.load.readers == 0)
    }

    @Test func `a reader that does not read is cut off, and other readers are served`() async throws {
        let running = try await RunningGateway()
        let (slow, _) = running.gateway.followAll()
        let (quick, _) = running.gateway.followAll()
        let taking = Task {
            var count = 0
            while case .events(let events) = await quick.next() { count += events.count { $0.type == .completed } }
            return count
        }
        for number in 0..<600 { try await running.say(order(in: Identifier("s\(number)"))) }
        try await running.until("the slow one is cut off") { _ in slow.ending == .tooSlow }
        #expect(quick.ending == nil)
        running.gateway.cancel(quick)
        _ = await taking.value
    }

    @Test func `closing the gateway ends its readers, and rejects further events`() async throws {
        let running = try await RunningGateway()
        let (events, _) = running.gateway.follow("s")
        try running.close()
        #expect(await events.ended() == .closed)
        await #expect(throws: GatewayProblem.self) { try await running.gateway.send(order(in: "s")) }
    }

    private func page(_ running: RunningGateway, as viewer: Viewer = .unrestricted, _ query: [(String, String)]) throws
        -> (names: [String], page: JSONView)
    {
        let query = try SessionQuery(query.map { (name: $0, value: $1) })
        let page = try running.gateway.view(for: viewer).sessions(query).view
        return (page["sessions"]?.elements.compactMap { $0["session"]?.string } ?? [], page)
    }

    @Test func `sessions are found by id, intent and state, and come in pages`() async throws {
        let running = try await RunningGateway()
        for number in 0..<5 { _ = try await running.ask("kitchen-\(number)") }
        let first = try page(running, [("search", "KITCHEN"), ("state", "prompt"), ("limit", "2")])
        #expect(first.names == ["kitchen-4", "kitchen-3"] && first.page["total"]?.int == 5)
        let second = try page(running, [("after", first.page["next"]?.string ?? ""), ("limit", "200")])
        #expect(second.names == ["kitchen-2", "kitchen-1", "kitchen-0"] && second.page["next"] == nil)
        let none = try page(running, [("state", "idle")])
        #expect(none.names.isEmpty && none.page["total"]?.int == 0 && none.page["kept"]?.int == 5)
    }

    @Test(arguments: [
        ("limit", "0"), ("limit", "201"), ("after", "x"), ("state", "done"), ("outcome", "failed"),
        ("from", "yesterday"),
        ("until", "1"), ("until", ""), ("waits", "0"), ("waits", "1e3"), ("search", String(repeating: "x", count: 201)),
        ("intent", String(repeating: "x", count: 257)), ("outcom", "failure"),
    ])
    func `a filter that can't be read is refused by its name`(_ name: String, _ value: String) {
        let problem = #expect(throws: GatewayProblem.self) { try SessionQuery([(name: name, value: value)]) }
        #expect(problem?.field == name && problem?.reason == .invalid)
    }

    @Test func `sessions are found by outcome, intent, owner, time and the age of their wait`() async throws {
        let running = try await RunningGateway()
        try await running.order("done")
        let between = running.pipeline.clock.now.advanced(byMilliseconds: 1)
        running.pipeline.clock.advance(by: .seconds(5))
        try await running.ask("open", principal: Self.ann)
        running.pipeline.clock.advance(by: .seconds(30))
        try await running.ask("new", principal: Self.bob)
        func names(_ query: (String, String)...) throws -> [String] { try page(running, query).names }
        #expect(try names(("outcome", "success")) == ["done"])
        #expect(try names(("outcome", "success"), ("intent", "Order")) == ["done"])
        #expect(try names(("outcome", "success"), ("intent", "Other")).isEmpty)
        #expect(try names(("outcome", "success"), ("from", between.description)).isEmpty)
        #expect(try names(("from", between.description)) == ["new", "open"])
        #expect(try names(("until", between.description)) == ["done"])
        #expect(try names(("principal", "ann")) == ["open"])
        #expect(try names(("waits", "30")) == ["open"])
        #expect(try names(("waits", "31")).isEmpty)
        let hers = try page(running, as: own(Self.ann), [])
        #expect(hers.names == ["open"] && hers.page["sessions"]?.elements.first?["principal"] == nil)
        let problem = #expect(throws: GatewayProblem.self) {
            try page(running, as: own(Self.ann), [("principal", "bob")])
        }
        #expect(problem?.field == "principal" && problem?.reason == .unauthorized)
    }

    @Test func `a search finds what was said, asked and answered, and not the names of members`() async throws {
        let running = try await RunningGateway()
        try await running.order("s")
        try await running.ask("t", ["what": "Crème \"BRÛLÉE\""], principal: Self.ann)
        func names(_ search: String, _ viewer: Viewer = .unrestricted) throws -> [String] {
            try page(running, as: viewer, [("search", search)]).names
        }
        #expect(try names("TEA") == ["s"], "a value")
        #expect(try names("would you LIKE") == ["s"], "a prompt")
        #expect(try names("crème \"brûlée\"") == ["t"], "a value with escapes")
        #expect(try names("ann") == ["t"], "an owner")
        #expect(try names("dialog").isEmpty && names("}").isEmpty, "a member")
        #expect(try names("tea", own(Self.ann)).isEmpty, "another's session")
        let masked = Viewer(.all, isMasked: true)
        #expect(try names("tea", masked).isEmpty && names("order", masked) == ["t", "s"])
    }

    private func followed(_ session: Identifier, saying text: String) -> FollowedSession {
        var followed = FollowedSession(session, partition: 0, at: Instant(milliseconds: 0))
        let event = TimelineEvent(
            origin: .results, position: LogPosition(partition: 0, offset: 0), type: .progressed, id: "e",
            time: Instant(milliseconds: 0), session: session, data: .object(["dialog": .string(text)]))
        _ = followed.apply(event)
        return followed
    }

    @Test(arguments: [
        ("TEA", "green tea", true), ("İstanbul", "to İstanbul", true), ("sıcak", "SICAK", true),
        ("sıcak", "çok sıcak", true), ("ÉCLAIR", "un éclair", true), ("ÿ", "ø", false), ("ё", "Б", false),
        ("straße", "Straße", true), ("12.5", "it is 12.5", true), ("teapot", "tea", false),
    ])
    func `a search knows upper and lower case, and no other letters`(_ words: String, _ text: String, _ isThere: Bool) {
        var search = SessionSearch(words, for: .unrestricted, titles: [:])
        #expect(search.search(followed("s", saying: text)) == isThere)
    }

    @Test func `a search that is too long for once says what it did not search, and can go on from there`() async throws
    {
        let running = try await RunningGateway()
        for number in 0..<3 { try await running.ask("s\(number)") }
        let view = running.gateway.view(for: .unrestricted)
        var query = try SessionQuery([(name: "search", value: "would you like")])
        let first = try view.sessions(query, maximumSearched: 1).view
        #expect(first["sessions"]?.elements.compactMap { $0["session"]?.string } == ["s2"])
        #expect(first["unsearched"]?.int == 2 && first["total"]?.int == 1)
        query.after = try #require(first["next"]?.string.flatMap { UInt64($0) })
        let rest = try view.sessions(query).view
        #expect(rest["sessions"]?.elements.compactMap { $0["session"]?.string } == ["s1", "s0"])
        #expect(rest["unsearched"] == nil && rest["next"] == nil)
    }

    @Test func `the steps of a request tell phases, attempts, workers, durations and the trace`() async throws {
        let running = try await RunningGateway()
        let trace = TraceContext(parent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
        let data = JSON.object(["intent": "Order"])
        try await running.say(SaidEvent(.requested, session: "s", id: "r", data: data, trace: trace))
        try await running.untilPrompt("s", "value")
        try await running.answer("s", "tea", id: "a1")
        try await running.untilPrompt("s", "confirmIntent")
        try await running.answer("s", nil, id: "a2")
        try await running.untilEnd("s")
        func steps(_ viewer: Viewer, of request: Identifier = "r") async throws -> JSON? {
            try await running.during { [gateway = running.gateway, archive = running.archive] in
                try await gateway.view(for: viewer).steps(of: request, in: "s", archive)
            }
        }
        let shown = try #require(try await steps(.unrestricted)).view
        #expect(shown["trace"]?.string == "4bf92f3577b34da6a3ce929d0e0e4736")
        let all = shown["steps"]?.elements ?? []
        #expect(all.compactMap { $0["phase"]?.string } == ["resolve", "resolve", "confirm", "handle"])
        #expect(all.allSatisfy { $0["attempt"]?.int == 1 && $0["duration"]?.int != nil })
        #expect(all.allSatisfy { $0["worker"]?.string?.isEmpty == false })
        #expect(all.last?["code"]?.string == "success")
        #expect(try await steps(.unrestricted, of: "other") == nil)
        await #expect(throws: GatewayProblem.self) { _ = try await steps(own(Self.ann)) }
    }

    @Test func `an unreadable dead letter can't be replayed, and is dropped only once`() async throws {
        let running = try await RunningGateway()
        let topic = running.pipeline.topics.requests
        try running.pipeline.send(Record(topic: topic, partition: 0, key: Bytes("s".utf8), value: Bytes("{".utf8)))
        func untilListed(_ count: Int) async throws {
            try await running.until("\(count) dead letters") {
                let inbox = $0.gateway.view(for: .unrestricted).inbox(deadLetters: true).view
                return inbox["deadLetters"]?.elements.count == count
            }
        }
        try await untilListed(1)
        let place = LogPosition(partition: 0, offset: 0)
        // The record is still unreadable, so it can't be replayed.
        func deal(_ place: LogPosition, _ kind: DeadLetterMark.Kind) async throws {
            try await running.during { [gateway = running.gateway, archive = running.archive] in
                try await gateway.view(for: .unrestricted).resolveDeadLetter(at: place, kind, by: "ann", archive)
            }
        }
        let refusal = await #expect(throws: GatewayProblem.self) { try await deal(place, .replayed) }
        #expect(refusal?.message.contains("Have its sender send it again") == true, "it says what else to do")
        #expect(refusal?.reason == .unexpected, "the request for it was right")
        func record(_ viewer: Viewer) async throws -> JSON {
            try await running.during { [gateway = running.gateway, archive = running.archive] in
                try await gateway.view(for: viewer).deadLetter(at: place, archive)
            }
        }
        let shown = try await record(.unrestricted).view
        #expect(shown["key"]?.string == "s" && shown["value"]?.string == "{")
        await #expect(throws: GatewayProblem.self) { _ = try await record(Viewer(.all, isMasked: true)) }
        try await deal(place, .dropped)
        try await untilListed(0)
        await #expect(throws: GatewayProblem.self) { try await deal(place, .dropped) }
        await #expect(throws: GatewayProblem.self) { try await deal(LogPosition(partition: 1, offset: 9), .dropped) }
    }
}

@Suite("The spans of a gateway") struct SendTracingTests {
    private final class Spans: SpanRecorder {
        private let recorded = Recorder<FinishedSpan>()
        var all: [FinishedSpan] { recorded.all }
        func record(_ span: FinishedSpan) { recorded.record(span) }
        let followsSender = true
        func isRecorded(_ context: SpanContext) -> Bool { context.isSampled }
        func newTrace() -> (high: UInt64, low: UInt64, isSampled: Bool) { (7, 7, true) }
    }

    private static let caller = SpanContext(traceHigh: 1, traceLow: 2, span: 3, isSampled: true, state: "a=b")

    @Test(arguments: [caller.trace, nil])
    func `an event continues the caller's trace or begins one, and carries it`(trace: TraceContext?) async throws {
        let spans = Spans()
        let running = try await RunningGateway(tracer: OTLPTracer(spans))
        let place = try await running.say(
            SaidEvent(.requested, session: "s", id: "r", data: .object(["intent": "Order"]), trace: trace))
        let span = try #require(spans.all.first)
        #expect(spans.all.count == 1 && span.kind == .producer && span.error == nil)
        #expect(span.name == "send intents.answers" && span.parent == (trace == nil ? nil : Self.caller.span))
        #expect(span.context.traceLow == (trace == nil ? 7 : Self.caller.traceLow))
        #expect(span.attributes["messaging.kafka.offset"] == .number(Int(place.offset)))
        let record = try #require(running.pipeline.log.records(in: running.pipeline.topics.answers).first)
        let headers = ["traceparent", "tracestate"].map { name in record.headers.first { $0.name == name }?.text }
        #expect(headers == [span.context.traceparent, trace == nil ? nil : "a=b"])
    }

    @Test func `a refused event has a failed span, without the event's content`() async throws {
        let spans = Spans()
        let running = try await RunningGateway(tracer: OTLPTracer(spans))
        await #expect(throws: GatewayProblem.self) {
            try await running.say(SaidEvent(.requested, session: "s", id: "r", data: .object(["intnet": "planted"])))
        }
        let span = try #require(spans.all.first)
        #expect(span.error != nil && !"\(span)".contains("planted"))
    }
}
