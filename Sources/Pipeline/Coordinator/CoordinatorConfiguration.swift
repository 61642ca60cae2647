public import Conversation
public import IntentEvents
public import IntentModel

/// The configuration of a coordinator.
public struct CoordinatorConfiguration: Sendable {
    public var topics: Topics
    public var policy: SessionPolicy
    /// Names this process in the journal. It must be unique, also among earlier runs.
    public var owner: Identifier
    /// How many partitions each topic has. Requests in another partition than that of their key are rejected, and a journal that was written with another
    /// number is not continued. If `nil`, neither is checked.
    public var partitions: Int32?
    /// Where the tickets of work come from. Not to be changed, except in tests that have to be repeatable.
    public var randomness = Randomness.system
    /// Who is trusted to speak for the person.
    public var trust = InputTrust.open
    /// Signs handoffs. If `nil`, offers have no token, and anyone who may write requests may claim them.
    public var handoffTokens: HandoffTokens?
    /// The bounds of what the coordinator holds and accepts.
    public var limits = CoordinatorLimits()
    /// Sessions of a partition that was taken over are read when an event comes for them, and in each step this many others; eight times as many if there is
    /// nothing else to do.
    public var sessionsReadPerStep = 64
    /// How many partitions are read at the same time, of those that are taken over and of which nothing is known. The others wait: if all were read at the same
    /// time, each would be ready as late as the last one.
    public var takeoversAtOnce = 2
    /// How long partitions that are taken away may take to finish what was begun.
    public var drainTimeout: Duration = .seconds(5)
    /// How often positions are committed for lag metrics, and a quiet journal is looked at.
    public var housekeepingInterval: Duration = .seconds(5)
    /// After so many records the positions are written under a key of their own.
    public var positionsInterval = 500

    public init(topics: Topics = Topics(), policy: SessionPolicy = SessionPolicy(), owner: Identifier) {
        self.topics = topics
        self.policy = policy
        self.owner = owner
    }
}

/// Bounds of what a coordinator holds and accepts.
public struct CoordinatorLimits: Sendable {
    /// Decisions of one partition whose records or effects are not acknowledged. Beyond it the partition's input waits.
    public var maximumInFlight = 4_096
    /// Records of one partition of a topic that the log may have taken or not. Further ones wait in the coordinator, so that a partition that takes none leaves room for
    /// others. Less than half of ``maximumInFlight``.
    public var maximumUnacknowledgedRecords = 1_024
    /// Bytes of the records of such decisions, in one partition. Beyond it the partition's input and timers wait until half of them are acknowledged. Effects
    /// take about as much again.
    public var maximumInFlightBytes = 64 << 20
    /// The same in all partitions of the process, of which each has the same share.
    public var maximumInFlightBytesOfAll = 256 << 20
    /// Sessions of one partition that may be open at the same time. At some KiB each they take most of a coordinator's memory. A request that would open
    /// one more is rejected as busy.
    public var maximumSessions = 100_000
    /// Sessions of one partition that one principal may have open at the same time.
    public var maximumSessionsOfPrincipal = 1_000
    /// Events a second that a principal may send in one partition, or anyone in a session without an owner; more than 0. Beyond it, and beyond
    /// `maximumBurst` events at once, they are rejected as busy.
    public var maximumRate = 100.0
    /// Events that such a sender may send at once; at least 1.
    public var maximumBurst = 1_000
    /// Forgotten sessions of one partition whose requests are still known. Past it the oldest goes before its time, first those without once-only
    /// requests. With the default times it is the number of sessions that are forgotten in an hour if `maximumSessions` are open all the time.
    public var maximumForgotten = 200_000
    /// Bytes of memory, by estimate, that they may take.
    public var maximumForgottenBytes = 128 << 20
    /// Results of one session that are not acknowledged, and so are part of each of its records in the journal. Without a bound, a flooded session would
    /// write the square of its input. Beyond it the partition's input waits, for a round trip.
    public var maximumUnacknowledged = 32
    /// Bytes of such results; beyond it the partition's input waits as well.
    public var maximumUnacknowledgedBytes = 256 << 10
    /// Bytes that a session may take in its record in the journal, before an event that makes it larger is refused by name. It leaves room for what timers
    /// add, within the 1 MiB that brokers accept by default.
    public var maximumSessionBytes = 600_000

    public init() {}
}

extension Randomness {
    /// The system's cryptographically secure generator.
    public static let system: Randomness = {
        let pool = SystemRandomness()
        return Randomness { pool.next() }
    }()
}
