import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

/// A pipeline whose resolver asks for a missing city and remembers the city for the person. Rides to Bath are handled
/// in the app. The intent `Fly` is served by the app only. No coordinator is started.
private func travel(partitions: Int32 = 1) async throws -> TestPipeline {
    let pipeline = try await TestPipeline(partitions: partitions) { invocation, _ in
        let city = invocation.parameters.first { $0.name == "city" }?.value
        switch invocation.phase {
        case .resolve:
            let resolution = city.map { ParameterResolution.success($0) } ?? .needsValue(dialog: nil)
            var resolved = ResolvedParameter(name: "city", resolution: resolution, memoryKey: "city")
            resolved.memoryScope = .person
            return .resolved([resolved])
        case .confirm: return .responded(IntentResponse(.ready))
        case .handle:
            let isForApp = city == .string("Bath") && !invocation.context.isInApp
            return .responded(IntentResponse(isForApp ? .handleInApp : .success))
        }
    }
    (pipeline.follows.catalogue, pipeline.follows.memory) = (true, true)
    let intents = ["Book", "Fly"].map {
        PublishedIntent(intent: Identifier($0), title: $0, details: ["parameters": .array([.rememberedCity])])
    }
    let lease = WorkerLease(instance: "w", intents: ["Book"], inApp: ["Fly"])
    try pipeline.startPublisher("publisher", .init(lease: lease, intents: intents))
    try await pipeline.settle()
    for phase in Phase.allCases {
        try pipeline.startWorker(phase.rawValue, phase)
        try pipeline.startWorker("app-\(phase.rawValue)", phase, isInApp: true)
    }
    return pipeline
}

extension TestPipeline {
    /// Requests a ride for Ann. The pipeline does not run.
    fileprivate func ask(
        _ session: Identifier, _ city: String? = "Leeds", id: Identifier = "r", intent: Identifier = "Book"
    ) throws {
        let parameters = city.map { [ParameterState.said("city", $0)] } ?? []
        let request = IntentRequest(id: id, intent: intent, parameters: parameters, principal: .ann)
        try send(.requested(request), session: session, id: id, to: topics.answers, from: .ann)
    }
}

@Suite("Records that the log refuses for good") struct RefusedRecordTests {
    private static let topics = Topics()
    private static let codes: [LogError.Code] = [
        .unauthorized, .unknownTopicOrPartition, .recordTooLarge, .timedOut, .disconnected, .invalidConfiguration,
        .unsupported, .other,
    ]

    /// Sends requests of three kinds, a change of the person's memory, and an unreadable record.
    ///
    /// - Returns: The sessions of the requests.
    private func ask(_ round: Int, _ pipeline: TestPipeline) throws -> [Identifier] {
        try pipeline.ask("leeds-\(round)", "Leeds")
        try pipeline.ask("bath-\(round)", "Bath")
        try pipeline.ask("fly-\(round)", "Leeds", intent: "Fly")
        let forgetting = SessionEvent.forgotten(Forgetting(scope: .person))
        try pipeline.send(forgetting, session: "forget-\(round)", id: "f", to: Self.topics.answers, from: .ann)
        try pipeline.write("{", key: "garbage")
        return ["leeds-\(round)", "bath-\(round)", "fly-\(round)"]
    }

    @Test(arguments: topics.work + [topics.memoryChanges, topics.deadLetters], codes)
    func `fail their request at most, not the coordinator`(_ topic: String, _ code: LogError.Code) async throws {
        let pipeline = try await travel()
        pipeline.log.refuseRecords(.max, in: topic, with: LogError(code, "refused"))
        var sessions: [Identifier] = []
        var refused = 0
        for round in 1...3 {
            try pipeline.startCoordinator("c\(round)")
            sessions += try ask(round, pipeline)
            #expect(try await pipeline.settle() == [], "round \(round)")
            let counters = try pipeline.coordinator("c\(round)").counters
            let records = counters.refusedRecords.values.reduce(0, +)
            refused += topic == Self.topics.deadLetters ? counters.deadLetters.lost : records
            #expect(counters.refusedRecords.keys.allSatisfy { $0 == RefusedRecord(topic: topic, code: code) })
            pipeline.kill("c\(round)")
        }
        #expect(refused >= 3 && pipeline.log.records(in: topic).isEmpty)
        // Requests whose work is refused fail by that name.
        let completions = try sessions.flatMap { try pipeline.completions($0) }
        #expect(completions.map(\.session) == sessions)
        let errors = completions.compactMap { $0.data["error"] }
        #expect(errors.isEmpty == !Self.topics.work.contains(topic))
        for error in errors {
            #expect(error["reason"]?.string == (code == .recordTooLarge ? "complex" : "internal"))
            let message = "could not be written to \(topic): \(code.rawValue)"
            #expect(error["message"]?.string?.hasSuffix(message) == true)
        }
    }

