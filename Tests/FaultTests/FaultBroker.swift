import DevBroker
import Foundation
import IntentEvents
import RDKafkaLog
import RecordLog

/// The broker on which a fault is injected.
enum FaultBroker: Sendable {
    /// A new development broker in this process, which can inject faults.
    case development(DevelopmentBroker)
    /// The Kafka of `KAFKA_BOOTSTRAP_SERVERS`.
    case kafka(String)

    static let kafkaServers = ProcessInfo.processInfo.environment["KAFKA_BOOTSTRAP_SERVERS"]

    /// Returns the Kafka of the environment, or else a new development broker.
    static func make() throws -> FaultBroker {
        if let servers = kafkaServers { .kafka(servers) } else { .development(try DevelopmentBroker()) }
    }

    var servers: String {
        switch self {
        case .development(let broker): broker.bootstrapServers
        case .kafka(let servers): servers
        }
    }

    var development: DevelopmentBroker? { if case .development(let broker) = self { broker } else { nil } }

    /// The time without a heartbeat after which a member is evicted: the shortest timeout that the broker allows.
    var sessionTimeout: Duration { development == nil ? .seconds(6) : .seconds(4) }

    /// The librdkafka properties of the processes, by name.
    var properties: [String: String] {
        ["session.timeout.ms": String(Int(sessionTimeout / .milliseconds(1))), "heartbeat.interval.ms": "500"]
    }

    func log(_ properties: [String: String] = [:]) -> KafkaLog {
        KafkaLog(KafkaConfiguration(bootstrapServers: servers, properties: properties) { _, _, _ in })
    }

    /// - Parameter takeLargeRecords: `true` if all topics except the journal and the dead letters must accept records
    ///   of 10 MB; the development broker's topics do anyway.
    func createTopics(_ topics: Topics, partitions: Int32, takeLargeRecords: Bool) async throws {
        switch self {
        case .development(let broker):
            for topic in topics.specifications(partitions: partitions) {
                let isUncompressed =
                    topic.configuration[Topics.compressionType] == Topics.uncompressed && !takeLargeRecords
                try broker.createTopic(
                    topic.name, partitions: partitions, stampsRecords: topic.name == topics.catalog,
                    inflationLimit: isUncompressed
                        ? topic.configuration["max.message.bytes"].flatMap { Int($0) } ?? Topics.maximumInputBytes : nil
                )
            }
        case .kafka:
            var specifications = topics.specifications(partitions: partitions)
            for index in specifications.indices
            where takeLargeRecords && ![topics.sessions, topics.deadLetters].contains(specifications[index].name) {
                specifications[index].configuration["max.message.bytes"] = "10000000"
            }
            try await log().createTopics(specifications)
        }
    }

    func close() { development?.close() }
}
