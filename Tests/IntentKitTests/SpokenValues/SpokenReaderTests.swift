import Foundation
import IntentKit
import IntentRuntime
import PipelineTestKit
import Testing

@testable import SpokenValues

@Suite("A moment is written for the person") struct MomentTextTests {
    private func text(
        _ locale: String?, _ zone: String?, of value: String = "2026-11-25T17:30:00.000Z",
        as kind: SpokenKind = .dateTime
    ) -> String? {
        SpokenValueReader().text(of: value, as: kind, in: SpeechContext(locale: locale, timeZone: zone, now: nil))
    }

    @Test(arguments: [
        ("en-GB", ["Wed", "25", "Nov", "2026", "18:30"]), ("de", ["Mi", "25", "Nov", "2026", "18:30"]),
        ("nl", ["wo", "25", "nov", "2026", "18:30"]), ("fr", ["mer", "25", "nov", "2026", "18:30"]),
        ("es", ["mié", "25", "nov", "2026", "18:30"]),
    ])
    func `in the person's zone and language`(_ locale: String, _ parts: [String]) throws {
        let written = try #require(text(locale, "Europe/Amsterdam"))
        for part in parts { #expect(written.contains(part), "\(written)") }
        #expect(text("en-US", "America/New_York")?.contains("12:30 PM") == true)
    }

    @Test(arguments: [
        ("en-GB", "tomorrow, "), ("de", "morgen, "), ("nl", "morgen, "), ("fr", "demain, "), ("es", "mañana, "),
    ])
    func `yesterday, today and tomorrow come first, by name and in the person's zone`(
        _ locale: String, _ tomorrow: String
    ) throws {
        func written(_ value: String, _ kind: SpokenKind, _ zone: String) -> String? {
            let now = Date(text: "2026-11-24T12:00:00Z")
            return SpokenValueReader().text(
                of: value, as: kind, in: SpeechContext(locale: locale, timeZone: zone, now: now))
        }
        let plain = try #require(text(locale, "Europe/Amsterdam"))
        #expect(written("2026-11-25T17:30:00.000Z", .dateTime, "Europe/Amsterdam") == tomorrow + plain)
        // In Auckland it is the 25th already, and 17:30 UTC is the 26th.
        #expect(written("2026-11-25T17:30:00.000Z", .dateTime, "Pacific/Auckland")?.hasPrefix(tomorrow) == true)
        #expect(written("2026-11-25", .date, "Europe/Amsterdam")?.hasPrefix(tomorrow) == true)
        #expect(written("2026-11-25", .date, "Pacific/Auckland")?.hasPrefix(tomorrow) == false)
        #expect(written("2026-11-27", .date, "Europe/Amsterdam")?.contains(",") != nil)
        #expect(written("2026-11-27", .date, "Europe/Amsterdam")?.hasPrefix(tomorrow) == false)
    }

    @Test func `not without a known zone, in an unsupported language, or for another kind of value`() {
        #expect(text("en", nil) == nil && text("en", "Middle/Earth") == nil && text("ja", "Asia/Tokyo") == nil)
        #expect(text("en", "Europe/Amsterdam", of: "3.5", as: .number) == nil)
        #expect(text("en", "Europe/Amsterdam", of: "soon") == nil)
    }

    @Test(arguments: [
        ("de", ["2,5", "20,00 €", "1 Stunde"]), ("nl", ["2,5", "€ 20,00", "1 uur"]),
        ("fr", ["2,5", "20,00 €", "1 heure"]), ("es", ["2,5", "20,00 €", "1 hora"]),
    ])
    func `numbers, amounts and durations are written as in the person's language`(
        _ locale: String, _ written: [String]
    ) {
        let values: [(String, SpokenKind)] = [
            ("2.5", .number), ("20.00 EUR", .currencyAmount), ("PT1H30M", .duration),
        ]
        for ((value, kind), written) in zip(values, written) {
            let text = text(locale, nil, of: value, as: kind)
            // Versions of the locale data differ in the words between hours and minutes.
            #expect(kind == .duration ? text?.hasPrefix(written) == true : text == written, "\(text ?? "-")")
        }
        #expect(text(locale, nil, of: "soon", as: .number) == nil)
    }
}

@Suite("Words at random") struct RandomWordsTests {
    private static let locales = ["en-US", "en-GB", "nl-NL", "de-DE", "fr-FR", "es-ES"]

    private let seed = ProcessInfo.processInfo.environment["SEED"].flatMap(UInt64.init) ?? .random(in: 0...UInt64.max)

