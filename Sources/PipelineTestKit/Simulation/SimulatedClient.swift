import RecordLog
import Synchronization

/// A client that limits the events per poll. To the process, this looks like a slow fetch or a batch that was cut anywhere.
final class SimulatedClient: LogClient {
    let inner: InMemoryClient
    private let most = Mutex(500)

    init(_ inner: InMemoryClient) { self.inner = inner }

    func limit(_ events: Int) { most.withLock { $0 = max(1, events) } }

    func poll(maximum: Int, timeout: Duration) throws(LogError) -> [LogEvent] {
        try inner.poll(maximum: min(maximum, most.withLock { $0 }), timeout: timeout)
    }

    func wake() { inner.wake() }
    func send(_ record: Record, token: UInt64) throws(LogError) { try inner.send(record, token: token) }
    func assign(_ positions: [TopicPartition: StartOffset]) throws(LogError) { try inner.assign(positions) }
    func release() throws(LogError) { try inner.release() }
    func committed(_ partitions: [TopicPartition]) throws(LogError) -> [TopicPartition: CommittedOffset] {
        try inner.committed(partitions)
    }
    func commit(_ offsets: [TopicPartition: CommittedOffset]) throws(LogError) { try inner.commit(offsets) }
    func pause(_ partitions: [TopicPartition]) throws(LogError) { try inner.pause(partitions) }
    func resume(_ partitions: [TopicPartition]) throws(LogError) { try inner.resume(partitions) }
    func read(_ partition: TopicPartition, from start: StartOffset) throws(LogError) { try inner.read(partition, from: start) }
    func stopReading(_ partition: TopicPartition) throws(LogError) { try inner.stopReading(partition) }
    func range(of partition: TopicPartition) throws(LogError) -> Range<Int64> { try inner.range(of: partition) }
    func close(timeout: Duration) throws(LogError) { try inner.close(timeout: timeout) }
}
