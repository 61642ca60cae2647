import DequeModule
import IntentModel
import RecordLog

/// The jobs of a worker in their lanes. The jobs of a session are worked on one after the other, those of different sessions at the same time.
struct WorkQueue {
    private(set) var jobs: [UInt64: Job] = [:]
    private var lanes: [Identifier: Lane] = [:]
    /// The jobs that are first in their lanes. They are begun after the whole batch is read, and when there is a slot.
    private var unstarted = Deque<Job>()
    /// The number of jobs that were not begun, first in their lanes or not.
    private(set) var waiting = 0
    /// The number of jobs whose outcomes are sent and not acknowledged.
    private(set) var reported = 0
    private var lastToken: UInt64 = 0

    /// A number for a job or a dead letter, which the delivery of its record carries.
    mutating func nextToken() -> UInt64 {
        lastToken += 1
        return lastToken
    }

    /// The jobs of a session, in order.
    func jobs(of session: Identifier) -> Deque<Job> { lanes[session]?.jobs ?? [] }

    mutating func append(_ job: Job) {
        jobs[job.id] = job
        waiting += 1
        // Through a change of its entry, which adds a lane with one look-up.
        func lane(_ lane: inout Lane) -> Lane { lane }
        lane(&lanes[job.session, default: Lane()]).append(job)
        if job.isFirst { unstarted.append(job) }  // rule: sessionsHaveOneHandler
    }

    /// Removes the next job that may be begun.
    mutating func popNext() -> Job? {
        while let job = unstarted.popFirst() { if job.isNext { return job } }
        return nil
    }

    /// The job takes a slot.
    mutating func begin(_ job: Job) {
        if job.isBegun { return }
        job.isBegun = true
        waiting -= 1
    }

    /// The job's outcome is sent, and the next job of its session may begin.
    ///
    /// - Returns: Whether it is the first outcome of the job.
    mutating func report(_ job: Job, _ outcome: Record) -> Bool {
        let isFirst = job.outcome == nil
        if isFirst { reported += 1 }
        job.outcome = outcome
        return isFirst
    }

    mutating func remove(_ job: Job) {
        jobs[job.id] = nil
        if job.outcome != nil { reported -= 1 }
    }

    /// The next job of the session may begin.
    mutating func leaveLane(_ job: Job) {
        guard let lane = job.lane, job.isFirst else { return }
        lane.removeFirst()
        if let next = lane.jobs.first { unstarted.append(next) } else { lanes[job.session] = nil }
    }

    /// Removes the jobs behind a job of the same lane.
    mutating func removeJobs(behind job: Job) -> [Job] {
        guard let lane = job.lane, lane.jobs.count > 1 else { return [] }
        let removed = Array(lane.jobs.dropFirst())
        for job in removed { drop(job) }
        lane.removeAll { $0 !== job }
        return removed
    }

    /// Removes the jobs whose handlers do not run.
    mutating func removeIdle() {
        for lane in lanes.values { for job in lane.jobs where job.task == nil { drop(job) } }
        lanes = lanes.filter { _, lane in
            lane.removeAll { $0.task == nil }
            return !lane.jobs.isEmpty
        }
    }

    private mutating func drop(_ job: Job) {
        jobs[job.id] = nil
        if !job.isBegun { waiting -= 1 }
    }
}
