import Foundation
import RDKafkaLog
import RecordLog
import Testing

@testable import DevBroker

/// Topics with `message.timestamp.type=LogAppendTime` or `compression.type=uncompressed`, as on the development broker.
@Suite("Batches that the development broker changes", .tags(.broker)) struct DevBrokerTopicTests {
    private static let codecs = ["gzip", "snappy", "lz4", "zstd"]
    private let kafka: KafkaScene

    init() throws {
        kafka = try KafkaScene(topics: ["plain": 1])
        try kafka.broker.createTopic("stamped", partitions: 1, stampsRecords: true)
        try kafka.broker.createTopic("t", partitions: 1, inflationLimit: 1_048_588)
    }

    private func connect(_ codec: String) throws -> any LogClient {
        try kafka.connect(codec, ["compression.type": codec, "message.max.bytes": "12000000", "check.crcs": "true"])
    }

    @Test(
        "records get the broker's time in topics with LogAppendTime, whatever their own is, also in compressed batches",
        arguments: ["none", "lz4"])
    func stamped(codec: String) async throws {
        func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000) + 3_600_000 }
        try kafka.broker.setClock(ahead: .seconds(3_600))
        let client = try connect(codec)
        let before = now()
        let value = Array(repeating: UInt8(7), count: 2_000)
        let places = ["stamped", "plain", "stamped"].map { TopicPartition($0, 0) }
        try await client.write(places.map { $0.record(key: [1], value, timestamp: 1_000) })
        for place in Set(places) { try client.read(place, from: .beginning) }
        let reads = try await client.poll("all records") { $0.reads.count >= 3 }.reads
        let after = now()
        for record in reads {
            #expect(record.topic == "plain" ? record.timestamp == 1_000 : before...after ~= record.timestamp)
            #expect(record.value == value)
        }
    }

    @Test func `a batch's checksum is that of RFC 3720`() {
        #expect(text("123456789").withUnsafeBytes { CRC32C.checksum($0) } == 0xe306_9283)
    }

    @Test("compressed batches are stored uncompressed, and every record is as it was written", arguments: codecs)
    func stored(codec: String) async throws {
        let client = try connect(codec)
        let values = (0..<50).map { number -> Bytes in
            // The value mixes repeated and varying bytes.
            (0..<2_000).map { UInt8(truncatingIfNeeded: $0 % 7 == 0 ? number &* 31 &+ $0 &* $0 : number) }
        }
        let headers = [RecordHeader("h", "v")]
        let deliveries = try await client.write(
            values.map { t0.record(key: [1, 2], $0, headers: headers, timestamp: 5_000) })
        #expect(deliveries.allSatisfy { $0.error == nil })
        try client.read(t0, from: .beginning)
        let reads = try await client.poll("all records") { $0.reads.count >= 50 }.reads
        #expect(reads.map(\.value) == values)
        #expect(reads.map(\.offset) == Array(0..<50))
        #expect(reads.allSatisfy { $0.key == [1, 2] && $0.headers == headers && $0.timestamp == 5_000 })
    }

    @Test(
        "compressed batches are refused if they inflate beyond max.message.bytes, and what comes after them is taken",
        arguments: codecs)
    func bomb(codec: String) async throws {
        let client = try connect(codec)
        let bomb = try await client.write([t0.record(Bytes(repeating: 0, count: 10_000_000))])
        #expect(bomb.map(\.error?.code) == [.recordTooLarge])
        let small = try await client.write([t0.record(Bytes(repeating: 0, count: 1_000_000))])
        #expect(small.map(\.offset) == [0])
    }

    @Test(arguments: 1...5 as ClosedRange<UInt16>)
    func `compressed batches are refused if they can't be decompressed`(codec: UInt16) {
        let garbage = Array("no codec writes this, whatever its number".utf8)
        for count in 0...garbage.count {
            #expect(throws: Inflation.Failure.self) {
                try garbage.prefix(count).withUnsafeBytes { try Inflation.inflate($0, codec: codec, limit: 1_000_000) }
            }
        }
    }
}
