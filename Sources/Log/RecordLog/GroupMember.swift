/// A member of a consumer group, as the broker reports it.
public struct GroupMember: Sendable, Hashable {
    public var clientID: String
    /// The partitions that are assigned to the member.
    public var partitions: [TopicPartition]

    public init(clientID: String, partitions: [TopicPartition]) {
        self.clientID = clientID
        self.partitions = partitions
    }
}
