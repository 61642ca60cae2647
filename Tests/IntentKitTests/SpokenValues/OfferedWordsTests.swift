import Foundation
import IntentKit
import Testing

@testable import SpokenValues

/// Words in answer to a question about some values.
private struct OfferedWords: Sendable, CustomTestStringConvertible {
    let language: String
    let kind: SpokenKind
    let offered: [String]
    /// The texts that compete for the meaning of each utterance.
    let table: KeyValuePairs<String, [String]>

    var testDescription: String { "\(language), \(kind): \(offered.joined(separator: " or "))" }
}

private let tomorrow = ["2026-03-03T17:30:00Z", "2026-03-03T05:30:00Z"]
private let evening = "2026-03-03T17:30:00Z"
private let morning = "2026-03-03T05:30:00Z"

private let dialogues: [OfferedWords] = [
    OfferedWords(
        language: "en", kind: .dateTime, offered: tomorrow,
        table: [
            "18:30": [evening], "06:30": [morning], "half past six in the evening": [evening], "6:30 pm": [evening],
            "in the evening": [evening], "the evening": [evening], "pm": [evening], "am": [morning],
            "in the morning, please": [morning], "tomorrow at 18:30": ["2026-03-03T18:30:00+01:00"],
            "tomorrow at half past six in the morning": ["2026-03-03T06:30:00+01:00"],
            // Both fit, so the person is asked which.
            "half past six": [evening, morning], "tomorrow": [evening, morning],
            "19:00": ["2026-03-03T19:00:00+01:00"], "at noon": ["2026-03-03T12:00:00+01:00"],
            "an hour later": ["2026-03-03T19:30:00+01:00", "2026-03-03T07:30:00+01:00"],
            // A sentence of its own has nothing to do with what was offered.
            "on Friday at 18:30": ["2026-03-06T18:30:00+01:00"], "in an hour": ["2026-03-02T11:00:00+01:00"],
            "perhaps": [], "more": [], "an hour": [], "later": [],
        ]),
    OfferedWords(
        language: "en", kind: .dateTime, offered: [evening],
        table: [
            "an hour later": ["2026-03-03T19:30:00+01:00"], "half an hour earlier": ["2026-03-03T18:00:00+01:00"],
            "half an hour shorter": [], "20 minutes longer": [],
            "two days later": ["2026-03-05T18:30:00+01:00"],
            "an hour and a half earlier": ["2026-03-03T17:00:00+01:00"],
            "a week later, please": ["2026-03-10T18:30:00+01:00"], "Thursday": ["2026-03-05T18:30:00+01:00"],
            "in the morning": ["2026-03-03T09:00:00+01:00"], "an hour later earlier": [],
        ]),
    OfferedWords(
        language: "de", kind: .dateTime, offered: tomorrow,
        table: [
            "18:30": [evening], "halb sieben abends": [evening], "am Abend": [evening], "morgens": [morning],
            "halb sieben": [evening, morning],
            "eine Stunde später": ["2026-03-03T19:30:00+01:00", "2026-03-03T07:30:00+01:00"],
        ]),
    OfferedWords(
        language: "fr", kind: .dateTime, offered: [evening],
        table: [
            "une heure plus tard": ["2026-03-03T19:30:00+01:00"], "une heure plus tôt": ["2026-03-03T17:30:00+01:00"],
            "18 h 30": [evening], "le soir": [evening],
        ]),
    OfferedWords(
        language: "es", kind: .dateTime, offered: tomorrow,
        table: [
            "por la tarde": [evening], "por la mañana": [morning], "a las 18:30": [evening],
            "una hora más tarde": ["2026-03-03T19:30:00+01:00", "2026-03-03T07:30:00+01:00"],
        ]),
    OfferedWords(
        language: "nl", kind: .dateTime, offered: tomorrow,
        table: [
            "18:30": [evening], "half zeven 's avonds": [evening], "'s ochtends": [morning],
            "een uur later": ["2026-03-03T19:30:00+01:00", "2026-03-03T07:30:00+01:00"],
        ]),
    OfferedWords(
        language: "en", kind: .time, offered: ["18:30", "06:30"],
        table: ["6:30": ["18:30", "06:30"], "in the evening": ["18:30"], "18:30": ["18:30"]]),
    OfferedWords(
        language: "en", kind: .time, offered: ["23:30"],
        table: ["half an hour earlier": ["23:00"], "an hour later": []]),
    OfferedWords(
        language: "en", kind: .date, offered: ["2026-03-06"],
        table: [
            "a day later": ["2026-03-07"], "a week earlier": ["2026-02-27"], "next week": ["2026-03-09"],
            "in the morning": [],
        ]),
    OfferedWords(
        language: "en", kind: .wholeNumber, offered: ["2"],
        table: [
            "two more": ["4"], "one less": ["1"], "one more, please": ["3"], "later": [],
            "four": ["4"], "more than four": [], "two earlier": [], "two longer": [],
        ]),
    OfferedWords(language: "en", kind: .wholeNumber, offered: ["9223372036854775807"], table: ["one more": []]),
    OfferedWords(
        language: "de", kind: .wholeNumber, offered: ["2"], table: ["noch zwei": ["4"], "einer weniger": ["1"]]),
    OfferedWords(
        language: "de", kind: .wholeNumber, offered: ["2"], table: ["zwei mehr": ["4"], "eins weniger": ["1"]]),
    OfferedWords(
        language: "fr", kind: .wholeNumber, offered: ["2"],
        table: ["deux de plus": ["4"], "un de moins": ["1"], "plus de quatre": []]),
    OfferedWords(
        language: "es", kind: .wholeNumber, offered: ["2"],
        table: ["dos más": ["4"], "uno menos": ["1"], "más de cuatro": []]),
    OfferedWords(
        language: "nl", kind: .wholeNumber, offered: ["2"],
        table: ["nog twee": ["4"], "één minder": ["1"], "eerder vier": []]),
    OfferedWords(
        language: "en-GB", kind: .currencyAmount, offered: ["20.00 EUR"],
        table: [
            "5 euros more": ["25 EUR"], "5 more": [], "2.50 euros less": ["17.5 EUR"], "5 pounds more": [],
            "20 euros": ["20 EUR"],
        ]),
    OfferedWords(
        language: "en", kind: .duration, offered: ["PT1H"],
        table: ["half an hour longer": ["PT1H30M"], "10 minutes less": ["PT50M"], "two hours shorter": []]),
]

