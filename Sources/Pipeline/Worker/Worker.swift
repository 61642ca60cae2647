public import Conversation
import DequeModule
import IntentEvents
public import IntentModel
public import Logging
public import RecordLog

/// Works on one phase of intents: takes records of a work topic, calls handlers, and answers on `intents.outcomes`.
///
/// Records of one session are worked on one after the other, those of different sessions at the same time; cancels overtake. One thread drives it
/// with ``step(timeout:)``; handlers run on Swift's pool.
public final class Worker {
    /// Carries out one phase of one intent; ``IntentRegistry/perform(_:report:)`` is the one there is outside of tests.
    public typealias Perform =
        @Sendable (_ invocation: IntentInvocation, _ report: @escaping @Sendable (IntentProgress) -> Void) async -> PhaseOutcome

    let client: any LogClient
    let configuration: WorkerConfiguration
    let perform: Perform
    let policies: @Sendable (String) -> IntentPolicy?
    /// Where handlers run; `nil` is Swift's own pool.
    let executor: (any TaskExecutor)?
    let clock: @Sendable () -> Instant
    let logger: Logger
    var outbound: Outbound
    var encoder: EventEncoder
    let mailbox: Mailbox
    var trackers: [Int32: OffsetTracker] = [:]
    var lanes: [String: Lane] = [:]
    var jobs: [UInt64: Job] = [:]
    /// Records that can't be read, until their dead letters are acknowledged.
    var deadLetters: [UInt64: RecordPlace] = [:]
    /// First in their lanes, and not begun before the whole batch is taken.
    var unstarted = Deque<Job>()
    /// Handlers that go on telling how things stand, by session and request; and their keys by job.
    var updates: [String: Job] = [:]
    var updateKeys: [UInt64: String] = [:]
    var lastJob: UInt64 = 0
    var isPaused = false
    var commitsInFlight = 0
    /// Something was finished that is not committed.
    var isDirty = false
    var nextCommit: Instant
    var permits: Permits
    /// The partitions are to be given up by then; `nil` while nobody wants them.
    var revokedBy: Instant?
    var isClosing = false
    /// What happened so far.
    public internal(set) var counters = WorkerCounters()

    /// - Parameters:
    ///   - client: a member of ``WorkerConfiguration/group``.
    ///   - policies: what each intent asks of the conversations about it; ``IntentRegistry/policy(of:)``.
    ///   - executor: where handlers run; Swift's own pool unless given.
    ///   - clock: for deadlines and the time of events.
    public init(
        client: any LogClient, configuration: WorkerConfiguration, perform: @escaping Perform,
        policies: @escaping @Sendable (String) -> IntentPolicy? = { _ in nil }, executor: (any TaskExecutor)? = nil,
        clock: @escaping @Sendable () -> Instant, logger: Logger
    ) {
        self.client = client
        self.configuration = configuration
        self.perform = perform
        self.policies = policies
        self.executor = executor
        self.clock = clock
        self.logger = logger
        outbound = Outbound(client)
        permits = Permits(incarnation: configuration.incarnation)
        encoder = EventEncoder(source: configuration.source)
        mailbox = Mailbox { [client] in client.wake() }
        nextCommit = clock()
    }

    /// Records taken whose outcomes or dead letters are not acknowledged.
    var inFlight: Int { jobs.count + deadLetters.count }

    /// Handlers that were called and have not returned.
    public var runningHandlers: Int { jobs.values.count { $0.task != nil } + updates.count - mailbox.finished }

    /// Whether the group has given this process its share, which may be nothing.
    public internal(set) var isSteady = false

    public var ownedPartitions: [Int32] { trackers.keys.sorted() }

