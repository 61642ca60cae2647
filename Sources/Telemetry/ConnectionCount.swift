import Synchronization

/// How many connections are open. May be used from any thread.
final class ConnectionCount: Sendable {
    private let maximum: Int
    private let open = Atomic<Int>(0)

    init(maximum: Int) { self.maximum = maximum }

    /// - Returns: whether there is room for one more.
    func enter() -> Bool {
        if open.wrappingAdd(1, ordering: .relaxed).newValue <= maximum { return true }
        leave()
        return false
    }

    func leave() { open.wrappingSubtract(1, ordering: .relaxed) }
}
