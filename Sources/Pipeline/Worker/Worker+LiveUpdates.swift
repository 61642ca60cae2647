import Conversation
import DequeModule
import IntentEvents
import IntentModel
import Logging
import RecordLog

// Handlers that send live updates. They run beside the lanes, possibly for hours, and their records count as done at once: if this process dies,
// the coordinator notices the silence.
extension Worker {
    func startUpdates(_ item: WorkItem, _ times: WorkTimes, session: Identifier, _ record: ConsumedRecord) {
        let key = Session.key(session: session, request: item.request)
        if let running = detached.updating[key], running.item.step >= item.step { return }
        forget(key, .ended)
        let job = Job(id: queue.nextToken(), session, item, times, record)
        guard detached.updating.count < configuration.maximumInFlight,
            detached.abandoned.count < configuration.maximumAbandoned
        else {
            return tell(Self.notBegun(retryAfter: Self.busyDelay), of: job)
        }
        job.isUpdating = true
        detached.beginUpdates(job, key)
        counters.started += 1
        let id = job.id
        run(job, invocation(of: job, isUpdating: true)) { [mailbox] progress in
            if let update = progress.update { mailbox.post(.updated(job: id, update)) }
        }
    }

    func tellUpdate(_ id: UInt64, _ content: Outcome.Content) {
        if let job = detached.updating(id) { tellPart(content, of: job) }
    }

    /// The handler has returned.
    func endUpdates(_ id: UInt64, _ content: Outcome.Content) {
        guard let job = detached.endUpdates(id) else { return }
        job.parts += 1
        outbound.send(
            ending(content.isSuccess ? .updatesEnded(.completed) : content, of: job, part: job.parts), token: 0)
    }

    /// A cancel of the step that is running, or of a later one.
    func stopUpdates(_ cancel: WorkCancel, session: Identifier) {
        let key = Session.key(session: session, request: cancel.request)
        guard let job = detached.updating[key], job.item.step <= cancel.step else { return }
        forget(key, cancel.reason ?? .person)
    }

    /// The partitions have gone to another worker, and so do the updates.
    func releaseUpdates(where isGone: (Int32) -> Bool) {
        for (key, job) in detached.updating.sorted(by: { $0.value.id < $1.value.id }) where isGone(job.partition) {
            tell(Self.notBegun(), of: job)
            forget(key, .shutdown)
        }
    }

    /// Cancels a handler. It holds nothing up, so it is not waited for.
    private func forget(_ key: Identifier, _ reason: CancellationReason) {
        guard let job = detached.endUpdates(key) else { return }
        job.cancellation.cancel(reason)
        job.task?.cancel()
        leave(job)
    }
}
