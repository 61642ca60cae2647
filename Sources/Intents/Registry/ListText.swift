/// A list as people say it: "Kim, Sam and Lee".
enum ListText {
    /// The words between commas, semicolons, "and" and "&", without the space around them; none of an empty text.
    static func pieces(_ text: String) -> [String] {
        var pieces: [String] = []
        for part in text.split(whereSeparator: { $0 == "," || $0 == ";" || $0 == "&" || $0.isNewline }) {
            var words: [Substring] = []
            for word in part.split(whereSeparator: \.isWhitespace) {
                if word.lowercased() == "and" {
                    if !words.isEmpty { pieces.append(words.joined(separator: " ")) }
                    words = []
                } else {
                    words.append(word)
                }
            }
            if !words.isEmpty { pieces.append(words.joined(separator: " ")) }
        }
        return pieces
    }
}
