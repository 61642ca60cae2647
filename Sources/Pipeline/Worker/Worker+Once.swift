import Conversation
import DequeModule
import IntentEvents
import IntentModel
import Logging
import RecordLog

// Handlers that may be called once.
//
// Before such a handler is called, the worker asks the coordinator with a unique claim. The coordinator journals the first claim of a step and permits it.
// Copies of the work, other workers and this one after a crash have other claims. Then the record is committed as done, so that no other worker gets it
// with the partition. Only after that commit the handler is called. A worker that was permitted and can't call reports that, and the phase is tried again.
extension Worker {
    func needsPermit(_ item: WorkItem) -> Bool {
        configuration.phase == .handle
            && (item.effect == .atMostOnce || handlers.policies(item.address.intent.text)?.effect == .atMostOnce)
    }

    /// Permits come on the topic of the work: if what waits for one counted as being worked on, a worker that has taken all it may would pause the
    /// partitions that the permits come in.
    var isFull: Bool { takenSlots + queue.waiting >= configuration.maximumInFlight + configuration.maximumWaiting }

    /// Whether one more job may be begun.
    var hasSlot: Bool { takenSlots < configuration.maximumInFlight }

    /// Whether enough is done to read on after a pause.
    var hasRoom: Bool {
        let (slots, waiting) = (configuration.maximumInFlight, configuration.maximumWaiting)
        return takenSlots + queue.waiting <= slots + waiting - max((slots + 1) / 2, waiting / 4)
    }

    /// Outcomes and dead letters of a partition that the log has not taken, from which on the partition is read no further.
    static let maximumUnacknowledged = 1_024

    /// Whether more of a partition waits for the log than that part of its share: outcomes and dead letters, or bytes of outcomes.
    func isClogged(_ partition: Int32, share: Int) -> Bool {
        if partitions.unacknowledged[partition] ?? 0 >= Self.maximumUnacknowledged / share { return true }
        let most = configuration.maximumUnsentBytes / max(1, partitions.trackers.count) / share
        // Most of the time there are so few of all partitions that none has to be looked at.
        return outbound.bytes >= most
            && outbound.bytes(of: TopicPartition(configuration.topics.outcomes, partition)) >= most
    }

    /// Jobs that were begun and not reported, and handlers beyond those that may go on without a slot.
    var takenSlots: Int {
        queue.jobs.count - queue.reported - queue.waiting - permits.waiting
            + max(0, detached.abandoned.count - configuration.maximumAbandoned)
    }

    private func set(_ permit: Job.Permit, of job: Job) { permits.change(job, to: permit) }

    /// Asks whether a handler may be called.
    ///
    /// A copy of work that was asked for is finished with it. Work that the coordinator no longer waits for, since there is newer work of the session, is
    /// not asked for: there would be no permit, and the newer work would wait for it. If too many jobs already wait for a permit, the work is released.
    func ask(_ job: Job) {
        if permits.wasAsked(job) {
            counters.copies += 1
            set(.used, of: job)
            return finish(job)
        }
        let isOld = job.lane?.jobs.contains { $0.item.isLater(than: job.item) } == true
        guard !isOld, permits.waiting < configuration.maximumInFlight else {
            set(.used, of: job)
            return report(job, Self.notBegun(retryAfter: isOld ? .zero : Self.busyDelay))
        }
        dropCopies(behind: job)
        let claim = permits.claim(job)
        set(.asked(claim: claim), of: job)
        job.claim = claim
        if permits.nextCheck == nil { permits.nextCheck = clock().advanced(by: .seconds(1)) }
        tell(.starting(claim: claim), of: job)
    }

    /// Whether it is work that was begun here once, or that the coordinator no longer waits for since it waits for a later step, for which a permit was asked.
    func isCopy(_ item: WorkItem, session: Identifier) -> Bool {
        guard item.address.phase == .handle else { return false }
        if permits.wasAsked(item, session: session) { return true }
        guard permits.waiting > 0, let waiting = queue.jobs(of: session).first, waiting.waitsForPermit else {
            return false
        }
        return waiting.item.request == item.request && !item.isLater(than: waiting.item)
    }

    /// Finishes what came with the work in one batch and is a copy of it, or is of an earlier step. In its lane it would take a slot, and the partition could be
    /// paused for that, in which the permit comes.
    private func dropCopies(behind job: Job) {
        for copy in queue.removeJobs(behind: job) {  // rule: copiesUseNoSlot
            counters.copies += 1
            finish(copy.partition, copy.offset)
        }
    }

