/// An event of a ``LogClient``. Events are returned in the order of their occurrence.
public enum LogEvent: Sendable {
    /// A record of a partition assigned to this member of the group.
    case record(ConsumedRecord)
    /// A record of a partition opened with ``LogClient/read(_:from:)``.
    case read(ConsumedRecord)
    /// A partition opened with ``LogClient/read(_:from:)`` has been read to its end; `next` is the offset of the next
    /// record (or a higher offset, if the log ends in compacted offsets). Reading continues when more records are
    /// written, and the end is then reported again.
    case readEnd(TopicPartition, next: Int64)
    /// A record passed to ``LogClient/send(_:token:)`` was written, or has failed.
    case delivered(Delivery)
    /// The group assigns these partitions to this member. Their records are not delivered before
    /// ``LogClient/assign(_:later:)``.
    case assigned([TopicPartition])
    /// The group revokes these partitions. After ``LogClient/release()`` they can be assigned to another member; until
    /// then, this member may finish its running work. If `lost`, another member may own the partitions already, and
    /// this member must not commit.
    case revoked([TopicPartition], lost: Bool)
    /// A ``LogClient/commit(_:)`` has ended, with an error if it failed.
    case committed(LogError?)
    /// The answer to ``LogClient/lookUpCommitted(_:)``: the group's committed offsets, or the error of the request.
    /// Partitions without a commit are omitted. Answers have the order of the calls.
    case committedOffsets(Result<[TopicPartition: CommittedOffset], LogError>)
    /// A position is out of the log's range, because records were lost or removed. The position is from
    /// ``LogClient/assign(_:later:)``, ``LogClient/start(_:)``, ``LogClient/read(_:from:)``, the group's commits, or
    /// earlier reading. Reported once for each position; reading continues at the beginning.
    case outOfRange(OutOfRange)
    /// A batch of records can't be read, because it can't be decompressed or is damaged. Reported once for each batch
    /// and reader; reading continues after the batch.
    case unreadable(UnreadableRange)
    /// An error that does not belong to a call. The client recovers from retriable errors without help and reports them
    /// only for information.
    case failed(LogError)
}

/// The acknowledgement of one sent record.
public struct Delivery: Sendable {
    /// The token that was passed with the record.
    public var token: UInt64
    public var topic: String
    public var partition: Int32
    /// The offset of the record. `nil` if there is an error, or if the record is in the log but its offset is unknown
    /// (the acknowledgement was lost and a retry succeeded).
    public var offset: Int64?
    public var error: LogError?

    public init(token: UInt64, topic: String, partition: Int32, offset: Int64?, error: LogError? = nil) {
        self.token = token
        self.topic = topic
        self.partition = partition
        self.offset = offset
        self.error = error
    }
}

/// A position that a group has committed.
public struct CommittedOffset: Sendable, Hashable {
    /// The offset of the next record to process.
    public var offset: Int64
    /// The metadata stored with the offset, at most a few KiB (Kafka: `offset.metadata.max.bytes`, 4,096). Some brokers
    /// drop it.
    public var metadata: String

    public init(offset: Int64, metadata: String = "") {
        self.offset = offset
        self.metadata = metadata
    }
}

/// A position at which reading starts.
public enum StartOffset: Sendable, Hashable {
    /// The oldest record that is still in the log.
    case beginning
    /// After the newest record.
    case end
    /// This offset. If the offset is out of range, ``LogEvent/outOfRange(_:)`` reports it once, and reading continues
    /// at the beginning.
    case offset(Int64)
}
