/// Parses and fills a text with placeholders: `%@` or `%1$@` by number, `${name}` by name, `%%` for a per cent sign.
package enum LocalizedFormat {
    package enum Part: Hashable {
        case text(String)
        /// The number of the argument, from 0.
        case argument(Int)
        case named(String)
    }

    package static func parts(of format: String) -> [Part] {
        var parts: [Part] = []
        var text = ""
        var rest = format[...]
        var next = 0
        // The last closing brace bounds the search: otherwise each open brace without a closing one would be searched
        // for to the end of the text.
        let lastBrace = format.lastIndex(of: "}") ?? format.startIndex
        func place(_ part: Part) {
            if !text.isEmpty { parts.append(.text(text)) }
            text = ""
            parts.append(part)
        }
        while let character = rest.first {
            if rest.hasPrefix("%%") {
                text += "%"
                rest = rest.dropFirst(2)
            } else if rest.hasPrefix("%@") {
                place(.argument(next))
                next += 1
                rest = rest.dropFirst(2)
            } else if character == "%", let (number, after) = numbered(rest.dropFirst()) {
                place(.argument(number - 1))
                rest = after
            } else if rest.hasPrefix("${"), rest.startIndex < lastBrace, let end = rest.firstIndex(of: "}") {
                place(.named(String(rest[rest.index(rest.startIndex, offsetBy: 2)..<end])))
                rest = rest[rest.index(after: end)...]
            } else {
                text.append(character)
                rest = rest.dropFirst()
            }
        }
        if !text.isEmpty { parts.append(.text(text)) }
        return parts
    }

    /// Fills in the values. A placeholder without a value becomes empty.
    static func text(_ format: String, _ argument: (Int) -> String?) -> String {
        parts(of: format).reduce(into: "") { text, part in
            switch part {
            case .text(let words): text += words
            case .argument(let number): text += argument(number) ?? ""
            case .named(let name): text += "${\(name)}"
            }
        }
    }

    static func escaped(_ literal: String) -> String {
        literal.contains("%")
            ? literal.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%") : literal
    }

    /// Reads a number and `$@`, as in `1$@`.
    private static func numbered(_ text: Substring) -> (number: Int, rest: Substring)? {
        let digits = text.prefix { ("0"..."9").contains($0) }
        guard let number = Int(digits), (1...99).contains(number), text.dropFirst(digits.count).hasPrefix("$@") else {
            return nil
        }
        return (number, text.dropFirst(digits.count + 2))
    }
}
