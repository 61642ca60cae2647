import DevBroker
import Foundation
import RDKafkaLog
import RecordLog
import Testing

@Suite("The conformance suite on the development broker", .tags(.broker))
struct DevBrokerConformanceTests {
    private static let underTest: LogUnderTest = LogUnderTest(
        (try? Support.log(["queue.buffering.max.messages": "12000"])) ?? KafkaLog(KafkaConfiguration()),
        name: "DevBroker",
        missing: [.createTopics, .describeGroups], queueLimit: 12_000,
        makeTopic: { name, partitions in try Support.broker.get().createTopic(name, partitions: partitions) },
        appendUnreadable: { try Support.broker.get().appendUnreadable($1, to: $0.topic, partition: $0.partition) })

    @Test("conformance", arguments: ConformanceCase.all)
    func conforms(_ requirement: ConformanceCase) async throws {
        try await requirement.run(on: Self.underTest)
    }
}

@Suite("The conformance suite on the broker of KAFKA_BOOTSTRAP_SERVERS", .tags(.broker), .serialized)
struct KafkaConformanceTests {
    private static let servers = ProcessInfo.processInfo.environment["KAFKA_BOOTSTRAP_SERVERS"]
    private static let underTest: LogUnderTest = LogUnderTest(
        KafkaLog(
            KafkaConfiguration(
                bootstrapServers: servers,
                properties: Support.quick.merging(["queue.buffering.max.messages": "12000"]) { $1 })),
        name: "Kafka", prefix: "conformance-\(UUID())", queueLimit: 12_000)

    @Test(
        "conformance", .enabled(if: servers != nil, "KAFKA_BOOTSTRAP_SERVERS is not set"),
        arguments: ConformanceCase.all)
    func conforms(_ requirement: ConformanceCase) async throws {
        try await requirement.run(on: Self.underTest)
    }
}
