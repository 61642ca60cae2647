import Foundation
import IntentKit
import IntentModel
import IntentRuntime
import PipelineTestKit
import SpokenValues
import Testing

private enum Size: String, AppEnum {
    case small, van
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Size"
    static let caseDisplayRepresentations: [Size: DisplayRepresentation] = [
        .small: DisplayRepresentation(title: LocalizedText("Small", translations: ["de": "Klein"])),
        .van: DisplayRepresentation(title: "XL", synonyms: ["big one"]),
    ]
}

private struct Hire: Intent {
    static let title: LocalizedText = "Hire a car"
    static let confirmation: ConfirmationPolicy = .always

    @Parameter(title: "Size") var size: Size
    @Parameter(title: LocalizedText("People", translations: ["de": "Personen"]), .inclusiveRange(1...8)) var people:
        Int = 1
    @Parameter(title: "Pickup time") var time: Date
    @Parameter(title: "Destination") var destination: Place?
    @Parameter(title: "Deposit") var deposit: CurrencyAmount?
    @Parameter(title: "Note") var note: String?
    @Parameter(title: "Code", .sensitivity(.secret)) var code: String?

    static let parameters = Parameters<Self>(
        \.$size, \.$people, \.$time, \.$destination, \.$deposit, \.$note, \.$code)
    static var parameterSummary: some ParameterSummary {
        Summary(
            "\(\.$size) for \(\.$people) people to \(\.$destination) at \(\.$time)",
            translations: ["de": "\(\.$size) für \(\.$people) Personen nach \(\.$destination) um \(\.$time)"])
    }
}

private struct HireHandler: IntentHandling {
    func handle(_ intent: Hire, context: Context) async throws -> HandleResponse { .success() }
}

private struct HireExtension: IntentExtension {
    let intents: [any Intent.Type] = [Hire.self]
    func handler(for intent: any Intent) -> (any IntentHandler)? { HireHandler() }
}

/// A resolver's results after words, by parameter: `=` and its value, `?` and what it is asked, `-` without one.
private func read(
    _ said: SaidAnswer, _ known: [ParameterState], locale: String = "en-GB"
) async throws -> [String: String] {
    let registry = try IntentRegistry(
        [HireExtension()], dependencies: AppDependencyManager(), spokenValues: SpokenValueReader())
    var context = InvocationContext(session: "s", request: "r", locale: locale)
    (context.timeZone, context.now) = ("Europe/Amsterdam", 1_772_442_000_000)
    context.said = [said]
    let outcome = await registry.perform(
        IntentInvocation(phase: .resolve, intent: "Hire", parameters: known, context: context)
    ) { _ in }
    guard case .resolved(let all, _, _, _) = outcome else { throw UnexpectedOutcome(outcome, of: .resolve, "Hire") }
    var results: [String: String] = [:]
    for parameter in all {
        let value: String? =
            switch parameter.resolution {
            case .success(let json): "= \(json.view.string ?? json.description)"
            case .confirmationRequired(let json, _): "? \(json.view.string ?? json.description)"
            case .disambiguation(let options, _): "? \(options.map(\.id).joined(separator: " "))"
            case .needsValue: "?"
            case .unsupported(let reason, _): "! \(reason)"
            case .notRequired: nil
            }
        if let value { results[parameter.name] = value }
    }
    return results
}

private let booked: [ParameterState] = .resolved([
    "size": "small", "people": 2, "time": "2026-03-03T17:30:00Z", "destination": ["name": "Leeds"],
    "deposit": ["amount": "10", "currencyCode": "EUR"],
])

/// A sentence at a confirmation, and the parameters that it changes.
private struct Change: Sendable, CustomTestStringConvertible {
    let said: String
    let locale: String
    let changed: [String: String]
    var testDescription: String { said }

    static func list(_ locale: String, _ table: KeyValuePairs<String, [String: String]>) -> [Change] {
        table.map { Change(said: $0, locale: locale, changed: $1) }
    }
}

