/// The bytes of a key, a value or a header.
///
/// `nil` and empty are different everywhere in this module: a `nil` value is a tombstone, an empty value is not.
public typealias Bytes = [UInt8]

/// One partition of one topic.
public struct TopicPartition: Sendable, Hashable, Comparable, CustomStringConvertible {
    public var topic: String
    /// The partition number, from 0 to the topic's partition count, exclusive.
    public var partition: Int32

    public init(_ topic: String, _ partition: Int32) {
        self.topic = topic
        self.partition = partition
    }

    public static func < (a: TopicPartition, b: TopicPartition) -> Bool {
        (a.topic, a.partition) < (b.topic, b.partition)
    }
    public var description: String { "\(topic)[\(partition)]" }
}

/// A header of a record. Names may repeat; the order is preserved.
public struct RecordHeader: Sendable, Hashable {
    public var name: String
    public var value: Bytes?

    public init(_ name: String, _ value: Bytes?) {
        self.name = name
        self.value = value
    }

    public init(_ name: String, _ value: String) {
        self.init(name, Bytes(value.utf8))
    }

    /// The value as text; `nil` if there is no value or the value is not UTF-8.
    public var text: String? { value.flatMap { String(validating: $0, as: UTF8.self) } }
}

/// A record to be written.
public struct Record: Sendable, Hashable {
    public var topic: String
    /// The partition to write to; `nil` to choose it by the key (murmur2, like Kafka's Java clients).
    public var partition: Int32?
    public var key: Bytes?
    /// The value; `nil` is a tombstone: compaction removes the key.
    public var value: Bytes?
    public var headers: [RecordHeader]
    /// The timestamp in milliseconds since 1970; `nil` uses the time of the write.
    public var timestamp: Int64?

    public init(
        topic: String, partition: Int32? = nil, key: Bytes?, value: Bytes?, headers: [RecordHeader] = [],
        timestamp: Int64? = nil
    ) {
        self.topic = topic
        self.partition = partition
        self.key = key
        self.value = value
        self.headers = headers
        self.timestamp = timestamp
    }
}

/// A record in the log.
public struct ConsumedRecord: Sendable, Hashable {
    public var topic: String
    public var partition: Int32
    public var offset: Int64
    /// The timestamp in milliseconds since 1970, as set by the producer or the broker; -1 without one. Producers can
    /// set any number. A time before 1970 is -1 here, and a time beyond the year 9999 is ``latestTimestamp``, so that
    /// arithmetic on it does not overflow.
    public var timestamp: Int64 {
        didSet { (timestamp, timestampMark) = (Self.clamped(timestamp), Self.mark(timestamp)) }
    }
    /// The low 53 bits of the timestamp in the log, before it is clamped. The mark is not a time; it distinguishes the
    /// record from another record at the same offset.
    public private(set) var timestampMark: Int64
    /// The last millisecond of the year 9999.
    public static let latestTimestamp: Int64 = 253_402_300_799_999
    public var key: Bytes?
    public var value: Bytes?
    public var headers: [RecordHeader]

    public init(
        topic: String, partition: Int32, offset: Int64, timestamp: Int64, key: Bytes?, value: Bytes?,
        headers: [RecordHeader]
    ) {
        self.topic = topic
        self.partition = partition
        self.offset = offset
        self.timestamp = Self.clamped(timestamp)
        timestampMark = Self.mark(timestamp)
        self.key = key
        self.value = value
        self.headers = headers
    }

    private static func clamped(_ timestamp: Int64) -> Int64 { min(max(timestamp, -1), latestTimestamp) }

    private static func mark(_ timestamp: Int64) -> Int64 { timestamp & (1 << 53 - 1) }

    public var topicPartition: TopicPartition { TopicPartition(topic, partition) }

    /// Returns the value of the first header with this name.
    public func header(_ name: String) -> Bytes? { headers.first { $0.name == name }?.value }
}
