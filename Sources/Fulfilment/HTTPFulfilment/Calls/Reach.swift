/// The kind of a host, which decides to which addresses a connection may lead.
enum Reach: Int, Sendable, Hashable, CaseIterable {
    /// The host is this machine: `localhost`, 127.0.0.0/8 or ::1. Such a host is never called through a proxy, because
    /// the name would lead to the proxy itself.
    case thisMachine
    /// The host is another address.
    case address
    /// The host is a name, which may resolve to anything.
    case name

    init(_ host: String) {
        self = AllowedHosts.isLoopback(host) ? .thisMachine : IPAddress(host) == nil ? .name : .address
    }
}
