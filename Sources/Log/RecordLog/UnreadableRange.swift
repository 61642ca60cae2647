/// Offsets of a partition whose records a client can't read, such as those of a batch that can't be decompressed.
public struct UnreadableRange: Sendable, Hashable, CustomStringConvertible {
    public var partition: TopicPartition
    /// The offsets of the batch; never empty. The range may begin before the reader's position, and some of the offsets
    /// may have no record.
    public var offsets: Range<Int64>
    /// The reason, for people.
    public var cause: String
    /// `true` if the group has assigned the partition, `false` if it was opened with ``LogClient/read(_:from:)``.
    public var isAssigned: Bool

    public init(_ partition: TopicPartition, _ offsets: Range<Int64>, cause: String, isAssigned: Bool) {
        self.partition = partition
        self.offsets = offsets
        self.cause = cause
        self.isAssigned = isAssigned
    }

    public var description: String {
        let last = offsets.upperBound - 1
        let place = offsets.lowerBound == last ? "offset \(last)" : "offsets \(offsets.lowerBound) to \(last)"
        return "\(partition) can't be read at \(place): \(cause)"
    }
}
