import NIOCore
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Counts the open connections of a server.
final class ConnectionGate: Sendable {
    private struct State {
        var all = 0
        var byAddress: [String: Int] = [:]
    }

    private let limits: CallbackLimits
    private let state = Mutex(State())

    init(_ limits: CallbackLimits) { self.limits = limits }

    /// What counts as one address: an IPv4 address, or the first 64 bits of an IPv6 address, because one client has all addresses that begin with these.
    static func client(at address: SocketAddress?) -> String {
        let text = address?.ipAddress ?? ""
        var six = in6_addr()
        // On a socket for both, IPv4 addresses begin with zeros.
        if text.hasPrefix("::ffff:") || inet_pton(AF_INET6, String(text.prefix { $0 != "%" }), &six) != 1 { return text }
        return withUnsafeBytes(of: six) { "\(Array($0.prefix(8)))" }
    }

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
