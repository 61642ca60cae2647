import Synchronization

/// A Kafka broker for development and tests, inside this process: one node that keeps everything in memory.
///
/// Any process on this machine can connect to ``bootstrapServers``. It speaks Kafka's protocol as of Kafka 2.3, which librdkafka from 1.0, Java clients
/// and kcat know. Groups with dynamic and static members, commits, headers, compression, the difference between empty and absent values, the sequences
/// of idempotent producers, and fetches that wait for records work as in Kafka. Differences from Kafka:
///
/// - All data is in memory. At least the newest 5 MiB of each partition are kept; the older ones are lost. Nothing is compacted.
/// - It serves no admin requests. Topics are created with ``createTopic(_:partitions:)``, or when a producer asks for one that is missing, with four
///   partitions.
/// - It knows no transactions, no encryption and no authentication.
/// - A new group waits half a second for its first members, not three seconds.
/// - The offset for a time is that of the batch with the record.
///
/// All methods may be called from any thread.
public final class DevelopmentBroker: Sendable {
    /// `host:port`, for a client's `bootstrap.servers`. The kernel chooses the port.
    public let bootstrapServers: String

    private let running: Mutex<BrokerThread?>

    /// Starts a broker.
    ///
    /// - Parameter topics: Partition counts by topic name.
    public init(topics: [String: Int32] = [:]) throws(DevelopmentBrokerError) {
        let thread = try BrokerThread()
        bootstrapServers = "127.0.0.1:\(thread.port)"
        running = Mutex(thread)
        thread.start()
        for (name, partitions) in topics.sorted(by: { $0.key < $1.key }) { try createTopic(name, partitions: partitions) }
    }

    deinit {
        close()
    }

    /// Creates a topic. A topic that exists stays unchanged.
    public func createTopic(_ name: String, partitions: Int32) throws(DevelopmentBrokerError) {
        let fault = try withCluster { $0.createTopic(name, partitions: partitions) }
        if let fault { throw DevelopmentBrokerError("topic \"\(name)\" with \(partitions) partitions is refused: \(fault)") }
    }

    /// Stops the broker and discards its data. Takes some milliseconds; further calls do nothing.
    public func close() {
        running.withLock { $0.take() }?.stop()
    }

    private func withCluster<Value>(_ body: (Cluster) -> Value) throws(DevelopmentBrokerError) -> Value {
        guard let thread = running.withLock({ $0 }) else { throw DevelopmentBrokerError("the broker is closed") }
        return thread.withCluster(body)
    }

    // MARK: Observing

    /// How many requests of this kind have come. 0 if the broker is closed.
    public func count(of request: Request) -> Int {
        (try? withCluster { $0.counts[request.key] ?? 0 }) ?? 0
    }

    /// How many fetches wait for records. 0 if the broker is closed.
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

    /// Removes the errors of ``fail(_:with:)`` that no request has received yet.
    public func clearFaults(of request: Request) {
        try? withCluster { $0.faults[request.key] = nil }
    }

    /// Closes all connections, and each new one at once until it is up again. The data stays.
    public func setDown(_ isDown: Bool) throws(DevelopmentBrokerError) {
        try withCluster { $0.isDown = isDown }
    }

    /// Delays every response by this time in milliseconds.
    public func setRoundTripTime(milliseconds: Int32) throws(DevelopmentBrokerError) {
        try withCluster { $0.roundTrip = .milliseconds(max(0, milliseconds)) }
    }
}