private let changes =
    Change.list(
        "en-GB",
        [
            "make it four": ["people": "= 4"], "No, four people.": ["people": "= 4"], "for four": ["people": "= 4"],
            "two more people": ["people": "= 4"], "actually XL, for four": ["size": "= van", "people": "= 4"],
            "the big one for four please": ["size": "= van", "people": "= 4"],
            "no, to York": ["destination": "= York"], "to York and XL": ["destination": "= York", "size": "= van"],
            "yes but 20 euros": ["deposit": "= 20.00 EUR"], "5 euros more": ["deposit": "= 15.00 EUR"],
            "an hour later": ["time": "= 2026-03-03T18:30:00Z"],
            "the pickup time to 19:00": ["time": "? 2026-03-03T18:00:00Z"],
            "change the destination to York": ["destination": "= York"], "note: bring a map": ["note": "= bring a map"],
            "make it fifty people": ["people": "! aboveMaximum"],
            "half past six": [:], "half past seven": ["time": "? 2026-03-03T06:30:00.000Z 2026-03-03T18:30:00.000Z"],
            "no to York": ["destination": "= York"], "no, to york": ["destination": "= york"],
            "change the destination to York, and for four": ["destination": "= York", "people": "= 4"],
            // A sentence with a part that is unclear, or that says what is not meant, changes nothing.
            "note: call me, please": ["note": "= call me, please"],
            "to St. Stephen's": ["destination": "= St. Stephen's"],
            "no, to the station": ["destination": "= the station"],
            "I want to pay cash": [:], "I'd like to leave now": [:], "I need to hurry": [:], "no, pay 20": [:],
            "the first one": [:], "no, the second": [:], "change the destination to 19:00": [:], "another one": [:],
            "make it four, an hour later": ["people": "= 4", "time": "= 2026-03-03T18:30:00Z"],
            "tomorrow, at nine in the evening": ["time": "= 2026-03-03T20:00:00Z"],
            "no XL": [:], "I want no XL": [:], "for four, no": [:], "to be honest": [:], "to be honest, no": [:],
            "to york": [:], "change the destination": [:], "the destination is wrong": [:],
            "the destination is not York": [:], "remove the note": [:], "without a note": [:],
            "what's the destination": [:], "more than four people": [:], "instead of four, five": [:], "not four": [:],
            "don't make it four": [:], "anything but four": [:], "no more": [:],
            // Whatever can't be read changes nothing.
            "hmm": [:], "I guess so": [:], "yes of course not": [:], "no": [:], "York": [:], "for": [:], "to": [:],
            "four and five": [:], "make it": [:], "for four and for five": [:], "code 1234": [:],
            "to York for four and a dog": [:],
            "what about the weather, to York": [:], "XL or small": [:], "for Mia": [:], "yes, yes": [:], ",": [:],
        ])
    + Change.list(
        "de-DE",
        [
            "nein, nach York": ["destination": "= York"], "lieber für vier": ["people": "= 4"],
            "mach vier Personen draus": ["people": "= 4"],
            "eine Stunde später bitte": ["time": "= 2026-03-03T18:30:00Z"],
            "XL und für vier": ["size": "= van", "people": "= 4"], "doch nicht": [:], "vielleicht": [:],
            "keine vier": [:], "um vier": ["time": "? 2026-03-03T15:00:00.000Z 2026-03-03T03:00:00.000Z"],
            "lieber für vier Personen": ["people": "= 4"], "nach meiner Meinung": [:], "vier, nein": [:],
            "nein vier": ["people": "= 4"],
        ])
    + Change.list(
        "es",
        [
            "no, cuatro": ["people": "= 4"], "mejor cuatro": ["people": "= 4"], "no quiero cuatro": [:],
            "no ponga cuatro": [:], "cuatro, no": [:], "a lo mejor": [:], "otra vez": [:], "no más de cuatro": [:],
            "dos más": ["people": "= 4"],
        ])
    + Change.list(
        "fr", ["non, quatre": ["people": "= 4"], "à vrai dire non": [:], "pas quatre": [:], "plus de quatre": [:]])
    + Change.list(
        "nl",
        [
            "nee, vier": ["people": "= 4"], "naar mijn mening niet": [:], "eerder vier": [:],
            "nog twee": ["people": "= 4"],
        ])

