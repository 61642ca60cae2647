import Conversation
import DequeModule
import IntentModel
import Logging
import RecordLog
import Tracing

/// A work item that the worker is working on.
final class Job {
    let id: UInt64
    let session: Identifier
    let item: WorkItem
    let times: WorkTimes
    let partition: Int32
    let offset: Int64
    /// Where it waits or runs, until its outcome is sent. The worker keeps a lane as long as it has jobs.
    unowned var lane: Lane?
    /// Whether it has a slot. It keeps it until its outcome is sent.
    var isBegun = false
    /// Its outcome, which is sent and which the log has not taken.
    var outcome: Record?
    /// Running, if there is one.
    var task: Task<Void, Never>?
    /// When the handler was called; `nil` if it was not, or without metrics.
    var began: Instant?
    /// The span of the call, while it runs; `nil` if it is not traced.
    var span: (any Span)?
    /// The trace context of what is reported.
    var trace: TraceContext?
    /// Tells the running handler that it is cancelled, and why.
    let cancellation = IntentCancellation()
    /// The cause for which the handler has to stop, or the work is not begun; `nil` if there is none.
    var cancelled: Cancelled?
    var isCancelled: Bool { cancelled != nil }
    /// When the worker cancels the running handler or, if it is cancelled, abandons it. `nil` if it has no limit.
    var limit: Instant?
    /// Whether it reports live updates.
    var isUpdating = false
    /// How far a handler that may be called once is permitted. Changed by ``Permits/change(_:to:)``.
    var permit = Permit.notAsked
    /// The claim that it has asked for a permit with.
    var claim: String?
    /// How many progress reports were sent.
    var parts = 0

    enum Cancelled {
        case byCoordinator
        /// The worker, at the job's limit. The coordinator no longer waits for it then, so only a success is reported.
        case overdue
    }

    enum Permit: Equatable {
        case notAsked
        /// The coordinator was asked.
        case asked(claim: String)
        /// It may be called once its record is committed as done.
        case committing
        /// It is called.
        case used
    }

    /// Whether it has asked for a permit, and its handler was not called yet.
    var waitsForPermit: Bool {
        switch permit {
        case .asked, .committing: true
        case .notAsked, .used: false
        }
    }

    init(id: UInt64, _ session: Identifier, _ item: WorkItem, _ times: WorkTimes, _ record: ConsumedRecord) {
        self.id = id
        self.session = session
        self.item = item
        self.times = times
        partition = record.partition
        offset = record.offset
        trace = item.address.trace
    }
}

extension Job {
    /// Whether it is the one of its session to be done now, and was not begun.
    var isNext: Bool { task == nil && permit == .notAsked && isFirst }  // rule: sessionsHaveOneHandler

    /// What a log line says of it.
    var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [
            "session": "\(session)", "request": "\(item.request)", "intent": "\(item.intent)",
        ]
        if let span = trace.flatMap({ SpanContext($0) }) { metadata["trace_id"] = "\(span.traceID)" }
        return metadata
    }

    /// Whether it is the first of its session's.
    var isFirst: Bool { lane?.jobs.first === self }
}

/// The jobs of one session: the first is running, the others wait.
final class Lane {
    private(set) var jobs = Deque<Job>()

    func append(_ job: Job) {
        jobs.append(job)
        job.lane = self
    }

    func removeFirst() { jobs.removeFirst().lane = nil }

    func removeAll(where isRemoved: (Job) -> Bool) {
        for job in jobs where isRemoved(job) { job.lane = nil }
        jobs.removeAll { $0.lane == nil }
    }
}
