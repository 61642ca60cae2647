import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Synchronization
import Testing

@Suite("What is remembered about a person, in the pipeline")
struct PersonMemoryFlowTests {
    private static let ann = Principal(.appUser, "ann")
    private static let bob = Principal(.appUser, "bob")

    /// A pipeline whose resolver uses the remembered city if no city is given, and remembers the city for the person.
    private func pipeline(_ name: String = "coordinator") async throws -> TestPipeline {
        let pipeline = try await TestPipeline { invocation, _ in
            guard invocation.phase == .resolve else {
                let asks = invocation.phase == .confirm && invocation.parameters.contains { $0.name == "ask" }
                return .responded(
                    IntentResponse(invocation.phase == .confirm ? .ready : .success),
                    confirmation: asks ? ConfirmationRequest(summary: "Go?") : nil)
            }
            let given = invocation.parameters.first(where: { $0.name == "city" })?.value
            guard let value = given ?? invocation.context.memory["city"], value != .null else {
                return .resolved([
                    ResolvedParameter(name: "city", resolution: .needsValue(dialog: nil), memoryKey: "city")
                ])
            }
            var city = ResolvedParameter(name: "city", resolution: .success(value), memoryKey: "city")
            city.memoryScope = .person
            if given == nil { city.provenance = ParameterState.Provenance(source: .remembered) }
            return .resolved([city])
        }
        pipeline.followsCatalogue = true
        pipeline.followsMemory = true
        try pipeline.startPublisher("publisher", Self.content)
        try await pipeline.settle()
        try pipeline.startCoordinator(name)
        for phase in Phase.allCases { try pipeline.startWorker(phase.rawValue, phase) }
        try await pipeline.settle()
        return pipeline
    }

    private static var content: CataloguePublisher.Content {
        let parameters: [JSON] = [
            .object(["name": .string("city"), "memory": .object(["key": .string("city"), "scope": .string("person")])]),
            .object(["name": .string("seats")]),
        ]
        let intents = ["Book", "Travel"].map {
            PublishedIntent(intent: Identifier($0), title: $0, details: ["parameters": .array(parameters)])
        }
        let plain = PublishedIntent(
            intent: "Sing", title: "Sing", details: ["parameters": .array([.object(["name": .string("song")])])])
        return .init(
            lease: WorkerLease(instance: "w", intents: ["Book", "Travel", "Sing"]), intents: intents + [plain])
    }

    /// A pipeline whose coordinator has journalled a memory change and not written it to the memory.
    private func lossyPipeline() async throws -> TestPipeline {
        let pipeline = try await pipeline()
        pipeline.interposer = { name, client in name == "lossy" ? WithoutMemory(client) : client }
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("lossy")
        try await pipeline.settle()
        _ = try await ask("s", "Leeds", in: pipeline)
        return pipeline
    }

    /// Starts another coordinator, whose reading of the memory is late until the gate is open.
    private func replaceCoordinator(
        of pipeline: TestPipeline, late: @escaping @Sendable (any LogClient, Held) -> any LogClient
    ) throws -> Held {
        pipeline.kill("coordinator")
        let gate = Held()
        pipeline.interposer = { name, client in name == "next-memory" ? late(client, gate) : client }
        try pipeline.startCoordinator("next")
        return gate
    }

    private func ask(
        _ session: Identifier, _ city: String? = nil, intent: Identifier = "Book", from person: Principal? = ann,
        in pipeline: TestPipeline
    ) async throws -> [ReceivedResult] {
        let parameters = city.map { [ParameterState(name: "city", value: .string($0))] } ?? []
        try send(
            .requested(IntentRequest(id: "r", intent: intent, parameters: parameters, principal: person)), session,
            from: person, pipeline)
        try await pipeline.settle()
        return try pipeline.results(session: session)
    }

    private func send(
        _ event: SessionEvent, _ session: Identifier, from person: Principal? = ann, _ pipeline: TestPipeline
    ) throws {
        let id: Identifier = if case .requested(let request) = event { request.id } else { "e\(pipeline.log.changes)" }
        try pipeline.send(event, session: session, id: id, to: pipeline.topics.answers, from: person)
    }

    /// The person's values that a new coordinator would find.
    private func remembered(_ pipeline: TestPipeline, by person: Principal = ann) throws -> [String] {
        var memories = PersonMemories()
        for record in pipeline.log.records(in: pipeline.topics.memory) { memories.take(try MemoryRecord(record)) }
        return (memories[person]?.values ?? []).map { "\($0.key) \($0.value)" }
    }

