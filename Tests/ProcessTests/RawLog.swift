import Foundation
import IntentEvents
import RDKafkaLog
import RecordLog

/// A client of a test's broker that reads and writes whole records.
final class RawLog {
    private let client: any LogClient
    private var tokens: UInt64 = 0

    init(_ servers: String, properties: [String: String] = [:]) throws {
        client = try KafkaLog(
            KafkaConfiguration(bootstrapServers: servers, properties: properties) { _, _, _ in }
        ).connect(ClientConfiguration(clientID: "test"))
    }

    /// The offset of the partition's next record.
    func end(_ topic: String, _ partition: Int32) throws -> Int64 {
        try client.range(of: TopicPartition(topic, partition)).upperBound
    }

    /// The records of a topic at the time of the call.
    func records(_ topic: String, partitions: Int32) async throws -> [ConsumedRecord] {
        var records: [ConsumedRecord] = []
        for partition in (0..<partitions).map({ TopicPartition(topic, $0) }) {
            let end = try client.range(of: partition).upperBound
            try client.read(partition, from: .beginning)
            var next: Int64 = 0
            try await eventually("\(partition) is read") {
                for event in try client.poll(maximum: 1_000, timeout: .milliseconds(50)) {
                    if case .read(let record) = event, record.topicPartition == partition {
                        records.append(record)
                        next = record.offset + 1
                    } else if case .readEnd(partition, let reached) = event {
                        next = reached
                    }
                }
                return next >= end
            }
            try client.stopReading(partition)
        }
        return records
    }

    /// Writes a record, and waits for its acknowledgement.
    func write(_ record: Record) async throws -> Delivery {
        tokens += 1
        try client.send(record, token: tokens)
        var delivery: Delivery?
        try await eventually("\(record.topic) has acknowledged a record") {
            for event in try client.poll(maximum: 1_000, timeout: .milliseconds(50)) {
                if case .delivered(let one) = event, one.token == tokens { delivery = one }
            }
            return delivery != nil
        }
        return delivery!
    }

    func close() { try? client.close(timeout: .seconds(5)) }
}
