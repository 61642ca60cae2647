public import Conversation
import DequeModule
import IntentEvents
public import IntentModel
public import Logging
public import RecordLog
public import Tracing

/// Works on one phase of intents: takes records of a work topic, calls handlers, and answers on `intents.outcomes`.
///
/// Records of one session are worked on one after the other, those of different sessions at the same time; cancels overtake. One thread drives it
/// with ``step(timeout:)``; handlers run on Swift's pool.
public final class Worker {
    /// Carries out one phase of one intent: ``IntentRegistry/perform(_:report:)``, except in tests.
    public typealias Perform =
        @Sendable (_ invocation: IntentInvocation, _ report: @escaping @Sendable (IntentProgress) -> Void) async ->
        PhaseOutcome

    let client: any LogClient
    let configuration: WorkerConfiguration
    let handlers: Handlers
    let clock: @Sendable () -> Instant
    let logger: Logger
    let observers: Observers
    var outbound: Outbound
    var encoder: EventEncoder
    let mailbox: Mailbox
    /// The messages that were taken from the mailbox and not received yet.
    private var taken: Deque<Mailbox.Message> = []
    var membership: Membership
    var partitions = WorkPartitions()
    var queue = WorkQueue()
    var permits: Permits
    var detached = DetachedHandlers()
    var limits = Limits()
    var unreadable = UnreadableWork()
    var ahead = LookAhead()
    /// The time after the last poll: when its records were read.
    var readAt: Instant
    /// The counts of events until now.
    public internal(set) var counters = WorkerCounters()

    /// The handlers of intents.
    struct Handlers {
        let perform: Perform
        let policies: @Sendable (String) -> IntentPolicy?
        /// The executor of handlers; `nil` is Swift's own pool.
        let executor: (any TaskExecutor)?
    }

    /// Metrics and traces; each `nil` without a backend.
    struct Observers {
        let metrics: WorkerMetrics?
        let tracing: WorkerTracing?
    }

    /// The worker's place in its group.
    struct Membership {
        /// The group's last assignment, until it is answered.
        var unanswered: [TopicPartition]?
        /// The number of look-ups of the group's positions that are not answered.
        var lookUps = 0
        var nextLookUp = Instant.distant
        /// The time when the partitions have to be released; `nil` unless they were revoked, or the process ends.
        var revokedBy: Instant?
        /// Whether the group waits for the partitions.
        var isAwaited = false
        var isClosing = false
        /// Whether the group has assigned partitions, or none, and has revoked nothing since.
        var isSteady = false
        var commitsInFlight = 0
        /// Whether a finished record is not committed.
        var isDirty = false
        var nextCommit: Instant
    }

    /// The time limits of handlers.
    struct Limits {
        /// The time of the next look at the limits of running handlers; `nil` if no handler has a limit.
        var nextCheck: Instant?
        var late = LateWork()
    }

    /// Records that can't be read.
    struct UnreadableWork {
        /// The records whose dead letters are not acknowledged.
        var letters: [UInt64: UnreadableRecord] = [:]
        /// The rate of dead letters, by partition.
        var rates: [Int32: UnreadableRate] = [:]
        /// The partitions of which the operator was told that a batch can't be read.
        var told: Set<TopicPartition> = []
    }

    /// Outcomes a second that go out one by one: those of 1,000 intents.
    private static let immediateRate = 1_000.0

    /// - Parameters:
    ///   - client: a member of ``WorkerConfiguration/group``.
    ///   - policies: what each intent asks of the conversations about it; ``IntentRegistry/policy(of:)``.
    ///   - executor: where handlers run. Defaults to Swift's own pool.
    ///   - clock: for deadlines and the time of events.
    ///   - metrics: records how long handlers take. Defaults to none.
    ///   - tracer: records a span for each call of a handler. Defaults to none.
    public init(
        client: any LogClient, configuration: WorkerConfiguration, perform: @escaping Perform,
        policies: @escaping @Sendable (String) -> IntentPolicy? = { _ in nil }, executor: (any TaskExecutor)? = nil,
        clock: @escaping @Sendable () -> Instant, logger: Logger, metrics: WorkerMetrics? = nil,
        tracer: (any Tracer)? = nil
    ) {
        self.client = client
        self.configuration = configuration
        handlers = Handlers(perform: perform, policies: policies, executor: executor)
        self.clock = clock
        self.logger = logger
        observers = Observers(metrics: metrics, tracing: tracer.map { WorkerTracing($0, configuration) })
        outbound = Outbound(client, rate: Self.immediateRate, clock: clock)
        permits = Permits(incarnation: configuration.incarnation)
        encoder = EventEncoder(source: configuration.source)
        mailbox = Mailbox { [client] in client.wake() }
        readAt = clock()
        membership = Membership(nextCommit: readAt)
    }

