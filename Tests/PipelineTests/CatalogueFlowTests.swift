import Conversation
import IntentEvents
import IntentKit
import IntentModel
import Logging
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("The live catalogue in the pipeline")
struct CatalogueFlowTests {
    private let calls = Recorder<String>()

    /// The calls of a service's workers. Every call is recorded and succeeds.
    private func worker(_ service: String) -> Worker.Perform {
        { [calls] invocation, _ in
            calls.record(
                "\(service) \(invocation.phase) \(invocation.intent)" + (invocation.context.isInApp ? " in app" : ""))
            switch invocation.phase {
            case .resolve: return .resolved([])
            case .confirm: return .responded(IntentResponse(.ready), confirmation: nil)
            case .handle: return .responded(IntentResponse(.success, dialog: "by \(service)"), confirmation: nil)
            }
        }
    }

    /// A coordinator, and workers of the default service that serve Book and publish it.
    private func pipeline(publishes: Bool = true) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(perform: worker("default"))
        pipeline.followsCatalogue = true
        try pipeline.startAll()
        if publishes { try pipeline.startPublisher("default-catalog", content(nil, ["Book"])) }
        try await pipeline.settle()
        return pipeline
    }

    private func content(
        _ service: String?, _ intents: [Identifier] = [], inApp: [Identifier] = [], version: String? = nil
    )
        -> CataloguePublisher.Content
    {
        .init(
            lease: WorkerLease(
                service: service, instance: "\(service ?? "default")-1", version: version, intents: intents,
                inApp: inApp),
            intents: (intents + inApp).map {
                PublishedIntent(service: service, version: version, intent: $0, title: $0.text)
            })
    }

    /// Starts the workers of another service, and publishes its intents.
    private func start(_ service: String, _ intents: [Identifier], inApp: Bool = false, in pipeline: TestPipeline)
        async throws
    {
        for phase in Phase.allCases {
            try pipeline.startWorker(
                "\(service)-\(phase)", phase, isInApp: inApp, service: service, perform: worker(service))
        }
        try pipeline.startPublisher(
            "\(service)-catalog", inApp ? content(service, inApp: intents) : content(service, intents))
        try await pipeline.settle()
    }

    private func ask(_ intent: Identifier, _ session: Identifier = "s", in pipeline: TestPipeline) async throws
        -> [String]
    {
        try pipeline.send(.requested(IntentRequest(id: "r", intent: intent)), session: session, id: "r")
        try await pipeline.settle()
        return try pipeline.results(session: session).map(\.line)
    }

    @Test("services work side by side on the same topics, each on its own intents and in its own groups")
    func services() async throws {
        let pipeline = try await pipeline()
        try await start("tea", ["OrderTea"], in: pipeline)
        #expect(try await ask("OrderTea", "s", in: pipeline) == ["completed success success"])
        #expect(try await ask("Book", "t", in: pipeline) == ["completed success success"])
        #expect(
            calls.all == [
                "tea resolve OrderTea", "tea confirm OrderTea", "tea handle OrderTea", "default resolve Book",
                "default confirm Book",
                "default handle Book",
            ])
        #expect(
            pipeline.log.committed(group: "intents.tea.handler") == pipeline.log.committed(group: "intents.handler"))
        #expect(!pipeline.log.committed(group: "intents.tea.handler").isEmpty)
    }

    @Test("an intent that only an app's workers serve is resolved, confirmed and handled by them")
    func inApp() async throws {
        let pipeline = try await pipeline()
        try await start("phone", ["ShowTeas"], inApp: true, in: pipeline)
        #expect(try await ask("ShowTeas", in: pipeline) == ["completed success success"])
        #expect(
            calls.all == [
                "phone resolve ShowTeas in app", "phone confirm ShowTeas in app", "phone handle ShowTeas in app",
            ])
        for topic in [pipeline.topics.resolve, pipeline.topics.confirm, pipeline.topics.handle] {
            #expect(pipeline.log.records(in: topic).isEmpty)
        }
    }

    @Test(
        "an intent that no worker serves is answered at once, without any work, and a service that stops withdraws its own"
    )
    func unknown() async throws {
        let pipeline = try await pipeline()
        try await start("tea", ["OrderTea"], in: pipeline)
        #expect(try await ask("OrderTee", in: pipeline) == ["completed unsupported noHandlerProvidedForIntent"])
        let error = try pipeline.results(session: "s").last?.data["error"]
        #expect(
            error?["message"]?.string == "no worker serves 'OrderTee'; did you mean OrderTea?"
                && error?["reason"]?.string == "unsupported")
        try pipeline.closePublisher("tea-catalog")
        try await pipeline.settle()
        #expect(try await ask("OrderTea", "t", in: pipeline) == ["completed unsupported noHandlerProvidedForIntent"])
        #expect(calls.all.isEmpty && pipeline.coordinators["coordinator"]?.counters.unserved == 2)
        #expect(try await ask("Book", "u", in: pipeline) == ["completed success success"])
    }

    @Test("of the intents that a person may have meant only those count that are served, each by its own service")
    func candidates() async throws {
        let pipeline = try await pipeline()
        try await start("tea", ["OrderTea"], in: pipeline)
        func ask(_ session: Identifier, _ candidates: KeyValuePairs<String, Double>, fallback: Identifier? = nil)
            async throws -> [String]
        {
            var request = IntentRequest(id: "r", intent: "")
            request.candidates = candidates.map { IntentCandidate(intent: Identifier($0), confidence: $1) }
            request.fallback = fallback
            try pipeline.send(.requested(request), session: session, id: "r")
            try await pipeline.settle()
            return try pipeline.results(session: session).map(\.line)
        }
        #expect(try await ask("s", ["OrderWine": 0.9, "OrderTea": 0.8]) == ["completed success success"])
        #expect(calls.all.last == "tea handle OrderTea")
        #expect(try await ask("t", ["OrderWine": 0.9], fallback: "Book") == ["completed success success"])
        #expect(calls.all.last == "default handle Book")
        #expect(
            try await ask("u", ["OrderWine": 0.9], fallback: "Sing") == [
                "completed unsupported noHandlerProvidedForIntent"
            ])
        #expect(try await ask("v", ["OrderTea": 0.8, "Book": 0.8]) == ["prompt choice -"])
        let prompt = try pipeline.results(session: "v").last?.prompt ?? ""
        try pipeline.send(.answered(Answer(prompt: prompt, action: .accept, option: "OrderTea")), session: "v", id: "a")
        try await pipeline.settle()
        #expect(calls.all.last == "tea handle OrderTea")
    }

    @Test("while no worker has published anything, unknown intents go to the workers, as before there was a catalogue")
    func empty() async throws {
        let pipeline = try await pipeline(publishes: false)
        #expect(try await ask("Anything", in: pipeline) == ["completed success success"])
        #expect(calls.all.first == "default resolve Anything")
    }

    @Test("a request goes on where it began after a crash, although another service serves its intent by then")
    func crash() async throws {
        let pipeline = try await pipeline()
        try await start("tea", ["OrderTea"], in: pipeline)
        for phase in Phase.allCases { pipeline.kill("tea-\(phase)") }
        #expect(try await ask("OrderTea", in: pipeline).isEmpty)
        pipeline.kill("coordinator")
        try pipeline.closePublisher("tea-catalog")
        try pipeline.startPublisher("kettle-catalog", content("kettle", ["OrderTea"], version: "2.0"))
        try await pipeline.settle()
        try pipeline.startCoordinator("successor")
        try await pipeline.settle()
        for phase in Phase.allCases {
            try pipeline.startWorker("again-\(phase)", phase, service: "tea", perform: worker("tea"))
        }
        try await pipeline.settle()
        #expect(try pipeline.results(session: "s").map(\.line) == ["completed success success"])
        #expect(Set(calls.all) == ["tea resolve OrderTea", "tea confirm OrderTea", "tea handle OrderTea"])
        let sent = try pipeline.log.records(in: pipeline.topics.resolve).map { record throws(EventError) in
            try WorkEvent(record).work
        }
        #expect(sent.count > 1 && sent.allSatisfy { $0.service == "tea" })
    }

    @Test("a cancel of another service's work is left alone too")
    func cancelled() async throws {
        let pipeline = try await pipeline()
        try await start("tea", ["OrderTea"], in: pipeline)
        pipeline.kill("tea-handle")
        #expect(try await ask("OrderTea", in: pipeline).isEmpty)
        try pipeline.send(.cancelled(request: nil), session: "s", id: "c")
        try await pipeline.settle()
        #expect(pipeline.workers["handle"]?.counters.cancels == 0 && pipeline.workers["handle"]?.counters.started == 0)
        try pipeline.startWorker("tea-handle-2", .handle, service: "tea", perform: worker("tea"))
        try await pipeline.settle()
        #expect(try pipeline.results(session: "s").map(\.line) == ["completed cancelled cancelled"])
    }

    @Test("what can't be read is reported once: by the default service")
    func unreadable() async throws {
        let pipeline = try await pipeline()
        try await start("tea", ["OrderTea"], in: pipeline)
        try pipeline.send(
            Record(
                topic: pipeline.topics.handle, partition: 0, key: Array("s".utf8), value: Array("{}".utf8), headers: [])
        )
        try await pipeline.settle()
        #expect(pipeline.log.records(in: pipeline.topics.deadLetters).count == 1)
    }

    @Test("an opened intent goes to the service that serves it")
    func opened() async throws {
        let pipeline = try await TestPipeline { [calls] invocation, _ in
            calls.record("default \(invocation.phase) \(invocation.intent)")
            var response = IntentResponse(.success)
            response.opensIntent = OpenedIntent(intent: "OrderTea", parameters: [:])
            return invocation.phase == .resolve
                ? .resolved([])
                : .responded(invocation.phase == .confirm ? IntentResponse(.ready) : response, confirmation: nil)
        }
        pipeline.followsCatalogue = true
        try pipeline.startAll()
        try pipeline.startPublisher("default-catalog", content(nil, ["Book"]))
        try await start("tea", ["OrderTea"], in: pipeline)
        #expect(try await ask("Book", in: pipeline) == ["completed success success", "completed success success"])
        #expect(calls.all.suffix(3) == ["tea resolve OrderTea", "tea confirm OrderTea", "tea handle OrderTea"])
    }

    // MARK: Publishing

    @Test(
        "a process compares its clock with the broker's by the lease that it reads back",
        arguments: [(-3_600, -3_600), (0, 0), (11, 11)])
    func comparison(ahead: Int, told: Int) async throws {
        let pipeline = try await TestPipeline(perform: worker("default"))
        let clock = pipeline.clock
        let differences = Recorder<Duration>()
        let client = try pipeline.log.connect(ClientConfiguration(clientID: "c"))
        let publisher = CataloguePublisher(
            .init(lease: .ofCoordinator("c", started: clock.now), intents: []), client: client, topics: pipeline.topics,
            clock: { clock.now.advanced(by: .seconds(ahead)) },
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
            onComparison: { differences.record($0) })
        func run() throws { while try publisher.step(timeout: .zero) {} }
        try run()
        #expect(differences.all == [.seconds(told)])
        // A difference is checked again soon, and agreement with the next renewal.
        clock.advance(by: .seconds(10))
        try run()
        #expect(differences.all.count == (ahead == 0 ? 1 : 2))
        clock.advance(by: .seconds(50))
        try run()
        #expect(differences.all.count == (ahead == 0 ? 2 : 3))
    }

    @Test("a coordinator's lease is no worker's, and serves nothing")
    func coordinator() async throws {
        let pipeline = try await pipeline(publishes: false)
        try pipeline.startPublisher("c", .init(lease: .ofCoordinator("c", started: pipeline.clock.now), intents: []))
        try await pipeline.settle()
        #expect(
            pipeline.catalogues["coordinator"]?.answer(for: "OrderTea") == .served(nil), "nobody has published anything"
        )
    }

    @Test("a worker whose clock is an hour off is served like all others", arguments: [-3_600, 3_600])
    func wrongClock(seconds: Int) async throws {
        let pipeline = try await TestPipeline(perform: worker("default"))
        pipeline.followsCatalogue = true
        pipeline.clockDifferences = ["tea-catalog": .seconds(seconds)]
        try pipeline.startAll()
        try await start("tea", ["OrderTea"], in: pipeline)
        for _ in 1...10 { try await pipeline.advance(by: .seconds(60)) }
        #expect(
            pipeline.catalogues["coordinator"]?.answer(for: "OrderTea")
                == .served(IntentRoute(service: "tea", appService: "tea")))
        pipeline.kill("tea-catalog")
        for _ in 1...400 { try await pipeline.advance(by: .seconds(1)) }
        #expect(pipeline.catalogues["coordinator"]?.answer(for: "OrderTea") == .served(nil), "the catalogue is empty")
    }

    @Test("leases are renewed, a crashed worker's runs out, and intents are written once a day")
    func renewal() async throws {
        let pipeline = try await pipeline()
        try await start("tea", ["OrderTea"], in: pipeline)
        let catalog = pipeline.topics.catalog
        func written(_ prefix: String) -> Int {
            pipeline.log.records(in: catalog).count { String(decoding: $0.key ?? [], as: UTF8.self).hasPrefix(prefix) }
        }
        for _ in 1...4 { try await pipeline.advance(by: .seconds(60)) }
        #expect(written("worker/tea/") == 5 && written("intent/tea/") == 1)
        pipeline.kill("tea-catalog")
        for _ in 1...4 { try await pipeline.advance(by: .seconds(60)) }
        #expect(
            pipeline.catalogues["coordinator"]?.answer(for: "OrderTea")
                == .served(IntentRoute(service: "tea", appService: "tea")))
        for _ in 1...90 { try await pipeline.advance(by: .seconds(1)) }
        #expect(pipeline.catalogues["coordinator"]?.answer(for: "Book") == .served(nil))
        guard case .unserved = pipeline.catalogues["coordinator"]?.answer(for: "OrderTea") else {
            Issue.record("it is still served")
            return
        }
        try await pipeline.advance(by: .seconds(86_400))
        #expect(written("intent/default/") == 2)
    }

    @Test("a worker that serves other intents from now on withdraws at once those that it has dropped")
    func reload() async throws {
        let pipeline = try await pipeline()
        try await start("tea", ["OrderTea", "MakeTea"], in: pipeline)
        pipeline.publishers["tea-catalog"]?.publish(content("tea", ["MakeTea"]))
        try await pipeline.settle()
        #expect(try await ask("OrderTea", in: pipeline) == ["completed unsupported noHandlerProvidedForIntent"])
        #expect(try await ask("MakeTea", "t", in: pipeline) == ["completed success success"])
    }

    @Test("two processes of a service: an intent stays until the second one has stopped, also if the first is replaced")
    func rolling() async throws {
        let pipeline = try await pipeline()
        try await start("tea", ["OrderTea"], in: pipeline)
        var next = content("tea", ["OrderTea"])
        next.lease.instance = "tea-2"
        try pipeline.startPublisher("second", next)
        try await pipeline.settle()
        try pipeline.closePublisher("tea-catalog")
        try await pipeline.settle()
        #expect(try await ask("OrderTea", in: pipeline) == ["completed success success"])
        try pipeline.closePublisher("second")
        try await pipeline.settle()
        #expect(try await ask("OrderTea", "t", in: pipeline) == ["completed unsupported noHandlerProvidedForIntent"])
    }

    @Test("a worker that is only restarted can leave its intents listed")
    func restarted() async throws {
        let pipeline = try await pipeline()
        try await start("tea", ["OrderTea"], in: pipeline)
        try pipeline.closePublisher("tea-catalog", withdraws: false)
        try await pipeline.settle()
        #expect(try await ask("OrderTea", in: pipeline) == ["completed success success"])
    }

    @Test("a new coordinator has read the catalogue before its first decision")
    func warm() async throws {
        let pipeline = try await pipeline()
        try await start("tea", ["OrderTea"], in: pipeline)
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("second")
        #expect(pipeline.catalogues["second"]?.isReady == true)
        #expect(try await ask("OrderTea", in: pipeline) == ["completed success success"])
        #expect(calls.all.allSatisfy { $0.hasPrefix("tea") })
    }

    @Test("until the catalogue is read, what it lacks so far is not refused")
    func unready() async throws {
        let pipeline = try await pipeline()
        var encoder = EventEncoder(source: "/test")
        try pipeline.send(
            encoder.record(content("tea", ["OrderTea"]).lease, topics: pipeline.topics, at: pipeline.clock.now))
        let client = try pipeline.log.connect(CatalogueFollower.client("late"))
        let follower = CatalogueFollower(
            client: client, topics: pipeline.topics, partitions: 2, clock: { [clock = pipeline.clock] in clock.now },
            logger: .init(label: "test"))
        #expect(!follower.isReady && follower.answer(for: "Nothing") == .served(nil))
        while try follower.step(timeout: .zero) {}
        guard follower.isReady, case .unserved = follower.answer(for: "Nothing") else {
            Issue.record("it is not refused")
            return
        }
    }
}