    /// The coordinator has permitted a claim. It may be one of another worker, or of a job that is gone.
    func permitted(_ permit: WorkPermit, session: Identifier) {
        guard let claim = permit.claim,
            let job = queue.jobs(of: session).first(where: { $0.permit == .asked(claim: claim) })
        else {
            return
        }
        set(.committing, of: job)
        partitions.finish(job.partition, job.offset)  // rule: onceOnlyWorkIsCommittedFirst
        permits.commitFirst(job)
        membership.isDirty = true
        membership.nextCommit = clock()
    }

    /// A commit has ended: handlers permitted before it are called, or their work is released.
    func committed(_ error: LogError?) {
        for job in permits.takeCommitted() where job.permit == .committing && queue.jobs[job.id] === job {
            // A note that is cut leaves out finished work, and another worker would get it with the partition.
            if error == nil, isNoted(job), !isLate(job, at: readAt) {  // rule: failedCommitsPermitNothing
                start(job)
            } else {
                set(.used, of: job)
                report(job, Self.notBegun(retryAfter: Self.busyDelay))
            }
        }
    }

    private func isNoted(_ job: Job) -> Bool {
        partitions.trackers[job.partition]?.hasCommitted(job.offset) != false
    }

    /// Newer work of a session says that the coordinator no longer waits for what is waiting here.
    func makeWay(for item: WorkItem, session: Identifier) {
        guard permits.waiting > 0, let waiting = queue.jobs(of: session).first, case .asked = waiting.permit,
            item.isLater(than: waiting.item)
        else { return }
        set(.used, of: waiting)
        report(waiting, Self.notBegun())
    }

    /// A claim that came too late gets no permit. Its work is over at its deadline, and must not hold the partition's position back. A permit that is under way is told of by the claim.
    func expireClaims() {
        guard let check = permits.nextCheck, check <= clock() else { return }
        let now = clock()
        let asking = queue.jobs.values.filter { if case .asked = $0.permit { true } else { false } }
        for job in asking.sorted(by: { $0.id < $1.id }) where isLate(job, at: now) {
            giveBackLate(job)
        }
        permits.nextCheck = asking.isEmpty ? nil : now.advanced(by: .seconds(1))
    }

    /// The partitions go to another worker: handlers that were not called yet are not called by this one.
    func releasePermits() {
        for job in queue.jobs.values.sorted(by: { $0.id < $1.id }) where job.waitsForPermit {
            // Its record is not done. If it comes back before the log has the outcome, it is no copy: a crash would lose both.
            if case .asked = job.permit { permits.forget(job) }
            set(.used, of: job)
            tell(Self.notBegun(), of: job)
        }
        permits.forget()
    }

    /// The process ends. Handlers that may be called once and are still running are reported as unknown.
    func leaveUnknown() throws(LogError) {
        for job in queue.jobs.values.sorted(by: { $0.id < $1.id }) where job.task != nil && needsPermit(job.item) {
            let message = "the process ended while the handler was at it: whether it has happened is not known"
            tell(
                .finished(.failed(IntentFailure(.failure(.failure), reason: .outcomeUnknown, message: message))),
                of: job)
        }
        try outbound.flush(isUrgent: true)
    }

    func tell(_ content: Outcome.Content, of job: Job) {
        outbound.send(record(content, of: job), token: 0)
    }

    /// How long the coordinator waits before it tries again what this worker has no room for, or could not commit. Without a delay the work would come straight
    /// back, and be given back again.
    static let busyDelay = Duration.seconds(1)

    /// The outcome of work whose handler was not called.
    static func notBegun(retryAfter delay: Duration = .zero) -> Outcome.Content {
        .finished(
            .failed(
                IntentFailure(.retry(after: delay), reason: .busy, message: notBegunMessage)))
    }

    package static let notBegunMessage = "the worker had to give the work back before it called the handler"
}

extension WorkItem {
    /// Whether the coordinator no longer waits for the other work of the session, if it sends this after it. A step has another ticket only if its session was
    /// forgotten and opened again, or was restored.
    fileprivate func isLater(than other: WorkItem) -> Bool {
        request != other.request || step > other.step || step == other.step && ticket != other.ticket
    }
}

extension Instant {
    static var distant: Instant { Instant(milliseconds: .max) }
}
