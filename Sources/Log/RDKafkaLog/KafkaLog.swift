public import RecordLog

/// A ``LogCluster`` on Kafka, or on a broker with Kafka's protocol.
///
/// Requires librdkafka 2.0.2 or newer, except 2.1.0 (see ``RDKafkaVersion/check()``).
public struct KafkaLog: LogCluster {
    public let configuration: KafkaConfiguration

    public init(_ configuration: KafkaConfiguration) {
        self.configuration = configuration
    }

    /// - Throws: ``LogError/Code/unsupported`` for a version of librdkafka that is known not to work,
    ///   ``LogError/Code/invalidConfiguration`` for a
    ///   property that is unknown, has an invalid value, or may only be set by the pipeline.
    public func connect(_ client: ClientConfiguration) throws(LogError) -> any LogClient {
        try RDKafkaVersion.current.check()
        return try KafkaClient(configuration, client)
    }

    public func createTopics(_ topics: [TopicSpecification]) async throws(LogError) {
        try await KafkaAdmin.run(configuration) { (admin) throws(LogError) in try admin.create(topics) }
    }

    public func topics() async throws(LogError) -> [TopicDescription] {
        try await KafkaAdmin.run(configuration) { (admin) throws(LogError) in
            try admin.topics().filter { !$0.name.hasPrefix("__") }
        }
    }

    public func configurations(of topics: [String]) async throws(LogError) -> [String: [String: String]] {
        try await KafkaAdmin.run(configuration) { (admin) throws(LogError) in try admin.configurations(of: topics) }
    }

    public func committed(by group: String, _ partitions: [TopicPartition]) async throws(LogError) -> [TopicPartition:
        CommittedOffset]
    {
        try await KafkaAdmin.run(configuration, about: group) { (admin) throws(LogError) in
            try admin.committed(by: group, partitions)
        }
    }

    public func members(of group: String) async throws(LogError) -> [GroupMember] {
        try await KafkaAdmin.run(configuration, about: group) { (admin) throws(LogError) in try admin.members(of: group)
        }
    }
}
