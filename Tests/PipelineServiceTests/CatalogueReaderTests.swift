import Conversation
import IntentEvents
import IntentModel
import PipelineService
import RecordLog
import Testing

@Suite("Reading the catalogue once")
struct CatalogueReaderTests {
    private let topics = Topics(prefix: "home")
    private let log = InMemoryLog { 1_772_366_400_000 }
    private let now = Instant(milliseconds: 1_772_366_400_000)

    private func write(_ records: [Record]) throws {
        let client = try log.connect(ClientConfiguration(clientID: "worker"))
        for record in records { try client.send(record, token: 0) }
        _ = try client.poll(maximum: 1_000, timeout: .zero)
        try client.close(timeout: .zero)
    }

    @Test("reads all partitions to their ends, and passes over what can't be read")
    func reads() async throws {
        try await log.createTopics(topics.specifications(partitions: 3))
        var encoder = EventEncoder(source: "/test")
        var records = ["a", "b", "c", "d"].map { name in
            encoder.record(
                WorkerLease(service: name, instance: name, intents: ["Serve-\(name)"]), topics: topics, at: now)
        }
        records.append(
            encoder.record(PublishedIntent(service: "a", intent: "Serve-a", title: "First"), topics: topics, at: now))
        records.append(Record(topic: topics.catalog, partition: 1, key: [0xFF], value: [1], headers: []))
        records.append(encoder.withdrawal(of: .worker(service: "b", instance: "b"), topics: topics, at: now))
        try write(records)
        let reader = CatalogueReader(log, topics: topics)
        let entries = try await reader.read(timeout: .seconds(5), at: now).entries
        #expect(entries.map(\.intent) == ["Serve-a", "Serve-c", "Serve-d"] && entries[0].published?.title == "First")
        let later = try await reader.read(timeout: .seconds(5), at: now.advanced(by: .seconds(301)))
        #expect(later.isEmpty && later.entries.isEmpty)
    }

    @Test("in a pipeline of an earlier version, says which command creates the topic")
    func missing() async throws {
        await #expect {
            try await CatalogueReader(log, topics: topics).read(timeout: .seconds(1), at: now)
        } throws: {
            let error = $0 as? LogError
            return error?.code == .unknownTopicOrPartition
                && error?.message.contains("'intents topics apply' creates it") == true
        }
    }
}
