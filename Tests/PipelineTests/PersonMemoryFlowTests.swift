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
                return .responded(IntentResponse(invocation.phase == .confirm ? .ready : .success), confirmation: nil)
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
        let intents = ["Book", "Travel"].map { PublishedIntent(intent: $0, title: $0, details: ["parameters": .array(parameters)]) }
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
        _ session: String, _ city: String? = nil, intent: String = "Book", from person: Principal? = ann, in pipeline: TestPipeline
    ) async throws -> [ReceivedResult] {
        let parameters = city.map { [ParameterState(name: "city", value: .string($0))] } ?? []
        try send(
            .requested(IntentRequest(id: "r", intent: intent, parameters: parameters, principal: person)), session, from: person, pipeline)
        try await pipeline.settle()
        return try pipeline.results(session: session)
    }

    private func send(_ event: SessionEvent, _ session: String, from person: Principal? = ann, _ pipeline: TestPipeline) throws {
        let id = if case .requested(let request) = event { request.id } else { "e\(pipeline.log.changes)" }
        try pipeline.send(event, session: session, id: id, to: pipeline.topics.answers, from: person)
    }

    private func remembered(_ pipeline: TestPipeline) throws -> [String] {
        try pipeline.log.records(in: pipeline.topics.memory).map { record in
            let memory = try MemoryRecord(record)
            return "\(memory.principal.id) \(memory.value.key) \(memory.value.value?.description ?? "forgotten")"
        }
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
        try pipeline.log.append(encoder.record(MemoryRecord(of: Self.ann, forgotten), topics: pipeline.topics))
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

    @Test("a donation is the default of the person's next request, which says so")
    func donated() async throws {
        let pipeline = try await pipeline()
        let parameters = [ParameterState(name: "city", value: .string("Bath")), ParameterState(name: "seats", value: .number(2))]
        try send(.donated(Donation(intent: "Travel", parameters: parameters)), "d", pipeline)
        try await pipeline.settle()
        #expect(try remembered(pipeline) == [#"ann city "Bath""#])
        let result = try await ask("t", in: pipeline)
        #expect(result.last?.data["provenance"]?["city"]?["source"]?.string == "donated")
    }

    @Test(
        "a donation for an unknown intent or parameter is rejected with what may have been meant",
        arguments: [
            ("Traval", "city", "unsupported"), ("Travel", "citi", "invalid"), ("Sing", "song", "unsupported"),
        ])
    func rejected(_ intent: String, _ parameter: String, _ rejection: String) async throws {
        let pipeline = try await pipeline()
        try send(.donated(Donation(intent: intent, parameters: [ParameterState(name: parameter, value: .string("x"))])), "d", pipeline)
        try await pipeline.settle()
        #expect(try pipeline.results(session: "d").map(\.line) == ["rejected \(rejection)"])
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