    /// Records taken whose outcomes or dead letters are not acknowledged.
    package var inFlight: Int {
        queue.jobs.count + unreadable.letters.count + unreadable.rates.values.count { $0.run != nil }
    }

    /// Handlers that were called and have not returned.
    public var runningHandlers: Int {
        queue.jobs.values.count { $0.task != nil } + detached.count - mailbox.finished
    }

    /// Whether the group has given this process its share, which may be nothing.
    public var isSteady: Bool { membership.isSteady }

    public var ownedPartitions: [Int32] { partitions.trackers.keys.sorted() }

    /// What its phase is called in metrics.
    var stage: String { configuration.phase.label(inApp: configuration.isInApp) }

    /// Takes what the log and the handlers have to tell, and acts on it.
    ///
    /// - Parameter timeout: how long to wait if there is nothing to do.
    /// - Returns: whether there was something to do.
    /// - Throws: errors after which this worker must not go on.
    @discardableResult
    public func step(timeout: Duration) throws(LogError) -> Bool {
        var wait = timeout
        if let delay = outbound.delay(at: clock()) { wait = min(wait, delay) }
        if membership.revokedBy != nil { wait = min(wait, .milliseconds(50)) }
        if ahead.begins != nil, !ahead.isReading { wait = min(wait, configuration.lookAheadDelay) }
        if membership.unanswered != nil { wait = min(wait, .milliseconds(500)) }
        for rate in unreadable.rates.values {
            if let run = rate.run { wait = min(wait, max(.zero, clock().duration(to: run.end))) }
        }
        if membership.commitsInFlight == 0, membership.isDirty {
            wait = min(wait, max(.zero, clock().duration(to: membership.nextCommit)))
        }
        let events = try client.poll(maximum: 500, timeout: wait)
        readAt = clock()
        let hasAsked = try lookUpCommitted()
        var positions: [Result<[TopicPartition: CommittedOffset], LogError>] = []
        for event in events {
            switch event {
            case .record(let record): try receive(record)
            case .delivered(let delivery): try acknowledged(delivery)
            case .assigned(let partitions):
                counters.rebalances.assigned += 1
                try assigned(partitions)
            case .revoked(_, let lost):
                counters.rebalances.countRevoked(isLost: lost)
                membership.isAwaited = !lost
                try revoked(lost: lost)
            case .committed(let error):
                membership.commitsInFlight -= 1
                if let error {
                    logger.debug("a commit was refused; the work may be repeated", metadata: ["error": "\(error)"])
                }
                committed(error)
                if error != nil { repeatCommit() }
            case .outOfRange(let position): logger.info("\(position)")
            case .committedOffsets(let answer): positions.append(answer)
            case .unreadable(let batch): passOver(batch)
            // Without a right, nothing goes on until someone grants it.
            case .failed(let error): logger.log(level: error.code == .unauthorized ? .error : .info, "\(error)")
            case .read(let record): readAhead(record)
            case .readEnd: break
            }
        }
        // Only now: the group may have revoked the assignment in the same batch.
        for answer in positions { try found(committed: answer) }
        mailbox.take(&taken)
        let hasMessages = !taken.isEmpty
        while let message = taken.popFirst() { receive(message) }
        expireClaims()
        let wereOverdue = try enforceLimits()
        // Only now: what came in one batch with its cancel is not begun.
        while hasSlot, let job = queue.popNext() { start(job) }
        try holdBack()
        if !unreadable.rates.isEmpty { nameCountedRecords() }
        // A step without events is not followed by more to send.
        let hasSent = try outbound.flush(isUrgent: events.isEmpty && !hasMessages)
        try resumeIfPossible()
        reportLateWork()
        let looksAhead = try lookAheadIfDue()
        try commitIfDue()
        try releaseIfDrained()
        return !events.isEmpty || hasMessages || hasAsked || wereOverdue || looksAhead || hasSent
    }
}
