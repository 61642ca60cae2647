public import Conversation
public import IntentEvents

/// What a coordinator is held to.
public struct CoordinatorConfiguration: Sendable {
    public var topics: Topics
    public var policy: SessionPolicy
    /// Names this process in the journal; no other process, and no earlier run, may have the same.
    public var owner: String
    /// Signs handoffs; `nil`: they have no token, and whoever may write requests may claim them.
    public var handoffTokens: HandoffTokens?
    /// Decisions of one partition whose records or effects are not acknowledged. Beyond it the partition's input waits.
    public var maximumInFlight = 4_096
    /// Sessions of one partition that are open at the same time; at some KiB each they are what a coordinator's memory goes to. Whoever opens one more
    /// is told that the pipeline is busy.
    public var maximumSessions = 100_000
    /// Results of one session that are not acknowledged, and so stand in each of its records in the journal: without a bound, a session that is flooded
    /// would write the square of what it gets. Beyond it the partition's input waits, for a round trip.
    public var maximumUnacknowledged = 32
    /// How long partitions that are taken away may take to finish what was begun.
    public var drainTimeout: Duration = .seconds(5)
    /// How often positions are committed for lag metrics, and a quiet journal is looked at.
    public var housekeepingInterval: Duration = .seconds(5)
    /// After so many records the positions are written under a key of their own.
    public var positionsInterval = 500

    public init(topics: Topics = Topics(), policy: SessionPolicy = SessionPolicy(), owner: String) {
        self.topics = topics
        self.policy = policy
        self.owner = owner
    }
}
