import Foundation
import RDKafkaLog
import RecordLog
import Testing

@testable import DevBroker

@Suite("Records that the development broker dates")
struct AppendTimeTests {
    @Test(
        "get the broker's time in topics with LogAppendTime, whatever their own is, also in compressed batches",
        arguments: ["none", "lz4"])
    func stamped(codec: String) async throws {
        let broker = try DevelopmentBroker()
        try broker.createTopic("stamped", partitions: 1, stampsRecords: true)
        try broker.createTopic("plain", partitions: 1)
        try broker.setClock(ahead: .seconds(3_600))
        let log = KafkaLog(
            KafkaConfiguration(
                bootstrapServers: broker.bootstrapServers,
                properties: ["compression.type": codec, "check.crcs": "true"]))
        let client = try log.connect(ClientConfiguration(clientID: "dates"))
        let before = Int64(Date().timeIntervalSince1970 * 1_000) + 3_600_000
        let value = Array(repeating: UInt8(7), count: 2_000)
        try await client.write(
            ["stamped", "plain", "stamped"].map {
                Record(topic: $0, partition: 0, key: [1], value: value, timestamp: 1_000)
            })
        for topic in ["stamped", "plain"] { try client.read(TopicPartition(topic, 0), from: .beginning) }
        let events = try await client.poll("all records") { $0.reads.count >= 3 }
        let after = Int64(Date().timeIntervalSince1970 * 1_000) + 3_600_000
        for record in events.reads {
            #expect(record.topic == "plain" ? record.timestamp == 1_000 : before...after ~= record.timestamp)
            #expect(record.value == value)
        }
        try client.close(timeout: .seconds(5))
        broker.close()
    }

    @Test("a batch's checksum is that of RFC 3720")
    func checksum() {
        let digits = Array("123456789".utf8)
        #expect(digits.withUnsafeBytes { CRC32C.checksum($0) } == 0xe306_9283)
    }
}
