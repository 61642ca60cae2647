import Synchronization

/// Runs tasks only when it is told to, one after the other on the caller's thread: so handlers take their turn like everything else in a history.
final class StepExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        jobs.withLock { $0.append(unowned) }
    }

    /// Runs what waits, and what that brings about, in the order in which it came.
    ///
    /// - Returns: whether there was something to run.
    @discardableResult
    func run() -> Bool {
        var ran = false
        while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            ran = true
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
        return ran
    }
}
