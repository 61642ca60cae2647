/// A position of a reader or a group that is out of its partition's range.
public struct OutOfRange: Sendable, Hashable, CustomStringConvertible {
    /// The side of the range on which the position is.
    public enum Side: String, Sendable, Hashable {
        /// The position is before the oldest record: retention was faster than the reader.
        case beforeBeginning
        /// The position is after the next offset: the end of the log was lost, the topic was deleted and created again,
        /// or the position is from another topic.
        case afterEnd
    }

    public var partition: TopicPartition
    /// The requested offset.
    public var requested: Int64
    /// The offset at which reading continues: the oldest offset of the partition. `nil` if the client does not know it.
    public var continuingAt: Int64?
    /// The side of the range; `nil` if the client does not know it, or if the log has the offset by now.
    public var side: Side?

    /// - Parameter range: The partition's range: from its oldest offset to its next offset. `nil` if the range is
    ///   unknown.
    public init(_ partition: TopicPartition, requested: Int64, range: Range<Int64>?) {
        self.partition = partition
        self.requested = requested
        continuingAt = range?.lowerBound
        if let range {
            side = requested < range.lowerBound ? .beforeBeginning : requested > range.upperBound ? .afterEnd : nil
        }
    }

    public var description: String {
        let place =
            switch side {
            case .beforeBeginning: "before its beginning"
            case .afterEnd: "after its end"
            case nil: "out of its range"
            }
        return "\(partition) does not have offset \(requested), which is \(place); reading continues at "
            + (continuingAt.map { "offset \($0)" } ?? "the beginning")
    }

    /// The position as an error: ``LogError/Code/offsetOutOfRange``.
    public var error: LogError { LogError(.offsetOutOfRange, description) }
}
