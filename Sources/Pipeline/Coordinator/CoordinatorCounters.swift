public import Conversation
public import IntentModel
public import RecordLog

/// Counts of what a coordinator has done. The loop publishes them once a second: a metric that is touched for each record costs more than the record's
/// header.
public struct CoordinatorCounters: Sendable, Hashable {
    /// Inputs that led to a decision.
    public var decisions = 0
    /// Inputs that changed nothing, by reason.
    public var ignored: [Ignored: Int] = [:]
    /// Events that were rejected, by reason.
    public var refused: [RejectionReason: Int] = [:]
    /// Results sent, including repeats after a recovery.
    public var results = 0
    public var deadLetters = DeadLetterCounts()
    /// Batches of records that could not be read, by topic.
    public var unreadableBatches: [String: Int] = [:]
    /// Records that the log has refused and that were given up, without dead letters. A refused record of the journal or of the results ends the process.
    public var refusedRecords: [RefusedRecord: Int] = [:]
    /// Requests for intents that no worker serves, as the catalogue says.
    public var unserved = 0
    /// Events of senders that have written too much, or have too many sessions open.
    public var overloads = 0
    /// Forgotten sessions whose requests were forgotten before their time, because there were too many.
    public var forgottenEarly = 0
    /// Requests that were not in the partition of their key, and were rejected.
    public var misplaced = 0
    /// Events after which a session would have been too large for its record in the journal.
    public var oversized = 0
    /// Times that another writer was found in the journal.
    public var gaps = 0
    public var takeovers = TakeoverCounts()
    /// Times that a partition was not served, because only an operator can say how to go on.
    public var partitionsStopped = 0
    /// Times that input was gone from the log before it was read.
    public var inputLost = 0
    /// Events that were read, and those that were written.
    public var consumed = EventCounts()
    public var produced = EventCounts()
    public var rebalances = RebalanceCounts()

    public init() {}
}

/// Counts of partitions that were taken over.
public struct TakeoverCounts: Sendable, Hashable {
    public var all = 0
    /// Partitions that a standby had followed.
    public var followed = 0
    /// Partitions of which much was known from the time when they were owned before, and others have written since.
    public var back = 0

    public init() {}
}

/// Why the log has refused records of a topic.
public struct RefusedRecord: Sendable, Hashable {
    public var topic: String
    public var code: LogError.Code

    public init(topic: String, code: LogError.Code) {
        self.topic = topic
        self.code = code
    }
}
