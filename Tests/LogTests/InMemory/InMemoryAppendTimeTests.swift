import RecordLog
import Testing

@Suite("Topics whose records the log dates")
struct InMemoryAppendTimeTests {
    @Test("records get the log's time, whatever their own is; those of other topics keep theirs")
    func stamped() async throws {
        let log = InMemoryLog { 5_000 }
        try await log.createTopics([
            TopicSpecification(
                name: "stamped", partitions: 1, configuration: ["message.timestamp.type": "LogAppendTime"]),
            TopicSpecification(name: "plain", partitions: 1),
        ])
        let client = log.client(ClientConfiguration(clientID: "c"))
        for topic in ["stamped", "plain"] {
            try client.send(Record(topic: topic, partition: 0, key: [1], value: [1], timestamp: 7), token: 0)
        }
        _ = try client.poll(maximum: 10, timeout: .zero)
        #expect(log.records(in: "stamped").map(\.timestamp) == [5_000])
        #expect(log.records(in: "plain").map(\.timestamp) == [7])
    }
}
