/// How translations are found by language tag (BCP 47): the lookup of RFC 4647, section 3.4.
package enum LanguageTag {
    /// Longer ones are nobody's language; whoever sends one reads the original.
    static let maximumBytes = 64

    /// The first that is found for the whole tag or, cut from the end, a shorter one: `pt-BR`, then `pt`.
    ///
    /// - Parameter locale: In any capitals, with `-` or `_`. What POSIX adds (`nl_NL.UTF-8`) doesn't matter.
    package static func first<Found>(for locale: String, _ find: (String) -> Found?) -> Found? {
        if let found = find(locale) { return found }
        guard locale.utf8.count <= maximumBytes else { return nil }
        var tag = canonical(locale)
        if tag != locale, let found = find(tag) { return found }
        while let end = tag.utf8.lastIndex(of: UInt8(ascii: "-")) {
            tag = String(tag[..<end])
            if tag.utf8.dropLast().last == UInt8(ascii: "-") { tag.removeLast(2) }  // "x" and its like belong to what followed
            if let found = find(tag) { return found }
        }
        return nil
    }

    /// The tag in its usual capitals: `zh-Hant-TW`, `pt-BR`.
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

    /// What is kept by tag, under tags in their usual capitals.
    package static func canonical<Value>(_ values: [String: Value]) -> [String: Value] {
        Dictionary(values.sorted { $0.key < $1.key }.map { (canonical($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}
