/// One process's connection to the log: a member of at most one consumer group, a reader of any partition, and a
/// writer.
///
/// One thread at a time drives a client and polls it in a loop. Only ``wake()`` may be called from any thread. Only
/// ``poll(maximum:timeout:)``,
/// ``range(of:)`` and ``close(timeout:)`` wait for the network.
///
/// All queues are bounded: a full send queue throws ``LogError/Code/queueFull``, and the client stops fetching a
/// partition whose records the caller polls too slowly.
public protocol LogClient: AnyObject, Sendable {
    /// Returns the events since the last call, oldest first. Waits until there is an event, ``wake()`` is called, or
    /// `timeout` has passed.
    ///
    /// - Parameters:
    ///   - maximum: The maximum number of events; at least 1.
    ///   - timeout: The time to wait for the first event; zero does not wait.
    /// - Throws: Only errors with disposition ``LogError/Disposition/fatal``; all others are events.
    func poll(maximum: Int, timeout: Duration) throws(LogError) -> [LogEvent]

    /// Ends a waiting ``poll(maximum:timeout:)`` immediately, or the next one if none is waiting. May be called from
    /// any thread.
    func wake()

    /// Queues a record for writing. Records of one partition are written in the order of the calls, each exactly once.
    /// Each record gets one ``LogEvent/delivered(_:)`` with this token.
    ///
    /// A failed record leaves no gap: later records get the next offsets. ``ClientConfiguration/gaplessTopics``
    /// prevents this.
    ///
    /// - Throws: ``LogError/Code/queueFull`` if the record was not queued. ``LogError/Code/closed``, fatal, after a
    ///   record of one of the ``ClientConfiguration/gaplessTopics`` has failed; the message names that record's topic,
    ///   partition and error.
    func send(_ record: Record, token: UInt64) throws(LogError)

    /// Reports whether an encryption key for a new session is available. A client that does not encrypt is always
    /// `ready`. Check this before accepting the first record of a new session.
    func sessionKeys(of partition: Int32) -> SessionKeyStock

    /// Reserves a key for a session after ``sessionKeys(of:)`` has returned `ready`. The session's identifier is the
    /// key of its records.
    func reserveKey(for session: Bytes, in partition: Int32)

    /// Answers ``LogEvent/assigned(_:)``: starts reading at these positions. A partition without a position starts at
    /// the group's committed offset,
    /// or at the beginning if there is none.
    ///
    /// - Parameter later: Assigned partitions that are not fetched before ``start(_:)``.
    func assign(_ positions: [TopicPartition: StartOffset], later: Set<TopicPartition>) throws(LogError)

    /// Starts reading assigned partitions that ``assign(_:later:)`` has deferred. Other partitions are ignored:
    /// partitions that are read already, and partitions that the group has revoked. One call for several partitions is
    /// cheaper than one call for each, because each call interrupts the fetching of all other partitions.
    func start(_ positions: [TopicPartition: StartOffset]) throws(LogError)

    /// Moves the positions of assigned partitions that are read already. Other partitions are ignored.
    func restart(_ positions: [TopicPartition: StartOffset]) throws(LogError)

    /// Answers ``LogEvent/revoked(_:lost:)``: the partitions may be assigned to another member afterwards.
    func release() throws(LogError)

    /// Asks for the group's committed offsets of these partitions, without waiting. ``LogEvent/committedOffsets(_:)``
    /// returns the answer.
    func lookUpCommitted(_ partitions: [TopicPartition]) throws(LogError)

    /// Commits positions for the group. ``LogEvent/committed(_:)`` reports the result.
    func commit(_ offsets: [TopicPartition: CommittedOffset]) throws(LogError)

    /// Stops delivering records of these assigned partitions. Records that were polled already are not affected.
    /// Pausing twice is harmless.
    func pause(_ partitions: [TopicPartition]) throws(LogError)

    /// Resumes the delivery of records of these paused partitions, at the position where it stopped.
    func resume(_ partitions: [TopicPartition]) throws(LogError)

    /// Opens a partition for reading, outside any group. Opening it again moves the reader.
    func read(_ partition: TopicPartition, from start: StartOffset) throws(LogError)

    /// Closes a partition opened with ``read(_:from:)``. Its records are not delivered after this call.
    func stopReading(_ partition: TopicPartition) throws(LogError)

    /// Returns the oldest offset of the partition, and the offset of its next record. If another producer has an open
    /// transaction, the upper bound is the transaction's first offset. Waits for the broker.
    func range(of partition: TopicPartition) throws(LogError) -> Range<Int64>

