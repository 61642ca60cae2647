import Foundation
import RecordLog
import Synchronization

/// A thread that repeats a step until ``end()`` is called or a step fails.
final class LoopThread: @unchecked Sendable {
    private let state = Mutex<(isEnding: Bool, failure: String?)>((false, nil))
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameter client: A client of the steps, which is closed after the last one.
    init(_ name: String, _ client: (any LogClient)? = nil, step: @escaping @Sendable () throws -> Void) {
        let thread = Thread { [self] in
            do {
                while !state.withLock({ $0.isEnding }) { try step() }
                try client?.close(timeout: .seconds(10))
            } catch {
                state.withLock { $0.failure = "\(error)" }
            }
            ended.signal()
        }
        thread.name = name
        thread.start()
    }

    /// The error that stopped the thread.
    var failure: String? { state.withLock { $0.failure } }

    func end() {
        state.withLock { $0.isEnding = true }
        ended.wait()
    }
}

/// Waits for a condition, which is checked periodically.
func eventually(_ what: String, within limit: Duration = .seconds(90), _ condition: () throws -> Bool) async throws {
    let deadline = ContinuousClock.now.advanced(by: limit)
    while try !condition() {
        guard ContinuousClock.now < deadline else { throw Broken("not within \(limit): \(what)") }
        try await ContinuousClock().sleep(for: .milliseconds(10))
    }
}

/// Maintains a fault for this long. No requirement depends on this wait.
func hold(_ duration: Duration) async throws { try await ContinuousClock().sleep(for: duration) }

/// The error that a requirement is not met, or not in time.
struct Broken: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}

/// Starts all processes from one thread. No process inherits another's pipes, and `Process.run()` never runs on a
/// Dispatch thread, whose run loop may be gone.
final class ProcessStarter: @unchecked Sendable {
    static let shared = ProcessStarter()

    private let waiting = Mutex<[@Sendable () -> Void]>([])
    private let count = DispatchSemaphore(value: 0)
    private var loop: LoopThread?

    private init() {
        loop = LoopThread("process starter") { [self] in
            count.wait()
            let next = waiting.withLock { $0.removeFirst() }
            next()
        }
    }

    /// Runs a function on the thread, after the functions that wait.
    func start(_ body: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.append(body) }
        count.signal()
    }
}
