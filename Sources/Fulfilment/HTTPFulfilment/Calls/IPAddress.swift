#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An IPv4 or IPv6 address in one form: `::ffff:10.0.0.1` is 10.0.0.1.
struct IPAddress: Sendable, Hashable {
    /// The four or sixteen bytes of the address.
    let bytes: [UInt8]

    /// - Parameter text: An address as a system prints it, also with a zone such as `fe80::1%eth0`. Other spellings of
    ///   IPv4 addresses, which DNS resolvers accept, are not addresses here.
    init?(_ text: some StringProtocol) {
        let text = String(text.prefix { $0 != "%" })
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(bytes: withUnsafeBytes(of: four) { Array($0) })
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            self.init(bytes: withUnsafeBytes(of: six) { Array($0) })
        } else {
            return nil
        }
    }

    private init(bytes: [UInt8]) {
        let isMapped =
            bytes.count == 16 && bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        self.bytes = isMapped ? Array(bytes.suffix(4)) : bytes
    }

    /// The IPv4 address behind a NAT64 address (RFC 6052); `nil` for any other address.
    var behindNAT64: IPAddress? { IPNetwork.nat64.contains(self) ? IPAddress(bytes: Array(bytes.suffix(4))) : nil }
}
