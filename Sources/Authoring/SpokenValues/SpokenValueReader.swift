public import IntentKit

/// Reads values from what people say in English, Dutch, German, French and Spanish: "morgen um halb sieben", "14,50 €", "ja".
///
/// Give it to an `IntentRegistry`:
///
/// ```swift
/// let registry = try IntentRegistry([GreenhouseExtension()], spokenValues: SpokenValueReader())
/// ```
/// The language is the locale's; without a locale it is English. Names of months and weekdays, decimal separators, currencies and time zones are those
/// of Foundation. Words that are longer than 200 bytes, and words in which anything is not understood, have no candidates.
public struct SpokenValueReader: SpokenValueReading {
    /// The longest text that is read, in bytes.
    static let maximumBytes = 200

    public init() {}

    public func candidates(for words: String, as kind: SpokenKind, in context: SpeechContext) -> [SpokenCandidate] {
        guard words.utf8.count <= Self.maximumBytes, (context.locale?.utf8.count ?? 0) <= 64,
            let language = SpokenLanguage.of(context.locale)
        else { return [] }
        if kind == .yesNo {
            return language.answer(TextFolding.fold(words)).map { [SpokenCandidate(text: $0 ? "true" : "false", confidence: 0.95)] } ?? []
        }
        let items = WordReader.items(of: words, in: language)
        guard !items.isEmpty, !items.contains(.unknown) else { return [] }
        var said = Words(items: items, language: language, context: context)
        let found: [SpokenCandidate] =
            switch kind {
            case .number: said.numbers()
            case .wholeNumber: said.numbers().filter { Int($0.text) != nil }
            case .currencyAmount: said.sums()
            case .duration: said.durations()
            case .date, .time, .dateTime: SpokenMoment(said, as: kind)?.candidates() ?? []
            case .yesNo: []
            }
        return Self.ranked(found)
    }

    /// The likeliest first, each once, and no more than a person can choose from.
    private static func ranked(_ candidates: [SpokenCandidate]) -> [SpokenCandidate] {
        var ranked: [SpokenCandidate] = []
        // Sorting has to keep the order of equals.
        for candidate in candidates where !ranked.contains(where: { $0.text == candidate.text }) {
            let place = ranked.firstIndex { $0.confidence < candidate.confidence } ?? ranked.endIndex
            ranked.insert(candidate, at: place)
        }
        return Array(ranked.prefix(4))
    }
}
