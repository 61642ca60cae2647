import Foundation

/// Starts processes, all from one thread of its own: none inherits another's pipes, and `Process.run()` never meets a thread that Dispatch has lent and
/// takes back, whose run loop may be gone.
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

    /// Does it soon, after what waits.
    func start(_ body: @escaping @Sendable () -> Void) {
        condition.lock()
        waiting.append(body)
        condition.signal()
        condition.unlock()
    }
}
