import IntentModel

/// The URL of a service, parsed strictly. Requests use a URL that is rebuilt from these parts, so that no other parser
/// can find a different host in the URL.
struct FulfilmentURL: Sendable, Hashable {
    struct Problem: Error, Hashable {
        var message: String

        fileprivate static let tooLong = Problem(message: "is longer than 2,048 characters")
    }

    /// The maximum length in bytes.
    private static let maximumLength = 2_048

    var isSecure: Bool
    /// The host in lower case, without the brackets of an IPv6 address and without a trailing dot.
    var host: String
    var port: Int
    /// The path, which begins with a slash and includes the query, without a fragment.
    var path: String

    /// Fills in the placeholders of a definition's `url`, or appends intent and phase if the URL has no placeholder.
    init(filling template: String, intent: String, phase: Phase) throws(Problem) {
        // The lengths are checked before filling, because each placeholder becomes the whole name of the intent.
        guard template.utf8.count <= Self.maximumLength, intent.utf8.count <= Self.maximumLength else { throw .tooLong }
        var text = template
        let hasPlaceholder = text.contains("{intent}") || text.contains("{phase}")
        if let mark = text.firstRange(of: "://")?.upperBound,
            text[mark...].prefix(while: { $0 != "/" && $0 != "?" }).contains("{")
        {
            throw Problem(message: "has a placeholder before its path: the host can't depend on the intent")
        }
        if hasPlaceholder {
            text = text.replacing("{intent}", with: Self.escaped(intent)).replacing("{phase}", with: phase.rawValue)
        }
        try self.init(text)
        if hasPlaceholder { return }
        let (route, query) = Self.split(path)
        path = (route.hasSuffix("/") ? route : route + "/") + "\(Self.escaped(intent))/\(phase.rawValue)" + query
    }

    /// Parses an absolute URL.
    ///
    /// - Throws: ``Problem`` that says what is wrong with the URL.
    init(_ text: String) throws(Problem) {
        guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
        let lowered = text.lowercased()
        var rest: Substring
        if lowered.hasPrefix("https://") {
            (isSecure, rest) = (true, text.dropFirst(8))
        } else if lowered.hasPrefix("http://") {
            (isSecure, rest) = (false, text.dropFirst(7))
        } else {
            throw Problem(message: "must be an absolute URL that begins with https:// or http://")
        }
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        rest = rest.dropFirst(authority.count)
        if authority.contains("@") { throw Problem(message: "has a user or password in it: use 'secret' or 'headers'") }
        guard let (host, port) = Self.hostAndPort(authority) else {
            throw Problem(
                message: "has no valid host: it must be a name or an address, with an optional port of 1 to 65535")
        }
        self.host = host
        self.port = port ?? (isSecure ? 443 : 80)
        let target = rest.prefix { $0 != "#" }
        // The path is signed in this form, so no client may have a reason to write it differently.
        guard target.utf8.allSatisfy(Self.isPathByte), Self.isPercentEncoded(target) else {
            throw Problem(message: "has characters in its path that must be percent-encoded")
        }
        path = target.hasPrefix("/") ? String(target) : "/" + target
    }

    /// Returns the URL that a `Location` header refers to, relative to this one.
    ///
    /// - Throws: ``Problem`` that says what is wrong with the URL.
    func redirected(to location: String) throws(Problem) -> FulfilmentURL {
        if location.lowercased().hasPrefix("http://") || location.lowercased().hasPrefix("https://") {
            return try FulfilmentURL(location)
        }
        if location.hasPrefix("//") { return try FulfilmentURL("\(isSecure ? "https" : "http"):\(location)") }
        let route = Self.split(path).route
        let target =
            location.hasPrefix("/")
            ? location
            : location.hasPrefix("?")
                ? route + location : String(route[...(route.lastIndex(of: "/") ?? route.startIndex)]) + location
        return try FulfilmentURL(origin + target)
    }

    /// The scheme, host and port.
    var origin: String {
        let isDefault = port == (isSecure ? 443 : 80)
        return
            "\(isSecure ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host)\(isDefault ? "" : ":\(port)")"
    }

    /// The complete URL.
    var text: String { origin + path }

    /// The URL without its query, which may contain a key.
    var shown: String { origin + Self.split(path).route }

    private static func split(_ path: String) -> (route: String, query: String) {
        guard let mark = path.firstIndex(of: "?") else { return (path, "") }
        return (String(path[..<mark]), String(path[mark...]))
    }

    static func hostAndPort(_ authority: Substring) -> (host: String, port: Int?)? {
        var host: Substring
        var rest: Substring
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[authority.index(after: authority.startIndex)..<end]
            rest = authority[authority.index(after: end)...]
            guard host.contains(":"), host.utf8.allSatisfy({ isHexDigit($0) || $0 == 0x3A || $0 == 0x2E }) else {
                return nil
            }
        } else {
            host = authority.prefix { $0 != ":" }
            rest = authority.dropFirst(host.count)
            // This check precedes the removal of a trailing dot: of two dots, one would remain.
            guard !host.contains("..") else { return nil }
            if host.hasSuffix(".") { host = host.dropLast() }
            guard !host.isEmpty, host.utf8.count <= 253, host.utf8.allSatisfy({ isNameByte($0) }) else { return nil }
        }
        if rest.isEmpty { return (host.lowercased(), nil) }
        guard rest.first == ":", let port = Int(rest.dropFirst()), 1...65_535 ~= port else { return nil }
        rest = ""
        return (host.lowercased(), port)
    }

    /// Returns an intent's name as a path component, percent-encoded.
    private static func escaped(_ name: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in name.utf8 {
            if isNameByte(byte) {
                bytes.append(byte)
            } else {
                bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6 }
    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == 0x2D || byte == 0x2E || byte == 0x5F
    }
    private static func isPathByte(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && !"\"<>[\\]^`{|}".utf8.contains(byte)
    }

    /// `true` if two hexadecimal digits follow each percent sign.
    private static func isPercentEncoded(_ target: Substring) -> Bool {
        target.split(separator: "%", omittingEmptySubsequences: false).dropFirst().allSatisfy {
            $0.utf8.count >= 2 && $0.utf8.prefix(2).allSatisfy(isHexDigit)
        }
    }
}
