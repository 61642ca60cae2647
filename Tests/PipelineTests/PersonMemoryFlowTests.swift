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

    /// A resolver that takes the city from memory if it is not given, and remembers it of the person.
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
                return .resolved([ResolvedParameter(name: "city", resolution: .needsValue(dialog: nil), memoryKey: "city")])
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
        let plain = PublishedIntent(intent: "Sing", title: "Sing", details: ["parameters": .array([.object(["name": .string("song")])])])
        return .init(lease: WorkerLease(instance: "w", intents: ["Book", "Travel", "Sing"]), intents: intents + [plain])
    }

    /// A pipeline whose coordinator has journalled what a session has said, and not written it to the memory.
    private func lossyPipeline() async throws -> TestPipeline {
        let pipeline = try await pipeline()
        pipeline.interposer = { name, client in name == "lossy" ? WithoutMemory(client) : client }
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("lossy")
        try await pipeline.settle()
        _ = try await ask("s", "Leeds", in: pipeline)
        return pipeline
    }

    private func ask(
        _ session: Identifier, _ city: String? = nil, intent: Identifier = "Book", from person: Principal? = ann, in pipeline: TestPipeline
    ) async throws -> [ReceivedResult] {
        let parameters = city.map { [ParameterState(name: "city", value: .string($0))] } ?? []
        try send(
            .requested(IntentRequest(id: "r", intent: intent, parameters: parameters, principal: person)), session, from: person, pipeline)
        try await pipeline.settle()
        return try pipeline.results(session: session)
    }

    private func send(_ event: SessionEvent, _ session: Identifier, from person: Principal? = ann, _ pipeline: TestPipeline) throws {
        let id: Identifier = if case .requested(let request) = event { request.id } else { "e\(pipeline.log.changes)" }
        try pipeline.send(event, session: session, id: id, to: pipeline.topics.answers, from: person)
    }

    private func remembered(_ pipeline: TestPipeline) throws -> [String] {
        try pipeline.log.records(in: pipeline.topics.memory).map { record in
            let memory = try MemoryRecord(record)
            return "\(memory.principal.id) \(memory.value.key) \(memory.value.value?.description ?? "forgotten")"
        }
    }

    @Test("what an agent asks for is remembered about its person only once they agree", arguments: ["decline", "accept"])
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
        #expect(try remembered(pipeline) == (action == "accept" ? [#"ann city "Leeds""#] : []))
    }

    @Test("what a person said in one session is the default in another, of any intent with the key, and says where it comes from")
    func sessions() async throws {
        let pipeline = try await pipeline()
        #expect(try await ask("s", "Leeds", in: pipeline).map(\.line) == ["completed success success"])
        #expect(try remembered(pipeline) == [#"ann city "Leeds""#])
        let result = try await ask("t", intent: "Travel", in: pipeline)
        #expect(result.map(\.line) == ["completed success success"])
        let city = result.last?.data["provenance"]?["city"]
        #expect(city?["source"]?.string == "remembered" && city?["intent"]?.string == "Book" && city?["time"]?.string != nil)
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
        #expect(try remembered(pipeline) == [#"ann city "Leeds""#])
        #expect(try await ask("t", in: pipeline).map(\.line) == ["completed success success"])
        pipeline.kill("next")
        try pipeline.startCoordinator("third")
        try await pipeline.settle()
        #expect(try remembered(pipeline).count == 1, "what the topic has is not written again")
    }

    @Test("it waits until it has read the memory, so that what was forgotten meanwhile is not remembered again")
    func late() async throws {
        let pipeline = try await lossyPipeline()
        let gate = Held()
        pipeline.interposer = { name, client in name == "next-memory" ? LateReader(client, gate) : client }
        pipeline.kill("lossy")
        pipeline.clock.advance(by: .seconds(1))
        var encoder = EventEncoder(source: "/operator")
        let forgotten = RememberedValue(key: "city", value: nil, time: pipeline.clock.now)
        try pipeline.log.append(encoder.record(MemoryRecord(of: Self.ann, forgotten), topics: pipeline.topics, at: pipeline.clock.now))
        try pipeline.startCoordinator("next")
        pipeline.clock.advance(by: pipeline.policy.idleTimeout + .seconds(5))
        try await pipeline.settle()
        #expect(try remembered(pipeline) == ["ann city forgotten"])
        #expect(pipeline.coordinators["next"]?.openSessions == 1, "it is not forgotten before it was compared")
        gate.open()
        try await pipeline.settle()
        pipeline.clock.advance(by: .seconds(5))
        try await pipeline.settle()
        #expect(try remembered(pipeline) == ["ann city forgotten"])
        #expect(pipeline.coordinators["next"]?.openSessions == 0)
        #expect(try await ask("t", in: pipeline).map(\.line) == ["prompt value city"])
    }

    @Test("a session is not forgotten before the log has what it has changed")
    func kept() async throws {
        let pipeline = try await lossyPipeline()
        pipeline.clock.advance(by: pipeline.policy.idleTimeout + .seconds(5))
        try await pipeline.settle()
        #expect(pipeline.coordinators["lossy"]?.openSessions == 1)
    }

    @Test("what is forgotten is asked for again in every session, and its record is a tombstone", arguments: [["city"], nil])
    func forgotten(_ keys: [String]?) async throws {
        let pipeline = try await pipeline()
        _ = try await ask("s", "Leeds", in: pipeline)
        pipeline.clock.advance(by: .seconds(1))
        try send(.forgotten(Forgetting(keys: keys, scope: .person)), "u", pipeline)
        try await pipeline.settle()
        #expect(try remembered(pipeline).last == "ann city forgotten")
        #expect(try await ask("t", in: pipeline).map(\.line) == ["prompt value city"])
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
        #expect(try remembered(pipeline) == [#"ann city "Bath""#])
    }

    @Test("a donation, which earlier versions took, is rejected by name and opens no session")
    func donated() async throws {
        let pipeline = try await pipeline()
        let headers = [RecordHeader("ce_type", "intent.donated.v1"), RecordHeader("ce_id", "d"), RecordHeader("ce_source", "/app")]
        let value = Array(#"{"intent":"Travel","parameters":{"city":"Bath"}}"#.utf8)
        try pipeline.send(Record(topic: pipeline.topics.answers, key: Array("d".utf8), value: value, headers: headers))
        try await pipeline.settle()
        #expect(try pipeline.results(session: "d").map(\.line) == ["rejected unsupported"])
        #expect(try remembered(pipeline).isEmpty && pipeline.log.records(in: pipeline.topics.deadLetters).isEmpty)
        #expect(pipeline.coordinators["coordinator"]?.openSessions == 0)
    }
}

/// A client that loses what is written to the memory, as if it were still under way.
private final class WithoutMemory: ForwardingClient, @unchecked Sendable {
    override func send(_ record: Record, token: UInt64) throws(LogError) {
        if record.topic.hasSuffix(".memory") { return }
        try super.send(record, token: token)
    }
}

/// A client that reads nothing until it may.
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

private final class Held: Sendable {
    private let state = Mutex(false)
    var isOpen: Bool { state.withLock { $0 } }
    func open() { state.withLock { $0 = true } }
}
