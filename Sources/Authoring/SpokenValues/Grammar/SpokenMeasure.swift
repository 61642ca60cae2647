import IntentKit

/// Reads measures in words: "dreieinhalb Kilometer", "un litre et demi", "half a mile".
struct SpokenMeasure {
    /// The maximum number of words of a unit.
    private static let maximumWords = 4

    let language: SpokenLanguage
    let context: SpeechContext

    /// The measures that the words may mean, as a number and a unit. The type of the value knows whether it is a unit
    /// of its kind: a unit without a translation stays as the person said it.
    func candidates(_ text: String) -> [SpokenCandidate] {
        let words = text.split(whereSeparator: \.isWhitespace).flatMap { Self.spaced(String($0)) }
        var untranslated: (numbers: [SpokenCandidate], unit: String)?
        for count in stride(from: min(Self.maximumWords, words.count - 1), to: 0, by: -1) {
            let unit = words.suffix(count).joined(separator: " ")
            let symbol = language.unit(TextFolding.fold(unit))
            let numbers = numbers(words.dropLast(count).joined(separator: " "))
            if let symbol { return degrees(symbol).map { Self.measures(numbers, $0) } ?? [] }
            let isNumber = WordReader.items(of: unit, in: language).contains { $0 == .half || $0 == .and }
            if count <= 2, !numbers.isEmpty, !isNumber { untranslated = (numbers, unit) }
        }
        return untranslated.map { Self.measures($0.numbers, $0.unit) } ?? halves(words)
    }

    /// The symbol of a unit. "Degrees" alone are nobody's where both scales are in use.
    private func degrees(_ symbol: String) -> String? {
        guard symbol == "°" else { return symbol }
        let region = Words(items: [], language: language, context: context).region
        return region == "US" || region == nil && language.code == "en" ? nil : "°C"
    }

    /// A number and the letters after it: "10km".
    private static func spaced(_ word: String) -> [String] {
        guard let end = word.lastIndex(where: \.isNumber), word.first?.isNumber == true else { return [word] }
        let rest = word[word.index(after: end)...]
        return rest.first?.isLetter == true ? [String(word[...end]), String(rest)] : [word]
    }

    private static func measures(_ numbers: [SpokenCandidate], _ unit: String) -> [SpokenCandidate] {
        numbers.map { SpokenCandidate(text: "\($0.text) \(unit)", confidence: $0.confidence) }
    }

    /// Reads "un litre et demi", "un kilómetro y medio": the half comes after the unit.
    private func halves(_ words: [String]) -> [SpokenCandidate] {
        let items = words.suffix(2).flatMap { WordReader.items(of: $0, in: language) }
        guard items == [.and, .half], words.count > 3 else { return [] }
        return candidates(words.dropLast(2).joined(separator: " ")).compactMap { candidate in
            let parts = candidate.text.split(separator: " ", maxSplits: 1)
            guard let whole = Int(parts[0]), parts.count == 2 else { return nil }
            return SpokenCandidate(text: "\(whole).5 \(parts[1])", confidence: candidate.confidence)
        }
    }

    private func numbers(_ text: String) -> [SpokenCandidate] {
        let items = WordReader.items(of: text, in: language)
        if items.isEmpty || items.contains(.unknown) { return [] }
        if items == [.article] { return [SpokenCandidate(text: "1", confidence: 0.95)] }
        var words = Words(items: items, language: language, context: context)
        return words.numbers()
    }
}
