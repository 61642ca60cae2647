/// The hosts that fulfilments may call, as set by the operator with `--fulfilment-hosts`. It limits the URLs of definitions and of redirects.
///
/// Link-local addresses, where clouds serve instance metadata, must be listed themselves, whatever host name resolves to them.
public struct AllowedHosts: Sendable, Hashable {
    private struct Entry: Sendable, Hashable {
        var host: String
        var port: Int?
    }

    private var entries: [Entry]
    private var allowsLoopback = false

    /// Only this machine: `localhost`, 127.0.0.0/8 and ::1, on any port.
    public static let loopback: AllowedHosts = {
        var hosts = AllowedHosts(entries: [])
        hosts.allowsLoopback = true
        return hosts
    }()

    private init(entries: [Entry]) { self.entries = entries }

    /// Parses `host[:port],…`, such as `rides.example.com,10.1.2.3:8080,[::1]:8080`. An entry without a port allows any port. This machine is
    /// allowed only if it is listed.
    ///
    /// - Throws: ``HTTPFulfilmentError`` that names the entry.
    public init(_ text: String) throws(HTTPFulfilmentError) {
        entries = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let trimmed = part.trimmingSpaces
            guard let (host, port) = FulfilmentURL.hostAndPort(trimmed) else {
                throw HTTPFulfilmentError(
                    "fulfilment-hosts", "has '\(trimmed.prefix(80))', which is not a host or host:port such as rides.example.com:443")
            }
            entries.append(Entry(host: host, port: port))
        }
    }

    func allows(_ url: FulfilmentURL) -> Bool {
        if allowsLoopback, Self.isLoopback(url.host) { return true }
        return entries.contains { $0.host == url.host && ($0.port == nil || $0.port == url.port) }
    }

    /// Whether a connection to that address is allowed: see ``AllowedHosts``.
    func allows(address: String) -> Bool {
        !Self.isLinkLocal(address) || entries.contains { $0.host == address.lowercased() }
    }

    static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        guard let bytes = ipv4(host) else { return false }
        return bytes[0] == 127
    }

    /// 169.254.0.0/16, fe80::/10, and the IPv6 prefix that AWS uses.
    static func isLinkLocal(_ address: String) -> Bool {
        let address = address.lowercased().prefix { $0 != "%" }
        if let bytes = ipv4(String(address.hasPrefix("::ffff:") ? address.dropFirst(7) : address)) {
            return bytes[0] == 169 && bytes[1] == 254
        }
        if address.hasPrefix("fd00:ec2:") { return true }
        guard address.contains(":"), let first = UInt16(address.prefix { $0 != ":" }, radix: 16) else { return false }
        return first & 0xFFC0 == 0xFE80
    }

    /// Parses four decimal numbers. The other spellings that DNS resolvers accept count as names here, and names have to be listed.
    private static func ipv4(_ text: String) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { $0.count <= 3 && $0.utf8.allSatisfy({ $0 &- 0x30 < 10 }) ? UInt8($0) : nil }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return text
    }
}
