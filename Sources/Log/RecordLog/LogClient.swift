/// One process's connection to the log: a member of at most one consumer group, a reader of any partition, and a writer.
///
/// One thread at a time drives a client and polls it in a loop. Only ``wake()`` may be called from any thread. Only ``poll(maximum:timeout:)``,
/// ``range(of:)`` and ``close(timeout:)`` wait for the network.
///
/// All queues are bounded: a full send queue throws ``LogError/Code/queueFull``, and the client stops fetching a partition that the caller can't
/// keep up with.
public protocol LogClient: AnyObject, Sendable {
    /// The events since the last call, oldest first. Waits until there is an event, ``wake()`` is called, or `timeout` has passed.
    ///
    /// - Parameters:
    ///   - maximum: The maximum number of events; at least 1.
    ///   - timeout: How long to wait for the first event; zero does not wait.
    /// - Throws: Only errors with disposition ``LogError/Disposition/fatal``; all others are events.
    func poll(maximum: Int, timeout: Duration) throws(LogError) -> [LogEvent]

    /// Ends a waiting ``poll(maximum:timeout:)`` immediately, or the next one if none is waiting. May be called from any thread.
    func wake()

    /// Queues a record for writing. Records of one partition are written in the order of the calls, each exactly once. Each record gets one
    /// ``LogEvent/delivered(_:)`` with this token.
    ///
    /// A record that fails leaves no gap: later ones get the next offsets. Where that must not be, see ``ClientConfiguration/gaplessTopics``.
    ///
    /// - Throws: ``LogError/Code/queueFull`` if the record was not queued. ``LogError/Code/closed``, fatal, after a record of one of the
    ///   ``ClientConfiguration/gaplessTopics`` has failed; the message names that record's topic, partition and error.
    func send(_ record: Record, token: UInt64) throws(LogError)

    /// Whether the client has what it needs before it takes the first record of a session that it knows nothing of. `ready`, unless it encrypts.
    func sessionKeys(of partition: Int32) -> SessionKeyStock

    /// Keeps for a session, which is the key of its records, what ``sessionKeys(of:)`` has told to be ready.
    func giveKey(to session: Bytes, in partition: Int32)

    /// Answers ``LogEvent/assigned(_:)``: starts reading at these positions. A partition without a position starts at the group's committed offset,
    /// or at the beginning if there is none.
    ///
    /// - Parameter later: Assigned partitions of which nothing is fetched before ``start(_:)``.
    func assign(_ positions: [TopicPartition: StartOffset], later: Set<TopicPartition>) throws(LogError)

    /// Starts reading assigned partitions that ``assign(_:later:)`` has left for later. All others are ignored: those that are read already, and those
    /// that the group has revoked. One call for several partitions is cheaper than one for each, because the fetching of the others is interrupted.
    func start(_ positions: [TopicPartition: StartOffset]) throws(LogError)

    /// Moves the reading of assigned partitions that are read already to these positions. All others are ignored.
    func restart(_ positions: [TopicPartition: StartOffset]) throws(LogError)

    /// Answers ``LogEvent/revoked(_:lost:)``: the partitions may be assigned to another member.
    func release() throws(LogError)

    /// Asks for the group's committed offsets of these partitions, without waiting. The answer comes with ``LogEvent/committedOffsets(_:)``.
    func lookUpCommitted(_ partitions: [TopicPartition]) throws(LogError)

    /// Commits positions for the group. The result is reported with ``LogEvent/committed(_:)``.
    func commit(_ offsets: [TopicPartition: CommittedOffset]) throws(LogError)

    /// Stops the delivery of records of these assigned partitions. Records that were polled already are not affected. Pausing twice is harmless.
    func pause(_ partitions: [TopicPartition]) throws(LogError)

    /// Continues the delivery of records of these paused partitions, from where it stopped.
    func resume(_ partitions: [TopicPartition]) throws(LogError)

    /// Opens a partition for reading, outside any group. Opening it again moves the reader.
    func read(_ partition: TopicPartition, from start: StartOffset) throws(LogError)

    /// Closes a partition opened with ``read(_:from:)``: no record of it comes after this call.
    func stopReading(_ partition: TopicPartition) throws(LogError)

    /// The oldest offset of the partition, and the offset that its next record will get; the first offset of an open transaction of another producer, if there is
    /// one. Waits for the broker.
    func range(of partition: TopicPartition) throws(LogError) -> Range<Int64>

