/// A position of a reader, or of a group, that its partition does not have.
public struct OutOfRange: Sendable, Hashable, CustomStringConvertible {
    /// Where the position is.
    public enum Side: String, Sendable, Hashable {
        /// Before the oldest record: retention was faster than the reader.
        case beforeBeginning
        /// After the next offset: the end of the log was lost, the topic was deleted and created again, or the position is from another topic.
        case afterEnd
    }

    public var partition: TopicPartition
    /// The offset that was asked for.
    public var requested: Int64
    /// Where reading continues: the oldest offset of the partition. `nil` if the client could not find it out.
    public var continuingAt: Int64?
    /// `nil` if the client could not find it out, or if the log has the offset by now.
    public var side: Side?

    /// - Parameter range: What the partition has: from its oldest offset to its next one. `nil` if that is unknown.
    public init(_ partition: TopicPartition, requested: Int64, range: Range<Int64>?) {
        self.partition = partition
        self.requested = requested
        continuingAt = range?.lowerBound
        if let range { side = requested < range.lowerBound ? .beforeBeginning : requested > range.upperBound ? .afterEnd : nil }
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

    /// The same as an error: ``LogError/Code/offsetOutOfRange``.
    public var error: LogError { LogError(.offsetOutOfRange, description) }
}
