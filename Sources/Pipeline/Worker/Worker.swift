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
    let perform: Perform
    let policies: @Sendable (String) -> IntentPolicy?
    /// Where handlers run; `nil` is Swift's own pool.
    let executor: (any TaskExecutor)?
    let clock: @Sendable () -> Instant
    let logger: Logger
    /// Records what it measures; `nil` without a metrics backend.
    let metrics: WorkerMetrics?
    let tracing: WorkerTracing?
    var outbound: Outbound
    var encoder: EventEncoder
    let mailbox: Mailbox
    var trackers: [Int32: OffsetTracker] = [:]
    /// Records in flight whose partitions were revoked and have come back, by partition. They are recognised when they are read again.
    var kept: [Int32: Set<Int64>] = [:]
    /// Records that were finished while their partitions were away, until the next assignment.
    var finishedAway: [Int32: [Int64]] = [:]
    /// The group's last assignment, until it is answered.
    var unanswered: [TopicPartition]?
    var lanes: [Identifier: Lane] = [:]
    var jobs: [UInt64: Job] = [:]
    /// Records that can't be read, until their dead letters are acknowledged.
    var deadLetters: [UInt64: UnreadableRecord] = [:]
    /// Which records of each partition get a dead letter each that can't be read.
    var unreadable: [Int32: UnreadableRate] = [:]
    /// The partitions of which the operator was told that a batch can't be read.
    var unreadableTold: Set<TopicPartition> = []
    /// First in their lanes. They are begun after the whole batch is read, and when there is a slot.
    var unstarted = Deque<Job>()
    /// Jobs that were not begun, first in their lanes or not.
    var waiting = 0
    /// Handlers that send live updates, by session and request; and their keys by job.
    var updates: [Identifier: Job] = [:]
    var updateKeys: [UInt64: Identifier] = [:]
    /// Handlers that have not returned and hold no slot, lane or offset any more: abandoned ones, and cancelled ones that sent live updates.
    var abandoned: [UInt64: Job] = [:]
    /// The time after the last poll: when its records were read.
    var readAt: Instant
    var late = LateWork()
    /// When the limits of running handlers are looked at next; `nil` if none has one.
    var nextLimitCheck: Instant?
    var lastJob: UInt64 = 0
    var isPaused = false
    /// Partitions that are read no further until the log takes their outcomes.
    var heldBack: Set<Int32> = []
    /// Outcomes and dead letters that the log has not taken, by partition.
    var unacknowledged: [Int32: Int] = [:]
    /// Jobs whose outcomes are among them.
    var reported = 0
    /// Look-ups of the group's positions that are not answered, and when the next one is due.
    var lookUps = 0
    var nextLookUp = Instant.distant
    var ahead = LookAhead()
    var commitsInFlight = 0
    /// Whether something finished is not committed.
    var isDirty = false
    var nextCommit: Instant
    var permits: Permits
    /// When the partitions have to be released; `nil` unless they were revoked, or the process ends.
    var revokedBy: Instant?
    /// Whether the group waits for the partitions.
    var isAwaited = false
    var isClosing = false
    /// What happened so far.
    public internal(set) var counters = WorkerCounters()

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
        self.perform = perform
        self.policies = policies
        self.executor = executor
        self.clock = clock
        self.logger = logger
        self.metrics = metrics
        tracing = tracer.map { WorkerTracing($0, configuration) }
        outbound = Outbound(client, rate: Self.immediateRate, clock: clock)
        permits = Permits(incarnation: configuration.incarnation)
        encoder = EventEncoder(source: configuration.source)
        mailbox = Mailbox { [client] in client.wake() }
        readAt = clock()
        nextCommit = readAt
    }

    /// Records taken whose outcomes or dead letters are not acknowledged.
    package var inFlight: Int { jobs.count + deadLetters.count + unreadable.values.count { $0.run != nil } }

    /// Handlers that were called and have not returned.
    public var runningHandlers: Int {
        jobs.values.count { $0.task != nil } + updates.count + abandoned.count - mailbox.finished
    }

    /// Whether the group has given this process its share, which may be nothing.
    public internal(set) var isSteady = false

    public var ownedPartitions: [Int32] { trackers.keys.sorted() }

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
        if revokedBy != nil { wait = min(wait, .milliseconds(50)) }
        if ahead.begins != nil, !ahead.isReading { wait = min(wait, configuration.lookAheadDelay) }
        if unanswered != nil { wait = min(wait, .milliseconds(500)) }
        for rate in unreadable.values {
            if let run = rate.run { wait = min(wait, max(.zero, clock().duration(to: run.end))) }
        }
        if commitsInFlight == 0, isDirty { wait = min(wait, max(.zero, clock().duration(to: nextCommit))) }
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
                isAwaited = !lost
                try revoked(lost: lost)
            case .committed(let error):
                commitsInFlight -= 1
                if let error {
                    logger.debug("a commit was refused; the work may be repeated", metadata: ["error": "\(error)"])
                }
                try committed(error)
                if error != nil { repeatCommit() }
            case .outOfRange(let position): logger.info("\(position)")
            case .committedOffsets(let answer): positions.append(answer)
            case .unreadable(let batch): passOver(batch)
            // Without a right, nothing goes on until someone grants it.
            case .failed(let error): logger.log(level: error.code == .unauthorized ? .error : .info, "\(error)")
            case .read(let record): try readAhead(record)
            case .readEnd: break
            }
        }
        // Only now: the group may have revoked the assignment in the same batch.
        for answer in positions { try found(committed: answer) }
        let messages = mailbox.take()
        for message in messages { try receive(message) }
        try expireClaims()
        let wereOverdue = try enforceLimits()
        // Only now: what came in one batch with its cancel is not begun.
        while hasSlot, let job = unstarted.popFirst() { if job.isNext { try start(job) } }
        try holdBack()
        if !unreadable.isEmpty { nameCountedRecords() }
        // A step without events is not followed by more to send.
        let hasSent = try outbound.flush(isUrgent: events.isEmpty && messages.isEmpty)
        try resumeIfPossible()
        reportLateWork()
        let looksAhead = try lookAheadIfDue()
        try commitIfDue()
        try releaseIfDrained()
        return !events.isEmpty || !messages.isEmpty || hasAsked || wereOverdue || looksAhead || hasSent
    }
}
