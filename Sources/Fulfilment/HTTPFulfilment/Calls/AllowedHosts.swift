/// The hosts that fulfilments may call, as set by the operator with `--fulfilment-hosts`, and the addresses to which
/// their names may lead. The rules apply to the URLs of definitions and of redirects, and to the addresses of their
/// connections:
///
/// - A URL with an address leads to that address. The address must be listed itself.
/// - `localhost` leads to this machine.
/// - Any other name leads to a public address, or to an address in the networks that `--fulfilment-networks` names. A
///   name never leads to an address at which clouds serve the credentials of a machine: such an address must be listed
///   itself.
public struct AllowedHosts: Sendable, Hashable {
    private struct Entry: Sendable, Hashable {
        var host: String
        var port: Int?
    }

    private var entries: [Entry]
    private var networks: [IPNetwork] = []
    private var allowsLoopback = false
    private var allowsPlainHTTP = false

    /// Only this machine: `localhost`, 127.0.0.0/8 and ::1, on any port.
    public static let loopback: AllowedHosts = {
        var hosts = AllowedHosts(entries: [])
        hosts.allowsLoopback = true
        return hosts
    }()

    private init(entries: [Entry]) { self.entries = entries }

    /// Hosts at public addresses, called with https.
    ///
    /// - Parameter text: `host[:port],…`, such as `rides.example.com`.
    /// - Throws: ``HTTPFulfilmentError`` that names the entry.
    public init(_ text: String) throws(HTTPFulfilmentError) {
        try self.init(text, networks: "", allowsPlainHTTP: false)
    }

    /// - Parameters:
    ///   - text: `host[:port],…`, such as `rides.example.com,10.1.2.3:8080,[::1]:8080`. An entry without a port allows
    ///     any port. This machine is allowed only if it is listed.
    ///   - networks: Networks without public addresses that names may lead to, such as `10.1.0.0/16,fd12:3456::/32`;
    ///     empty for none.
    ///   - allowsPlainHTTP: `true` to allow `http://` beyond this machine. Anyone on the network can then read and
    ///     change requests and replies, including signed ones.
    /// - Throws: ``HTTPFulfilmentError`` that names the entry.
    public init(_ text: String, networks: String, allowsPlainHTTP: Bool) throws(HTTPFulfilmentError) {
        entries = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let trimmed = part.trimmingSpaces
            guard let (host, port) = FulfilmentURL.hostAndPort(trimmed) else {
                throw HTTPFulfilmentError(
                    "fulfilment-hosts",
                    "has '\(trimmed.prefix(80))', which is not a host or host:port such as rides.example.com:443")
            }
            entries.append(Entry(host: host, port: port))
        }
        for part in networks.split(separator: ",", omittingEmptySubsequences: networks.isEmpty) {
            let trimmed = part.trimmingSpaces
            guard let network = IPNetwork(parsing: trimmed) else {
                throw HTTPFulfilmentError(
                    "fulfilment-networks", "has '\(trimmed.prefix(80))', which is not a network such as 10.1.0.0/16")
            }
            self.networks.append(network)
        }
        self.allowsPlainHTTP = allowsPlainHTTP
    }

    /// Returns why a URL may not be called, and what to do; `nil` if the URL may be called. The text follows "leads to
    /// https://…, which".
    func refusal(of url: FulfilmentURL) -> String? {
        let isOwn = Self.isLoopback(url.host)
        let isListed = entries.contains { $0.host == url.host && ($0.port == nil || $0.port == url.port) }
        guard isListed || allowsLoopback && isOwn else {
            let host = url.host.contains(":") ? "[\(url.host)]" : url.host
            return "is not an allowed host: add \(host):\(url.port) to --fulfilment-hosts"
        }
        guard url.isSecure || isOwn || allowsPlainHTTP else {
            return
                "is neither https nor on this machine: use https, or set --fulfilment-plain-http if the network between can be trusted"
        }
        return nil
    }

    /// `true` if a connection to a host may lead to this address; see ``AllowedHosts``.
    func allows(address: IPAddress, of reach: Reach) -> Bool {
        switch reach {
        case .address: true
        case .thisMachine: AddressRules.isLoopback(address)
        case .name:
            AddressRules.isPublic(address)
                || !AddressRules.isMetadata(address)
                    && networks.contains { $0.contains(address.behindNAT64 ?? address) || $0.contains(address) }
        }
    }

    static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || IPAddress(host).map(AddressRules.isLoopback) == true
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
