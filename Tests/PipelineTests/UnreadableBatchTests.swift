import Conversation
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordLog
import Testing

@testable import Pipeline

/// Batches that a client can't decompress, and floods of records that nobody can read.
@Suite("Records that can't be read")
struct UnreadableBatchTests {
    private func started(partitions: Int32 = 1) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: partitions, perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        return pipeline
    }

    private func letters(_ pipeline: TestPipeline) -> [ReadDeadLetter] {
        pipeline.log.records(in: pipeline.topics.deadLetters).compactMap { ReadDeadLetter($0) }
    }

    private func book(_ pipeline: TestPipeline, _ session: Identifier) throws {
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: session, id: "r")
    }

    /// The input topics, each with the stage that its dead letters name.
    static let inputs: [(topic: String, stage: String)] = {
        let topics = Topics()
        return [
            (topics.requests, "coordinator"), (topics.answers, "coordinator"), (topics.outcomes, "coordinator"),
            (topics.resolve, "resolver"),
            (topics.confirm, "confirmer"), (topics.handle, "handler"), (topics.handleInApp, "app-handler"),
        ]
    }()

    @Test(
        "a batch that can't be read is skipped with one dead letter that names topic, partition, offsets and cause",
        arguments: inputs)
    func skipped(topic: String, stage: String) async throws {
        let pipeline = try await started()
        let place = TopicPartition(topic, 0)
        let first = Int64(pipeline.log.records(in: place).count)
        try pipeline.log.appendUnreadable(5, to: place, cause: "its codec is broken")
        try book(pipeline, "s")
        try await pipeline.settle()
        #expect(try pipeline.results(session: "s").map(\.line) == ["completed success success"])
        let letter = try #require(letters(pipeline).first)
        #expect(letters(pipeline).count == 1)
        #expect(letter.original.topicPartition == place && letter.original.offset == first)
        #expect(letter.range?.last == first + 4 && letter.range?.records == 5)
        #expect(letter.stage == stage && letter.reason == "unparseable")
        #expect(letter.message.contains("its codec is broken"))
        #expect(letter.original.value == nil)
        #expect(throws: EventError.self) { try letter.replay(topics: pipeline.topics, force: true) }
        // The batch is counted, and the next owner does not report it again.
        if stage == "coordinator" {
            #expect(pipeline.coordinators["coordinator"]?.counters.unreadableBatches == [topic: 1])
        }
        for name in ["coordinator", "resolve", "confirm", "handle", "app"] { pipeline.kill(name) }
        try pipeline.startAll()
        try book(pipeline, "other")
        try await pipeline.settle()
        #expect(try pipeline.results(session: "other").map(\.line) == ["completed success success"])
        #expect(letters(pipeline).count == 1)
    }

    @Test("a batch that can't be read in the catalogue, the memory, the results or the dead letters stops nothing")
    func skippedWithoutLetter() async throws {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        pipeline.followsCatalogue = true
        pipeline.followsMemory = true
        let topics = pipeline.topics
        for topic in [topics.catalog, topics.memory, topics.results, topics.deadLetters] {
            try pipeline.log.appendUnreadable(3, to: TopicPartition(topic, 0))
        }
        try pipeline.startAll()
        try await pipeline.settle()
        #expect(pipeline.catalogues["coordinator"]?.unreadableBatches == 1)
        #expect(pipeline.memories["coordinator"]?.unreadableBatches == 1)
        #expect(pipeline.coordinators["coordinator"]?.isSteady == true)
        #expect(letters(pipeline).isEmpty)
    }

    @Test("a journal with a batch that can't be read stops its own partition with an instruction, and the others go on")
    func journal() async throws {
        let pipeline = try await TestPipeline(partitions: 2, perform: Booking.perform)
        try pipeline.log.appendUnreadable(
            1, to: TopicPartition(pipeline.topics.sessions, 0), cause: "its codec is broken")
        pipeline.standby = 2
        try pipeline.startAll()
        try await pipeline.settle()
        let coordinator = try #require(pipeline.coordinators["coordinator"])
        #expect(coordinator.stoppedPartitions == [0])
        let (lost, served) = (session(in: 0), session(in: 1))
        try book(pipeline, lost)
        try book(pipeline, served)
        try await pipeline.settle()
        #expect(try pipeline.results(session: served).map(\.line) == ["completed success success"])
        #expect(try pipeline.results(session: lost).isEmpty)
        #expect(pipeline.log.records(in: TopicPartition(pipeline.topics.sessions, 0)).isEmpty)
    }

    @Test("a batch that can't be read in a journal that is in use stops its partition")
    func journalInUse() async throws {
        let pipeline = try await started()
        try book(pipeline, "s")
        try await pipeline.settle()
        try pipeline.log.appendUnreadable(1, to: TopicPartition(pipeline.topics.sessions, 0))
        try book(pipeline, "t")
        try await pipeline.settle()
        try await pipeline.advance(by: .seconds(60))
        #expect(pipeline.coordinators["coordinator"]?.stoppedPartitions == [0])
    }

    private func session(in partition: Int32) -> Identifier {
        (0...).lazy.map { Identifier("session-\($0)") }.first {
            Murmur2.partition(of: Array($0.utf8), count: 2) == partition
        } ?? ""
    }

    @Test(
        "the dead letter of a batch that can't be read is not lost, wherever the coordinator crashes",
        arguments: [CrashPoint.beforeSending, .afterSending])
    func letterSurvives(_ point: CrashPoint) async throws {
        for call in 1...50 {
            let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
            pipeline.log.planCrash(of: "coordinator", atCall: call, point)
            try pipeline.startAll()
            try await pipeline.settleReplacingCrashed()
            try pipeline.log.appendUnreadable(4, to: TopicPartition(pipeline.topics.requests, 0))
            try book(pipeline, "s")
            try await pipeline.settleReplacingCrashed()
            #expect(try pipeline.results().map(\.line) == ["completed success success"], "died at call \(call)")
            let letters = letters(pipeline)
            #expect(
                !letters.isEmpty && letters.allSatisfy { $0.original.offset == 0 && $0.range?.last == 3 },
                "died at call \(call)")
        }
    }

    @Test(
        "a flood of unreadable requests costs a bounded number of dead letters, and one of them names the range of the others"
    )
    func flood() async throws {
        let pipeline = try await started()
        let count = 5_000
        for number in 0..<count {
            let value = number % 2 == 0 ? "{" : #"{"intent":5}"#
            try pipeline.log.append(
                Record(topic: pipeline.topics.requests, partition: 0, key: Array("s".utf8), value: Array(value.utf8)))
        }
        try book(pipeline, "other")
        try await pipeline.settle()
        #expect(try pipeline.results(session: "other").map(\.line) == ["completed success success"])
        try await pipeline.advance(by: .seconds(2))
        let letters = letters(pipeline)
        #expect(letters.count <= UnreadableRate.burst + 2)
        let ranges = letters.compactMap { letter in letter.range.map { (first: letter.original.offset, $0) } }
        let range = try #require(ranges.first)
        #expect(ranges.count == 1)
        #expect(range.first == Int64(UnreadableRate.burst) && range.1.last == Int64(count) - 1)
        #expect(range.1.records == count - UnreadableRate.burst)
        #expect(pipeline.coordinators["coordinator"]?.counters.deadLettersSpared == count - UnreadableRate.burst)
        #expect(pipeline.coordinators["coordinator"]?.isSettled == true)
    }

    @Test("a flood of unreadable work costs a worker a bounded number of dead letters, and all of it is committed")
    func workFlood() async throws {
        let pipeline = try await started()
        let count = 4_000
        for _ in 0..<count {
            try pipeline.log.append(
                Record(topic: pipeline.topics.resolve, partition: 0, key: Array("s".utf8), value: Array("{".utf8)))
        }
        try book(pipeline, "other")
        try await pipeline.settle()
        try await pipeline.advance(by: .seconds(2))
        #expect(try pipeline.results(session: "other").map(\.line) == ["completed success success"])
        let letters = letters(pipeline)
        #expect(letters.count == UnreadableRate.burst + 1)
        #expect(letters.compactMap(\.range).map(\.records) == [count - UnreadableRate.burst])
        let committed = pipeline.log.committed(group: "intents.resolver")[TopicPartition(pipeline.topics.resolve, 0)]
        #expect(committed?.offset == Int64(count) + 1)
    }

    @Test("a coordinator that is closed names what it has only counted")
    func closed() async throws {
        let pipeline = try await started()
        for _ in 0..<UnreadableRate.burst + 50 {
            try pipeline.log.append(
                Record(topic: pipeline.topics.requests, partition: 0, key: nil, value: Array("{".utf8)))
        }
        try await pipeline.settle()
        try pipeline.closeCoordinator("coordinator")
        #expect(letters(pipeline).compactMap(\.range).map(\.records) == [50])
    }
}
