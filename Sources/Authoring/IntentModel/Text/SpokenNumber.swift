/// Reads small whole numbers as people say them in English: "three", "twenty-five".
package enum SpokenNumber {
    private static let words: [String: Int] = {
        let upToTwenty = [
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
            "thirteen",
            "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
        ]
        var words = Dictionary(uniqueKeysWithValues: upToTwenty.enumerated().map { ($1, $0) })
        for (index, word) in ["thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"].enumerated() {
            words[word] = 30 + index * 10
        }
        return words
    }()

    /// The number from 0 to 99 that the words say; `nil` for other words.
    package static func parse(_ text: String) -> Int? {
        guard text.utf8.count <= maximumBytes else { return nil }
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        let folded = isASCII ? text.lowercased() : TextFolding.fold(text)
        let parts = folded.utf8.split { !(0x61...0x7A ~= $0 || 0x30...0x39 ~= $0) }
        guard let first = parts.first, let tens = words[String(Substring(first))] else { return nil }
        if parts.count == 1 { return tens }
        guard parts.count == 2, tens >= 20, let units = words[String(Substring(parts[1]))], (1...9).contains(units)
        else { return nil }
        return tens + units
    }

    /// The number of bytes of a text that may be a number: "seventy-three", with room for space around it.
    private static let maximumBytes = 48

    /// The text without leading and trailing white space.
    package static func trimmed(_ text: String) -> Substring {
        var trimmed = text[...]
        // Most texts have no white space at the ends, and the check for white space is more expensive than the rest of
        // the function.
        if let first = text.utf8.first, let last = text.utf8.last, 0x21..<0x7F ~= first, 0x21..<0x7F ~= last {
            return trimmed
        }
        while let first = trimmed.first, first.isWhitespace { trimmed.removeFirst() }
        while let last = trimmed.last, last.isWhitespace { trimmed.removeLast() }
        return trimmed
    }

    /// The number in a text such as "3.5", "1e3" or "three"; `nil` for "nan", "0x10" and "3,5".
    package static func parseDouble(_ text: String) -> Double? {
        let trimmed = trimmed(text)
        if trimmed.utf8.allSatisfy({ $0 &- 0x30 < 10 || "+-.eE".utf8.contains($0) }), let number = Double(trimmed),
            number.isFinite
        {
            return number
        }
        return parse(text).map(Double.init)
    }
}
