/// The timeouts and retries of one phase of an intent. Those of the resolve phase apply from the first outcome of a resolver, which carries them.
public struct PhasePolicy: Sendable, Hashable {
    /// How long the phase may take, including all attempts and redeliveries.
    public var timeout: Duration?
    /// After how long the coordinator itself tells the person that it is `inProgress`, if the worker has not reported it.
    public var announceAfter: Duration?
    public var retry: RetryPolicy?

    public init(timeout: Duration? = nil, announceAfter: Duration? = nil, retry: RetryPolicy? = nil) {
        self.timeout = timeout
        self.announceAfter = announceAfter
        self.retry = retry
    }
}

/// When a phase is retried after a worker has asked for a retry. A worker's own `retry(after:)` is respected: the later of the two times applies.
public struct RetryPolicy: Sendable, Hashable {
    /// The delay before the second attempt.
    public var firstDelay: Duration
    /// The factor by which each delay exceeds the previous one; with 1 or less all delays are equal.
    public var factor: Double
    /// The upper limit for delays of this policy, but not for a worker's own; at most 30 days.
    public var maximumDelay: Duration
    /// The number of attempts in total; 1 means no retry.
    public var maximumAttempts: Int
    /// The reasons of failures that are never retried, whatever the worker asks for.
    public var neverRetried: [RejectionReason]

    public init(
        firstDelay: Duration = .zero, factor: Double = 2, maximumDelay: Duration = .seconds(60), maximumAttempts: Int = 5,
        neverRetried: [RejectionReason] = []
    ) {
        self.firstDelay = firstDelay
        self.factor = factor
        self.maximumDelay = maximumDelay
        self.maximumAttempts = maximumAttempts
        self.neverRetried = neverRetried
    }

    /// The limit for every delay, whatever the policy says.
    private static let longest = Duration.seconds(30 * 24 * 3_600)

    /// - Parameter attempt: The attempt after the delay; 2 is the first that is delayed.
    public func delay(before attempt: Int) -> Duration {
        let cap = min(max(maximumDelay, .zero), Self.longest)
        var delay = min(max(firstDelay, .zero), cap)
        guard factor > 1, delay > .zero else { return delay }
        var tries = 2
        while tries < attempt, delay < cap {
            delay = min(delay * min(factor, 1_000), cap)
            tries += 1
        }
        return delay
    }
}
