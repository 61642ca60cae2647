/// Lists as English text.
package enum ListText {
    /// "a", "a and b", "a, b and c".
    static func join(_ texts: [String]) -> String {
        guard let last = texts.last, texts.count > 1 else { return texts.first ?? "" }
        return texts.dropLast().joined(separator: ", ") + " and " + last
    }

    /// Splits at commas, semicolons, line ends and the words "and" and "&".
    package static func split(_ text: String) -> [String] {
        var parts: [String] = []
        for piece in text.split(whereSeparator: { $0 == "," || $0 == ";" || $0.isNewline }) {
            var words: [Substring] = []
            for word in piece.split(whereSeparator: \.isWhitespace) {
                if word.lowercased() == "and" || word == "&" {
                    if !words.isEmpty { parts.append(words.joined(separator: " ")) }
                    words = []
                } else {
                    words.append(word)
                }
            }
            if !words.isEmpty { parts.append(words.joined(separator: " ")) }
        }
        return parts
    }
}
