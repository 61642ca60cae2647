import Foundation
import IntentKit
import Testing

@testable import SpokenValues

@Suite("Words at random")
struct RandomWordsTests {
    private static let locales = ["en-US", "en-GB", "nl-NL", "de-DE", "fr-FR", "es-ES"]

    private struct Dice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            return word ^ (word >> 31)
        }
    }

    private static func dice() -> (Dice, UInt64) {
        let seed = ProcessInfo.processInfo.environment["SEED"].flatMap(UInt64.init) ?? .random(in: 0...UInt64.max)
        return (Dice(state: seed), seed)
    }

    @Test("dates as Foundation writes them are read back", arguments: locales)
    func formatted(_ locale: String) throws {
        var (dice, seed) = Self.dice()
        let zone = "Europe/Amsterdam"
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: locale)
        formatter.timeZone = TimeZone(identifier: zone)
        let iso = DateFormatter()
        iso.locale = Locale(identifier: "en_US_POSIX")
        iso.timeZone = formatter.timeZone
        let saying = Saying(locale: locale, zone: zone)
        for _ in 0..<60 {
            // The date is exact to the minute, in the years 2000 to 2060.
            let date = Date(timeIntervalSince1970: Double(Int.random(in: 15_778_080...47_335_000, using: &dice)) * 60)
            for style in [DateFormatter.Style.short, .medium, .long, .full] {
                (formatter.dateStyle, formatter.timeStyle) = (style, .none)
                iso.dateFormat = "yyyy-MM-dd"
                let words = formatter.string(from: date)
                // A short date has two digits of its year, or no digits that tell the century.
                #expect(saying.texts(words, .date).contains(iso.string(from: date)), "\(words) with SEED=\(seed)")
            }
            (formatter.dateStyle, formatter.timeStyle) = (.none, .short)
            iso.dateFormat = "HH:mm"
            let time = formatter.string(from: date)
            #expect(saying.texts(time, .time).contains(iso.string(from: date)), "\(time) with SEED=\(seed)")
            (formatter.dateStyle, formatter.timeStyle) = (.long, .short)
            iso.dateFormat = "yyyy-MM-dd'T'HH:mm"
            let moment = formatter.string(from: date)
            #expect(
                saying.texts(moment, .dateTime).contains { $0.hasPrefix(iso.string(from: date)) },
                "\(moment) with SEED=\(seed)")
        }
    }

    @Test("any words have candidates that their types read, or none", arguments: locales)
    func anything(_ locale: String) {
        var (dice, seed) = Self.dice()
        let pieces = [
            "tomorrow", "morgen", "demain", "half", "halb", "quarter", "past", "vor", "à", "las", "in", "over", "18:30",
            "3/4", "03.04.",
            "1.500", "2,5",
            "999999999999999999999", "6", "pm", "uur", "heures", "Uhr", "€", "$", "EUR", "-", "und", "et", "y", "media",
            "minutes",
            "Stunden", "month",
            "maart", "Freitag", "next", "volgende", "12", "year", "0", "9999", "999999", "ago", "🙂", "e\u{301}",
            "\u{0}", "½", "'", ".",
            "a.m.", "٣",
            "weeks", "drie", "cents", "demie", "menos",
        ]
        for _ in 0..<3_000 {
            let words = (0..<Int.random(in: 1...7, using: &dice)).map { _ in pieces.randomElement(using: &dice)! }
                .joined(separator: Bool.random(using: &dice) ? " " : "")
            for kind in SpokenKind.allCases {
                for candidate in Saying(locale: locale).candidates(words, kind) {
                    #expect(
                        Self.isReadable(candidate.text, kind),
                        "'\(words)' as \(kind): \(candidate.text) with SEED=\(seed)")
                }
            }
        }
    }

    private static func isReadable(_ text: String, _ kind: SpokenKind) -> Bool {
        switch kind {
        case .dateTime: Date(text: text) != nil
        case .date: CalendarDate(text: text) != nil
        case .time: TimeOfDay(text: text) != nil
        case .number: Decimal(text: text) != nil
        case .wholeNumber: Int(text: text) != nil
        case .yesNo: Bool(text: text) != nil
        case .currencyAmount: CurrencyAmount(text: text) != nil
        case .duration: Duration(text: text) != nil
        }
    }

    @Test("words that are longer than 200 bytes, and other languages, have no candidates")
    func bounds() {
        let saying = Saying(locale: "en")
        #expect(saying.texts("tomorrow at 18:30" + String(repeating: " ", count: 200), .dateTime) == [])
        #expect(Saying(locale: "it-IT").texts("5", .number) == [])
        #expect(Saying(locale: String(repeating: "en-", count: 100)).texts("5", .number) == [])
    }
}
