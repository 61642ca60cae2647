import Conversation
import IntentEvents
import IntentModel
import PipelineService
import RecordLog
import Testing

@Suite("Reading the catalogue once") struct CatalogueReaderTests {
    private let topics = Topics(prefix: "home")
    private let log = InMemoryLog { 1_772_366_400_000 }
    private let now = Instant(milliseconds: 1_772_366_400_000)

    @Test func `reads all partitions to their ends, and passes over what can't be read`() async throws {
        try await log.createTopics(topics.specifications(partitions: 3))
        var encoder = EventEncoder(source: "/test")
        for name in ["a", "b", "c", "d"] {
            let lease = WorkerLease(service: name, instance: name, intents: ["Serve-\(name)"])
            try log.write(encoder.record(lease, topics: topics, at: now))
        }
        try log.write(
            encoder.record(PublishedIntent(service: "a", intent: "Serve-a", title: "First"), topics: topics, at: now),
            Record(topic: topics.catalog, partition: 1, key: [0xFF], value: [1]),
            encoder.withdrawal(of: .worker(service: "b", instance: "b"), topics: topics, at: now))
        let reader = CatalogueReader(log, topics: topics)
        let entries = try await reader.read(timeout: .seconds(5), at: now).entries
        #expect(entries.map(\.intent) == ["Serve-a", "Serve-c", "Serve-d"] && entries[0].published?.title == "First")
        let later = try await reader.read(timeout: .seconds(5), at: now.advanced(by: .seconds(301)))
        #expect(later.isEmpty && later.entries.isEmpty)
    }

    @Test func `in a pipeline of an earlier version, says which command creates the topic`() async throws {
        let error = try await #require(throws: LogError.self) {
            try await CatalogueReader(log, topics: topics).read(timeout: .seconds(1), at: now)
        }
        #expect(error.code == .unknownTopicOrPartition)
        #expect(error.message.contains("'intents topics apply' creates it"))
    }
}