    private static func formatter(_ locale: String) -> DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: locale)
        formatter.timeZone = TimeZone(identifier: "Europe/Amsterdam")
        return formatter
    }

    @Test(arguments: locales)
    func `dates as Foundation writes them are read back`(_ locale: String) throws {
        var random = SeededRandom(seed: seed)
        let (formatter, iso) = (Self.formatter(locale), Self.formatter("en_US_POSIX"))
        let (day, time, moment) = ("yyyy-MM-dd", "HH:mm", "yyyy-MM-dd'T'HH:mm")
        // A short date has two digits of its year, or no digits that tell the century.
        let styles: [(DateFormatter.Style, DateFormatter.Style, SpokenKind, String)] = [
            (.short, .none, .date, day), (.medium, .none, .date, day), (.long, .none, .date, day),
            (.full, .none, .date, day), (.none, .short, .time, time), (.long, .short, .dateTime, moment),
        ]
        for _ in 0..<60 {
            // The date is exact to the minute, in the years 2000 to 2060.
            let date = Date(timeIntervalSince1970: Double(Int.random(in: 15_778_080...47_335_000, using: &random)) * 60)
            for (dateStyle, timeStyle, kind, format) in styles {
                (formatter.dateStyle, formatter.timeStyle) = (dateStyle, timeStyle)
                let words = formatter.string(from: date)
                iso.dateFormat = format
                let expected = iso.string(from: date)
                let texts = Saying(locale: locale).texts(words, kind)
                let isRead = texts.contains { kind == .dateTime ? $0.hasPrefix(expected) : $0 == expected }
                #expect(isRead, "\(words) with SEED=\(seed)")
            }
        }
    }

    @Test(arguments: locales)
    func `any words have candidates that their types read, or none`(_ locale: String) {
        var random = SeededRandom(seed: seed)
        let pieces = [
            "tomorrow", "morgen", "demain", "half", "halb", "quarter", "past", "vor", "à", "las", "in", "over", "18:30",
            "3/4", "03.04.", "1.500", "2,5", "999999999999999999999", "6", "pm", "uur", "heures", "Uhr", "€", "$",
            "EUR", "-", "und", "et", "y", "media", "minutes", "Stunden", "month", "maart", "Freitag", "next",
            "volgende", "12", "year", "0", "9999", "999999", "ago", "🙂", "e\u{301}", "\u{0}", "½", "'", ".", "a.m.",
            "٣", "weeks", "drie", "cents", "demie", "menos", "from", "bis", "until", "entre", "-", "every", "cada",
            "alle",
            "times", "km", "Mondays", "for", "/",
        ]
        for _ in 0..<3_000 {
            let words = (0..<Int.random(in: 1...7, using: &random)).map { _ in random.pick(pieces) }
                .joined(separator: Bool.random(using: &random) ? " " : "")
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
        case .measurement: text.split(separator: " ").first.map { Double(text: String($0)) != nil } == true
        case .dateRange: DateRange(text: text) != nil
        case .recurrence: RecurrenceRule(text: text) != nil
        }
    }

    @Test func `words that are longer than 200 bytes, and other languages, have no candidates`() {
        let long = "tomorrow at 18:30" + String(repeating: " ", count: 200)
        #expect(Saying(locale: "en").texts(long, .dateTime) == [] && Saying(locale: "it-IT").texts("5", .number) == [])
        #expect(Saying(locale: String(repeating: "en-", count: 100)).texts("5", .number) == [])
    }

    @Test func `days are those of Foundation's calendar`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        // Foundation uses the Julian calendar before 1582.
        for number in stride(from: -140_000, through: 400_000, by: 97) {
            let day = CivilDay(number: number)
            let date = Date(timeIntervalSince1970: Double(number) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: date)
            #expect(day.components == (parts.year!, parts.month!, parts.day!))
            #expect(day.weekday == (parts.weekday! + 5) % 7)
        }
    }
}

private struct BookTable: Intent {
    static let title: LocalizedText = "Book a table"
    @Parameter(title: "Moment") var moment: Date
    @Parameter(title: "Guests", .inclusiveRange(1...20)) var guests: Int?
    @Parameter(title: "Deposit") var deposit: Double?
    @Parameter(title: "Terrace") var terrace: Bool?
    @Parameter(title: "Price") var price: CurrencyAmount?
    @Parameter(title: "Days") var days: [CalendarDate]?
    static let parameters = Parameters<Self>(\.$moment, \.$guests, \.$deposit, \.$terrace, \.$price, \.$days)
    static var parameterSummary: some ParameterSummary { Summary("Book a table at \(\.$moment)") }
}

@Suite("Words that a registry's reader understands") struct SpokenValueTests {
    /// A reader that returns these candidates for all words.
    private struct Fixed: SpokenValueReading {
        let candidates: [SpokenCandidate]

        init(_ candidates: KeyValuePairs<String, Double>) {
            self.candidates = candidates.map { SpokenCandidate(text: $0, confidence: $1) }
        }

        func candidates(for _: String, as _: SpokenKind, in _: SpeechContext) -> [SpokenCandidate] { candidates }
    }