    private func changes(_ pipeline: TestPipeline) throws -> [MemoryChange] {
        try pipeline.log.records(in: pipeline.topics.memoryChanges).map { try MemoryChangeRecord($0).change }
    }

    /// Writes a change as the coordinator of another session does.
    private func write(_ kind: MemoryChange.Kind, _ stream: Identifier, _ number: Int, _ pipeline: TestPipeline) throws
    {
        let change = MemoryChange(kind, stream: stream, number: number, time: pipeline.clock.now)
        try pipeline.send(
            MemoryChangeRecord(of: Self.ann, change).record(topics: pipeline.topics, at: pipeline.clock.now))
    }

    private func forget(_ keys: [String]? = nil, in session: Identifier = "u", of pipeline: TestPipeline) async throws {
        try send(.forgotten(Forgetting(keys: keys, scope: .person)), session, pipeline)
        try await pipeline.settle()
    }

    @Test(
        "what an agent asks for is remembered about its person only once they agree", arguments: ["decline", "accept"])
    func agents(_ action: String) async throws {
        let pipeline = try await pipeline()
        func write(_ type: String, _ id: Identifier, _ value: String, to topic: String, isAgent: Bool) async throws {
            var headers = [
                RecordHeader("ce_type", type), RecordHeader("ce_id", id.text), RecordHeader("ce_authtype", "app_user"),
                RecordHeader("ce_authid", "ann"),
            ]
            if isAgent { headers.append(EventEncoder.fromAgent) }
            try pipeline.send(
                Record(
                    topic: topic, key: Bytes("s".utf8), value: Bytes(value.utf8), headers: headers,
                    timestamp: pipeline.clock.now.milliseconds))
            try await pipeline.settle()
        }
        let request = #"{"intent":"Travel","parameters":{"city":"Leeds","ask":true}}"#
        try await write("intent.requested.v1", "r", request, to: pipeline.topics.requests, isAgent: true)
        let prompt = try #require(try pipeline.results(session: "s").last?.prompt)
        #expect(try remembered(pipeline).isEmpty)
        let answer = #"{"prompt":"\#(prompt)","action":"\#(action)"}"#
        try await write("prompt.answered.v1", "a", answer, to: pipeline.topics.answers, isAgent: false)
        #expect(try remembered(pipeline) == (action == "accept" ? [#"city "Leeds""#] : []))
    }