    /// Takes what the log and the handlers have to tell, and acts on it.
    ///
    /// - Parameter timeout: how long to wait if there is nothing to do.
    /// - Returns: whether there was something to do.
    /// - Throws: errors after which this worker must not go on.
    @discardableResult
    public func step(timeout: Duration) throws(LogError) -> Bool {
        var wait = timeout
        if outbound.backlog > 0 { wait = min(wait, .milliseconds(1)) }
        if revokedBy != nil { wait = min(wait, .milliseconds(50)) }
        if commitsInFlight == 0, isDirty { wait = min(wait, max(.zero, clock().duration(to: nextCommit))) }
        let events = try client.poll(maximum: 500, timeout: wait)
        for event in events {
            switch event {
            case .record(let record): try take(record)
            case .delivered(let delivery): try acknowledged(delivery)
            case .assigned(let partitions): try assigned(partitions)
            case .revoked(_, let lost): try revoked(lost: lost)
            case .committed(let error):
                commitsInFlight -= 1
                if let error { logger.debug("a commit was refused; the work may be repeated", metadata: ["error": "\(error)"]) }
                try committed(error)
            case .failed(let error): logger.info("\(error)")
            case .read, .readEnd: break
            }
        }
        let messages = mailbox.take()
        for message in messages { try receive(message) }
        try expireClaims()
        // Only now: what came in one batch with its cancel is not begun.
        while let job = unstarted.popFirst() { if job.isNext(in: lanes) { try start(job) } }
        try outbound.flush(isBusy: inFlight > 64)
        try resumeIfPossible()
        try commitIfDue()
        try giveUpIfDrained()
        return !events.isEmpty || !messages.isEmpty
    }

    private func take(_ record: ConsumedRecord) throws(LogError) {
        guard revokedBy == nil, let isNew = trackers[record.partition]?.take(record.offset) else { return }
        guard isNew else {
            // Worked on before us, but the work that a cancel is about may not be finished.
            if let event = try? WorkEvent(record), case .cancel(let cancel) = event.work { try self.cancel(cancel, session: event.session) }
            return
        }
        isDirty = true
        let event: WorkEvent
        do { event = try WorkEvent(record) } catch { return try bury(record, error) }
        let session = event.session
        switch event.work {
        case .cancel(let cancel): try self.cancel(cancel, session: session)
        case .permit(let permit): permitted(permit, session: session)
        case .update(let item): startUpdates(item, session: session, record)
        case .item(let item) where item.phase == .handle && permits.wasAsked(item, session: session):
            // A duplicate of work already started here; ignore it.
            counters.copies += 1
        case .item(let item): return try enqueue(item, session: session, record)
        }
        trackers[record.partition]?.finish(record.offset)
    }

    private func enqueue(_ item: WorkItem, session: String, _ record: ConsumedRecord) throws(LogError) {
        try makeWay(for: item, session: session)
        lastJob += 1
        let job = Job(id: lastJob, session: session, item: item, partition: record.partition, offset: record.offset)
        jobs[job.id] = job
        lanes[session, default: Lane()].jobs.append(job)
        if lanes[session]?.jobs.count == 1 { unstarted.append(job) }
        if isFull, !isPaused {
            isPaused = true
            try client.pause(trackers.keys.map { TopicPartition(configuration.topic, $0) })
        }
    }

    func start(_ job: Job) throws(LogError) {
        if let deadline = job.item.deadline, deadline <= clock() {
            // The coordinator has told the person so by now; nothing may happen after that.
            counters.expired += 1
            logger.warning(
                "work came after its deadline and is left alone; if that goes on, compare this machine's clock with the coordinator's",
                metadata: ["request": "\(job.item.request)", "deadline": "\(deadline)"])
            return try finish(job)
        }
        if job.isCancelled { return try answer(job, .cancelled) }
        if job.permit == .notAsked, needsPermit(job.item) { return try ask(job) }
        permits.change(job, to: .used)
        counters.started += 1
        var invocation = IntentInvocation(
            phase: configuration.phase, intent: job.item.intent, parameters: job.item.parameters,
            context: InvocationContext(
                session: job.session, request: job.item.request, attempt: job.item.attempt, deadline: job.item.deadline?.milliseconds,
                idempotencyKey: job.item.idempotencyKey, locale: job.item.locale, attributes: job.item.attributes,
                isInApp: configuration.isInApp, answers: job.item.answers, recorded: job.item.recorded, memory: job.item.memory))
        invocation.context.replyTo = LaterAnswer(job).description
        invocation.context.traceparent = job.item.trace?.parent
        let id = job.id
        let cancellation = job.cancellation
        job.task = Task(executorPreference: executor) { [perform, mailbox, invocation] in
            let outcome = await IntentCancellation.$current.withValue(cancellation) {
                await perform(invocation) { progress in
                    mailbox.post(.progressed(job: id, fraction: progress.fraction, dialog: progress.dialog))
                }
            }
            mailbox.post(.finished(job: id, .finished(outcome)))
        }
    }