/// Sentences in answer to the question for a place, and the name in them.
private let places: [(String, String, String)] = [
    ("en-US", "I'd like to go to San José, please.", "San José"), ("en", "in York", "York"),
    ("en", "Can you find me one in York?", "York"), ("en", "going to St. John's", "St. John's"),
    ("en", "My destination is York", "York"), ("en", "York would be great, thanks", "York"),
    ("en", "Yes, York", "York"), ("en", "How about York?", "York"), ("en", "From York I'd like to leave", "York"),
    ("en", "The Hague is fine", "The Hague"), ("en", "I live at 12 Abbey Road", "12 Abbey Road"),
    // Without a name in it, the whole sentence is asked about.
    ("en", "I would rather not go to York", "I would rather not go to York"), ("en", "I want it", "I want it"),
    ("en", "I want to go from York to Leeds", "I want to go from York to Leeds"),
    ("en", "I'd like to eat in York", "York"), ("en", "I prefer Great Yarmouth", "Great Yarmouth"),
    ("en", "I'd like to go to Nice", "Nice"), ("en", "In York.", "York"),
    ("de", "Ich möchte bitte nach Köln", "Köln"), ("de", "Ich will nach Köln fahren.", "Köln"),
    ("de", "Köln wäre gut", "Köln"), ("de", "am Zoo", "Zoo"),
    ("fr", "Je voudrais aller à Lyon, s'il vous plaît", "Lyon"), ("fr", "Ce serait Lyon, merci", "Lyon"),
    ("es", "Quiero ir a Palma de Mallorca, por favor", "Palma de Mallorca"),
    ("nl", "Ik wil graag naar Den Haag", "Den Haag"), ("nl", "Utrecht is prima", "Utrecht"),
]

@Suite("Words that change an intent")
struct UtteranceBindingTests {
    @Test(arguments: changes) private func `a sentence changes the parameters that it names, and no others`(
        _ change: Change
    ) async throws {
        let before = try await read(SaidAnswer("nothing to read"), booked, locale: change.locale)
        let after = try await read(SaidAnswer(change.said), booked, locale: change.locale)
        let changed = after.filter { before[$0.key] != $0.value }.mapValues { value in
            value.wholeMatch(of: /= \{"name":"(.*)"\}/).map { "= \($0.1)" }
                ?? value.wholeMatch(of: /= \{"amount":"(.*)","currencyCode":"(.*)"\}/).map { "= \($0.1) \($0.2)" }
                ?? value
        }
        #expect(changed == change.changed)
    }

    @Test func `words for the parameter that was asked for may have more than its value`() async throws {
        func answer(_ words: String, to parameter: String, alone: Bool = false) async throws -> [String: String] {
            try await read(
                SaidAnswer(words, parameter: parameter, isForParameterAlone: alone),
                booked.filter { $0.name != parameter && $0.name != "people" } + [
                    ParameterState(name: parameter, value: .string(words))
                ])
        }
        let both = try await answer("XL, for four", to: "size")
        #expect(both["size"] == "= van" && both["people"] == "= 4")
        let other = try await answer("no, to York", to: "size")
        #expect(other["size"]?.hasPrefix("?") == true && other["destination"]?.contains("York") == true)
        // Any text is a note, and an agent changes nothing else.
        let note = try await answer("bring a map, for four", to: "note")
        #expect(note["note"] == "= bring a map, for four" && note["people"] == "= 1")
        #expect(try await answer("XL, for four", to: "size", alone: true)["people"] == "= 1")
        let place = try await answer("York, for four", to: "destination")
        #expect(place["destination"]?.contains(#""York""#) == true && place["people"] == "= 4")
        let name = try await answer("Four Oaks, Leeds", to: "destination")
        #expect(name["destination"]?.contains("Four Oaks, Leeds") == true && name["people"] == "= 1")
    }

    private func answer(
        _ name: String, _ words: String, _ locale: String = "en-GB", isAlone: Bool = false
    ) async throws -> [String: String] {
        let known = booked.filter { $0.name != name } + [ParameterState(name: name, value: .string(words))]
        return try await read(SaidAnswer(words, parameter: name, isForParameterAlone: isAlone), known, locale: locale)
    }