    @Test(
        "what a person said in one session is the default in another, of any intent with the key, and says where it comes from"
    )
    func sessions() async throws {
        let pipeline = try await pipeline()
        #expect(try await ask("s", "Leeds", in: pipeline).map(\.line) == ["completed success success"])
        #expect(try remembered(pipeline) == [#"city "Leeds""#])
        let result = try await ask("t", intent: "Travel", in: pipeline)
        #expect(result.map(\.line) == ["completed success success"])
        let city = result.last?.data["provenance"]?["city"]
        #expect(
            city?["source"]?.string == "remembered" && city?["intent"]?.string == "Book" && city?["time"]?.string != nil
        )
    }

    @Test("it is not the default of another person, nor of someone who is not authenticated", arguments: [nil, bob])
    func others(_ person: Principal?) async throws {
        let pipeline = try await pipeline()
        _ = try await ask("s", "Leeds", in: pipeline)
        #expect(try await ask("t", from: person, in: pipeline).map(\.line) == ["prompt value city"])
    }

    @Test("it is not the default of a person whose name only looks the same, who can't forget it either")
    func lookalike() async throws {
        let pipeline = try await pipeline()
        let (owner, other) = (Principal(.appUser, "jos\u{E9}"), Principal(.appUser, "jose\u{301}"))
        _ = try await ask("s", "Leeds", from: owner, in: pipeline)
        #expect(try await ask("t", from: other, in: pipeline).map(\.line) == ["prompt value city"])
        try send(.forgotten(Forgetting(scope: .person)), "t", from: other, pipeline)
        try await pipeline.settle()
        #expect(try await ask("u", from: owner, in: pipeline).map(\.line) == ["completed success success"])
    }

    @Test("a coordinator that was started later knows it from the topic, after the session has ended")
    func restarted() async throws {
        let pipeline = try await pipeline()
        _ = try await ask("s", "Leeds", in: pipeline)
        pipeline.clock.advance(by: pipeline.policy.idleTimeout + .seconds(5))
        try await pipeline.settle()
        #expect(pipeline.coordinators["coordinator"]?.openSessions == 0)
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("coordinator")
        try await pipeline.settle()
        #expect(try await ask("t", in: pipeline).map(\.line) == ["completed success success"])
    }

    @Test("a coordinator that takes a session over writes what its predecessor has journalled and not written")
    func takenOver() async throws {
        let pipeline = try await lossyPipeline()
        #expect(try remembered(pipeline).isEmpty)
        pipeline.kill("lossy")
        try pipeline.startCoordinator("next")
        try await pipeline.settle()
        #expect(try remembered(pipeline) == [#"city "Leeds""#])
        #expect(try await ask("t", in: pipeline).map(\.line) == ["completed success success"])
        pipeline.kill("next")
        try pipeline.startCoordinator("third")
        try await pipeline.settle()
        #expect(try changes(pipeline).count == 1, "what is done is not written again")
    }

    @Test("what it writes again does not take the place of what was forgotten, or said, after it was written first")
    func again() async throws {
        let york = RememberedValue(key: "city", value: .string("York"), time: Instant(milliseconds: 0))
        for last in [MemoryChange.Kind.forget(nil), .remember(york)] {
            let pipeline = try await lossyPipeline()
            let change = try #require(
                pipeline.coordinators["lossy"]?.inspection.flatMap(\.sessions.values).first?.person.pending.first)
            pipeline.kill("lossy")
            // The change is in the log, but its acknowledgement never reached the coordinator.
            try pipeline.send(
                MemoryChangeRecord(of: Self.ann, change).record(topics: pipeline.topics, at: pipeline.clock.now))
            try write(last, "other", 1, pipeline)
            try pipeline.startCoordinator("next")
            try await pipeline.settle()
            #expect(try remembered(pipeline) == (last == .forget(nil) ? [] : [#"city "York""#]))
        }
    }

    @Test("a value of a request that came before a forgetting is not remembered after it, whichever is written first")
    func late() async throws {
        let pipeline = try await lossyPipeline()
        pipeline.kill("lossy")
        try write(.forget(["city"]), "other", 1, pipeline)
        try pipeline.startCoordinator("next")
        try await pipeline.settle()
        #expect(try changes(pipeline).count == 2 && remembered(pipeline).isEmpty)
        #expect(try await ask("t", in: pipeline).map(\.line) == ["prompt value city"])
    }

    @Test(
        "what an open session has said long ago does not come back after 64 other sessions of the person, in itself or at its next owner"
    )
    func manySessions() async throws {
        let pipeline = try await pipeline()
        _ = try await ask("s", "Leeds", in: pipeline)
        for number in 1...70 {
            let value = RememberedValue(key: "city", value: .string("York"), time: pipeline.clock.now)
            try write(.remember(value), Identifier("other\(number)"), 1, pipeline)
        }
        try await pipeline.settle()
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("next")
        try await pipeline.settle()
        #expect(try remembered(pipeline) == [#"city "York""#])
        try send(.requested(IntentRequest(id: "r2", intent: "Book", principal: Self.ann)), "s", pipeline)
        try await pipeline.settle()
        #expect(try pipeline.results(session: "s").last?.data["parameters"]?["city"]?.string == "York")
    }

    @Test("nothing is taken from the memory before it is read to its end")
    func unread() async throws {
        let pipeline = try await pipeline()
        _ = try await ask("s", "Leeds", in: pipeline)
        let gate = try replaceCoordinator(of: pipeline) { LateReader($0, $1) }
        #expect(try await ask("t", in: pipeline).map(\.line) == ["prompt value city"])
        gate.open()
        try await pipeline.settle()
        #expect(try await ask("u", in: pipeline).map(\.line) == ["completed success success"])
    }

    @Test(
        "what a session is told is remembered if the session has followed a forgetting that its owner has not read yet")
    func behind() async throws {
        let pipeline = try await pipeline()
        #expect(try await ask("s", in: pipeline).map(\.line) == ["prompt value city"])
        try await forget(of: pipeline)
        let gate = try replaceCoordinator(of: pipeline) { LateReader($0, $1) }
        try await pipeline.settle()
        let york = ParameterState(name: "city", value: .string("York"))
        let request = IntentRequest(
            id: "r2", intent: "Book", parameters: [york], whenBusy: .replace, principal: Self.ann)
        try send(.requested(request), "s", pipeline)
        try await pipeline.settle()
        gate.open()
        try await pipeline.settle()
        #expect(try pipeline.results(session: "s").last?.line == "completed success success")
        #expect(try remembered(pipeline) == [#"city "York""#])
        #expect(try await ask("t", in: pipeline).last?.data["parameters"]?["city"]?.string == "York")
    }

    @Test("a session that was opened before the memory was read to its end follows what was forgotten before")
    func openedEarly() async throws {
        let pipeline = try await pipeline()
        try await forget(of: pipeline)
        let gate = try replaceCoordinator(of: pipeline) { LateEnd($0, $1) }
        #expect(try await ask("s", in: pipeline).map(\.line) == ["prompt value city"])
        gate.open()
        try await pipeline.settle()
        let session = pipeline.coordinators["next"]?.inspection.compactMap { $0.sessions["s"] }.first
        #expect(session?.person.told != nil && session?.active?.request.isForgotten == true)
    }

    @Test("a session is not forgotten before the log has what it has changed")
    func kept() async throws {
        let pipeline = try await lossyPipeline()
        pipeline.clock.advance(by: pipeline.policy.idleTimeout + .seconds(5))
        try await pipeline.settle()
        #expect(pipeline.coordinators["lossy"]?.openSessions == 1)
    }

    @Test(
        "what is forgotten is asked for again in every session, and its end is told with how much it was",
        arguments: [["city"], nil])
    func forgotten(_ keys: [String]?) async throws {
        let pipeline = try await pipeline()
        _ = try await ask("s", "Leeds", in: pipeline)
        try await forget(keys, of: pipeline)
        #expect(try remembered(pipeline).isEmpty)
        let result = try #require(try pipeline.results(session: "u").last)
        #expect(
            result.type == .memoryForgotten && result.data["count"]?.int == 1
                && result.data["event"]?.string?.hasPrefix("e") == true)
        #expect(result.data["keys"]?.elements.compactMap(\.string) == keys)
        #expect(try await ask("t", in: pipeline).map(\.line) == ["prompt value city"])
        try await forget(keys, in: "v", of: pipeline)
        #expect(try pipeline.results(session: "v").last?.data["count"]?.int == 0, "there was nothing left")
    }

    @Test(
        "what is forgotten is asked for again in a request that is open, which is not remembered after it",
        arguments: [true, false])
    func openRequest(isTakenOver: Bool) async throws {
        let pipeline = try await pipeline()
        _ = try await ask("s", "Leeds", in: pipeline)
        var request = IntentRequest(id: "r", intent: "Book", principal: Self.ann)
        request.parameters = [ParameterState(name: "ask", value: .bool(true))]
        try send(.requested(request), "t", pipeline)
        try await pipeline.settle()
        #expect(try pipeline.results(session: "t").last?.line == "prompt confirmIntent -")
        if isTakenOver {
            // No coordinator owns the session when the value is forgotten.
            pipeline.kill("coordinator")
            try write(.forget(nil), "other", 1, pipeline)
            try pipeline.startCoordinator("next")
            try await pipeline.settle()
        } else {
            try await forget(of: pipeline)
        }
        let asked = try #require(try pipeline.results(session: "t").last)
        #expect(asked.line == "prompt value city")
        let answer = Answer(prompt: asked.prompt ?? "", action: .accept, value: .string("Bath"))
        try send(.answered(answer), "t", pipeline)
        try await pipeline.settle()
        #expect(try pipeline.results(session: "t").last?.line == "prompt confirmIntent -")
        #expect(try remembered(pipeline).isEmpty)
    }

    @Test("it is told that something is forgotten when the log has it, and not before")
    func durable() async throws {
        let pipeline = try await pipeline()
        _ = try await ask("s", "Leeds", in: pipeline)
        pipeline.log.setLeaders(of: pipeline.topics.memory, areAway: true)
        try await forget(of: pipeline)
        #expect(try pipeline.results(session: "u").isEmpty)
        pipeline.log.setLeaders(of: pipeline.topics.memory, areAway: false)
        try await pipeline.settle()
        #expect(try pipeline.results(session: "u").map(\.type) == [.memoryForgotten])
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("next")
        try await pipeline.settle()
        #expect(try pipeline.results(session: "u").count == 1, "it is told once")
    }

    @Test("a forgetting that the log refuses is told to whom has asked for it")
    func refused() async throws {
        let pipeline = try await pipeline()
        pipeline.log.refuseRecords(
            1, in: pipeline.topics.memoryChanges, with: LogError(.unauthorized, "no right to write"))
        try await forget(of: pipeline)
        #expect(try pipeline.results(session: "u").map(\.line) == ["rejected internal"])
        try await forget(in: "v", of: pipeline)
        #expect(try pipeline.results(session: "v").map(\.type) == [.memoryForgotten])
    }

    @Test("300 values are as many as are kept, and all of them are forgotten at once")
    func many() async throws {
        let pipeline = try await pipeline()
        for number in 1...300 {
            let value = RememberedValue(key: "k\(number)", value: .number(number), time: pipeline.clock.now)
            try write(.remember(value), "other", number, pipeline)
        }
        try await pipeline.settle()
        #expect(try remembered(pipeline).count == RememberedPerson.maximumValues)
        try await forget(of: pipeline)
        #expect(try remembered(pipeline).isEmpty)
        #expect(try pipeline.results(session: "u").last?.data["count"]?.int == RememberedPerson.maximumValues)
    }

    @Test("a session that was open when it was forgotten elsewhere has forgotten it with its next request")
    func elsewhere() async throws {
        let pipeline = try await pipeline()
        _ = try await ask("s", "Leeds", in: pipeline)
        pipeline.clock.advance(by: .seconds(1))
        try send(.forgotten(Forgetting(scope: .person)), "u", pipeline)
        try await pipeline.settle()
        pipeline.clock.advance(by: .seconds(1))
        try send(.requested(IntentRequest(id: "r2", intent: "Book", principal: Self.ann)), "s", pipeline)
        try await pipeline.settle()
        #expect(try pipeline.results(session: "s").map(\.line).last == "prompt value city")
    }

    @Test("a request with an overflowing timestamp remembers like any other", arguments: [Int64.min + 1, .max])
    func overflowing(_ timestamp: Int64) async throws {
        let pipeline = try await pipeline()
        var encoder = EventEncoder(source: "/test")
        var request = IntentRequest(id: "r", intent: "Book", principal: Self.ann)
        request.parameters = [ParameterState(name: "city", value: .string("Bath"))]
        let encoded = encoder.record(
            .requested(request), session: "s", id: "r", topics: pipeline.topics, from: Self.ann, at: pipeline.clock.now)
        var record = try #require(encoded)
        record.timestamp = timestamp
        try pipeline.send(record)
        try await pipeline.settle()
        #expect(try pipeline.results(session: "s").map(\.line) == ["completed success success"])
        #expect(try remembered(pipeline) == [#"city "Bath""#])
    }

    @Test("a donation, which earlier versions took, is rejected by name and opens no session")
    func donated() async throws {
        let pipeline = try await pipeline()
        let headers = [
            RecordHeader("ce_type", "intent.donated.v1"), RecordHeader("ce_id", "d"), RecordHeader("ce_source", "/app"),
        ]
        let value = Array(#"{"intent":"Travel","parameters":{"city":"Bath"}}"#.utf8)
        try pipeline.send(Record(topic: pipeline.topics.answers, key: Array("d".utf8), value: value, headers: headers))
        try await pipeline.settle()
        #expect(try pipeline.results(session: "d").map(\.line) == ["rejected unsupported"])
        #expect(try remembered(pipeline).isEmpty && pipeline.log.records(in: pipeline.topics.deadLetters).isEmpty)
        #expect(pipeline.coordinators["coordinator"]?.openSessions == 0)
    }
}

