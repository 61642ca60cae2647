import Synchronization

/// Runs tasks only when ``run()`` is called, one after the other on the caller's thread, so that handlers run in a
/// deterministic order.
package final class StepExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        jobs.withLock { $0.append(unowned) }
    }

    /// Runs all waiting jobs, and the jobs that they enqueue, in order.
    ///
    /// - Returns: `true` if there was a job to run.
    @discardableResult
    package func run() -> Bool {
        var ran = false
        while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            ran = true
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
        return ran
    }
}
