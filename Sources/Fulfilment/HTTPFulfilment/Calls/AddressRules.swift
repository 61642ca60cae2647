/// The addresses to which a host's name may lead.
///
/// Names are checked when they are configured, and addresses when a connection exists. An earlier resolution of the
/// name does not count, so a name server that changes its answer gains nothing.
enum AddressRules {
    /// `true` for a public address of the Internet (IANA's registries of special-purpose addresses; RFC 6890).
    static func isPublic(_ address: IPAddress) -> Bool {
        if let inner = address.behindNAT64 { return isPublic(inner) }
        if address.bytes.count == 4 { return !special4.contains { $0.contains(address) } }
        return global6.contains(address) && !special6.contains { $0.contains(address) }
    }

    static func isLoopback(_ address: IPAddress) -> Bool { loopback.contains { $0.contains(address) } }

    /// `true` for an address that may serve the credentials of a machine: link-local addresses, and the other addresses
    /// at which clouds serve metadata.
    static func isMetadata(_ address: IPAddress) -> Bool {
        metadata.contains { $0.contains(address.behindNAT64 ?? address) }
    }

    private static let loopback = [IPNetwork("127.0.0.0/8"), IPNetwork("::1/128")]

    private static let metadata = [
        IPNetwork("169.254.0.0/16"), IPNetwork("fe80::/10"),
        IPNetwork("fd00:ec2::/32"),  // AWS
        IPNetwork("fd20:ce::/64"),  // Google Cloud
        IPNetwork("100.100.100.200/32"),  // Alibaba Cloud
        IPNetwork("192.0.0.192/32"),  // Oracle Cloud
    ]

    private static let special4 = [
        IPNetwork("0.0.0.0/8"),  // this network
        IPNetwork("10.0.0.0/8"), IPNetwork("172.16.0.0/12"), IPNetwork("192.168.0.0/16"),  // private
        IPNetwork("100.64.0.0/10"),  // shared behind the NAT of a carrier
        IPNetwork("127.0.0.0/8"),  // loopback
        IPNetwork("169.254.0.0/16"),  // link-local
        IPNetwork("192.0.0.0/24"),  // protocols
        IPNetwork("192.0.2.0/24"), IPNetwork("198.51.100.0/24"), IPNetwork("203.0.113.0/24"),  // documentation
        IPNetwork("192.88.99.0/24"),  // relays of 6to4
        IPNetwork("198.18.0.0/15"),  // benchmarks
        IPNetwork("224.0.0.0/4"), IPNetwork("240.0.0.0/4"),  // multicast, reserved, broadcast
    ]

    /// The range of global addresses. All other IPv6 addresses are loopback, unspecified, unique-local, link-local,
    /// multicast, or not assigned.
    private static let global6 = IPNetwork("2000::/3")
    private static let special6 = [
        IPNetwork("2001::/23"),  // protocols, and Teredo, which embeds IPv4 addresses
        IPNetwork("2002::/16"),  // 6to4, which embeds IPv4 addresses
        IPNetwork("2001:db8::/32"), IPNetwork("3fff::/20"),  // documentation
    ]
}
