/// A network such as `10.0.0.0/8` or `fd12::/16`.
struct IPNetwork: Sendable, Hashable {
    let address: IPAddress
    /// The number of leading bits that count: 0 to 32 for IPv4, 0 to 128 for IPv6.
    let prefix: Int

    static let nat64 = IPNetwork("64:ff9b::/96")

    /// - Returns: `nil` unless the text is an address and the number of its leading bits that count.
    init?(parsing text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let address = IPAddress(parts[0]), let prefix = Int(parts[1]),
            0...address.bytes.count * 8 ~= prefix
        else {
            return nil
        }
        self.address = address
        self.prefix = prefix
    }

    /// Makes a network from a literal in the source code.
    init(_ text: StaticString) {
        guard let network = IPNetwork(parsing: "\(text)") else { preconditionFailure("\(text) is not a network") }
        self = network
    }

    func contains(_ other: IPAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        for (index, byte) in address.bytes.enumerated() {
            let bits = min(max(prefix - index * 8, 0), 8)
            let mask = bits == 0 ? 0 : UInt8.max << UInt8(8 - bits)
            if byte & mask != other.bytes[index] & mask { return false }
        }
        return true
    }
}
