/// What a ``LogClient`` has to tell, in the order in which it happened.
public enum LogEvent: Sendable {
    /// A record of a partition assigned to this member of the group.
    case record(ConsumedRecord)
    /// A record of a partition opened with ``LogClient/read(_:from:)``.
    case read(ConsumedRecord)
    /// A partition opened with ``LogClient/read(_:from:)`` has been read to its end; `next` is the offset that the next record will get
    /// (or more, where the log ends in compacted offsets). Reading goes on when more is written, and the end is told again.
    case readEnd(TopicPartition, next: Int64)
    /// A record given to ``LogClient/send(_:token:)`` stands in the log, or never will.
    case delivered(Delivery)
    /// The group gives these partitions to this member. No record of them comes before ``LogClient/assign(_:)`` answers.
    case assigned([TopicPartition])
    /// The group takes these partitions back. They are another member's after ``LogClient/release()`` answers; until then this member may
    /// finish what it has begun. If `lost`, another member may own them already: nothing more may be committed.
    case revoked([TopicPartition], lost: Bool)
    /// A ``LogClient/commit(_:)`` ended.
    case committed(LogError?)
    /// Something went wrong that is no answer to a call. Retriable ones are healed by the client itself and only told for the record.
    case failed(LogError)
}

/// The acknowledgement of one sent record.
public struct Delivery: Sendable {
    /// What the sender passed with the record.
    public var token: UInt64
    public var topic: String
    public var partition: Int32
    /// Where the record stands. `nil` if the log has it but could not say where (an acknowledgement lost and answered on a retry), or if
    /// there is an error.
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
    /// The offset of the next record to work on.
    public var offset: Int64
    /// A note kept beside it, at most a few KiB (Kafka: `offset.metadata.max.bytes`, 4,096). Some brokers drop it.
    public var metadata: String

    public init(offset: Int64, metadata: String = "") {
        self.offset = offset
        self.metadata = metadata
    }
}

/// Where reading begins.
public enum StartOffset: Sendable, Hashable {
    /// The oldest record that the log still has.
    case beginning
    /// After the newest record.
    case end
    /// This offset; if the log has dropped it, that is told as ``LogEvent/failed(_:)`` with ``LogError/Code/offsetOutOfRange``, once, and
    /// reading goes on at the beginning.
    case offset(Int64)
}
