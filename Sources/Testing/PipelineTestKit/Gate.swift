import Synchronization

/// A gate at which a handler under test waits until the test opens the gate or the handler's task is cancelled. A
/// ``TestPipeline`` that has the gate does not wait for a handler that waits at the gate.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var next = 0
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
    }

    private let state = Mutex(State())

    public init() {}

    /// The number of handlers that wait at this gate.
    public var count: Int { state.withLock { $0.waiting.count } }

    /// Waits until the gate is open.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func pass() async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let result: Result<Void, any Error>? = state.withLock { state in
                    if state.isOpen { return .success(()) }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    state.waiting[number] = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            release { $0 == number }.forEach { $0.resume(throwing: CancellationError()) }
        }
    }

    /// Lets all waiting handlers continue, and later handlers pass without waiting.
    public func open() {
        state.withLock { $0.isOpen = true }
        release { _ in true }.forEach { $0.resume() }
    }

    /// Lets all waiting handlers continue. Later handlers wait.
    public func letThrough() { release { _ in true }.forEach { $0.resume() } }

    private func release(_ isMeant: (Int) -> Bool) -> [CheckedContinuation<Void, any Error>] {
        state.withLock { state in
            let released = state.waiting.filter { isMeant($0.key) }
            for number in released.keys { state.waiting[number] = nil }
            return Array(released.values)
        }
    }
}
