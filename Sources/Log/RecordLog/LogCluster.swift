/// A log of records in topics and partitions: Kafka, or a model of Kafka.
public protocol LogCluster: Sendable {
    /// Creates a client. The client connects in the background; its events report a broker that can't be reached.
    func connect(_ configuration: ClientConfiguration) throws(LogError) -> any LogClient

    /// Creates topics. An existing topic with the same partition count is left unchanged.
    ///
    /// - Throws: ``LogError/Code/unsupported`` if the broker does not support the request,
    ///   ``LogError/Code/topicAlreadyExists`` if a topic exists
    ///   with another partition count.
    func createTopics(_ topics: [TopicSpecification]) async throws(LogError)

    /// Returns the existing topics without internal ones, sorted by name.
    func topics() async throws(LogError) -> [TopicDescription]

    /// Returns the effective settings of these topics by name, such as `cleanup.policy`, including those that come from
    /// the broker's configuration. Topics that do not exist are omitted.
    ///
    /// - Throws: ``LogError/Code/unsupported`` if the broker does not support the request,
    ///   ``LogError/Code/unauthorized`` if it does not permit it
    ///   (Kafka: the operation `DescribeConfigs` on each topic).
    func configurations(of topics: [String]) async throws(LogError) -> [String: [String: String]]

    /// Returns the offsets that a group has committed for these partitions, without joining the group. Partitions
    /// without a commit are omitted.
    ///
    /// - Throws: ``LogError/Code/unsupported`` if the log can't read them, ``LogError/Code/unauthorized`` if the broker
    ///   does not permit it (Kafka: the operation `Describe` on the group).
    func committed(by group: String, _ partitions: [TopicPartition]) async throws(LogError) -> [TopicPartition:
        CommittedOffset]

    /// Returns the members of a group with their assigned partitions, without joining the group. A group that does not
    /// exist has no members.
    ///
    /// - Throws: The same errors as ``committed(by:_:)``.
    func members(of group: String) async throws(LogError) -> [GroupMember]
}

extension LogCluster {
    /// Throws ``LogError/Code/unsupported``.
    public func configurations(of topics: [String]) async throws(LogError) -> [String: [String: String]] {
        throw LogError(.unsupported, "this log does not tell the settings of its topics")
    }

    /// Throws ``LogError/Code/unsupported``.
    public func committed(by group: String, _ partitions: [TopicPartition]) async throws(LogError) -> [TopicPartition:
        CommittedOffset]
    {
        throw LogError(.unsupported, "this log does not tell what groups have committed")
    }

    /// Throws ``LogError/Code/unsupported``.
    public func members(of group: String) async throws(LogError) -> [GroupMember] {
        throw LogError(.unsupported, "this log does not tell the members of groups")
    }
}
