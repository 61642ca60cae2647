import IntentKit

extension Words {
    /// Reads all words together as numbers that they may mean.
    mutating func numbers() -> [SpokenCandidate] {
        skipFillers()
        let isNegative = accept(.minus)
        guard var numbers = amount() else { return [] }
        skipFillers()
        guard isAtEnd else { return [] }
        if isNegative { numbers = numbers.map { ($0.text == "0" ? "0" : "-" + $0.text, $0.confidence) } }
        return numbers.map { SpokenCandidate(text: $0.text, confidence: $0.confidence) }
    }

    /// Reads a number without a sign: digits, words, "three and a half", "three point five".
    mutating func amount() -> [(text: String, confidence: Double)]? {
        if case .figure(let figure)? = current, !figure.isOrdinal {
            let numbers = figure.numbers(decimal: decimalSeparator)
            guard !numbers.isEmpty else { return nil }
            place += 1
            if let whole = figure.whole, acceptAndAHalf() { return [("\(whole).5", 0.95)] }
            return numbers
        }
        if case .fraction(let number)? = current {
            place += 1
            return [(Self.text(number), 0.95)]
        }
        if current == .article, case .number? = peek(1) { place += 1 }
        guard case .number(let whole)? = current else {
            guard let part = part() else { return nil }
            return [(Self.text(part), 0.95)]
        }
        place += 1
        if whole == 1, let part = part() { return [(Self.text(part), 0.95)] }
        if acceptAndAHalf() { return [("\(whole).5", 0.95)] }
        if accept(.point) {
            var digits = ""
            while let digit = self.whole() { digits += "\(digit)" }
            return digits.isEmpty || digits.utf8.count > 20 ? nil : [("\(whole).\(digits)", 0.95)]
        }
        return [("\(whole)", 0.95)]
    }

    /// Reads "half a", "a quarter of".
    private mutating func part() -> Double? {
        attempt { words in
            if words.current == .article { words.place += 1 }
            switch words.current {
            case .half: words.place += 1; return 0.5
            case .quarter: words.place += 1; return 0.25
            case .threeQuarters: words.place += 1; return 0.75
            default: return nil
            }
        }
    }

    /// Reads "and a half".
    mutating func acceptAndAHalf() -> Bool {
        attempt { words in
            guard words.accept(.and) else { return nil }
            if words.current == .article || words.current == .number(1) { words.place += 1 }
            return words.accept(.half) ? true : nil
        } ?? false
    }

    static func text(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }
}
