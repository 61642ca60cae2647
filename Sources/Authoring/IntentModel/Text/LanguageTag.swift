/// Finds translations by language tag (BCP 47), with the lookup of RFC 4647, section 3.4.
package enum LanguageTag {
    /// The maximum length of a tag, because tags are untrusted input. Longer tags get the original text.
    static let maximumBytes = 64

    /// The first result for the whole tag or for a shorter tag, cut from the end: `pt-BR`, then `pt`.
    ///
    /// - Parameter locale: A tag in any case, with `-` or `_`. POSIX additions (`nl_NL.UTF-8`) are ignored.
    package static func first<Found>(for locale: String, _ find: (String) -> Found?) -> Found? {
        if let found = find(locale) { return found }
        guard locale.utf8.count <= maximumBytes else { return nil }
        var tag = canonical(locale)
        if tag != locale, let found = find(tag) { return found }
        while let end = tag.utf8.lastIndex(of: UInt8(ascii: "-")) {
            tag = String(tag[..<end])
            // "x" and the like belong to the part after it.
            if tag.utf8.dropLast().last == UInt8(ascii: "-") { tag.removeLast(2) }
            if let found = find(tag) { return found }
        }
        return nil
    }

    /// The tag in its usual case: `zh-Hant-TW`, `pt-BR`.
    static func canonical(_ tag: String) -> String {
        var result = ""
        for part in tag.prefix(while: { $0 != "." && $0 != "@" }).split(whereSeparator: { $0 == "-" || $0 == "_" }) {
            switch part.utf8.count {
            case _ where result.isEmpty: result = part.lowercased()
            case 2: result += "-\(part.uppercased())"
            case 4: result += "-\(part.prefix(1).uppercased())\(part.dropFirst().lowercased())"
            default: result += "-\(part.lowercased())"
            }
        }
        return result
    }

    /// The values by tag, with the tags in their usual case.
    package static func canonical<Value>(_ values: [String: Value]) -> [String: Value] {
        Dictionary(
            values.sorted { $0.key < $1.key }.map { (canonical($0.key), $0.value) },
            uniquingKeysWith: { first, _ in first })
    }
}
