import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("A partition without a leader")
struct LeaderlessPartitionTests {
    private static let ann = Principal(.appUser, "ann")

    /// A pipeline whose resolver asks for a missing city and remembers the city for the person.
    private func pipeline(partitions: Int32 = 1, maximumInFlight: Int = 8) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: partitions) { invocation, _ in
            switch invocation.phase {
            case .resolve:
                let city = invocation.parameters.first { $0.name == "city" }?.value
                var resolved = ResolvedParameter(
                    name: "city", resolution: city.map { .success($0) } ?? .needsValue(dialog: nil), memoryKey: "city")
                resolved.memoryScope = .person
                return .resolved([resolved])
            case .confirm: return .responded(IntentResponse(.ready))
            case .handle: return .responded(IntentResponse(.success))
            }
        }
        pipeline.followsCatalogue = true
        pipeline.followsMemory = true
        pipeline.configureCoordinator = { $0.maximumInFlight = maximumInFlight }
        let memory: JSON = .object(["key": .string("city"), "scope": .string("person")])
        let details: [String: JSON] = ["parameters": .array([.object(["name": .string("city"), "memory": memory])])]
        try pipeline.startPublisher(
            "publisher",
            .init(
                lease: WorkerLease(instance: "w", intents: ["Book"]),
                intents: [PublishedIntent(intent: "Book", title: "Book", details: details)]))
        try await pipeline.settle()
        try pipeline.startAll()
        try await pipeline.settle()
        return pipeline
    }

    private func ask(_ session: Identifier, _ city: String? = "Leeds", in pipeline: TestPipeline) throws {
        let parameters = city.map { [ParameterState(name: "city", value: .string($0))] } ?? []
        let request = IntentRequest(id: "r", intent: "Book", parameters: parameters, principal: Self.ann)
        try pipeline.send(.requested(request), session: session, id: "r", to: pipeline.topics.answers, from: Self.ann)
    }

    private func line(_ session: Identifier, _ pipeline: TestPipeline) throws -> String? {
        try pipeline.results(session: session).last?.line
    }

    @Test("of the work of a phase fails the requests that need it, by name, and holds no others back")
    func work() async throws {
        let pipeline = try await pipeline()
        for number in 1...4 { try ask("asked\(number)", nil, in: pipeline) }
        try await pipeline.settle()
        pipeline.log.setLeaders(of: pipeline.topics.resolve, areAway: true)
        try ask("first", in: pipeline)
        try await pipeline.settle()
        for _ in 1...7 { try await pipeline.advance(by: .seconds(1)) }
        for number in 1...40 {
            try ask("s\(number)", in: pipeline)
            try await pipeline.settle()
        }
        for number in 1...40 {
            let error = try #require(try pipeline.results(session: "s\(number)").last?.data["error"])
            #expect(
                error["message"]?.string?.hasSuffix("could not be written to \(pipeline.topics.resolve): timedOut")
                    == true)
        }
        // Events that need no resolver are decided.
        try pipeline.send(
            .cancelled(request: "r"), session: "asked1", id: "c", to: pipeline.topics.answers, from: Self.ann)
        try await pipeline.settle()
        #expect(try line("asked1", pipeline)?.hasPrefix("completed cancelled") == true)
        pipeline.log.setLeaders(of: pipeline.topics.resolve, areAway: false)
        try await pipeline.settle()
        for _ in 1...2 { try await pipeline.advance(by: .seconds(1)) }
        try ask("later", in: pipeline)
        try await pipeline.settle()
        #expect(try line("later", pipeline) == "completed success success")
        #expect(try pipeline.results(session: "first").count { $0.type == .completed } == 1)
    }

    @Test("of the dead letters holds back no request, after 5 s: the dead letters are given up and counted")
    func deadLetters() async throws {
        let pipeline = try await pipeline()
        pipeline.log.setLeaders(of: pipeline.topics.deadLetters, areAway: true)
        for number in 1...300 {
            try pipeline.send(
                Record(
                    topic: pipeline.topics.requests, partition: 0, key: Array("garbage\(number)".utf8),
                    value: Array("{".utf8)))
        }
        try ask("s", in: pipeline)
        try await pipeline.settle()
        for _ in 1...9 { try await pipeline.advance(by: .seconds(1)) }
        #expect(try line("s", pipeline) == "completed success success")
        let counters = try #require(pipeline.coordinators["coordinator"]?.counters)
        #expect(counters.deadLettersLost == 300)
    }

    @Test("of the journal, of the results, of work or of outcomes stops no session of another partition")
    func journal() async throws {
        for topic in [Topics().sessions, Topics().results, Topics().resolve, Topics().outcomes] {
            let pipeline = try await pipeline(partitions: 2)
            pipeline.configureWorker = { $0.maximumInFlight = 2 }
            for phase in Phase.allCases { try pipeline.startWorker("few-\(phase.rawValue)", phase) }
            try await pipeline.settle()
            pipeline.log.setLeader(of: TopicPartition(topic, 0), isAway: true)
            let sessions = (1...200).map { Identifier("s\($0)") }
            for session in sessions {
                try ask(session, in: pipeline)
                try await pipeline.settle()
            }
            let elsewhere = sessions.filter { Murmur2.partition(of: Array($0.utf8), count: 2) == 1 }
            #expect(elsewhere.count > 50)
            for session in elsewhere {
                #expect(try line(session, pipeline) == "completed success success", "\(topic): \(session)")
            }
            pipeline.log.setLeader(of: TopicPartition(topic, 0), isAway: false)
            try await pipeline.settle()
            for session in sessions {
                #expect(try line(session, pipeline) == "completed success success", "\(topic): \(session)")
            }
        }
    }
}
