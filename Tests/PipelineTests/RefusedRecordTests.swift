import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("Records that the log refuses for good")
struct RefusedRecordTests {
    private static let topics = Topics()
    private static let ann = Principal(.appUser, "ann")
    private static let codes: [LogError.Code] = [
        .unauthorized, .unknownTopicOrPartition, .recordTooLarge, .timedOut, .disconnected, .invalidConfiguration,
        .unsupported, .other,
    ]

    /// A pipeline whose resolver remembers the city for the person. Rides to Bath are handled in the app.
    private func pipeline() async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: 1) { invocation, _ in
            switch invocation.phase {
            case .resolve:
                let city = invocation.parameters.first { $0.name == "city" }?.value ?? .string("Leeds")
                var resolved = ResolvedParameter(name: "city", resolution: .success(city), memoryKey: "city")
                resolved.memoryScope = .person
                return .resolved([resolved])
            case .confirm: return .responded(IntentResponse(.ready))
            case .handle:
                let isForApp = invocation.parameters.contains { $0.name == "city" && $0.value == .string("Bath") }
                if isForApp, !invocation.context.isInApp { return .responded(IntentResponse(.handleInApp)) }
                return .responded(IntentResponse(.success))
            }
        }
        pipeline.followsCatalogue = true
        pipeline.followsMemory = true
        let memory: JSON = .object(["key": .string("city"), "scope": .string("person")])
        let details: [String: JSON] = ["parameters": .array([.object(["name": .string("city"), "memory": memory])])]
        try pipeline.startPublisher(
            "publisher",
            .init(
                lease: WorkerLease(instance: "w", intents: ["Book"], inApp: ["Fly"]),
                intents: ["Book", "Fly"].map { PublishedIntent(intent: Identifier($0), title: $0, details: details) }))
        try await pipeline.settle()
        for phase in Phase.allCases {
            try pipeline.startWorker(phase.rawValue, phase)
            try pipeline.startWorker("app-\(phase.rawValue)", phase, isInApp: true)
        }
        return pipeline
    }

    /// Sends requests of three kinds, a change of the person's memory, and an unreadable record.
    ///
    /// - Returns: The sessions of the requests.
    private func ask(_ round: Int, _ pipeline: TestPipeline) throws -> [Identifier] {
        let asked = [("leeds", "Book", "Leeds"), ("bath", "Book", "Bath"), ("fly", "Fly", "Leeds")]
        for (name, intent, city) in asked {
            let request = IntentRequest(
                id: "r", intent: Identifier(intent), parameters: [ParameterState(name: "city", value: .string(city))],
                principal: Self.ann)
            try pipeline.send(
                .requested(request), session: "\(name)-\(round)", id: "r", to: Self.topics.answers, from: Self.ann)
        }
        try pipeline.send(
            .forgotten(Forgetting(scope: .person)), session: "forget-\(round)", id: "f", to: Self.topics.answers,
            from: Self.ann)
        try pipeline.send(
            Record(topic: Self.topics.requests, partition: 0, key: Array("garbage".utf8), value: Array("{".utf8)))
        return asked.map { "\($0.0)-\(round)" }
    }

    private func completions(of session: Identifier, _ pipeline: TestPipeline) throws -> [ReceivedResult] {
        try pipeline.results(session: session).filter { $0.type == .completed }
    }

    @Test(
        "a coordinator goes on whatever is refused but the journal and the results: each request ends, those whose work is refused by that name",
        arguments: topics.work + [topics.memoryChanges, topics.deadLetters], codes)
    func goesOn(_ topic: String, _ code: LogError.Code) async throws {
        let pipeline = try await pipeline()
        pipeline.log.refuseRecords(.max, in: topic, with: LogError(code, "refused"))
        var sessions: [Identifier] = []
        var refused = 0
        for round in 1...3 {
            try pipeline.startCoordinator("c\(round)")
            sessions += try ask(round, pipeline)
            #expect(try await pipeline.settle() == [], "round \(round)")
            let counters = try #require(pipeline.coordinators["c\(round)"]?.counters)
            refused +=
                topic == Self.topics.deadLetters
                ? counters.deadLettersLost : counters.refusedRecords.values.reduce(0, +)
            #expect(counters.refusedRecords.keys.allSatisfy { $0 == RefusedRecord(topic: topic, code: code) })
            pipeline.kill("c\(round)")
        }
        #expect(refused >= 3 && pipeline.log.records(in: topic).isEmpty)
        var failures = 0
        for session in sessions {
            let completions = try completions(of: session, pipeline)
            #expect(completions.count == 1, "\(session)")
            guard let error = completions.first?.data["error"] else { continue }
            failures += 1
            #expect(error["reason"]?.string == (code == .recordTooLarge ? "complex" : "internal"), "\(session)")
            #expect(
                error["message"]?.string?.hasSuffix("could not be written to \(topic): \(code.rawValue)") == true,
                "\(session)")
        }
        #expect((failures > 0) == Self.topics.work.contains(topic))
    }

    @Test(
        "a coordinator whose journal or results are refused ends, and all requests complete once they are accepted",
        arguments: [true, false])
    func ends(isJournal: Bool) async throws {
        let pipeline = try await pipeline()
        let topic = isJournal ? Self.topics.sessions : Self.topics.results
        for code in Self.codes {
            try pipeline.startCoordinator("c-\(code)")
            try await pipeline.settle()
            pipeline.log.refuseRecords(.max, in: topic, with: LogError(code, "refused"))
            _ = try ask(pipeline.coordinators.count, pipeline)
            #expect(try await pipeline.settle() == ["c-\(code)"])
            pipeline.log.clearFaults()
            pipeline.kill("c-\(code)")
        }
        try pipeline.startCoordinator("last")
        #expect(try await pipeline.settle() == [])
        for session in ["leeds-1", "bath-1", "fly-1"] {
            #expect(try completions(of: Identifier(session), pipeline).count == 1, "\(session)")
        }
    }

    @Test("an outcome that another try may write is sent again")
    func outcomeAgain() async throws {
        let pipeline = try await pipeline()
        try pipeline.startCoordinator("c")
        try await pipeline.settle()
        pipeline.log.refuseRecords(
            3, in: Self.topics.outcomes, with: LogError(.timedOut, "too late", disposition: .retry))
        try pipeline.send(.requested(IntentRequest(id: "r", intent: "Book")), session: "s", id: "r")
        #expect(try await pipeline.settle() == [])
        #expect(try pipeline.results(session: "s").map(\.line) == ["completed success success"])
    }

    @Test("the next request of a session begins when the work of one is refused, and a successor decides the same")
    func next() async throws {
        let pipeline = try await pipeline()
        try pipeline.startCoordinator("first")
        try await pipeline.settle()
        pipeline.log.refuseRecords(1, in: Self.topics.confirm, with: LogError(.unauthorized, "no right to write"))
        for id in ["r", "q"] {
            try pipeline.send(
                .requested(IntentRequest(id: Identifier(id), intent: "Book")), session: "s", id: Identifier(id))
        }
        #expect(try await pipeline.settle() == [])
        let lines = ["completed failure failure", "completed success success"]
        #expect(try pipeline.results(session: "s").map(\.line) == lines)
        pipeline.kill("first")
        try pipeline.startCoordinator("second")
        #expect(try await pipeline.settle() == [])
        #expect(try pipeline.results(session: "s").map(\.line) == lines)
    }
}
