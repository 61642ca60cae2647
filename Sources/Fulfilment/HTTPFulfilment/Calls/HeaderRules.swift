/// The rules for headers that a definition adds.
enum HeaderRules {
    /// Headers that the client sends itself, or that would change the framing or the routing of the message.
    private static let reserved: Set<String> = [
        "accept", "connection", "content-encoding", "content-length", "content-type", "expect", "host",
        "idempotency-key", "keep-alive",
        "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "traceparent", "tracestate",
        "upgrade",
        "x-intent-signature",
    ]

    static func violation(_ name: String, _ value: String) -> String? {
        let isToken = !name.isEmpty && name.utf8.allSatisfy { isTokenByte($0) }
        if !isToken { return "is not a header name: use letters, digits and hyphens" }
        if reserved.contains(name.lowercased()) { return "is set by the pipeline itself: leave it out" }
        if value.utf8.count > 4_096 { return "is longer than 4,096 bytes" }
        if value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
            return "has control characters in its value"
        }
        return nil
    }

    /// Returns external text as a header's value: everything except printable ASCII is percent-encoded.
    static func printable(_ value: String) -> String {
        if value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x25 }) { return value }
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in value.utf8 {
            if byte > 0x20, byte < 0x7F, byte != 0x25 {
                bytes.append(byte)
            } else {
                bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
