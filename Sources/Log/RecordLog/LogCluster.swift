/// A log of records in topics and partitions: Kafka, or a model of it.
public protocol LogCluster: Sendable {
    /// Makes a client. It connects in the background; a broker that can't be reached is reported by the client's events.
    func connect(_ configuration: ClientConfiguration) throws(LogError) -> any LogClient

    /// Creates topics. A topic that exists with the same partition count is left unchanged.
    ///
    /// - Throws: ``LogError/Code/unsupported`` if the broker does not support the request, ``LogError/Code/topicAlreadyExists`` if a topic exists
    ///   with another partition count.
    func createTopics(_ topics: [TopicSpecification]) async throws(LogError)

    /// The existing topics without internal ones, sorted by name.
    func topics() async throws(LogError) -> [TopicDescription]

    /// The settings of these topics by name, such as `cleanup.policy`, with the values that apply: also those that come from the broker's own settings.
    /// Topics that do not exist are left out.
    ///
    /// - Throws: ``LogError/Code/unsupported`` if the broker does not support the request, ``LogError/Code/unauthorized`` if it does not permit it
    ///   (Kafka: the operation `DescribeConfigs` on each topic).
    func configurations(of topics: [String]) async throws(LogError) -> [String: [String: String]]

    /// The offsets that a group has committed for these partitions, asked for without joining it; those without a commit are left out.
    ///
    /// - Throws: ``LogError/Code/unsupported`` if the log can't tell them, ``LogError/Code/unauthorized`` if the broker does not permit it (Kafka: the operation
    ///   `Describe` on the group).
    func committed(by group: String, _ partitions: [TopicPartition]) async throws(LogError) -> [TopicPartition: CommittedOffset]

    /// The members of a group, and what is assigned to them, asked for without joining it. A group that does not exist has none.
    ///
    /// - Throws: as ``committed(by:_:)``.
    func members(of group: String) async throws(LogError) -> [GroupMember]
}

extension LogCluster {
    /// Throws ``LogError/Code/unsupported``.
    public func configurations(of topics: [String]) async throws(LogError) -> [String: [String: String]] {
        throw LogError(.unsupported, "this log does not tell the settings of its topics")
    }

    /// Throws ``LogError/Code/unsupported``.
    public func committed(by group: String, _ partitions: [TopicPartition]) async throws(LogError) -> [TopicPartition: CommittedOffset] {
        throw LogError(.unsupported, "this log does not tell what groups have committed")
    }

    /// Throws ``LogError/Code/unsupported``.
    public func members(of group: String) async throws(LogError) -> [GroupMember] {
        throw LogError(.unsupported, "this log does not tell the members of groups")
    }
}