    /// Returns the offset of the first record with this timestamp or a later one; the partition's end if there is none.
    /// Waits for the broker.
    ///
    /// - Parameter timestamp: The time in milliseconds since 1970; earlier times count as 1970.
    func offset(of partition: TopicPartition, since timestamp: Int64) throws(LogError) -> Int64

    /// The end of a partition as of the client's newest fetch; `nil` if it is unknown, as before the first fetch. The
    /// client sends no request, so the end of a paused partition may be outdated. Records of open transactions count
    /// too, although readers do not get them yet.
    func knownEnd(of partition: TopicPartition) -> Int64?

    /// Returns the cluster's topics, by name. Waits for the broker.
    ///
    /// - Parameter timeout: The maximum time to wait.
    func topics(timeout: Duration) throws(LogError) -> [TopicDescription]

    /// The number of sent records that are neither written nor rejected yet.
    var unwritten: Int { get }

    /// Leaves the group, sends queued records, and closes the client. Later calls throw ``LogError/Code/closed``;
    /// closing twice is harmless.
    ///
    /// - Parameter timeout: The maximum time to wait for the broker. Records that are unsent after this time are lost,
    ///   and the error has their number.
    func close(timeout: Duration) throws(LogError)
}

/// The availability of a key that encrypts a new session.
public enum SessionKeyStock: Sendable {
    /// A key is available, or the client needs none.
    case ready
    /// No key is available yet; one is being written to the log.
    case pending
    /// No key has been available for 5 s.
    case missing
}

extension LogClient {
    public func sessionKeys(of partition: Int32) -> SessionKeyStock { .ready }

    public func reserveKey(for session: Bytes, in partition: Int32) {}

    /// Answers ``LogEvent/assigned(_:)``: starts reading all partitions.
    public func assign(_ positions: [TopicPartition: StartOffset]) throws(LogError) { try assign(positions, later: []) }
}

/// The identity of a client and the group that it joins.
public struct ClientConfiguration: Sendable {
    /// The name that brokers use in logs and for quotas.
    public var clientID: String
    /// The group to join, and the topics to share with its other members; `nil` for a client that only reads and
    /// writes.
    ///
    /// Partition *i* of every one of these topics goes to the same member (Kafka's `range` assignor over topics of
    /// equal size).
    public var group: (id: String, topics: [String])?
    /// Topics in which no record of this client may follow a failed record. Empty by default.
    ///
    /// Without this setting, a log reports record *k* as failed and writes *k + 1* at the next offset: a reader can't
    /// detect the missing record. With it:
    ///
    /// - No record of the client fails because of its age, whatever its topic: unsent records wait for the broker
    ///   without a limit, except in ``LogClient/close(timeout:)``.
    /// - When the client learns that a record of one of these topics has failed, it drops all unsent records of every
    ///   topic. Each dropped record gets a ``LogEvent/delivered(_:)`` with ``LogError/Code/closed``, and so does each
    ///   record in flight, which may be in the log. All these errors, and the error of the failed record, are fatal.
    ///   ``LogClient/send(_:token:)`` then throws. The client still reads.
    ///
    /// A gap remains possible if a broker rejects a record permanently (too large, not authorized, no such topic) while
    /// later records are in flight, or are sent before the client polls and learns of the failure. Those records may be
    /// in the log after the gap. Writers therefore number their records, and their successors check the numbers.
    public var gaplessTopics: Set<String> = []
    /// `true` if the client never sends: ``LogClient/send(_:token:)`` then throws ``LogError/Code/unsupported``. A
    /// sending client asks the broker for the right to write when it connects, so a client that may only read must set
    /// this. Defaults to `false`.
    public var isReadOnly = false

    /// `true` if the client follows mostly quiet partitions for a long time. Defaults to `false`: the client reads
    /// partitions to their ends while a caller waits.
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

/// A specification for creating a topic.
public struct TopicSpecification: Sendable, Hashable {
    public var name: String
    public var partitions: Int32
    /// The number of replicas; -1 uses the broker's default.
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

/// A description of an existing topic.
public struct TopicDescription: Sendable, Hashable {
    public var name: String
    public var partitions: Int32
    public var replicationFactor: Int
    /// The partitions that no broker leads at present: nothing can be written to them or read from them.
    public var leaderless: [Int32]

    public init(name: String, partitions: Int32, replicationFactor: Int, leaderless: [Int32] = []) {
        self.name = name
        self.partitions = partitions
        self.replicationFactor = replicationFactor
        self.leaderless = leaderless
    }
}