    /// The offset that the next record of a partition will get that this client reads, as far as it knows. It asks nobody, so the end of a partition that is paused may
    /// be an old one. Records from an open transaction on count too, although no reader gets them yet. `nil` if it knows of none.
    func knownEnd(of partition: TopicPartition) -> Int64?

    /// Records that were sent and neither written nor refused yet.
    var unwritten: Int { get }

    /// Leaves the group, sends queued records, and closes the client. Later calls throw ``LogError/Code/closed``; closing twice is harmless.
    ///
    /// - Parameter timeout: The maximum time to wait for the broker. Records that are still unsent then are lost, and the error has their number.
    func close(timeout: Duration) throws(LogError)
}

/// Whether a client has a key that encrypts a new session.
public enum SessionKeyStock: Sendable {
    /// It has one, or needs none.
    case ready
    /// One is on its way to the log.
    case coming
    /// The log has taken none for 5 s.
    case missing
}

extension LogClient {
    public func sessionKeys(of partition: Int32) -> SessionKeyStock { .ready }

    public func giveKey(to session: Bytes, in partition: Int32) {}

    /// Answers ``LogEvent/assigned(_:)``: starts reading all partitions.
    public func assign(_ positions: [TopicPartition: StartOffset]) throws(LogError) { try assign(positions, later: []) }
}

/// The identity of a client and the group that it joins.
public struct ClientConfiguration: Sendable {
    /// The name that brokers use in logs and for quotas.
    public var clientID: String
    /// The group to join, and the topics to share with its other members; `nil` for a client that only reads and writes.
    ///
    /// Partition *i* of every one of these topics goes to the same member (Kafka's `range` assignor over topics of equal size).
    public var group: (id: String, topics: [String])?
    /// Topics in which a record that fails must be the last one of this client. Empty by default.
    ///
    /// Without this, a log reports record *k* as failed and writes *k + 1* at the next offset: a reader can't see that one is missing. With it:
    ///
    /// - No record of the client fails because of its age, whatever its topic: unsent records wait for the broker without a limit, except
    ///   in ``LogClient/close(timeout:)``.
    /// - When the client learns that a record of one of these topics has failed, it drops all records that are not sent yet, of every topic. Each of
    ///   them gets a ``LogEvent/delivered(_:)`` with ``LogError/Code/closed``, and so does each one that is under way and may be in the log.
    ///   All of these errors, and that of the failed record, are fatal. ``LogClient/send(_:token:)`` then throws. The client still reads.
    ///
    /// What remains possible with a broker: it refuses a record for good (too large, not permitted, no such topic) while later ones are
    /// under way, or are sent before the client polls and learns of it. Those may be in the log behind the gap. So writers number their records,
    /// and their successors check the numbers.
    public var gaplessTopics: Set<String> = []
    /// Whether the client never sends: ``LogClient/send(_:token:)`` then throws ``LogError/Code/unsupported``. A client that sends asks the broker for
    /// the right to do so when it connects, so one that may only read must not. Defaults to `false`.
    public var isReadOnly = false

    /// Whether what it reads is followed for long, and mostly quiet. Defaults to `false`: partitions are read to their ends, by someone who waits for that.
    public var isFollower = false

    public init(clientID: String, group: (id: String, topics: [String])? = nil) {
        self.clientID = clientID
        self.group = group
    }

    public init(clientID: String, group: (id: String, topics: [String])? = nil, gaplessTopics: Set<String>) {
        self.init(clientID: clientID, group: group)
        self.gaplessTopics = gaplessTopics
    }
}

/// A topic to be created.
public struct TopicSpecification: Sendable, Hashable {
    public var name: String
    public var partitions: Int32
    /// The number of copies that the cluster keeps; -1 uses the broker's default.
    public var replicationFactor: Int
    /// Kafka's topic settings, such as `cleanup.policy`.
    public var configuration: [String: String]

    public init(name: String, partitions: Int32, replicationFactor: Int = -1, configuration: [String: String] = [:]) {
        self.name = name
        self.partitions = partitions
        self.replicationFactor = replicationFactor
        self.configuration = configuration
    }
}

/// A topic that exists.
public struct TopicDescription: Sendable, Hashable {
    public var name: String
    public var partitions: Int32
    public var replicationFactor: Int

    public init(name: String, partitions: Int32, replicationFactor: Int) {
        self.name = name
        self.partitions = partitions
        self.replicationFactor = replicationFactor
    }
}
