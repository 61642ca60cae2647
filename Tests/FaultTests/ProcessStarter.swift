import Foundation

/// Starts all processes from one thread. No process inherits another's pipes, and `Process.run()` never runs on a
/// Dispatch thread, whose run loop may be gone.
final class ProcessStarter: @unchecked Sendable {
    static let shared = ProcessStarter()

    private let condition = NSCondition()
    private var waiting: [@Sendable () -> Void] = []

    private init() {
        let thread = Thread { [self] in
            while true {
                condition.lock()
                while waiting.isEmpty { condition.wait() }
                let next = waiting.removeFirst()
                condition.unlock()
                next()
            }
        }
        thread.name = "process starter"
        thread.start()
    }

    /// Runs a function on the thread, after the functions that wait.
    func start(_ body: @escaping @Sendable () -> Void) {
        condition.lock()
        waiting.append(body)
        condition.signal()
        condition.unlock()
    }
}
