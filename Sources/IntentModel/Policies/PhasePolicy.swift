/// The times and tries of one phase of an intent. Those of the resolve phase hold from the first answer of a resolver on: it brings them.
public struct PhasePolicy: Sendable, Hashable {
    /// How long it may take, all tries and redeliveries together.
    public var timeout: Duration?
    /// After how long the coordinator itself tells the person that it is `inProgress`, if the worker has not said so.
    public var announceAfter: Duration?
    public var retry: RetryPolicy?

    public init(timeout: Duration? = nil, announceAfter: Duration? = nil, retry: RetryPolicy? = nil) {
        self.timeout = timeout
        self.announceAfter = announceAfter
        self.retry = retry
    }
}

/// When a phase is tried again after a worker has asked for that. A worker's own `retry(after:)` is respected: the later of the two counts.
public struct RetryPolicy: Sendable, Hashable {
    /// Before the second try.
    public var firstDelay: Duration
    /// By how much each delay is longer than the one before; 1 or less leaves them as they are.
    public var factor: Double
    /// No delay of this policy is longer; a worker's own may be. 30 days at most.
    public var maximumDelay: Duration
    /// Tries altogether; 1 is never to try again.
    public var maximumAttempts: Int
    /// Failures that are not tried again, whatever the worker says.
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

    /// No delay is longer, whatever a policy says.
    private static let longest = Duration.seconds(30 * 24 * 3_600)

    /// - Parameter attempt: the try that is waited for; 2 is the first one that waits.
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
