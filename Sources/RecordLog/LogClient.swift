/// One process's connection to the log: a member of at most one consumer group, a reader of any partition, and a writer.
///
/// A client is driven by one thread at a time, which polls it in a loop; no call but ``poll(maximum:timeout:)``, ``committed(_:)``,
/// ``range(of:)`` and ``close(timeout:)`` waits for the network. Only ``wake()`` may be called from any thread.
/// What was asked for and what came in is bounded: a full send queue is ``LogError/Code/queueFull``, and a partition that can't be kept up with is
/// paused.
public protocol LogClient: AnyObject, Sendable {
    /// What happened since the last call, oldest first; waits until there is something, ``wake()`` was called, or `timeout` has passed.
    ///
    /// - Parameters:
    ///   - maximum: how many events at most, at least 1.
    ///   - timeout: how long to wait for the first one; with zero it does not wait.
    /// - Throws: only errors with disposition ``LogError/Disposition/fatal``; all others are events.
    func poll(maximum: Int, timeout: Duration) throws(LogError) -> [LogEvent]

    /// Ends a waiting ``poll(maximum:timeout:)`` at once, or the next one. From any thread.
    func wake()

    /// Hands a record over for writing. Records of one partition are written in the order of the calls, each exactly once, and each is
    /// answered by one ``LogEvent/delivered(_:)`` with this token.
    ///
    /// - Throws: ``LogError/Code/queueFull`` if the record was not taken.
    func send(_ record: Record, token: UInt64) throws(LogError)

    /// Answers ``LogEvent/assigned(_:)``: records come from these positions on. A partition with no position starts where the group committed, or
    /// at the beginning.
    func assign(_ positions: [TopicPartition: StartOffset]) throws(LogError)

    /// Answers ``LogEvent/revoked(_:lost:)``: the partitions may go to another member.
    func release() throws(LogError)

    /// What the group has committed for these partitions; those without a commit are absent. Waits for the broker.
    func committed(_ partitions: [TopicPartition]) throws(LogError) -> [TopicPartition: CommittedOffset]

    /// Commits positions for the group, and tells how that ended with ``LogEvent/committed(_:)``.
    func commit(_ offsets: [TopicPartition: CommittedOffset]) throws(LogError)

    /// Stops records of these assigned partitions from coming (those already polled stay with the caller). Harmless if paused already.
    func pause(_ partitions: [TopicPartition]) throws(LogError)

    /// Lets records of these paused partitions come again, from where they stopped.
    func resume(_ partitions: [TopicPartition]) throws(LogError)

    /// Opens a partition for reading, outside of any group. Opening it again moves the reader.
    func read(_ partition: TopicPartition, from start: StartOffset) throws(LogError)

    /// Closes a partition opened with ``read(_:from:)``: no record of it comes after this call.
    func stopReading(_ partition: TopicPartition) throws(LogError)

    /// The oldest offset the partition has, and the offset that its next record will get. Waits for the broker.
    func range(of partition: TopicPartition) throws(LogError) -> Range<Int64>

    /// Leaves the group, sends what is queued, and ends. Later calls throw ``LogError/Code/closed``; closing twice is harmless.
    ///
    /// - Parameter timeout: how long to wait for the broker at most. What is then still unsent is lost, and the error says how much.
    func close(timeout: Duration) throws(LogError)
}

/// What a client is to the log.
public struct ClientConfiguration: Sendable {
    /// The name that brokers log and quotas go by.
    public var clientID: String
    /// The group to join, and the topics to share with its other members; `nil` for a client that only reads and writes.
    ///
    /// Partition *i* of every one of these topics goes to the same member (Kafka's `range` assignor over topics of equal size).
    public var group: (id: String, topics: [String])?

    public init(clientID: String, group: (id: String, topics: [String])? = nil) {
        self.clientID = clientID
        self.group = group
    }
}

/// A topic to be created.
public struct TopicSpecification: Sendable, Hashable {
    public var name: String
    public var partitions: Int32
    /// Copies that the cluster keeps; -1 takes the broker's default.
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