    /// Resolves one parameter of the intent, spoken on Monday, 2026-03-02 at 10:00 in Amsterdam.
    private func resolve(
        _ name: String, _ said: JSON, locale: String? = "en-GB", origin: ParameterState.Origin = .given,
        reader: (any SpokenValueReading)? = SpokenValueReader()
    ) async throws -> ResolvedParameter {
        let registry = try IntentRegistry(
            [serving(BookTable.self)], dependencies: AppDependencyManager(), spokenValues: reader)
        var context = InvocationContext(session: "s", request: "r", locale: locale)
        (context.timeZone, context.now) = ("Europe/Amsterdam", 1_772_442_000_000)
        let outcome = await registry.perform(
            IntentInvocation(
                phase: .resolve, intent: BookTable.name, parameters: [.given(name, said, origin)], context: context))
        guard case .resolved(let all, _, _, _) = outcome, let found = all.first(where: { $0.name == name }) else {
            throw UnexpectedOutcome(outcome, of: .resolve, BookTable.name)
        }
        return found
    }

    @Test func `have a confidence once they are read`() async throws {
        let moment = try await resolve("moment", "tomorrow at half past six in the evening").provenance
        let confidence = try #require(moment?.confidence)
        #expect(0.7...1 ~= confidence && moment?.interpreted == nil)
        let doubtful = try await resolve("guests", "for", reader: Fixed(["4": 0.5]))
        #expect(doubtful.resolution == .confirmationRequired(4, dialog: "Guests: 4?"))
        #expect(doubtful.provenance == ParameterState.Provenance(confidence: 0.5))
        #expect(try await resolve("guests", 4).provenance == nil, "nothing was read")
    }

    @Test(
        arguments: [
            ("moment", "tomorrow evening at half past six", "en-GB", "2026-03-03T17:30:00Z"),
            ("moment", "morgen Abend um halb sieben", "de-DE", "2026-03-03T17:30:00Z"),
            ("moment", "morgenavond om half zeven", "nl-NL", "2026-03-03T17:30:00Z"),
            ("terrace", "absolutely", "en-GB", true), ("terrace", "nein, danke", "de-DE", false),
            ("terrace", "jazeker", "nl", true), ("deposit", "3,5", "de-DE", 3.5), ("deposit", "3.5", "en-US", 3.5),
            ("guests", "zwölf", "de-DE", 12),
            ("price", "14 Euro 50", "de-DE", JSON(CurrencyAmount(minorUnits: 1_450, currencyCode: "EUR"))),
            ("days", ["tomorrow", "2026-04-01"], "en-GB", ["2026-03-03", "2026-04-01"]),
            ("days", "Wednesday and Friday", "en-GB", ["2026-03-04", "2026-03-06"]),
        ] as [(String, JSON, String, JSON)])
    func `are read in three languages, with the locale's separators, and one by one in a list`(
        _ name: String, _ said: JSON, _ locale: String, _ value: JSON
    ) async throws { #expect(try await resolve(name, said, locale: locale).resolution == .success(value)) }

    @Test func `have to be confirmed if they are doubtful`() async throws {
        let german = try await resolve("deposit", "1.500", locale: "de-DE").resolution
        #expect(german == .confirmationRequired(1_500, dialog: "Deposit: 1500?"))
        #expect(
            try await resolve("deposit", "1.500", locale: nil).resolution == .success(1.5), "the locale is not known")
        #expect(try await resolve("deposit", 1.5, locale: "de-DE").resolution == .success(1.5), "it is no text")
    }

    @Test func `lead to a choice if several values are equally likely`() async throws {
        let options = try await resolve("moment", "tomorrow at half past six").resolution.options
        #expect(options.map(\.value) == ["2026-03-03T17:30:00Z", "2026-03-03T05:30:00Z"])
        #expect(try await resolve("moment", options[1].value, origin: .chosen).resolution == .success(options[1].value))
    }

    @Test func `are limited by the declared range, which rules out candidates`() async throws {
        #expect(try await resolve("guests", "dreißig", locale: "de-DE").resolution.reason == "aboveMaximum")
        let reader = Fixed(["1500": 0.8, "15": 0.75])
        #expect(try await resolve("guests", "fifteen or so", reader: reader).resolution == .success(15))
    }

    @Test func `are read by their type first, and are not understood without a reader`() async throws {
        #expect(try await resolve("terrace", "yes", reader: Fixed(["false": 1])).resolution == .success(true))
        #expect(try await resolve("moment", "tomorrow", reader: nil).resolution.reason != nil)
        #expect(try await resolve("moment", "the weather").resolution.reason != nil)
    }

    @Test func `have no candidates that the type does not read`() async throws {
        let reader = Fixed(["soon": 1, "false": 0.9])
        #expect(try await resolve("terrace", "rather not", reader: reader).resolution == .success(false))
    }
}
