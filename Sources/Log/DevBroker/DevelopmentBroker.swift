import Synchronization

/// A Kafka broker for development and tests, inside this process: one node that keeps everything in memory.
///
/// Any process that reaches ``bootstrapServers`` can connect. The broker speaks Kafka's protocol as of Kafka 2.3,
/// which librdkafka from 1.0, Java clients and kcat support. Groups with dynamic and static members, commits, headers,
/// compression, the difference between empty and absent values, the sequences of idempotent producers, and fetches that
/// wait for records work as in Kafka. Differences from Kafka:
///
/// - All data is in memory. At least the newest 5 MiB of each partition are retained; older batches are removed.
///   Nothing is compacted.
/// - Admin requests are not supported. Topics are created with
///   ``createTopic(_:partitions:stampsRecords:inflationLimit:)``, or with four partitions when a client's metadata
///   request allows creating a missing topic.
/// - Transactions, encryption and authentication are not supported.
/// - An empty group waits half a second for more members after the first one, not three seconds.
/// - The offset for a time is the first offset of the batch with the record.
///
/// All methods may be called from any thread.
public final class DevelopmentBroker: Sendable {
    /// The broker's `host:port`, for a client's `bootstrap.servers`.
    public let bootstrapServers: String

    private let running: Mutex<BrokerThread?>

    /// Starts a broker.
    ///
    /// - Parameters:
    ///   - host: The IPv4 address to listen on. Whoever reaches it may read and write everything.
    ///   - port: The port to listen on. With 0, the kernel chooses a port.
    ///   - advertised: The name or address that clients are told; `nil` for `host`.
    ///   - topics: Partition counts by topic name.
    ///   - stamped: The topics whose records get the broker's time, as with Kafka's
    ///     `message.timestamp.type=LogAppendTime`.
    ///   - inflationLimits: The topics whose batches are stored uncompressed, with the maximum size of a batch in
    ///     bytes.
    public init(
        host: String = "127.0.0.1", port: UInt16 = 0, advertising advertised: String? = nil,
        topics: [String: Int32] = [:], stamped: Set<String> = [], inflationLimits: [String: Int] = [:]
    ) throws(DevelopmentBrokerError) {
        let thread = try BrokerThread(host: host, port: port, advertising: advertised ?? host)
        bootstrapServers = "\(advertised ?? host):\(thread.port)"
        running = Mutex(thread)
        thread.start()
        for (name, partitions) in topics.sorted(by: { $0.key < $1.key }) {
            try createTopic(
                name, partitions: partitions, stampsRecords: stamped.contains(name),
                inflationLimit: inflationLimits[name])
        }
    }

    deinit {
        close()
    }

    /// Creates a topic. An existing topic stays unchanged.
    ///
    /// - Parameters:
    ///   - stampsRecords: `true` gives the topic's records the broker's time, as with Kafka's
    ///     `message.timestamp.type=LogAppendTime`.
    ///   - inflationLimit: The maximum size of a batch in bytes. Compressed batches are then stored uncompressed, as
    ///     with Kafka's `compression.type=uncompressed` and `max.message.bytes`: a batch that inflates beyond the
    ///     limit, or can't be decompressed, is rejected. `nil` stores batches unchanged.
    public func createTopic(
        _ name: String, partitions: Int32, stampsRecords: Bool = false, inflationLimit: Int? = nil
    ) throws(DevelopmentBrokerError) {
        let fault = try withCluster {
            $0.createTopic(name, partitions: partitions, stampsRecords: stampsRecords, inflationLimit: inflationLimit)
        }
        if let fault {
            throw DevelopmentBrokerError("topic \"\(name)\" with \(partitions) partitions is refused: \(fault)")
        }
    }

    /// Stops the broker, which takes some milliseconds, and discards all data. Further calls do nothing.
    public func close() {
        running.withLock { $0.take() }?.stop()
    }

    private func withCluster<Value>(_ body: (Cluster) -> Value) throws(DevelopmentBrokerError) -> Value {
        guard let thread = running.withLock({ $0 }) else { throw DevelopmentBrokerError("the broker is closed") }
        return thread.withCluster(body)
    }

    // MARK: Observing

    /// Returns the number of received requests of this kind; 0 if the broker is closed.
    public func count(of request: Request) -> Int {
        (try? withCluster { $0.counts[request.key] ?? 0 }) ?? 0
    }

    /// The number of fetches that wait for records; 0 if the broker is closed.
    public var waitingFetches: Int {
        (try? withCluster { $0.parked.count }) ?? 0
    }

    // MARK: Faults

    /// Answers the next requests of this kind with these errors, one error per request. Later requests succeed again.
    public func fail(_ request: Request, with errors: [Fault]) {
        try? withCluster { $0.faults[request.key, default: []] += errors }
    }

    /// Reports this error in all metadata of the topic; `nil` clears it.
    public func fail(topic: String, with error: Fault?) {
        try? withCluster { $0.topicFaults[topic] = error }
    }

    /// Takes the leader of a partition away, or brings it back. Nothing that is written to the partition is acknowledged
    /// meanwhile, and nothing of it can be read.
    public func setLeader(of topic: String, partition: Int32, isAway: Bool) throws(DevelopmentBrokerError) {
        let isFound = try withCluster { cluster in
            guard let partition = cluster.partition(topic, partition) else { return false }
            partition.isLeaderAway = isAway
            for fetch in partition.waiting { fetch.mayHaveMore = true }
            return true
        }
        if !isFound { throw DevelopmentBrokerError("topic \"\(topic)\" has no partition \(partition)") }
    }

    /// Writes a batch that no client can decompress. Kafka stores such a batch for any producer, unless
    /// `compression.type` is `uncompressed`.
    ///
    /// - Parameter count: The number of the batch's records; at least 1.
    public func appendUnreadable(_ count: Int, to topic: String, partition: Int32) throws(DevelopmentBrokerError) {
        if let fault = try withCluster({ $0.appendUnreadable(count, to: topic, partition) }) {
            throw DevelopmentBrokerError("topic \"\(topic)\", partition \(partition): \(fault)")
        }
    }

    /// Removes the errors of ``fail(_:with:)`` that no request has received yet.
    public func clearFaults(of request: Request) {
        try? withCluster { $0.faults[request.key] = nil }
    }

    /// With `true`, closes all connections, and each new connection immediately. With `false`, accepts connections
    /// again. The data stays.
    public func setDown(_ isDown: Bool) throws(DevelopmentBrokerError) {
        try withCluster { $0.isDown = isDown }
    }

    /// Sets the broker's clock ahead of this machine's clock, or behind it with a negative duration.
    public func setClock(ahead: Duration) throws(DevelopmentBrokerError) {
        try withCluster { $0.clockAhead = ahead }
    }

    /// Delays every response by this number of milliseconds.
    public func setRoundTripTime(milliseconds: Int32) throws(DevelopmentBrokerError) {
        try withCluster { $0.roundTrip = .milliseconds(max(0, milliseconds)) }
    }
}
