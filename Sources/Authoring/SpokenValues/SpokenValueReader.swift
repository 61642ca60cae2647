import Foundation
public import IntentKit

/// Reads values from people's words in English, Dutch, German, French and Spanish: "morgen um halb sieben", "14,50 €",
/// "ja".
///
/// Pass a reader to an `IntentRegistry`:
///
/// ```swift
/// let registry = try IntentRegistry([GreenhouseExtension()], spokenValues: SpokenValueReader())
/// ```
/// The language is the locale's; without a locale it is English. Names of months and weekdays, decimal separators,
/// currencies and time zones come from Foundation. Words of more than 200 bytes have no candidates, nor do words of
/// which any part is not understood.
public struct SpokenValueReader: SpokenValueReading {
    /// The maximum number of bytes of a text that is read.
    static let maximumBytes = 200

    public init() {}

    public func candidates(for words: String, as kind: SpokenKind, in context: SpeechContext) -> [SpokenCandidate] {
        guard words.utf8.count <= Self.maximumBytes, (context.locale?.utf8.count ?? 0) <= 64,
            let language = SpokenLanguage.of(context.locale)
        else { return [] }
        if kind == .yesNo {
            return language.answer(TextFolding.fold(words)).map {
                [SpokenCandidate(text: $0 ? "true" : "false", confidence: 0.95)]
            } ?? []
        }
        switch kind {
        case .measurement: return Self.ranked(SpokenMeasure(language: language, context: context).candidates(words))
        case .dateRange: return Self.ranked(SpokenRange.candidates(words, language, context))
        case .recurrence: return Self.ranked(SpokenRecurrence.candidates(words, language, context))
        default: break
        }
        let items = WordReader.items(of: words, in: language)
        guard !items.isEmpty, !items.contains(.unknown) else { return [] }
        var said = Words(items: items, language: language, context: context)
        if let moved = said.movingOffered(as: kind) { return Self.ranked(moved) }
        let found: [SpokenCandidate] =
            switch kind {
            case .number: said.numbers()
            case .wholeNumber: said.numbers().filter { Int($0.text) != nil }
            case .currencyAmount: said.sums()
            case .duration: said.durations()
            case .date, .time, .dateTime: SpokenMoment(said, as: kind)?.candidates() ?? []
            case .yesNo, .measurement, .dateRange, .recurrence: []
            }
        let picked = found.filter { candidate in
            context.offered.contains { Self.isSame(candidate.text, $0, as: kind) }
        }
        return Self.ranked(picked.isEmpty ? found : picked.map { SpokenCandidate(text: $0.text, confidence: 0.95) })
    }

    /// Returns `true` if two texts stand for the same value: two moments may be written in two time zones.
    private static func isSame(_ text: String, _ other: String, as kind: SpokenKind) -> Bool {
        if text == other { return true }
        guard kind == .dateTime, let moment = Date(text: text) else { return false }
        return moment == Date(text: other)
    }

    /// The candidates with the likeliest first, without duplicates, and no more than a person can choose from.
    private static func ranked(_ candidates: [SpokenCandidate]) -> [SpokenCandidate] {
        var ranked: [SpokenCandidate] = []
        // The order of equally likely candidates has to stay.
        for candidate in candidates where !ranked.contains(where: { $0.text == candidate.text }) {
            let place = ranked.firstIndex { $0.confidence < candidate.confidence } ?? ranked.endIndex
            ranked.insert(candidate, at: place)
        }
        return Array(ranked.prefix(4))
    }
}
