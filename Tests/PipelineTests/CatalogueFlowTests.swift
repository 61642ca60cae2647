import Conversation
import IntentEvents
import IntentKit
import Logging
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("The live catalogue in the pipeline") struct CatalogueFlowTests {
    /// The calls of the service `tea` for a request.
    private static let tea = Phase.allCases.map { "tea \($0) OrderTea" }
    private static let unserved = ["completed unsupported noHandlerProvidedForIntent"]
    private let calls = Recorder<String>()
    private let pipeline: TestPipeline

    init() async throws {
        pipeline = try await TestPipeline(perform: Self.worker("default", calls))
        pipeline.follows.catalogue = true
    }

    /// The calls of a service's workers. Every call is recorded and succeeds. The intent `Open` opens `OrderTea`.
    private static func worker(_ service: String, _ calls: Recorder<String>) -> Worker.Perform {
        { invocation, _ in
            calls.record("\(service) \(invocation.phase) \(invocation.intent)")
            switch invocation.phase {
            case .resolve: return .resolved([])
            case .confirm: return .responded(IntentResponse(.ready), confirmation: nil)
            case .handle:
                var response = IntentResponse(.success, dialog: "by \(service)")
                if invocation.intent == "Open" { response.opensIntent = OpenedIntent(intent: "OrderTea") }
                return .responded(response, confirmation: nil)
            }
        }
    }

    /// Starts a coordinator, and workers of the default service that serve intents and publish them.
    private func start(_ intents: [Identifier] = ["Book"]) async throws {
        try pipeline.startAll()
        if !intents.isEmpty { try pipeline.startPublisher("default-catalog", content(nil, intents)) }
        try await pipeline.settle()
    }

    private func content(_ service: String?, _ intents: [Identifier], version: String? = nil)
        -> CataloguePublisher.Content
    {
        let instance = "\(service ?? "default")-1"
        return .init(
            lease: WorkerLease(service: service, instance: instance, version: version, intents: intents),
            intents: intents.map { PublishedIntent(service: service, version: version, intent: $0, title: $0.text) })
    }

    /// Starts the workers of the service `tea`, and publishes its intents.
    private func addTea(_ intents: [Identifier] = ["OrderTea"]) async throws {
        for phase in Phase.allCases { try startTeaWorker("tea-\(phase)", phase) }
        try pipeline.startPublisher("tea-catalog", content("tea", intents))
        try await pipeline.settle()
    }

    private func startWithTea() async throws {
        try await start()
        try await addTea()
    }

    private func startTeaWorker(_ name: String, _ phase: Phase) throws {
        try pipeline.startWorker(name, phase, service: "tea", perform: Self.worker("tea", calls))
    }

    private func closePublisher(withdraws: Bool = true) async throws {
        try pipeline.closePublisher("tea-catalog", withdraws: withdraws)
        try await pipeline.settle()
    }

    private func ask(_ intent: Identifier, _ session: Identifier = "s") async throws -> [String] {
        try pipeline.send(.requested(IntentRequest(id: "r", intent: intent)), session: session, id: "r")
        return try await pipeline.lines(session)
    }

    private func answer(for intent: Identifier) -> CatalogueRoutes.Answer? {
        pipeline.companions.catalogues["coordinator"]?.answer(for: intent)
    }

    private func isUnserved(_ answer: CatalogueRoutes.Answer?) -> Bool {
        if case .unserved? = answer { true } else { false }
    }

    @Test func `services share topics, and each serves its own intents in its own groups`() async throws {
        try await startWithTea()
        #expect(try await ask("OrderTea", "s") == Booking.completed)
        #expect(try await ask("Book", "t") == Booking.completed)
        #expect(calls.all == Self.tea + Phase.allCases.map { "default \($0) Book" })
        let committed = pipeline.log.committed(group: "intents.tea.handler")
        #expect(committed == pipeline.log.committed(group: "intents.handler") && !committed.isEmpty)
    }

    @Test func `an intent that no worker serves, or no longer serves, is answered without work`() async throws {
        try await startWithTea()
        #expect(try await ask("OrderTee") == Self.unserved)
        let error = try pipeline.last().data["error"]
        #expect(error?["message"]?.string == "no worker serves 'OrderTee'; did you mean OrderTea?")
        #expect(error?["reason"]?.string == "unsupported")
        try await closePublisher()
        #expect(try await ask("OrderTea", "t") == Self.unserved)
        #expect(try calls.all.isEmpty && pipeline.coordinator().counters.unserved == 2)
        #expect(try await ask("Book", "u") == Booking.completed)
    }

    @Test func `only served candidates of a request count, and each goes to its own service`() async throws {
        try await startWithTea()
        func ask(_ session: Identifier, _ candidates: KeyValuePairs<String, Double>) async throws -> [String] {
            var request = IntentRequest(id: "r", intent: "")
            request.candidates = candidates.map { IntentCandidate(intent: Identifier($0), confidence: $1) }
            try await pipeline.deliver(.requested(request), session)
            return try await pipeline.lines(session) + [calls.all.last ?? ""]
        }
        let tea = "tea handle OrderTea"
        #expect(try await ask("s", ["OrderWine": 0.9, "OrderTea": 0.8]) == Booking.completed + [tea])
        #expect(try await ask("v", ["OrderTea": 0.8, "Book": 0.8]) == ["prompt choice -", tea])
        let choice = Answer(prompt: try pipeline.prompt("v"), action: .accept, option: "OrderTea")
        try await pipeline.deliver(.answered(choice), "v")
        #expect(calls.all.filter { $0 == tea }.count == 2)
    }

    @Test func `a request stays with its service after a crash, although another serves its intent`() async throws {
        try await startWithTea()
        for phase in Phase.allCases { pipeline.kill("tea-\(phase)") }
        #expect(try await ask("OrderTea").isEmpty)
        pipeline.kill("coordinator")
        try pipeline.closePublisher("tea-catalog")
        try pipeline.startPublisher("kettle-catalog", content("kettle", ["OrderTea"], version: "2.0"))
        try await pipeline.settle()
        try await pipeline.addCoordinator("successor")
        for phase in Phase.allCases { try startTeaWorker("again-\(phase)", phase) }
        #expect(try await pipeline.lines("s") == Booking.completed)
        #expect(Set(calls.all) == Set(Self.tea))
        let sent = try pipeline.work(\.resolve)
        #expect(sent.count > 1 && sent.allSatisfy { $0.service == "tea" })
    }

    @Test func `a cancel of another service's work is ignored`() async throws {
        try await startWithTea()
        pipeline.kill("tea-handle")
        #expect(try await ask("OrderTea").isEmpty)
        try await pipeline.deliver(.cancelled(request: nil))
        let counters = try pipeline.worker().counters
        #expect(counters.cancels == 0 && counters.started == 0)
        try startTeaWorker("tea-handle-2", .handle)
        #expect(try await pipeline.lines("s") == ["completed cancelled cancelled"])
    }

    @Test func `unreadable work is reported once, by the default service`() async throws {
        try await startWithTea()
        try pipeline.write("{}", to: \.handle)
        try await pipeline.settle()
        #expect(pipeline.records(\.deadLetters).count == 1)
    }

    @Test func `an opened intent goes to the service that serves it`() async throws {
        try await start(["Open"])
        try await addTea()
        #expect(try await ask("Open") == Booking.completed + Booking.completed)
        #expect(calls.all.suffix(3) == Self.tea[...])
    }

    // MARK: Publishing

    @Test(arguments: [-3_600, 0, 11])
    func `a process compares its clock with the broker's clock by its own lease`(ahead: Int) async throws {
        let clock = pipeline.clock
        let differences = Recorder<Duration>()
        let publisher = CataloguePublisher(
            .init(lease: .ofCoordinator("c", started: clock.now), intents: []),
            client: try pipeline.log.connect(ClientConfiguration(clientID: "c")), topics: pipeline.topics,
            clock: { clock.now.advanced(by: .seconds(ahead)) },
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
            onComparison: { differences.record($0) })
        // A difference is checked again soon, and agreement with the next renewal.
        for (seconds, count) in [(0, 1), (10, ahead == 0 ? 1 : 2), (50, ahead == 0 ? 2 : 3)] {
            clock.advance(by: .seconds(seconds))
            while try publisher.step(timeout: .zero) {}
            #expect(differences.all.count == count && differences.all.first == .seconds(ahead))
        }
    }

    @Test func `a coordinator's lease is no worker's, and serves nothing`() async throws {
        try await start([])
        try pipeline.startPublisher("c", .init(lease: .ofCoordinator("c", started: pipeline.clock.now), intents: []))
        try await pipeline.settle()
        #expect(answer(for: "OrderTea") == .served(nil), "nobody has published anything")
    }

    @Test(arguments: [-3_600, 3_600])
    func `a worker whose clock is an hour off is served like all others`(seconds: Int) async throws {
        pipeline.clockDifferences = ["tea-catalog": .seconds(seconds)]
        try await start([])
        try await addTea()
        try await pipeline.advance(by: .seconds(60), times: 10)
        #expect(answer(for: "OrderTea") == .served(IntentRoute(service: "tea", appService: "tea")))
        pipeline.kill("tea-catalog")
        try await pipeline.advance(by: .seconds(1), times: 400)
        #expect(answer(for: "OrderTea") == .served(nil), "the catalogue is empty")
    }

    @Test func `leases are renewed, a crashed worker's runs out, and intents are written once a day`() async throws {
        try await startWithTea()
        func written(_ prefix: String) -> Int {
            pipeline.records(\.catalog).count { $0.key?.starts(with: prefix.utf8) == true }
        }
        try await pipeline.advance(by: .seconds(60), times: 4)
        #expect(written("worker/tea/") == 5 && written("intent/tea/") == 1)
        pipeline.kill("tea-catalog")
        try await pipeline.advance(by: .seconds(60), times: 4)
        #expect(answer(for: "OrderTea") == .served(IntentRoute(service: "tea", appService: "tea")))
        try await pipeline.advance(by: .seconds(1), times: 90)
        #expect(answer(for: "Book") == .served(nil))
        #expect(isUnserved(answer(for: "OrderTea")))
        try await pipeline.advance(by: .seconds(86_400))
        #expect(written("intent/default/") == 2)
    }

    @Test func `a worker that drops intents withdraws them at once`() async throws {
        try await start()
        try await addTea(["OrderTea", "MakeTea"])
        pipeline.companions.publishers["tea-catalog"]?.publish(content("tea", ["MakeTea"]))
        try await pipeline.settle()
        #expect(try await ask("OrderTea") == Self.unserved)
        #expect(try await ask("MakeTea", "t") == Booking.completed)
    }

    @Test func `a worker that is only restarted can leave its intents listed`() async throws {
        try await startWithTea()
        try await closePublisher(withdraws: false)
        #expect(try await ask("OrderTea") == Booking.completed)
    }

    @Test func `a new coordinator has read the catalogue before its first decision`() async throws {
        try await startWithTea()
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("second")
        #expect(pipeline.companions.catalogues["second"]?.isReady == true)
        #expect(try await ask("OrderTea") == Booking.completed)
        #expect(calls.all.allSatisfy { $0.hasPrefix("tea") })
    }

    @Test func `an intent that is not in the catalogue is not refused before all of it is read`() async throws {
        try await start()
        var encoder = EventEncoder(source: "/test")
        let lease = content("tea", ["OrderTea"]).lease
        try pipeline.send(encoder.record(lease, topics: pipeline.topics, at: pipeline.clock.now))
        let follower = CatalogueFollower(
            client: try pipeline.log.connect(CatalogueFollower.client("late")), topics: pipeline.topics, partitions: 2,
            clock: { [clock = pipeline.clock] in clock.now }, logger: .init(label: "test"))
        #expect(!follower.isReady && follower.answer(for: "Nothing") == .served(nil))
        while try follower.step(timeout: .zero) {}
        #expect(follower.isReady && isUnserved(follower.answer(for: "Nothing")))
    }
}
