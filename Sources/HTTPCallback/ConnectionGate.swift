import Synchronization

/// Counts the open connections of a server.
final class ConnectionGate: Sendable {
    private struct State {
        var all = 0
        var byAddress: [String: Int] = [:]
    }

    private let limits: CallbackLimits
    private let state = Mutex(State())

    init(_ limits: CallbackLimits) { self.limits = limits }

    /// - Returns: Whether there is room for one more from this address; then ``leave(_:)`` has to follow.
    func enter(_ address: String) -> Bool {
        state.withLock { state in
            let own = state.byAddress[address, default: 0]
            guard state.all < limits.connections, own < limits.connectionsPerAddress else { return false }
            state.all += 1
            state.byAddress[address] = own + 1
            return true
        }
    }

    func leave(_ address: String) {
        state.withLock { state in
            state.all -= 1
            let left = state.byAddress[address, default: 1] - 1
            state.byAddress[address] = left == 0 ? nil : left
        }
    }

    /// A connection too many.
    struct Full: Error {}
}
