import Conversation
import DequeModule
import IntentEvents
import IntentModel
import Logging
import RecordLog
import Tracing

// From a record to a call of the handler, and back to an outcome.
extension Worker {
    func receive(_ record: ConsumedRecord) throws(LogError) {
        guard membership.revokedBy == nil, let isNew = partitions.take(record.partition, record.offset) else { return }
        membership.isDirty = true
        guard isNew else {
            // Worked on before us, but the work that a cancel is about may not be finished.
            if let event = try? WorkEvent(record), let cancel = event.cancel(readAt: readAt) {
                take(cancel, event.session, record)
            }
            return
        }
        // It was begun before its partition was away for a moment, and goes on.
        if partitions.recognizes(record.partition, record.offset) { return }
        let event: WorkEvent
        do { event = try WorkEvent(record) } catch {
            // It can't be said whose it is. The default service reports it.
            if configuration.service == nil { return bury(record, error) }
            partitions.finish(record.partition, record.offset)
            return
        }
        guard event.work.service == configuration.service else {
            partitions.finish(record.partition, record.offset)
            return
        }
        counters.consumed.add(event.work.kind.type, in: record.topic)
        let session = event.session
        switch event.work {
        case .cancel: if let cancel = event.cancel(readAt: readAt) { take(cancel, session, record) }
        case .permit(let permit): permitted(permit, session: session)
        case .update(let item): startUpdates(item, WorkTimes(event, readAt: readAt), session: session, record)
        case .item(let item) where isCopy(item, session: session): counters.copies += 1
        case .item(let item): return try enqueue(item, WorkTimes(event, readAt: readAt), session: session, record)
        }
        partitions.finish(record.partition, record.offset)
    }

    private func enqueue(_ item: WorkItem, _ times: WorkTimes, session: Identifier, _ record: ConsumedRecord)
        throws(LogError)
    {
        makeWay(for: item, session: session)
        let job = Job(id: queue.nextToken(), session, item, times, record)
        if let cancel = ahead.cancel(of: item, session: session) { self.cancel(job, cancel) }
        queue.append(job)
        if isFull { try pause() }
    }

    func start(_ job: Job) {
        queue.begin(job)
        // The deadline of permitted work was checked when its commit ended: a later check could leave it uncalled without an outcome.
        if job.permit != .committing, isLate(job, at: readAt) {  // rule: lateWorkIsLeftAlone
            return giveBackLate(job)
        }
        if job.isCancelled {  // rule: cancelledWorkIsNotBegun
            permits.change(job, to: .used)
            return report(job, .cancelled)
        }
        if job.permit == .notAsked, needsPermit(job.item) { return ask(job) }  // rule: onceOnlyWorkIsPermitted
        permits.change(job, to: .used)
        counters.started += 1
        if observers.metrics != nil { job.began = clock() }
        observers.tracing?.begin(job)
        setLimit(job)
        let id = job.id
        run(job, invocation(of: job)) { [mailbox] progress in
            mailbox.post(.progressed(job: id, fraction: progress.fraction, dialog: progress.dialog))
        }
    }

    /// What the handler is called with.
    ///
    /// - Parameter isUpdating: the request has succeeded, and the handler keeps reporting how things go.
    func invocation(of job: Job, isUpdating: Bool = false) -> IntentInvocation {
        let item = job.item
        var invocation = IntentInvocation(
            phase: isUpdating ? .handle : configuration.phase, intent: item.address.intent.text,
            parameters: item.parameters,
            context: InvocationContext(
                session: job.session, request: item.address.request, attempt: item.attempt,
                deadline: job.times.deadline?.milliseconds, idempotencyKey: item.idempotencyKey, locale: item.locale,
                attributes: item.attributes, isInApp: configuration.isInApp))
        // In place, because a context of its own would be copied.
        invocation.context.answers = item.answers
        invocation.context.said = item.said
        invocation.context.recorded = item.recorded
        invocation.context.memory = item.memory
        invocation.context.principal = item.principal
        invocation.context.timeZone = item.timeZone
        invocation.context.now = (item.now ?? job.times.sent).milliseconds
        invocation.isUpdating = isUpdating
        if !isUpdating {
            // Only handle can end with `inProgress`.
            if configuration.phase == .handle {
                invocation.context.replyTo = DeferredOutcomeAddress(job, isInApp: configuration.isInApp).description
            }
            invocation.context.traceparent = job.trace?.parent
        }
        return invocation
    }

