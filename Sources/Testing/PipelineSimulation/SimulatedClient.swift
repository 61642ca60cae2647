import RecordLog
import Synchronization

/// A client that limits the events per poll. To the process, a limited poll looks like a slow fetch or a batch that was
/// cut anywhere.
final class SimulatedClient: LogClient {
    fileprivate struct State {
        var maximumEvents = 500
        var keys = SessionKeyStock.ready
        /// Sessions that were opened without a ready key.
        var withoutKey: [Bytes] = []
        /// `true` if the last poll had events, or a record was sent since.
        var isBusy = false
        /// A record that was written in plaintext although it must be encrypted.
        var exposed: Record?
        var faults: [String: Int] = [:]
        /// The offset after the last record that was delivered to the process as a group member, by partition.
        var next: [TopicPartition: Int64] = [:]
        /// The offset after the last record that was read outside the group, by partition.
        var read: [TopicPartition: Int64] = [:]
    }

    let inner: InMemoryClient
    private let isWatching: Bool
    private let isExposed: (@Sendable (Record) -> Bool)?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - isWatching: `true` to count the faults that the process meets.
    ///   - isExposed: Returns whether a record must not be written as it is; `nil` if every record may.
    init(_ inner: InMemoryClient, watching isWatching: Bool, exposing isExposed: (@Sendable (Record) -> Bool)?) {
        self.inner = inner
        self.isWatching = isWatching
        self.isExposed = isExposed
    }

    /// The number of times that the process has met each fault.
    var faults: [String: Int] { state.withLock(\.faults) }

    /// Returns the offset after the last record of a partition that was delivered to the process.
    func next(_ partition: TopicPartition) -> Int64 { state.withLock { $0.next[partition] ?? 0 } }

    /// Removes and returns the sessions that were opened without a ready key since the last call.
    func removeSessionsWithoutKey() -> [Bytes] {
        state.withLock { state in
            defer { state.withoutKey = [] }
            return state.withoutKey
        }
    }

    /// `true` if the last poll had events, or if a record was sent since. The process itself sees no keys: only the
    /// encrypting client reads and writes them.
    var isBusy: Bool { state.withLock(\.isBusy) }

    /// Removes and returns a record that was written in plaintext since the last call although it must be encrypted.
    func removeExposedRecord() -> Record? {
        if isExposed == nil { return nil }
        return state.withLock { state in
            defer { state.exposed = nil }
            return state.exposed
        }
    }

    /// Sets the stock of keys for new sessions, as an encrypting client reports it.
    func stock(_ keys: SessionKeyStock) { state.withLock { $0.keys = keys } }

    func limit(_ events: Int) { state.withLock { $0.maximumEvents = max(1, events) } }

    func poll(maximum: Int, timeout: Duration) throws(LogError) -> [LogEvent] {
        let events = try inner.poll(maximum: min(maximum, state.withLock(\.maximumEvents)), timeout: timeout)
        state.withLock { state in
            state.isBusy = !events.isEmpty
            for event in events {
                if case .record(let record) = event { state.next[record.topicPartition] = record.offset + 1 }
            }
            if isWatching { for event in events { state.watch(event) } }
        }
        return events
    }

    func wake() { inner.wake() }

    func send(_ record: Record, token: UInt64) throws(LogError) {
        if let isExposed {
            state.withLock { state in
                state.isBusy = true
                if isExposed(record) { state.exposed = record }
            }
        }
        do throws(LogError) { try inner.send(record, token: token) } catch {
            if error.code == .queueFull { state.withLock { $0.faults["a full queue", default: 0] += 1 } }
            throw error
        }
    }

    func assign(_ positions: [TopicPartition: StartOffset], later: Set<TopicPartition>) throws(LogError) {
        try inner.assign(positions, later: later)
    }
    func start(_ positions: [TopicPartition: StartOffset]) throws(LogError) { try inner.start(positions) }
    func restart(_ positions: [TopicPartition: StartOffset]) throws(LogError) { try inner.restart(positions) }
    func release() throws(LogError) { try inner.release() }
    func sessionKeys(of partition: Int32) -> SessionKeyStock {
        state.withLock { state in
            if case .ready = state.keys { return .ready }
            state.faults["a new session without a key", default: 0] += 1
            return state.keys
        }
    }
    func reserveKey(for session: Bytes, in partition: Int32) {
        state.withLock { state in if case .ready = state.keys {} else { state.withoutKey.append(session) } }
    }
    func lookUpCommitted(_ partitions: [TopicPartition]) throws(LogError) { try inner.lookUpCommitted(partitions) }
    func commit(_ offsets: [TopicPartition: CommittedOffset]) throws(LogError) { try inner.commit(offsets) }
    func pause(_ partitions: [TopicPartition]) throws(LogError) { try inner.pause(partitions) }
    func resume(_ partitions: [TopicPartition]) throws(LogError) { try inner.resume(partitions) }
    func read(_ partition: TopicPartition, from start: StartOffset) throws(LogError) {
        try inner.read(partition, from: start)
    }
    func stopReading(_ partition: TopicPartition) throws(LogError) { try inner.stopReading(partition) }
    func range(of partition: TopicPartition) throws(LogError) -> Range<Int64> { try inner.range(of: partition) }
    func offset(of partition: TopicPartition, since timestamp: Int64) throws(LogError) -> Int64 {
        try inner.offset(of: partition, since: timestamp)
    }
    func knownEnd(of partition: TopicPartition) -> Int64? { inner.knownEnd(of: partition) }
    func topics(timeout: Duration) throws(LogError) -> [TopicDescription] { try inner.topics(timeout: timeout) }
    var unwritten: Int { inner.unwritten }
    func close(timeout: Duration) throws(LogError) { try inner.close(timeout: timeout) }
}

extension SimulatedClient.State {
    fileprivate mutating func watch(_ event: LogEvent) {
        switch event {
        case .read(let record): read[record.topicPartition] = record.offset + 1
        case .delivered(let delivery):
            guard let error = delivery.error else {
                guard let offset = delivery.offset,
                    offset < read[TopicPartition(delivery.topic, delivery.partition)] ?? 0
                else { return }
                faults["an acknowledgement after the record was read", default: 0] += 1
                return
            }
            let name =
                switch error.code {
                case .closed: "a record dropped after a failed one"
                case .recordTooLarge: "a record too large"
                case .unauthorized: "topics that take no records"
                default: "a failed record: \(error.disposition.rawValue)"
                }
            faults[name, default: 0] += 1
        case .unreadable: faults["a batch that can't be read", default: 0] += 1
        default: break
        }
    }
}
