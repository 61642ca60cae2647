import Foundation
import IntentKit
import Testing

@testable import SpokenValues

/// The context of a person's words: the locale, the time zone and the time.
struct Saying {
    var locale: String?
    var zone: String? = "Europe/Amsterdam"
    /// A Monday: 2026-03-02, 10:00 in Amsterdam.
    var now: Int64? = 1_772_442_000_000

    func candidates(_ words: String, _ kind: SpokenKind) -> [SpokenCandidate] {
        SpokenValueReader().candidates(
            for: words, as: kind,
            in: SpeechContext(locale: locale, timeZone: zone, now: now.map(Date.init(milliseconds:))))
    }

    /// The candidates that compete with the likeliest one. The person is asked to choose among them.
    func texts(_ words: String, _ kind: SpokenKind) -> [String] {
        let found = candidates(words, kind)
        return found.filter { $0.confidence > (found.first?.confidence ?? 0) - 0.15 }.map(\.text)
    }

    func expect(
        _ kind: SpokenKind, _ table: KeyValuePairs<String, [String]>, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for (words, texts) in table {
            #expect(
                self.texts(words, kind) == texts, "\(words) in \(locale ?? "no locale")", sourceLocation: sourceLocation
            )
        }
    }
}
