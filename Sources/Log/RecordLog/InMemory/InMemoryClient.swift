/// A client of an ``InMemoryLog``. It refers to the client's state in the log, so several instances can refer to the
/// same client.
///
/// The next ``poll(maximum:timeout:)`` (or ``close(timeout:)``) of the client writes its sent records, in order.
/// Records for a partition without a leader stay queued until the leader is back. A client that is not polled models a
/// paused process. A client that is polled again after another has replaced it models a zombie that still writes.
public final class InMemoryClient: LogClient {
    public let configuration: ClientConfiguration
    let log: InMemoryLog
    let number: Int

    init(_ configuration: ClientConfiguration, number: Int, of log: InMemoryLog) {
        self.configuration = configuration
        self.number = number
        self.log = log
    }

    /// Performs one call of the protocol. The call is counted, and throws if the client was closed or has crashed.
    private func call<R: Sendable>(_ body: (inout LogModel, Int64) throws(LogError) -> R) throws(LogError) -> R {
        let now = log.clock()
        return try log.locked { (model) throws(LogError) in
            try model.beginCall(number, now: now)
            return try body(&model, now)
        }
    }

    // MARK: The protocol

    /// Returns the events since the last call. Never waits, because the test that drives the model decides what happens
    /// next: without events, it returns `[]` immediately, whatever the timeout.
    public func poll(maximum: Int, timeout: Duration) throws(LogError) -> [LogEvent] {
        try call { (model, now) in model.poll(number, maximum, now: now) }
    }

    /// Does nothing, because no poll waits. This is the only call that is not counted.
    public func wake() {}

    public func send(_ record: Record, token: UInt64) throws(LogError) {
        try call { (model, now) throws(LogError) in try model.send(number, record, token: token, now: now) }
    }

    /// Works as ``LogClient/assign(_:later:)``, but is stricter than a broker: it throws
    /// ``LogError/Code/invalidConfiguration`` for a position of a
    /// partition that was not assigned, and ``LogError/Code/other`` if no assignment is pending.
    public func assign(_ positions: [TopicPartition: StartOffset], later: Set<TopicPartition>) throws(LogError) {
        try call { (model, _) throws(LogError) in try model.assign(number, positions, later: later) }
    }

    public func start(_ positions: [TopicPartition: StartOffset]) throws(LogError) {
        try call { (model, _) throws(LogError) in try model.start(number, positions) }
    }

    public func restart(_ positions: [TopicPartition: StartOffset]) throws(LogError) {
        try call { (model, _) throws(LogError) in try model.restart(number, positions) }
    }

    /// Works as ``LogClient/release()``, but throws ``LogError/Code/other`` if no revocation is pending.
    public func release() throws(LogError) {
        try call { (model, _) throws(LogError) in try model.release(number) }
    }

    public func lookUpCommitted(_ partitions: [TopicPartition]) throws(LogError) {
        try call { (model, _) throws(LogError) in try model.lookUpCommitted(number, partitions) }
    }

    /// Commits immediately, before records that were sent earlier are written. A process may crash in between, so it
    /// must not rely on the other order.
    public func commit(_ offsets: [TopicPartition: CommittedOffset]) throws(LogError) {
        try call { (model, _) throws(LogError) in try model.commit(number, offsets) }
    }

    public func pause(_ partitions: [TopicPartition]) throws(LogError) {
        try call { (model, _) in model.pause(number, partitions) }
    }

    public func resume(_ partitions: [TopicPartition]) throws(LogError) {
        try call { (model, _) in model.resume(number, partitions) }
    }

    public func read(_ partition: TopicPartition, from start: StartOffset) throws(LogError) {
        try call { (model, _) in model.read(number, partition, from: start) }
    }

    public func stopReading(_ partition: TopicPartition) throws(LogError) {
        try call { (model, _) in model.stopReading(number, partition) }
    }

    public func range(of partition: TopicPartition) throws(LogError) -> Range<Int64> {
        try call { (model, _) throws(LogError) in
            let found = try model.partition(partition)
            if found.isLeaderAway { throw LogError(.timedOut, "\(partition) has no leader", disposition: .retry) }
            return found.start..<max(found.start, found.stableEnd)
        }
    }

