import NIOCore
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Limits the number of open connections of a server.
final class ConnectionGate: Sendable {
    private struct State {
        var all = 0
        var byAddress: [String: Int] = [:]
    }

    private let limits: CallbackLimits
    private let state = Mutex(State())

    init(_ limits: CallbackLimits) { self.limits = limits }

    /// Returns the key under which connections are counted: an IPv4 address, or the first 64 bits of an IPv6 address,
    /// because one client has all addresses that begin with these bits.
    static func client(at address: SocketAddress?) -> String {
        let text = address?.ipAddress ?? ""
        var six = in6_addr()
        // On a dual-stack socket, IPv4 addresses have the prefix `::ffff:`.
        if text.hasPrefix("::ffff:") || inet_pton(AF_INET6, String(text.prefix { $0 != "%" }), &six) != 1 {
            return text
        }
        return withUnsafeBytes(of: six) { "\(Array($0.prefix(8)))" }
    }

    /// Counts a connection from this address if the limits allow it.
    ///
    /// - Returns: `true` if the connection was counted; then ``release(_:)`` must follow.
    func admit(_ address: String) -> Bool {
        state.withLock { state in
            let own = state.byAddress[address, default: 0]
            guard state.all < limits.connections, own < limits.connectionsPerAddress else { return false }
            state.all += 1
            state.byAddress[address] = own + 1
            return true
        }
    }

    func release(_ address: String) {
        state.withLock { state in
            state.all -= 1
            let left = state.byAddress[address, default: 1] - 1
            state.byAddress[address] = left == 0 ? nil : left
        }
    }

    /// An error for a connection beyond the limits.
    struct Full: Error {}
}