    @Test(
        arguments: [
            ("en-GB", "size", "could you send something small for us", "? small"),
            ("en-GB", "people", "there will be 3 of us all in all", "? 3"),
            ("en-GB", "time", "whenever you like after 18:30 tomorrow", "? 2026-03-03T17:30:00Z"),
            ("de", "people", "wir werden wohl drei sein", "? 3"),
            ("de", "size", "schicken Sie etwas klein bitte", "? small"),
            ("fr", "people", "nous serons peut-être trois ce soir", "? 3"),
            ("es", "people", "seremos tres en total", "? 3"),
            ("nl", "people", "we zijn waarschijnlijk met drie", "? 3"),
        ])
    func `a single value among other words has to be confirmed, in this round and in the next`(
        _ locale: String, _ name: String, _ words: String, _ value: String
    ) async throws {
        for isAlone in [false, true] {
            let results = try await answer(name, words, locale, isAlone: isAlone)
            #expect(results[name] == value)
            #expect(results["destination"]?.contains("Leeds") == true)
        }
    }

    @Test(arguments: [
        ("size", "I would rather not take a small car"), ("size", "a small one or an XL"),
        ("people", "we are 3 adults and 2 children"), ("people", "… many … of us"),
        ("time", "as soon as you can make it"),
    ])
    func `a sentence that denies, has two values or has none is not read`(_ name: String, _ words: String) async throws
    {
        let result = try #require(try await answer(name, words)[name])
        #expect(result.hasPrefix("!"), "\(result)")
    }

    @Test(arguments: ["I'm going to York", "milk, eggs and bread for Anna"])
    func `free text stays as it was said`(_ words: String) async throws {
        #expect(try await answer("note", words)["note"] == "= \(words)")
    }

    @Test(arguments: places) private func `the name of a place is found in a sentence, and has to be confirmed`(
        _ locale: String, _ words: String, _ name: String
    ) async throws {
        let results = try await answer("destination", words, locale)
        #expect(results["destination"] == "? {\"name\":\"\(name)\"}")
        #expect(results["people"] == "= 2")
    }

    @Test(arguments: [
        ("en", "York"), ("en", "St. John's"), ("en", "The Hague"), ("en", "12 High Street, York"),
        ("en", "Isle of Man"), ("en", "Church of St Martin in the Fields"), ("en", "Nice, France"),
        ("en", "Great Yarmouth"), ("en", "Frankfurt am Main"), ("en", "Åre, Sweden"), ("en", "Love Field"),
        ("en", "Port of Spain"), ("de", "Am Zoo"), ("de", "Gut Aiderbichl"), ("de", "Im Hafen 3"),
        ("fr", "Aux Deux Magots"), ("fr", "Le Havre"), ("fr", "Saint-Germain en Laye"), ("es", "A Coruña"),
        ("es", "Es Castell"), ("es", "Palma de Mallorca"), ("nl", "Van Gogh Museum"), ("nl", "Het Loo"),
        ("nl", "Bergen op Zoom"),
    ])
    func `words that are no sentence are the name of a place as they are`(_ locale: String, _ words: String)
        async throws
    {
        let results = try await answer("destination", words, locale)
        #expect(results["destination"] == "= {\"name\":\"\(words)\"}")
    }

    @Test func `a name that is said again, after the person was asked about a part of it, is not asked about`()
        async throws
    {
        let known = [ParameterState(name: "destination", value: "am Zoo")]
        let offers: [([JSON], String)] = [
            ([], "? {\"name\":\"Zoo\"}"), ([["name": "Zoo Berlin"]], "= {\"name\":\"am Zoo\"}"),
            ([["name": "Zoo 1"], ["name": "Zoo 2"]], "? {\"name\":\"Zoo\"}"),
        ]
        for (offered, result) in offers {
            let results = try await read(
                SaidAnswer("am Zoo", parameter: "destination", offered: offered), known, locale: "de")
            #expect(results["destination"] == result)
        }
    }

    @Test func `a time picks among the times that were offered`() async throws {
        func time(_ words: String) async throws -> String? {
            try await read(
                SaidAnswer(words, parameter: "time", offered: ["2026-03-03T17:30:00Z", "2026-03-03T05:30:00Z"]),
                booked.filter { $0.name != "time" } + [ParameterState(name: "time", value: .string(words))])["time"]
        }
        #expect(try await time("18:30") == "= 2026-03-03T17:30:00Z")
        #expect(try await time("in the evening") == "= 2026-03-03T17:30:00Z")
        #expect(try await time("half past six")?.hasPrefix("? ") == true)
    }
}