    /// Calls the handler. Its outcome comes through the mailbox.
    func run(_ job: Job, _ invocation: IntentInvocation, report: @escaping @Sendable (IntentProgress) -> Void) {
        let id = job.id
        let cancellation = job.cancellation
        let context = job.span?.context
        let work = WorkContext(session: job.session, request: job.item.address.request, trace: job.trace)
        let call: @concurrent @Sendable () async -> Void = { [perform = handlers.perform, mailbox] in
            let outcome = await IntentCancellation.$current.withValue(cancellation) {
                await WorkContext.$current.withValue(work) {
                    guard let context else { return await perform(invocation, report) }
                    return await InstrumentationContext.withValue(context) { await perform(invocation, report) }
                }
            }
            mailbox.post(.finished(job: id, .finished(outcome)))
        }
        // A preference costs each task, also that for no executor.
        job.task =
            if let executor = handlers.executor { Task(executorPreference: executor, operation: call) } else {
                Task(operation: call)
            }
    }

    func receive(_ message: Mailbox.Message) {
        switch message {
        case .updated(let id, let update): tellUpdate(id, .updated(update))
        case .progressed(let id, let fraction, let dialog):
            guard let job = queue.jobs[id], tellPart(.progressed(fraction: fraction, dialog: dialog), of: job) else {
                return
            }
            extendLimit(job)
        case .finished(let id, let content):
            if let job = queue.jobs[id] ?? detached.abandoned[id] { observers.tracing?.end(job, content) }
            guard let job = queue.jobs[id] else {
                return detached.abandoned[id] == nil ? endUpdates(id, content) : endAbandoned(id, content)
            }
            job.task = nil
            if let metrics = observers.metrics {
                metrics.returned(job, content, inApp: configuration.isInApp, at: clock())
            }
            // It may have failed because it was cancelled, and the coordinator has decided how the request ends.
            if job.cancelled == .overdue, content.isFailure { return finish(job) }
            // A handler that succeeded in spite of the cancel has had its effect, so the success counts.
            report(job, job.isCancelled && !content.isSuccess && !content.isUnknown ? .cancelled : content)
        }
    }

    func report(_ job: Job, _ content: Outcome.Content) {
        counters.answered += 1
        let policy = configuration.phase == .resolve ? handlers.policies(job.item.address.intent.text) : nil
        counters.produced.add(content.eventType(of: configuration.phase), in: configuration.topics.outcomes)
        let outcome = ending(content, of: job, policy: policy)
        outbound.send(outcome, token: job.id)
        if queue.report(job, outcome) { partitions.sent(job.partition) }
        queue.leaveLane(job)  // rule: workIsDoneWhenAcknowledged
    }

    /// The record of how a handler ended: with a failure if its answer is too large.
    func ending(_ content: Outcome.Content, of job: Job, part: Int = 0, policy: IntentPolicy? = nil) -> Record {
        let outcome = record(content, of: job, part: part, policy: policy)
        if fits(outcome, of: job) { return outcome }
        return record(.finished(.failed(.tooLarge(outcome, content))), of: job, part: part, policy: policy)
    }

    /// Reports something before the outcome, or a live update. It is left out if it is too large or too much waits to be sent; the coordinator waits for
    /// what follows.
    ///
    /// - Returns: whether it was sent.
    @discardableResult
    func tellPart(_ content: Outcome.Content, of job: Job) -> Bool {
        if isClogged(job.partition, share: 1) {
            counters.leftOut += 1
            return false
        }
        job.parts += 1
        let part = record(content, of: job, part: job.parts)
        guard fits(part, of: job) else { return false }
        counters.produced.add(content.eventType(of: configuration.phase), in: configuration.topics.outcomes)
        outbound.send(part, token: 0)
        return true
    }