    private func receive(_ message: Mailbox.Message) throws(LogError) {
        switch message {
        case .updated(let id, let update): tellUpdate(id, .updated(update))
        case .progressed(let id, let fraction, let dialog):
            guard let job = jobs[id] else { return }
            job.parts += 1
            outbound.send(record(.progressed(fraction: fraction, dialog: dialog), of: job, part: job.parts), token: 0)
        case .finished(let id, let content):
            guard let job = jobs[id] else { return endUpdates(id, content) }
            job.task = nil
            try answer(job, job.isCancelled && !content.isSuccess && !content.isUnknown ? .cancelled : content)
        }
    }

    func answer(_ job: Job, _ content: Outcome.Content) throws(LogError) {
        counters.answered += 1
        let policy = configuration.phase == .resolve ? policies(job.item.intent) : nil
        outbound.send(record(content, of: job, policy: policy), token: job.id)
        try startNext(after: job)
    }

    /// The record of what a job reports.
    ///
    /// - Parameter part: counts from 1 what is reported before the outcome; 0 for the outcome.
    func record(_ content: Outcome.Content, of job: Job, part: Int = 0, policy: IntentPolicy? = nil) -> Record {
        var outcome = Outcome(request: job.item.request, step: job.item.step, phase: job.item.phase, content: content)
        outcome.policy = policy
        return encoder.record(
            outcome, session: job.session, topics: configuration.topics, partition: job.partition, part: part, trace: job.item.trace,
            at: clock())
    }

    /// The next job of the session begins.
    private func startNext(after job: Job) throws(LogError) {
        guard lanes[job.session]?.jobs.first === job else { return }
        lanes[job.session]?.jobs.removeFirst()
        if let next = lanes[job.session]?.jobs.first { unstarted.append(next) } else { lanes[job.session] = nil }
    }

    func finish(_ job: Job) throws(LogError) {
        jobs[job.id] = nil
        trackers[job.partition]?.finish(job.offset)
        isDirty = true
        try startNext(after: job)
    }

    private func acknowledged(_ delivery: Delivery) throws(LogError) {
        if let error = delivery.error {
            throw LogError(error.code, "a record for \(delivery.topic) could not be written: \(error.message)", disposition: .fatal)
        }
        if let job = jobs[delivery.token] { return try finish(job) }
        guard let buried = deadLetters.removeValue(forKey: delivery.token) else { return }
        trackers[buried.partition]?.finish(buried.offset)
        isDirty = true
    }

    /// A cancel overtakes the work that it is about.
    private func cancel(_ cancel: WorkCancel, session: String) throws(LogError) {
        counters.cancels += 1
        stopUpdates(cancel, session: session)
        for job in lanes[session]?.jobs ?? [] where job.item.request == cancel.request && job.item.step <= cancel.step {
            job.isCancelled = true
            job.cancellation.cancel(cancel.reason ?? .person, until: cancel.deadline?.milliseconds)
            job.task?.cancel()
            if job.waitsForPermit {
                permits.change(job, to: .used)
                try answer(job, .cancelled)
            }
        }
    }

    /// Writes a record that can't be read to the dead letters. It counts as done when that is acknowledged.
    private func bury(_ record: ConsumedRecord, _ error: EventError) throws(LogError) {
        counters.deadLetters += 1
        logger.warning(
            "dead letter",
            metadata: [
                "topic": "\(record.topic)", "partition": "\(record.partition)", "offset": "\(record.offset)",
                "reason": "\(error.rejection.reason.rawValue)",
            ])
        lastJob += 1
        deadLetters[lastJob] = RecordPlace(partition: record.partition, offset: record.offset)
        outbound.send(
            DeadLetter.record(record, error.rejection, stage: configuration.role, topics: configuration.topics), token: lastJob)
    }
}

/// What a worker has seen and done.
public struct WorkerCounters: Sendable, Hashable {
    /// Handler calls.
    public var started = 0
    public var answered = 0
    /// Work that came after its deadline and was left alone.
    public var expired = 0
    public var cancels = 0
    public var deadLetters = 0
    /// Copies of work that was begun here, and may be begun once.
    public var copies = 0

    public init() {}
}

extension Outcome.Content {
    /// The handler got it done, whatever it was told.
    var isSuccess: Bool {
        if case .finished(.responded(let response, _)) = self { response.code == .success } else { false }
    }

    /// It may have got it done: to say that it was called off would be a guess.
    fileprivate var isUnknown: Bool {
        if case .finished(.failed(let failure)) = self { failure.reason == .outcomeUnknown } else { false }
    }
}
