/// A media range of an `Accept` header (RFC 9110, 12.5.1).
struct AcceptedRange {
    /// The media type, such as `text/plain` or `text/*`.
    var type: Substring
    var version: Substring?
    /// The weight of the range, from 0, which rejects the range, to 1.
    var quality = 1.0

    /// - Parameter text: The range in lower case.
    init(_ text: Substring) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map { part in
            var part = part.drop { $0 == " " || $0 == "\t" }
            while part.last == " " || part.last == "\t" { part.removeLast() }
            return part
        }
        type = parts.first ?? ""
        for part in parts.dropFirst() {
            if part.hasPrefix("version=") { version = part.dropFirst("version=".count) }
            if part.hasPrefix("q=") { quality = Double(part.dropFirst(2)).map { min(1, max(0, $0)) } ?? 0 }
        }
    }
}