    public func offset(of partition: TopicPartition, since timestamp: Int64) throws(LogError) -> Int64 {
        try call { (model, _) throws(LogError) in
            let found = try model.partition(partition)
            return found.records.first { $0.timestamp >= timestamp }?.offset ?? found.next
        }
    }

    public func knownEnd(of partition: TopicPartition) -> Int64? { log.locked { try? $0.partition(partition).next } }

    public func topics(timeout: Duration) throws(LogError) -> [TopicDescription] {
        try call { (model, _) in model.descriptions }
    }

    /// Closes the client. Writes the queued records immediately where possible, whatever the timeout.
    ///
    /// - Throws: ``LogError/Code/timedOut`` with the number of records that were rejected, or whose partitions have no
    ///   leader. The client is closed.
    public func close(timeout: Duration) throws(LogError) {
        guard log.locked({ $0.clients[number].life }) != .closed else { return }
        let lost = try call { (model, now) in model.close(number, now: now) }
        if lost > 0 {
            throw LogError(.timedOut, "\(configuration.clientID) was closed with \(lost) records not acknowledged")
        }
    }

    // MARK: Controls for tests

    /// The number of protocol calls of the client, without ``wake()`` and without calls after its end. Run a scenario
    /// once to get the total, then again for each number up to it with ``crash(atCall:_:leavingGroup:)``.
    public var calls: Int { log.locked { $0.clients[number].calls } }

    /// `true` if the client was neither closed nor crashed.
    public var isAlive: Bool { log.locked { $0.clients[number].life == .alive } }

    /// The number of queued records that are not written.
    public var unwritten: Int { log.locked { $0.clients[number].queue.count } }

    /// `true` if a record has failed after which the client writes no more records.
    public var hasStopped: Bool { log.locked { $0.clients[number].failure.isStopped } }

    /// Writes the client's queued records, as a client's own thread does while its process is slow or paused. The
    /// client's next poll returns the deliveries. Not counted as a call.
    public func writeQueue() {
        let now = log.clock()
        log.locked { _ = $0.flush(number, now: now) }
    }

    /// Crashes the client now: all its later calls throw ``LogError/Code/closed``.
    ///
    /// - Parameters:
    ///   - point: The queued records that are written.
    ///   - leavingGroup: `true` assigns the client's partitions to the other members immediately. `false` leaves them
    ///     unassigned until ``evict()``, which models a session timeout.
    public func crash(_ point: CrashPoint, leavingGroup: Bool = false) {
        let now = log.clock()
        log.locked { $0.crash(number, point, leavingGroup: leavingGroup, now: now) }
    }

    /// Crashes the client at its `n`-th call (the first is 1). The call has no effect and throws
    /// ``LogError/Code/closed``. If the client has made `n` calls already, it crashes at its next call.
    public func crash(atCall n: Int, _ point: CrashPoint, leavingGroup: Bool = false) {
        log.locked { $0.clients[number].plannedCrash = PlannedCrash(call: n, point: point, leavingGroup: leavingGroup) }
    }

    /// Lets the session of a paused or crashed member time out: the group assigns the member's partitions to other
    /// members without asking it.
    ///
    /// A live member learns of the eviction with its next poll, which *first* writes the member's queued records. If
    /// the member knows of its partitions, the poll returns ``LogEvent/revoked(_:lost:)`` with `lost`, and the member
    /// rejoins with the first poll after its ``release()``. A member that is still releasing its partitions on an
    /// earlier request gets no further event; its commits fail.
    ///
    /// - Parameter polls: The number of polls that return before the member learns of the eviction. Meanwhile it reads
    ///   and writes as before, as a process does until its next heartbeat is answered.
    public func evict(noticedAfter polls: Int = 0) {
        log.locked { $0.evict(number, noticedAfter: polls) }
    }

    /// Makes the next poll return a pending eviction.
    public func noticeEviction() {
        log.locked { $0.clients[number].membership.pollsUntilNotice = 0 }
    }
}
