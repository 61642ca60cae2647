import Conversation
import IntentEvents
import IntentKit
import Logging
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("The live catalogue in the pipeline") struct CatalogueFlowTests {
    private static let unserved = ["completed unsupported noHandlerProvidedForIntent"]
    private let calls: Recorder<String>
    private let pipeline: TestPipeline

    init() async throws {
        let calls = Recorder<String>()
        self.calls = calls
        pipeline = try await TestPipeline(perform: Self.worker("default", calls))
        pipeline.follows.catalogue = true
    }

    /// The calls of a service's workers. Every call is recorded and succeeds. The intent `Open` opens `OrderTea`.
    private static func worker(_ service: String, _ calls: Recorder<String>) -> Worker.Perform {
        { invocation, _ in
            calls.record(
                "\(service) \(invocation.phase) \(invocation.intent)" + (invocation.context.isInApp ? " in app" : ""))
            switch invocation.phase {
            case .resolve: return .resolved([])
            case .confirm: return .responded(IntentResponse(.ready), confirmation: nil)
            case .handle:
                var response = IntentResponse(.success, dialog: "by \(service)")
                if invocation.intent == "Open" {
                    response.opensIntent = OpenedIntent(intent: "OrderTea", parameters: [:])
                }
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

    private func content(
        _ service: String?, _ intents: [Identifier] = [], inApp: [Identifier] = [], version: String? = nil
    ) -> CataloguePublisher.Content {
        let lease = WorkerLease(
            service: service, instance: "\(service ?? "default")-1", version: version, intents: intents, inApp: inApp)
        let published = (intents + inApp).map {
            PublishedIntent(service: service, version: version, intent: $0, title: $0.text)
        }
        return .init(lease: lease, intents: published)
    }

    /// Starts the workers of another service, and publishes its intents.
    private func add(_ service: String = "tea", _ intents: [Identifier] = ["OrderTea"], inApp: Bool = false)
        async throws
    {
        for phase in Phase.allCases { try startWorker("\(service)-\(phase)", phase, service, inApp: inApp) }
        try pipeline.startPublisher(
            "\(service)-catalog", inApp ? content(service, inApp: intents) : content(service, intents))
        try await pipeline.settle()
    }

    private func startWithTea() async throws {
        try await start()
        try await add()
    }

    private func startWorker(_ name: String, _ phase: Phase, _ service: String, inApp: Bool = false) throws {
        let perform = Self.worker(service, calls)
        try pipeline.startWorker(name, phase, isInApp: inApp, service: service, perform: perform)
    }

    private func closePublisher(_ name: String = "tea-catalog", withdraws: Bool = true) async throws {
        try pipeline.closePublisher(name, withdraws: withdraws)
        try await pipeline.settle()
    }

    private func ask(_ intent: Identifier, _ session: Identifier = "s") async throws -> [String] {
        try pipeline.send(.requested(IntentRequest(id: "r", intent: intent)), session: session, id: "r")
        return try await pipeline.lines(session)
    }

    private func answer(for intent: Identifier) -> CatalogueRoutes.Answer? {
        pipeline.companions.catalogues["coordinator"]?.answer(for: intent)
    }

    @Test
    func `services work side by side on the same topics, each on its own intents and in its own groups`() async throws {
        try await startWithTea()
        #expect(try await ask("OrderTea", "s") == Booking.completed)
        #expect(try await ask("Book", "t") == Booking.completed)
        #expect(
            calls.all == [
                "tea resolve OrderTea", "tea confirm OrderTea", "tea handle OrderTea", "default resolve Book",
                "default confirm Book", "default handle Book",
            ])
        let committed = pipeline.log.committed(group: "intents.tea.handler")
        #expect(committed == pipeline.log.committed(group: "intents.handler") && !committed.isEmpty)
    }

    @Test func `an intent that only an app's workers serve is resolved, confirmed and handled by them`() async throws {
        try await start()
        try await add("phone", ["ShowTeas"], inApp: true)
        #expect(try await ask("ShowTeas") == Booking.completed)
        #expect(calls.all == Phase.allCases.map { "phone \($0) ShowTeas in app" })
        for topic in [\Topics.resolve, \.confirm, \.handle] { #expect(pipeline.records(topic).isEmpty) }
    }

    @Test("an intent that no worker serves is answered without work, and a service that stops withdraws its own")
    func unknown() async throws {
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

    @Test("of the intents that a person may have meant only those count that are served, each by its own service")
    func candidates() async throws {
        try await startWithTea()
        func ask(_ session: Identifier, _ candidates: KeyValuePairs<String, Double>, fallback: Identifier? = nil)
            async throws -> [String]
        {
            var request = IntentRequest(id: "r", intent: "")
            request.candidates = candidates.map { IntentCandidate(intent: Identifier($0), confidence: $1) }
            request.fallback = fallback
            try await pipeline.deliver(.requested(request), session)
            return try await pipeline.lines(session) + [calls.all.last ?? ""]
        }
        let tea = "tea handle OrderTea"
        #expect(try await ask("s", ["OrderWine": 0.9, "OrderTea": 0.8]) == Booking.completed + [tea])
        let book = "default handle Book"
        #expect(try await ask("t", ["OrderWine": 0.9], fallback: "Book") == Booking.completed + [book])
        #expect(try await ask("u", ["OrderWine": 0.9], fallback: "Sing") == Self.unserved + [book])
        #expect(try await ask("v", ["OrderTea": 0.8, "Book": 0.8]) == ["prompt choice -", book])
        let choice = Answer(prompt: try pipeline.prompt("v"), action: .accept, option: "OrderTea")
        try await pipeline.deliver(.answered(choice), "v")
        #expect(calls.all.last == tea)
    }

    @Test("a request continues where it began after a crash, although another service serves its intent by then")
    func crash() async throws {
        try await startWithTea()
        for phase in Phase.allCases { pipeline.kill("tea-\(phase)") }
        #expect(try await ask("OrderTea").isEmpty)
        pipeline.kill("coordinator")
        try pipeline.closePublisher("tea-catalog")
        try pipeline.startPublisher("kettle-catalog", content("kettle", ["OrderTea"], version: "2.0"))
        try await pipeline.settle()
        try await pipeline.addCoordinator("successor")
        for phase in Phase.allCases { try startWorker("again-\(phase)", phase, "tea") }
        #expect(try await pipeline.lines("s") == Booking.completed)
        #expect(Set(calls.all) == ["tea resolve OrderTea", "tea confirm OrderTea", "tea handle OrderTea"])
        let sent = try pipeline.work(\.resolve)
        #expect(sent.count > 1 && sent.allSatisfy { $0.service == "tea" })
    }

    @Test func `a cancel of another service's work is left alone too`() async throws {
        try await startWithTea()
        pipeline.kill("tea-handle")
        #expect(try await ask("OrderTea").isEmpty)
        try await pipeline.deliver(.cancelled(request: nil))
        let counters = try pipeline.worker().counters
        #expect(counters.cancels == 0 && counters.started == 0)
        try startWorker("tea-handle-2", .handle, "tea")
        #expect(try await pipeline.lines("s") == ["completed cancelled cancelled"])
    }

    @Test func `unreadable work is reported once: by the default service`() async throws {
        try await startWithTea()
        try pipeline.write("{}", to: \.handle)
        try await pipeline.settle()
        #expect(pipeline.records(\.deadLetters).count == 1)
    }

    @Test func `an opened intent goes to the service that serves it`() async throws {
        try await start(["Open"])
        try await add()
        #expect(try await ask("Open") == Booking.completed + Booking.completed)
        #expect(calls.all.suffix(3) == ["tea resolve OrderTea", "tea confirm OrderTea", "tea handle OrderTea"])
    }

    // MARK: Publishing

    @Test(arguments: [-3_600, 0, 11])
    func `a process compares its clock with the broker's by its own lease`(ahead: Int) async throws {
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
        try await add()
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
        guard case .unserved = answer(for: "OrderTea") else {
            Issue.record("it is still served")
            return
        }
        try await pipeline.advance(by: .seconds(86_400))
        #expect(written("intent/default/") == 2)
    }

    @Test
    func `a worker that serves other intents from now on withdraws at once those that it has dropped`() async throws {
        try await start()
        try await add("tea", ["OrderTea", "MakeTea"])
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

    @Test func `until the catalogue is read, an intent that is not in it so far is not refused`() async throws {
        try await start()
        var encoder = EventEncoder(source: "/test")
        let lease = content("tea", ["OrderTea"]).lease
        try pipeline.send(encoder.record(lease, topics: pipeline.topics, at: pipeline.clock.now))
        let follower = CatalogueFollower(
            client: try pipeline.log.connect(CatalogueFollower.client("late")), topics: pipeline.topics, partitions: 2,
            clock: { [clock = pipeline.clock] in clock.now }, logger: .init(label: "test"))
        #expect(!follower.isReady && follower.answer(for: "Nothing") == .served(nil))
        while try follower.step(timeout: .zero) {}
        guard follower.isReady, case .unserved = follower.answer(for: "Nothing") else {
            Issue.record("it is not refused")
            return
        }
    }
}
