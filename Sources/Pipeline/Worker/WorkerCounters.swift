/// Counts of what a worker has done.
public struct WorkerCounters: Sendable, Hashable {
    /// Handler calls.
    public var started = 0
    public var answered = 0
    /// Work that came after its time limit and was given back.
    public var expired = 0
    public var cancels = 0
    public var deadLetters = DeadLetterCounts()
    /// Batches of records that could not be read, by topic.
    public var unreadableBatches: [String: Int] = [:]
    /// Outcomes that were too large and became failures, and progress and live updates that were left out for their size.
    public var oversized = 0
    /// Handlers that the worker itself has cancelled, because the coordinator no longer waited for them.
    public var overdue = 0
    /// Handlers that did not return in time after a cancel, and whose slots were given up.
    public var abandoned = 0
    /// Progress and live updates that were left out because too much waited to be sent.
    public var leftOut = 0
    /// Copies of work that was begun here and may be begun once.
    public var copies = 0
    /// Events that were read, and those that were written.
    public var consumed = EventCounts()
    public var produced = EventCounts()
    public var rebalances = RebalanceCounts()

    public init() {}
}