@Suite("Words in answer to a question about values")
struct OfferedWordsTests {
    @Test(arguments: dialogues) fileprivate func `words pick or move what was offered`(_ dialogue: OfferedWords) {
        var context = SpeechContext(
            locale: dialogue.language, timeZone: "Europe/Amsterdam", now: Date(milliseconds: 1_772_442_000_000))
        context.offered = dialogue.offered
        for (said, texts) in dialogue.table {
            let found = SpokenValueReader().candidates(for: said, as: dialogue.kind, in: context)
            let competing = found.filter { $0.confidence > (found.first?.confidence ?? 0) - 0.15 }.map(\.text)
            #expect(competing == texts, "\(said)")
        }
    }

    @Test func `what was not offered is asked about before it counts`() {
        var context = SpeechContext(
            locale: "en", timeZone: "Europe/Amsterdam", now: Date(milliseconds: 1_772_442_000_000))
        context.offered = tomorrow
        func confidence(_ words: String) -> Double {
            SpokenValueReader().candidates(for: words, as: .dateTime, in: context).first?.confidence ?? 0
        }
        #expect(confidence("18:30") > 0.9)
        #expect(confidence("19:00") < 0.7)
    }

    @Test func `any value may have been offered, and any number of them`() {
        for offered in ["", "x", "99999-99-99", "2026-02-31", "1e400", "99:99", "T", "1 2 3", "-9223372036854775808"] {
            for kind in SpokenKind.allCases {
                var context = SpeechContext(locale: "en", timeZone: "UTC", now: Date(milliseconds: 0))
                context.offered = Array(repeating: offered, count: 20)
                for words in [
                    "one more", "an hour later", "5 euros less", "pm", "18:30", "Friday", "1000000 years later",
                ] {
                    #expect(SpokenValueReader().candidates(for: words, as: kind, in: context).count <= 4)
                }
            }
        }
    }
}