    @Test(arguments: [topics.sessions, topics.results])
    func `of journal or results end the coordinator; its successor completes all requests`(topic: String) async throws {
        let pipeline = try await travel()
        for code in Self.codes {
            try await pipeline.addCoordinator("c-\(code)")
            pipeline.log.refuseRecords(.max, in: topic, with: LogError(code, "refused"))
            _ = try ask(1, pipeline)
            #expect(try await pipeline.settle() == ["c-\(code)"])
            pipeline.log.clearFaults()
            pipeline.kill("c-\(code)")
        }
        try pipeline.startCoordinator("last")
        #expect(try await pipeline.settle() == [])
        for session in ["leeds-1", "bath-1", "fly-1"] as [Identifier] {
            #expect(try pipeline.completions(session).count == 1, "\(session)")
        }
    }

    @Test func `an outcome that another try may write is sent again`() async throws {
        let pipeline = try await travel()
        try await pipeline.addCoordinator("c")
        pipeline.refuse(3, in: \.outcomes, with: LogError(.timedOut, "too late", disposition: .retry))
        try pipeline.ask("s")
        #expect(try await pipeline.settle() == [])
        #expect(try await pipeline.lines("s") == Booking.completed)
    }

    @Test(arguments: [false, true])
    func `of work let the session's next request begin, also at a takeover`(isTakeover: Bool) async throws {
        let pipeline = try await travel()
        for id in ["r", "q"] as [Identifier] { try pipeline.ask("s", id: id) }
        if isTakeover {
            // The first request's work is journalled and never written.
            pipeline.setLeaders(of: \.confirm, areAway: true)
            try await pipeline.addCoordinator("first")
            pipeline.kill("first")
            pipeline.setLeaders(of: \.confirm, areAway: false)
        }
        pipeline.refuse(1, in: \.confirm, with: LogError(.unauthorized, "no right to write"))
        try await pipeline.addCoordinator("second")
        let lines = ["completed failure failure", "completed success success"]
        #expect(try await pipeline.lines("s") == lines)
        try await pipeline.replaceCoordinator("second", by: "third")
        #expect(try await pipeline.lines("s") == lines)
    }
}

@Suite("A partition without a leader") struct LeaderlessPartitionTests {
    private func pipeline(partitions: Int32 = 1) async throws -> TestPipeline {
        let pipeline = try await travel(partitions: partitions)
        pipeline.configuration.limits.maximumInFlight = 8
        try await pipeline.addCoordinator("coordinator")
        return pipeline
    }

    /// Requests bookings of several sessions, one after the other.
    private func ask(_ sessions: [Identifier], _ city: String? = "Leeds", in pipeline: TestPipeline) async throws {
        for session in sessions {
            try pipeline.ask(session, city)
            try await pipeline.settle()
        }
    }

    @Test func `of a phase's work fails the requests that need it, by name, and holds back no others`() async throws {
        let pipeline = try await pipeline()
        try await ask(.numbered(1..<5, "asked"), nil, in: pipeline)
        pipeline.setLeaders(of: \.resolve, areAway: true)
        try await ask(["first"], in: pipeline)
        try await pipeline.advance(by: .seconds(1), times: 7)
        try await ask(.numbered(1..<41), in: pipeline)
        let message = "could not be written to \(pipeline.topics.resolve): timedOut"
        for session in [Identifier].numbered(1..<41) {
            #expect(try pipeline.last(session).data["error"]?["message"]?.string?.hasSuffix(message) == true)
        }
        // Events that need no resolver are decided.
        try await pipeline.deliver(.cancelled(request: "r"), "asked1", to: \.answers, from: .ann)
        #expect(try pipeline.last("asked1").line.hasPrefix("completed cancelled"))
        pipeline.setLeaders(of: \.resolve, areAway: false)
        try await pipeline.settle()
        try await pipeline.advance(by: .seconds(1), times: 2)
        try await ask(["later"], in: pipeline)
        #expect(try pipeline.last("later").line == "completed success success")
        #expect(try pipeline.completions("first").count == 1)
    }

    @Test func `of the dead letters holds back no request: letters are given up after 5 s and counted`() async throws {
        let pipeline = try await pipeline()
        pipeline.setLeaders(of: \.deadLetters, areAway: true)
        for number in 1...300 { try pipeline.write("{", key: "garbage\(number)") }
        try await ask(["s"], in: pipeline)
        try await pipeline.advance(by: .seconds(1), times: 9)
        #expect(try pipeline.last().line == "completed success success")
        #expect(try pipeline.coordinator().counters.deadLetters.lost == 300)
    }

    @Test(arguments: ["sessions", "results", "resolve", "outcomes"])
    func `stops no session of another partition`(_ topic: String) async throws {
        let pipeline = try await pipeline(partitions: 2)
        pipeline.configureWorker = { $0.maximumInFlight = 2 }
        for phase in Phase.allCases { try pipeline.startWorker("few-\(phase.rawValue)", phase) }
        try await pipeline.settle()
        let place = TopicPartition("intents.\(topic)", 0)
        pipeline.log.setLeader(of: place, isAway: true)
        try await ask(.numbered(0..<200), in: pipeline)
        let elsewhere = TestPipeline.sessions(in: 1, among: 200)
        #expect(elsewhere.count > 50)
        for session in elsewhere { #expect(try pipeline.last(session).line == "completed success success") }
        pipeline.log.setLeader(of: place, isAway: false)
        try await pipeline.settle()
        for session in [Identifier].numbered(0..<200) {
            #expect(try pipeline.last(session).line == "completed success success")
        }
    }
}