/// A client that drops memory changes, as if they were still in flight.
private final class WithoutMemory: ForwardingClient, @unchecked Sendable {
    override func send(_ record: Record, token: UInt64) throws(LogError) {
        if record.topic.hasSuffix(".memory-changes") { return }
        try super.send(record, token: token)
    }
}

/// A client that reads nothing until the gate is open.
private final class LateReader: ForwardingClient, @unchecked Sendable {
    private let held: Held

    init(_ client: any LogClient, _ held: Held) {
        self.held = held
        super.init(client)
    }

    override func poll(maximum: Int, timeout: Duration) throws(LogError) -> [LogEvent] {
        held.isOpen ? try super.poll(maximum: maximum, timeout: timeout) : []
    }
}

/// A client that reports the ends of its reads only when the gate is open.
private final class LateEnd: ForwardingClient, @unchecked Sendable {
    private let held: Held
    private var ends: [LogEvent] = []

    init(_ client: any LogClient, _ held: Held) {
        self.held = held
        super.init(client)
    }

    override func poll(maximum: Int, timeout: Duration) throws(LogError) -> [LogEvent] {
        var events = try super.poll(maximum: maximum, timeout: timeout)
        ends += events.filter { if case .readEnd = $0 { true } else { false } }
        events.removeAll { if case .readEnd = $0 { true } else { false } }
        guard held.isOpen else { return events }
        defer { ends = [] }
        return events + ends
    }
}

private final class Held: Sendable {
    private let state = Mutex(false)
    var isOpen: Bool { state.withLock { $0 } }
    func open() { state.withLock { $0 = true } }
}
