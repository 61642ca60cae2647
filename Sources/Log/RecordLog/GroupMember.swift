/// A member of a consumer group, as the broker knows it.
public struct GroupMember: Sendable, Hashable {
    public var clientID: String
    /// Those that are assigned to it.
    public var partitions: [TopicPartition]

    public init(clientID: String, partitions: [TopicPartition]) {
        self.clientID = clientID
        self.partitions = partitions
    }
}
