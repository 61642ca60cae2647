import DevBroker
import Foundation
import RDKafkaLog
import RecordLog
import Testing

@Suite("The conformance suite on the in-memory log") struct InMemoryConformanceTests {
    private static let underTest: LogUnderTest = {
        let log = InMemoryLog(queueLimit: 12_000, clock: { 1_700_000_000_000 })
        return LogUnderTest(
            log: log, name: "InMemoryLog", appendUnreadable: { try log.appendUnreadable($1, to: $0) })
    }()

    @Test(arguments: ConformanceCase.all)
    func `conformance`(_ requirement: ConformanceCase) async throws { try await requirement.run(on: Self.underTest) }
}

@Suite("The conformance suite on the development broker", .tags(.broker)) struct DevBrokerConformanceTests {
    @Test(arguments: ConformanceCase.all)
    func `conformance`(_ requirement: ConformanceCase) async throws {
        let kafka = try KafkaScene()
        let broker = kafka.broker
        try await requirement.run(
            on: LogUnderTest(
                log: kafka.log(["queue.buffering.max.messages": "12000"]), name: "DevBroker",
                missing: [.createTopics, .describeGroups],
                makeTopic: { try broker.createTopic($0, partitions: $1) },
                appendUnreadable: { try broker.appendUnreadable($1, to: $0.topic, partition: $0.partition) }))
    }
}

@Suite("The conformance suite on the broker of KAFKA_BOOTSTRAP_SERVERS", .tags(.broker), .serialized)
struct KafkaConformanceTests {
    private static let servers = ProcessInfo.processInfo.environment["KAFKA_BOOTSTRAP_SERVERS"]
    private static let underTest = LogUnderTest(
        log: KafkaLog(
            KafkaConfiguration(
                bootstrapServers: servers,
                properties: KafkaScene.quick.merging(["queue.buffering.max.messages": "12000"]) { $1 })),
        name: "Kafka", prefix: "conformance-\(UUID())", missing: [.unreadableBatches])

    @Test(
        .enabled(if: servers != nil, "KAFKA_BOOTSTRAP_SERVERS is not set"),
        arguments: ConformanceCase.all)
    func `conformance`(_ requirement: ConformanceCase) async throws { try await requirement.run(on: Self.underTest) }
}

/// Keys with the hashes that Kafka's own tests expect (org.apache.kafka.common.utils.UtilsTest).
let murmur2: [(key: String, hash: Int32)] = [
    ("21", -973_932_308), ("foobar", -790_332_482), ("a-little-bit-long-string", -985_981_536),
    ("a-little-bit-longer-string", -1_486_304_829), ("lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58_897_971),
    ("abc", 479_470_107),
]

@Suite("Murmur2") struct Murmur2Tests {
    @Test func `hashes as Kafka's own tests expect, and the partition is the hash without sign, modulo the count`() {
        for (key, hash) in murmur2 {
            #expect(Murmur2.hash(text(key)) == hash)
            #expect(Murmur2.partition(of: text(key), count: 12) == (hash & 0x7fff_ffff) % 12)
        }
        #expect((0..<1_000).allSatisfy { (0..<7).contains(Murmur2.partition(of: text("\($0)"), count: 7)) })
    }

    @Test func `keys of any length and any bytes have a partition, including the empty key`() {
        for length in 0...9 {
            #expect((0..<3).contains(Murmur2.partition(of: Bytes(repeating: 0xff, count: length), count: 3)))
        }
    }
}
