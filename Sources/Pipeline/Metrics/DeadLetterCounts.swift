public import IntentModel

/// Counts of records that a process could not read.
public struct DeadLetterCounts: Sendable, Hashable {
    /// Records that were written to the dead letters, by reason.
    public var byReason: [RejectionReason: Int] = [:]
    /// Records that were passed over without a dead letter, because the log refused it.
    public var lost = 0
    /// Records without a dead letter of their own, because too many came: a dead letter names a range of them.
    public var spared = 0

    public init() {}
}
