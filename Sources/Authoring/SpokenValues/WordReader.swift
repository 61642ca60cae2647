import IntentKit

/// Turns a person's words into ``Item``s, in one pass.
struct WordReader {
    private let language: SpokenLanguage
    private let scalars: [Unicode.Scalar]
    private var place = 0
    private var items: [Item] = []
    /// The words that have not been looked up yet.
    private var words: [String] = []

    static func items(of text: String, in language: SpokenLanguage) -> [Item] {
        var reader = WordReader(language: language, scalars: Array(text.unicodeScalars))
        reader.read()
        return reader.items
    }

    private init(language: SpokenLanguage, scalars: [Unicode.Scalar]) {
        self.language = language
        self.scalars = scalars
    }

    private mutating func read() {
        while place < scalars.count {
            let scalar = scalars[place]
            if Self.isDigit(scalar) {
                flush()
                items.append(.figure(figure()))
            } else if Self.isLetter(scalar) {
                word()
            } else if let item = symbol(scalar) {
                flush()
                items.append(item)
                place += 1
            } else {
                place += 1
            }
        }
        flush()
    }

    private func symbol(_ scalar: Unicode.Scalar) -> Item? {
        switch scalar {
        case "€": .currency("EUR")
        case "£": .currency("GBP")
        case "¥": .currency("JPY")
        case "$": .dollarSign
        case "-", "\u{2212}":
            place + 1 < scalars.count && Self.isDigit(scalars[place + 1])
                && (place == 0 || scalars[place - 1].properties.isWhitespace)
                ? .minus : nil
        case "%", "½", "+", "=", "*", "#", "@", "&", "°": .unknown
        default: nil
        }
    }

    // MARK: Words

    private mutating func word() {
        let start = place
        var text = ""
        while place < scalars.count {
            let scalar = scalars[place]
            let next = place + 1 < scalars.count ? scalars[place + 1] : nil
            let isLetter =
                Self.isLetter(scalar)
                || !scalar.isASCII && scalar.properties.generalCategory == .nonspacingMark || scalar == "\u{AD}"
            // Points and apostrophes join letters: "a.m." is one word, and so is "l'heure".
            let isJoint =
                (scalar == "." && text.unicodeScalars.count == 1 || scalar == "'" || scalar == "\u{2019}")
                && next.map(Self.isLetter) == true
            if !isLetter && !isJoint { break }
            if isLetter, scalar != "\u{AD}" { text.unicodeScalars.append(scalar) }
            place += 1
        }
        let folded = TextFolding.fold(text)
        if start > 0, Self.isDigit(scalars[start - 1]), language.ordinalEndings.contains(folded),
            case .figure(var figure)? = items.last
        {
            figure.isOrdinal = true
            items[items.count - 1] = .figure(figure)
        } else if folded == "º" || folded == "ª" {
            return
        } else if !folded.isEmpty {
            words.append(folded)
        }
    }

    /// Looks up the words since the last figure.
    private mutating func flush() {
        var index = 0
        while index < words.count {
            if let (found, end) = language.phrase(at: index, of: words) {
                // In "3 sept." the word is September, not the number.
                let isMonth =
                    language.code == "fr" && words[index] == "sept" && end == index + 1 && index == 0
                    && items.last?.isDayOfMonth == true
                items += isMonth ? [.month(9)] : found
                index = end
            } else if words[index].utf8.count == 3, Currencies.codes.contains(words[index].uppercased()) {
                items.append(.currency(words[index].uppercased()))
                index += 1
            } else {
                items.append(.unknown)
                index += 1
            }
        }
        words.removeAll()
    }

    // MARK: Figures

    private mutating func figure() -> Figure {
        var figure = Figure(groups: [digits()])
        while place + 1 < scalars.count {
            let separator = scalars[place]
            if Self.isDigit(scalars[place + 1]), ".,:/-'\u{2019}".unicodeScalars.contains(separator) {
                figure.separators.append(separator == "\u{2019}" ? "'" : Character(separator))
            } else if language.groupsBySpace,
                separator == " " || "\u{A0}\u{202F}\u{2009}".unicodeScalars.contains(separator),
                figure.groups[figure.groups.count - 1].utf8.count <= 3, isGroupOfThree(at: place + 1),
                figure.separators.allSatisfy({ $0 == " " })
            {
                figure.separators.append(" ")
            } else {
                break
            }
            place += 1
            figure.groups.append(digits())
        }
        if place < scalars.count, scalars[place] == "." {
            figure.endsWithPoint = true
            place += 1
        }
        return figure
    }

    private mutating func digits() -> String {
        var text = ""
        while place < scalars.count, Self.isDigit(scalars[place]) {
            text.unicodeScalars.append(scalars[place])
            place += 1
        }
        return text
    }

    private func isGroupOfThree(at start: Int) -> Bool {
        guard start + 3 <= scalars.count, scalars[start..<start + 3].allSatisfy(Self.isDigit) else { return false }
        return start + 3 == scalars.count || !Self.isDigit(scalars[start + 3])
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        // A look at the properties of a scalar takes far longer.
        scalar.isASCII
            ? ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) : scalar.properties.isAlphabetic
    }
}

extension Item {
    fileprivate var isDayOfMonth: Bool {
        guard case .figure(let figure) = self, let day = figure.whole else { return false }
        return (1...31).contains(day)
    }
}
