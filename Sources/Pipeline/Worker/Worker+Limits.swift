import Conversation
import IntentModel
import Logging
import RecordLog

// Handlers that take too long.
//
// The coordinator stops waiting at the deadline of the work, after progress for as long as the policy says, and after a cancel when the time to clean up is
// over. Some seconds later the worker cancels a handler that still runs, and some seconds after that it abandons it: no handler holds a slot, a lane or an
// offset for ever. An abandoned handler can't be ended. It goes on without them, and if it succeeds after all, that is reported as a late outcome.
// Handlers that may be called once were committed before their call, so they are abandoned like all others and not called again.
extension Worker {
    /// Limits are looked at once a second, because reading them all at each step would cost more than such precision is worth.
    private static let checkInterval = Duration.seconds(1)

    /// Whether the coordinator no longer waits for the work, if their clocks agree.
    func isLate(_ job: Job, at now: Instant) -> Bool { job.times.deadline.map { $0 <= now } ?? false }

    /// The coordinator has already told the person, so nothing may happen after that. If it still waits, since its clock is another one, it tries the phase again.
    func giveBackLate(_ job: Job) {
        counters.expired += 1
        limits.late.note()
        permits.change(job, to: .used)
        report(job, Self.notBegun(retryAfter: Self.busyDelay))
    }

    func reportLateWork() {
        guard let count = limits.late.report(at: readAt) else { return }
        logger.warning(
            "work came after its time limit and was given back: start more workers if the group lags, or compare the clocks with 'intents doctor'",
            metadata: ["topic": "\(configuration.topic)", "items": "\(count)"])
    }

    /// A handler is about to be called.
    func setLimit(_ job: Job) {
        guard let deadline = job.times.deadline else { return }
        limit(job, to: deadline.advanced(by: configuration.deadlineGrace))
    }

    /// The coordinator waits longer, because the handler has reported progress.
    ///
    /// It ignores reports without news. A handler that repeats those is cancelled by the coordinator.
    func extendLimit(_ job: Job) {
        guard configuration.phase == .handle, job.limit != nil, !job.isCancelled else { return }
        let timeout =
            job.item.inProgressTimeout ?? handlers.policies(job.item.intent.text)?.inProgressTimeout
            ?? SessionPolicy().inProgressTimeout
        let end = min(clock().advanced(by: timeout), job.times.requestDeadline ?? .distant)
        limit(job, to: end.advanced(by: configuration.deadlineGrace))
    }

    /// The coordinator cancels the job. A repeated cancel gives no more time.
    func shortenLimit(_ job: Job, _ cancel: WorkCancel) {
        guard job.task != nil else { return }
        let now = clock()
        let end = max(now, cancel.deadline ?? now).advanced(by: configuration.abandonGrace)
        limit(job, to: job.isCancelled ? min(end, job.limit ?? end) : end)
    }

    private func limit(_ job: Job, to limit: Instant) {
        job.limit = limit
        if limits.nextCheck == nil { limits.nextCheck = clock().advanced(by: Self.checkInterval) }
    }

    /// Cancels and abandons handlers that have reached their limits.
    ///
    /// - Returns: whether there were any.
    /// - Throws: an error if all slots are taken by abandoned handlers.
    func enforceLimits() throws(LogError) -> Bool {
        guard let check = limits.nextCheck else { return false }  // rule: handlersHaveALimit
        let now = clock()
        guard check <= now else { return false }
        var hasLimits = false
        var due: [Job] = []
        for job in queue.jobs.values where job.task != nil {
            guard let limit = job.limit else { continue }
            hasLimits = true
            if limit <= now { due.append(job) }
        }
        for job in detached.abandoned.values {
            guard let limit = job.limit else { continue }
            hasLimits = true
            if limit <= now { due.append(job) }
        }
        for job in due.sorted(by: { $0.id < $1.id }) {
            if queue.jobs[job.id] == nil {
                countAbandoned(job)
            } else if job.isCancelled {
                try abandon(job)
            } else {
                overdue(job, now)
            }
        }
        limits.nextCheck = hasLimits ? now.advanced(by: Self.checkInterval) : nil
        return !due.isEmpty
    }

    private func overdue(_ job: Job, _ now: Instant) {
        counters.overdue += 1
        job.cancelled = .overdue
        limit(job, to: now.advanced(by: configuration.abandonGrace))
        job.cancellation.cancel(job.times.requestDeadline.map { $0 <= now } == true ? .deadline : .timeout)
        job.task?.cancel()
    }

    private func abandon(_ job: Job) throws(LogError) {
        detached.abandon(job)
        countAbandoned(job)
        finish(job)
        guard detached.abandoned.count >= configuration.maximumAbandoned + configuration.maximumInFlight else { return }
        throw LogError(
            .other,
            "\(detached.abandoned.count) handlers do not return although they were cancelled, and leave no slot for other work: the process has to be restarted",
            disposition: .fatal)
    }

    private func countAbandoned(_ job: Job) {
        counters.abandoned += 1
        job.limit = nil
        logger.error(
            "a handler does not return although it was cancelled, and is abandoned; it should end when its task is cancelled",
            metadata: job.metadata)
    }

    /// A cancelled handler that holds nothing up is not waited for.
    func leave(_ job: Job) {
        detached.abandon(job)
        limit(job, to: clock().advanced(by: configuration.abandonGrace))
    }

    /// A handler that was not waited for has returned. The coordinator reports its success as a late outcome, and ignores what it has no use for.
    func endAbandoned(_ id: UInt64, _ content: Outcome.Content) {
        guard let job = detached.endAbandoned(id), !job.isUpdating, !content.isFailure else { return }
        outbound.send(ending(content, of: job), token: 0)
    }
}
