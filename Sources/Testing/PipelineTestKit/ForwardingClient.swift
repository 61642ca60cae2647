public import RecordLog

/// A client that forwards every call to another client. Subclasses override some calls to tamper with them.
open class ForwardingClient: LogClient, @unchecked Sendable {
    public let inner: any LogClient

    public init(_ inner: any LogClient) { self.inner = inner }

    open func poll(maximum: Int, timeout: Duration) throws(LogError) -> [LogEvent] {
        try inner.poll(maximum: maximum, timeout: timeout)
    }
    open func wake() { inner.wake() }
    open func send(_ record: Record, token: UInt64) throws(LogError) { try inner.send(record, token: token) }
    open func assign(_ positions: [TopicPartition: StartOffset], later: Set<TopicPartition>) throws(LogError) {
        try inner.assign(positions, later: later)
    }
    open func start(_ positions: [TopicPartition: StartOffset]) throws(LogError) { try inner.start(positions) }
    open func restart(_ positions: [TopicPartition: StartOffset]) throws(LogError) { try inner.restart(positions) }
    open func release() throws(LogError) { try inner.release() }
    open func sessionKeys(of partition: Int32) -> SessionKeyStock { inner.sessionKeys(of: partition) }
    open func reserveKey(for session: Bytes, in partition: Int32) { inner.reserveKey(for: session, in: partition) }
    open func lookUpCommitted(_ partitions: [TopicPartition]) throws(LogError) { try inner.lookUpCommitted(partitions) }
    open func commit(_ offsets: [TopicPartition: CommittedOffset]) throws(LogError) { try inner.commit(offsets) }
    open func pause(_ partitions: [TopicPartition]) throws(LogError) { try inner.pause(partitions) }
    open func resume(_ partitions: [TopicPartition]) throws(LogError) { try inner.resume(partitions) }
    open func read(_ partition: TopicPartition, from start: StartOffset) throws(LogError) {
        try inner.read(partition, from: start)
    }
    open func stopReading(_ partition: TopicPartition) throws(LogError) { try inner.stopReading(partition) }
    open func range(of partition: TopicPartition) throws(LogError) -> Range<Int64> { try inner.range(of: partition) }
    open func offset(of partition: TopicPartition, since timestamp: Int64) throws(LogError) -> Int64 {
        try inner.offset(of: partition, since: timestamp)
    }
    open func knownEnd(of partition: TopicPartition) -> Int64? { inner.knownEnd(of: partition) }
    open func topics(timeout: Duration) throws(LogError) -> [TopicDescription] { try inner.topics(timeout: timeout) }
    open var unwritten: Int { inner.unwritten }
    open func close(timeout: Duration) throws(LogError) { try inner.close(timeout: timeout) }
}
