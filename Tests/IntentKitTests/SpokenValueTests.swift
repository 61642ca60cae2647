import IntentKit
import IntentRuntime
import SpokenValues
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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

@Suite("Words that a registry's reader understands")
struct SpokenValueTests {
    private struct Handler: IntentHandling {
        func handle(_ intent: BookTable, context: Context) async throws -> HandleResponse { .success() }
    }

    private struct Restaurant: IntentExtension {
        let intents: [any Intent.Type] = [BookTable.self]
        func handler(for intent: any Intent) -> (any IntentHandler)? { Handler() }
    }

    private struct Failed: Error {}

    /// A reader that returns these candidates for all words.
    private struct Fixed: SpokenValueReading {
        let candidates: [SpokenCandidate]

        func candidates(for words: String, as kind: SpokenKind, in context: SpeechContext) -> [SpokenCandidate] {
            candidates
        }
    }

    /// Resolves one parameter of the intent, spoken on Monday, 2026-03-02 at 10:00 in Amsterdam.
    private func resolve(
        _ name: String, _ said: JSON, locale: String? = "en-GB", origin: ParameterState.Origin = .given,
        reader: (any SpokenValueReading)? = SpokenValueReader()
    ) async throws -> ParameterResolution? {
        try await resolved(name, said, locale: locale, origin: origin, reader: reader)?.resolution
    }

    private func resolved(
        _ name: String, _ said: JSON, locale: String? = "en-GB", origin: ParameterState.Origin = .given,
        reader: (any SpokenValueReading)? = SpokenValueReader()
    ) async throws -> ResolvedParameter? {
        let registry = try IntentRegistry([Restaurant()], dependencies: AppDependencyManager(), spokenValues: reader)
        let context = InvocationContext(
            session: "s", request: "r", locale: locale, timeZone: "Europe/Amsterdam", now: 1_772_442_000_000)
        let invocation = IntentInvocation(
            phase: .resolve, intent: BookTable.name,
            parameters: [ParameterState(name: name, value: said, origin: origin)], context: context
        )
        guard case .resolved(let resolved, _, _, _) = await registry.perform(invocation) else { return nil }
        return resolved.first { $0.name == name }
    }

    @Test("how likely a reading is comes with it, and what it was before the resolver replaced it")
    func provenance() async throws {
        let moment = try await resolved("moment", .string("tomorrow at half past six in the evening"))
        let confidence = try #require(moment?.provenance?.confidence)
        #expect(0.7...1 ~= confidence && moment?.provenance?.interpreted == nil)
        let fixed = Fixed(candidates: [SpokenCandidate(text: "4", confidence: 0.5)])
        let doubtful = try await resolved("guests", .string("for"), reader: fixed)
        #expect(doubtful?.resolution == .confirmationRequired(.number(4), dialog: nil))
        #expect(doubtful?.provenance == ParameterState.Provenance(confidence: 0.5))
        #expect(try await resolved("guests", .number(4))?.provenance == nil, "nothing was read")
    }

    @Test("a moment in three languages")
    func moments() async throws {
        let expected = ParameterResolution.success(.string("2026-03-03T17:30:00Z"))
        #expect(try await resolve("moment", .string("tomorrow evening at half past six")) == expected)
        #expect(try await resolve("moment", .string("morgen Abend um halb sieben"), locale: "de-DE") == expected)
        #expect(try await resolve("moment", .string("morgenavond om half zeven"), locale: "nl-NL") == expected)
    }

    @Test("yes and no in three languages")
    func answers() async throws {
        #expect(try await resolve("terrace", .string("absolutely")) == .success(.bool(true)))
        #expect(try await resolve("terrace", .string("nein, danke"), locale: "de-DE") == .success(.bool(false)))
        #expect(try await resolve("terrace", .string("jazeker"), locale: "nl") == .success(.bool(true)))
    }

    @Test("numbers and money with the separators of the locale")
    func numbers() async throws {
        #expect(try await resolve("deposit", .string("3,5"), locale: "de-DE") == .success(JSON(3.5)))
        #expect(try await resolve("deposit", .string("3.5"), locale: "en-US") == .success(JSON(3.5)))
        #expect(try await resolve("guests", .string("zwölf"), locale: "de-DE") == .success(.number(12)))
        let price = JSON(CurrencyAmount(minorUnits: 1_450, currencyCode: "EUR"))
        #expect(try await resolve("price", .string("14 Euro 50"), locale: "de-DE") == .success(price))
    }

    @Test("a doubtful value has to be confirmed")
    func doubtful() async throws {
        let resolution = try await resolve("deposit", .string("1.500"), locale: "de-DE")
        guard case .confirmationRequired(let value, _) = resolution else {
            throw Failed()
        }
        #expect(value == JSON(1_500.0))
        #expect(
            try await resolve("deposit", .string("1.500"), locale: nil) == .success(JSON(1.5)),
            "the locale is not known")
        #expect(try await resolve("deposit", JSON(1.5), locale: "de-DE") == .success(JSON(1.5)), "it is no text")
    }

    @Test("of values that are equally likely, the person chooses")
    func ambiguous() async throws {
        guard case .disambiguation(let options, _)? = try await resolve("moment", .string("tomorrow at half past six"))
        else {
            throw Failed()
        }
        #expect(options.map(\.value) == [.string("2026-03-03T17:30:00Z"), .string("2026-03-03T05:30:00Z")])
        let chosen = try await resolve("moment", options[1].value, origin: .chosen)
        #expect(chosen == .success(options[1].value))
    }

    @Test("values of a list are read one by one")
    func list() async throws {
        let said = JSON.array([.string("tomorrow"), .string("2026-04-01")])
        #expect(try await resolve("days", said) == .success(.array([.string("2026-03-03"), .string("2026-04-01")])))
        #expect(
            try await resolve("days", .string("Wednesday and Friday"))
                == .success(.array([.string("2026-03-04"), .string("2026-03-06")])))
    }

    @Test("the declaration's range applies, and rules out candidates")
    func range() async throws {
        guard case .unsupported(let reason, _)? = try await resolve("guests", .string("dreißig"), locale: "de-DE")
        else {
            throw Failed()
        }
        #expect(reason == "greaterThanMaximumValue" || reason == "aboveMaximum")
        let reader = Fixed(candidates: [
            SpokenCandidate(text: "1500", confidence: 0.8), SpokenCandidate(text: "15", confidence: 0.75),
        ])
        #expect(try await resolve("guests", .string("fifteen or so"), reader: reader) == .success(.number(15)))
    }

    @Test("what the type reads itself is not asked for, and nothing is without a reader")
    func unasked() async throws {
        let wrong = Fixed(candidates: [SpokenCandidate(text: "false", confidence: 1)])
        #expect(try await resolve("terrace", .string("yes"), reader: wrong) == .success(.bool(true)))
        guard case .unsupported? = try await resolve("moment", .string("tomorrow"), reader: nil) else { throw Failed() }
        guard case .unsupported? = try await resolve("moment", .string("the weather")) else { throw Failed() }
    }

    @Test("candidates that the type does not read are passed over")
    func unreadable() async throws {
        let reader = Fixed(candidates: [
            SpokenCandidate(text: "soon", confidence: 1), SpokenCandidate(text: "false", confidence: 0.9),
        ])
        #expect(try await resolve("terrace", .string("rather not"), reader: reader) == .success(.bool(false)))
    }
}
