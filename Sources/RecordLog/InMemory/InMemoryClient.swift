/// A client of an ``InMemoryLog``: a name for it, so any number of these may stand for the same client.
///
/// What was sent reaches the log with the client's next ``poll(maximum:timeout:)`` (or ``close(timeout:)``), in order. So a client that is not
/// polled is a paused process, and one that is polled again after another took its place is a zombie that still writes.
public final class InMemoryClient: LogClient {
    public let configuration: ClientConfiguration
    private let log: InMemoryLog
    private let number: Int

    init(_ configuration: ClientConfiguration, number: Int, of log: InMemoryLog) {
        self.configuration = configuration
        self.number = number
        self.log = log
    }

    /// One call of the protocol: counted, and refused by a client that is no more.
    private func call<R: Sendable>(_ body: (inout LogModel, Int64) throws(LogError) -> R) throws(LogError) -> R {
        let now = log.clock()
        return try log.locked { (model) throws(LogError) in
            try model.enter(number, now: now)
            return try body(&model, now)
        }
    }

    // MARK: The protocol

    /// What happened since the last call. Never waits: with nothing to tell it returns `[]` at once, whatever the timeout, since whoever
    /// drives the model decides what happens next.
    public func poll(maximum: Int, timeout: Duration) throws(LogError) -> [LogEvent] {
        try call { (model, now) in model.poll(number, maximum, now: now) }
    }

    /// Does nothing, since no poll waits; it is the one call that is not counted.
    public func wake() {}

    public func send(_ record: Record, token: UInt64) throws(LogError) {
        try call { (model, now) throws(LogError) in try model.send(number, record, token: token, now: now) }
    }

    /// As ``LogClient/assign(_:)`` says, and strict where a broker would be patient: a position of a partition that was not assigned is
    /// ``LogError/Code/invalidConfiguration``, an answer to no question ``LogError/Code/other``.
    public func assign(_ positions: [TopicPartition: StartOffset]) throws(LogError) {
        try call { (model, _) throws(LogError) in try model.assign(number, positions) }
    }

    /// As ``LogClient/release()`` says; an answer to no question is ``LogError/Code/other``.
    public func release() throws(LogError) {
        try call { (model, _) throws(LogError) in try model.release(number) }
    }

    public func committed(_ partitions: [TopicPartition]) throws(LogError) -> [TopicPartition: CommittedOffset] {
        try call { (model, _) throws(LogError) in try model.committed(number, partitions) }
    }

    /// Takes effect at once, before what was sent earlier is written: a process that may die in between must not rely on the other order.
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
            return found.start..<found.next
        }
    }

    public func close(timeout: Duration) throws(LogError) {
        guard log.locked({ $0.clients[number].life }) != .closed else { return }
        try call { (model, now) in model.close(number, now: now) }
    }

    // MARK: Controls for tests

    /// How many calls of the protocol the client has made, ``wake()`` and those after its end left out. Run a scenario once to learn the
    /// total, then again for each number up to it with ``crash(atCall:_:leavingGroup:)``.
    public var calls: Int { log.locked { $0.clients[number].calls } }

    /// Whether the client was neither closed nor killed.
    public var isAlive: Bool { log.locked { $0.clients[number].life == .alive } }

    /// Writes what the client has queued, as a client's own thread does while the process that owns it is slow or paused. The process
    /// learns of it by its next poll. Not counted as a call.
    public func writeQueue() {
        let now = log.clock()
        log.locked { $0.flush(number, now: now) }
    }

    /// Kills the client now: all its later calls throw ``LogError/Code/closed``.
    ///
    /// - Parameters:
    ///   - point: what becomes of the records that it has queued.
    ///   - leavingGroup: whether the others share its partitions at once; if not, they wait for ``evict()``, as for a session timeout.
    public func crash(_ point: CrashPoint, leavingGroup: Bool = false) {
        let now = log.clock()
        log.locked { $0.crash(number, point, leavingGroup: leavingGroup, now: now) }
    }

    /// Kills the client at its `n`-th call (the first is 1), which then does nothing and throws ``LogError/Code/closed``. A number that it has
    /// passed already kills it at its next call.
    public func crash(atCall n: Int, _ point: CrashPoint, leavingGroup: Bool = false) {
        log.locked { $0.clients[number].plannedCrash = PlannedCrash(call: n, point: point, leavingGroup: leavingGroup) }
    }

    /// Lets the session of a paused or dead member time out: the group gives its partitions to the others without asking it.
    ///
    /// A member that lives learns of it by its next poll, which *first* writes what it had queued. If it knows of partitions that it holds it
    /// is told ``LogEvent/revoked(_:lost:)`` with `lost`, and joins again with the first poll after its ``release()``. One that was asked to give them
    /// back before and has not yet is told nothing more; its commits fail.
    public func evict() {
        log.locked { $0.evict(number) }
    }
}