    /// Whether a coordinator reads the outcome. A larger one would become a dead letter, or be refused by the log.
    private func fits(_ record: Record, of job: Job) -> Bool {
        guard let bytes = record.value?.count, bytes > JSONLimits.outcome.maximumBytes else { return true }
        counters.oversized += 1
        logger.error(
            "a handler reported more than fits into an outcome",
            metadata: job.metadata.merging(["bytes": "\(bytes)", "limit": "\(JSONLimits.outcome.maximumBytes)"]) { $1 })
        return false
    }

    /// The record of what a job reports.
    ///
    /// - Parameter part: counts from 1 what is reported before the outcome; 0 for the outcome.
    func record(_ content: Outcome.Content, of job: Job, part: Int = 0, policy: IntentPolicy? = nil) -> Record {
        let outcome = Outcome(
            request: job.item.address.request, step: job.item.address.step, phase: job.item.address.phase,
            content: content, ticket: job.item.ticket, claim: job.claim, policy: policy)
        return encoder.record(
            outcome, session: job.session, topics: configuration.topics, partition: job.partition, part: part,
            trace: job.trace, at: clock())
    }

    func finish(_ job: Job) {
        queue.remove(job)
        if job.outcome != nil { partitions.acknowledged(job.partition) }
        finish(job.partition, job.offset)
        queue.leaveLane(job)
    }

    func acknowledged(_ delivery: Delivery) throws(LogError) {
        outbound.delivered(delivery)
        if let error = delivery.error {
            if unreadable.letters[delivery.token] != nil { return try deadLetterRefused(delivery.token, error) }
            guard error.disposition == .retry else {
                throw LogError(
                    error.code, "a record for \(delivery.topic) could not be written: \(error.message)",
                    disposition: .fatal)
            }
            // Another try may write it. Progress is left out.
            if let job = queue.jobs[delivery.token], let outcome = job.outcome { outbound.send(outcome, token: job.id) }
            return
        }
        if let job = queue.jobs[delivery.token] { return finish(job) }
        buried(delivery.token)
    }

    private func take(_ cancel: WorkCancel, _ session: Identifier, _ record: ConsumedRecord) {
        if !ahead.reached(cancel, session: session, offset: record.offset) { counters.cancels += 1 }
        self.cancel(cancel, session: session)
    }

    /// A cancel overtakes the work that it is about.
    func cancel(_ cancel: WorkCancel, session: Identifier) {
        stopUpdates(cancel, session: session)
        for job in queue.jobs(of: session)
        where job.item.request == cancel.request && job.item.step <= cancel.step {  // rule: cancelsStopWork
            self.cancel(job, cancel)
            if job.waitsForPermit {
                permits.change(job, to: .used)
                report(job, .cancelled)
            } else if !job.isBegun, job.isFirst, !hasSlot {  // rule: cancelledWorkIsNotBegun
                // The coordinator waits for that, and not until there is a slot.
                queue.begin(job)
                report(job, .cancelled)
            }
        }
    }

    private func cancel(_ job: Job, _ cancel: WorkCancel) {
        shortenLimit(job, cancel)
        if !job.isCancelled { job.cancelled = .byCoordinator }
        job.cancellation.cancel(cancel.reason ?? .person, until: cancel.deadline?.milliseconds)
        job.task?.cancel()
    }
}

extension IntentFailure {
    /// What is reported instead of an outcome that is too large. It is not retried: the handler has done what it does.
    fileprivate static func tooLarge(_ record: Record, _ content: Outcome.Content) -> IntentFailure {
        IntentFailure(
            .failure(.failure), reason: .complex,
            message:
                "the handler \(content.isSuccess ? "has succeeded, but its response" : "reported an outcome that") has \(record.value?.count ?? 0) bytes, and an outcome may have \(JSONLimits.outcome.maximumBytes): return identifiers, and let the app fetch the rest"
        )
    }
}

extension Outcome.Content {
    /// The handler was not able to do it, or was cancelled.
    var isFailure: Bool {
        if case .finished(.failed) = self { true } else { false }
    }

    /// It may have been done: to report it as cancelled would be a guess.
    fileprivate var isUnknown: Bool {
        if case .finished(.failed(let failure)) = self { failure.reason == .outcomeUnknown } else { false }
    }
}
