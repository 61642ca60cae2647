/// What is known, before there is a connection, of the address that a host leads to.
enum Reach: Int, Sendable, Hashable, CaseIterable {
    /// The host is this machine: `localhost`, 127.0.0.0/8 or ::1. It is never called through a proxy, which would take it for itself.
    case thisMachine
    /// The host is another address.
    case address
    /// The host is a name, which may resolve to anything.
    case name

    init(_ host: String) {
        self = AllowedHosts.isLoopback(host) ? .thisMachine : IPAddress(host) == nil ? .name : .address
    }
}
