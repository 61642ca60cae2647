import RDKafkaLog
import RecordLog
import Testing

@testable import DevBroker

/// Topics with `compression.type=uncompressed`, as on the development broker.
@Suite("Compressed batches in topics that are stored uncompressed", .tags(.broker))
struct InflationTests {
    static let codecs = ["gzip", "snappy", "lz4", "zstd"]

    private func client(_ broker: DevelopmentBroker, _ codec: String) throws -> any LogClient {
        try Support.log(["compression.type": codec, "message.max.bytes": "12000000", "check.crcs": "true"], on: broker)
            .connect(ClientConfiguration(clientID: codec))
    }

    @Test("are stored uncompressed, and every record is as it was written", arguments: codecs)
    func stored(codec: String) async throws {
        let broker = try DevelopmentBroker()
        try broker.createTopic("t", partitions: 1, inflationLimit: 1_048_588)
        let client = try client(broker, codec)
        let values = (0..<50).map { number -> Bytes in
            // The value mixes repeated and varying bytes.
            (0..<2_000).map { UInt8(truncatingIfNeeded: $0 % 7 == 0 ? number &* 31 &+ $0 &* $0 : number) }
        }
        let headers = [RecordHeader("h", "v")]
        let deliveries = try await client.write(
            values.map { Record(topic: "t", partition: 0, key: [1, 2], value: $0, headers: headers, timestamp: 5_000) })
        #expect(deliveries.allSatisfy { $0.error == nil })
        try client.read(TopicPartition("t", 0), from: .beginning)
        let reads = try await client.poll("all records") { $0.reads.count >= 50 }.reads
        #expect(reads.map(\.value) == values)
        #expect(reads.map(\.offset) == Array(0..<50))
        #expect(reads.allSatisfy { $0.key == [1, 2] && $0.headers == headers && $0.timestamp == 5_000 })
        try client.close(timeout: .seconds(5))
        broker.close()
    }

    @Test("are refused if they inflate beyond max.message.bytes, and what comes after them is taken", arguments: codecs)
    func bomb(codec: String) async throws {
        let broker = try DevelopmentBroker()
        try broker.createTopic("t", partitions: 1, inflationLimit: 1_048_588)
        let client = try client(broker, codec)
        let bomb = try await client.write([
            Record(topic: "t", partition: 0, key: nil, value: Bytes(repeating: 0, count: 10_000_000))
        ])
        #expect(bomb.map(\.error?.code) == [.recordTooLarge])
        let small = try await client.write([
            Record(topic: "t", partition: 0, key: nil, value: Bytes(repeating: 0, count: 1_000_000))
        ])
        #expect(small.map(\.offset) == [0])
        try client.close(timeout: .seconds(5))
        broker.close()
    }

    @Test("are refused if they can't be decompressed", arguments: 1...5 as ClosedRange<UInt16>)
    func corrupt(codec: UInt16) {
        let garbage = Array("no codec writes this, whatever its number".utf8)
        for count in 0...garbage.count {
            #expect(throws: Inflation.Failure.self) {
                try garbage.prefix(count).withUnsafeBytes { try Inflation.inflate($0, codec: codec, limit: 1_000_000) }
            }
        }
    }
}
