/// The timeouts and retries of one phase of an intent. The policy of the resolve phase applies from the first outcome
/// of a resolver, because the outcome carries it.
public struct PhasePolicy: Sendable, Hashable {
    /// The maximum duration of the phase, including all attempts and redeliveries.
    public var timeout: Duration?
    /// The time after which the coordinator itself reports `inProgress` to the person, if the worker has not reported
    /// it.
    public var announceAfter: Duration?
    public var retry: RetryPolicy?

    public init(timeout: Duration? = nil, announceAfter: Duration? = nil, retry: RetryPolicy? = nil) {
        self.timeout = timeout
        self.announceAfter = announceAfter
        self.retry = retry
    }
}

/// The delays and the number of retries after a worker has asked for a retry. A worker's own `retry(after:)` is
/// respected: the later of the two times applies.
public struct RetryPolicy: Sendable, Hashable {
    /// The delay before the second attempt.
    public var firstDelay: Duration
    /// The factor by which each delay exceeds the previous one; with 1 or less all delays are equal.
    public var factor: Double
    /// The upper limit for delays of this policy, at most 30 days. A worker's own delay is not limited by it.
    public var maximumDelay: Duration
    /// The number of attempts in total; 1 means no retry.
    public var maximumAttempts: Int
    /// The reasons of failures that are never retried, whatever the worker asks for.
    public var neverRetried: [RejectionReason]

    public init(
        firstDelay: Duration = .zero, factor: Double = 2, maximumDelay: Duration = .seconds(60),
        maximumAttempts: Int = 5,
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

    /// The delay before an attempt.
    ///
    /// - Parameter attempt: The number of the attempt after the delay; 2 is the first attempt with a delay.
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
