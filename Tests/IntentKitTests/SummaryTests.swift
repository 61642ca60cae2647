import IntentKit
import IntentRuntime
import PipelineTestKit
import TestTrails
import Testing

@Suite("Intents are values") struct IntentValueTests {
    @Test func `copies never share state`() {
        var first = OrderTea()
        first.leaf = .sencha
        first.guest = Person(displayName: "Kim")
        var second = first
        second.leaf = .assam
        second.guest = nil
        second.$pots.value = 4
        #expect(first.leaf == .sencha && first.guest?.displayName == "Kim" && first.pots == 1)
        #expect(second.leaf == .assam && second.guest == nil && second.pots == 4)
    }

    @Test func `a parameter without a value reads its default, and can be set through its key path`() {
        var order = OrderTea()
        #expect(order.pots == 1 && order.$pots.value == nil && order.$leaf.value == nil)
        let path: WritableKeyPath<OrderTea, Parameter<Leaf>> = \.$leaf
        order[keyPath: path].value = .pouchong
        #expect(order.leaf == .pouchong)
    }
}

@Suite("A parameter summary describes the intent in a sentence") struct SummaryTests {
    private typealias Values = KeyValuePairs<String, any ParameterValue>

    @Test(
        arguments: [
            (["activity": "biking", "location": "Bonn"], 5, "Ride a bike within 5 km of Bonn"),
            (["activity": "biking", "location": "Bonn"], nil, "Ride a bike within [Search Radius] of Bonn"),
            (["activity": "biking", "trailCollection": "Alps"], nil, "Pick a bike ride from Alps"),
            (["activity": "biking"], nil, "Suggest bike rides from [Trail Collection] or near [Location]"),
            (["activity": "hiking", "location": "Bonn"], 50, "Suggest Hiking trails within 50 km of Bonn"),
            (["activity": "jogging", "trailCollection": "Alps"], nil, "Suggest Jogging trails from Alps"),
            (["activity": "jogging"], nil, "Suggest Jogging trails from [Trail Collection] or near [Location]"),
        ] as [(KeyValuePairs<String, JSON>, Double?, String)])
    func `the example of Apple's article follows its conditions`(
        _ values: KeyValuePairs<String, JSON>, _ radius: Double?, _ expected: String
    ) async throws {
        let kilometers = radius.map { Measurement(value: $0, unit: UnitLength.kilometers) }
        let states = kilometers.map { [ParameterState.given("searchRadius", JSON($0), .resolved)] } ?? []
        let outcome = try await ConfirmationAsker<SuggestedTrails>().perform(.confirm, .resolved(values) + states)
        #expect(outcome.confirmation?.summary == expected)
    }

    private struct Compared: Intent {
        static let title: LocalizedText = "Compared"
        @Parameter(title: "N") var n: Int?
        @Parameter(title: "Cup") var cup: Cup?
        static let parameters = Parameters<Self>(\.$n, \.$cup)
        static var parameterSummary: some ParameterSummary {
            When(\.$n, .lessThan, 2, { Summary("less than 2") }, otherwise: { atMost })
        }
        private static let atMost = When(\.$n, .lessThanOrEqualTo, 2, { Summary("at most 2") }, otherwise: { more })
        private static let more = When(\.$n, .greaterThan, 9, { Summary("more than 9") }, otherwise: { least })
        private static let least = When(\.$n, .greaterThanOrEqualTo, 9, { Summary("at least 9") }, otherwise: { pair })
        private static let pair = When(\.$n, .oneOf, [3, 4], { Summary("3 or 4") }, otherwise: { without })
        private static let without = When(
            \.$n, .hasNoValue, { ofCup }, otherwise: { When(\.$n, .notEqualTo, 5) { Summary("not 5") } })
        private static let ofCup = When(
            \.$cup, .equalTo, identifier: "c1", { Summary("the first cup") }, otherwise: { another })
        private static let another = When(
            \.$cup, .oneOf, identifiers: ["c2", "c3"], { Summary("another cup") }, otherwise: { withoutCup })
        private static let withoutCup = When(
            \.$cup, .noneOf, identifiers: ["c4"], { Summary("no cup, or one of no interest") })
    }

    @Test(arguments: [
        1: "less than 2", 2: "at most 2", 3: "3 or 4", 4: "3 or 4", 5: "Compared", 6: "not 5", 9: "at least 9",
        10: "more than 9",
    ])
    func `every comparison works`(_ n: Int, _ sentence: String) async throws {
        #expect(try await ConfirmationAsker<Compared>().summary(["n": n]) == sentence)
    }

    @Test(arguments: [
        ("c1", "the first cup"), ("c3", "another cup"), ("c4", "Compared"), (nil, "no cup, or one of no interest"),
    ])
    func `entities are compared by identifier, and none fits noneOf`(_ id: String?, _ sentence: String) async throws {
        let values: Values = if let id { ["cup": Cup(id: id, title: "any")] } else { [:] }
        #expect(try await ConfirmationAsker<Compared>().summary(values) == sentence)
    }

    private struct Partial: Intent {
        static let title = LocalizedText("Brew", translations: ["nl": "Zet"])
        @Parameter(title: "Leaf") var leaf: Leaf?
        @Parameter(title: "Cup") var cup: Cup?
        static let parameters = Parameters<Self>(\.$leaf, \.$cup)
        static var parameterSummary: some ParameterSummary {
            Switch(\.$leaf) {
                Case([.sencha, .pouchong]) {
                    Switch(\.$cup) {
                        Case(identifier: "c1") { Summary("Light \(\.$leaf) in the first cup") }
                        DefaultCase { Summary("Light \(\.$leaf)") }
                    }
                }
                Case(.assam) { When(\.$cup, .hasAnyValue) { Summary("Strong, in the \(\.$cup)") } }
            }
        }
    }

    @Test func `the first matching case is used, cases can nest, and without a match the title is used`() async throws {
        let (ask, cup) = (ConfirmationAsker<Partial>(), Cup(id: "c1", title: "Glass"))
        #expect(try await ask.summary(["leaf": Leaf.sencha]) == "Light Sencha")
        #expect(try await ask.summary(["leaf": Leaf.pouchong, "cup": cup]) == "Light Bāozhǒng in the first cup")
        #expect(try await ask.summary(["leaf": Leaf.assam, "cup": cup]) == "Strong, in the Glass")
        #expect(try await (ask.summary(["leaf": Leaf.assam]), ask.summary()) == ("Brew", "Brew"))
        #expect(try await ask.summary(locale: "nl") == "Zet")
        #expect(try await ConfirmationAsker<Plain>().summary() == "Nod")
    }

    private struct Tilted: Intent {
        static let title: LocalizedText = "Tilted"
        @Parameter(title: "Leaf") var leaf: Leaf?
        @Parameter(title: "Within") var within: Kilometres?
        static let parameters = Parameters<Self>(\.$leaf, \.$within)
        static var parameterSummary: some ParameterSummary {
            Summary(
                "\(\.$leaf) within \(\.$within)",
                translations: ["ru": "В \(\.$within): \(\.$leaf)", "pt-br": "\(\.$leaf) a \(\.$within)"])
        }
    }

    @Test func `a translation can reorder parameters, and a table overrides inline translations`() async throws {
        let table = try LocalizedTable([
            "${leaf} within ${within}": ["ru": "${within} → ${leaf}", "nl": "Binnen ${within}: ${leaf}"],
            "Assam": ["nl": "Assamthee"], "Within": ["nl": "Afstand"],
        ])
        let (inline, ask) = (ConfirmationAsker<Tilted>(), ConfirmationAsker<Tilted>(localizations: [table]))
        let values: Values = ["leaf": Leaf.assam, "within": Kilometres(3)]
        #expect(try await inline.summary(values, locale: "ru") == "В 3 км: Assam")
        #expect(try await inline.summary(values, locale: "pt-BR") == "Assam a 3 km")
        #expect(try await inline.summary(values, locale: "pt") == "Assam within 3 km")
        #expect(try await ask.summary(values, locale: "ru-RU") == "3 km → Assam")
        #expect(try await ask.summary(values, locale: "nl_BE") == "Binnen 3 km: Assamthee")
        #expect(try await ask.summary(["leaf": Leaf.assam], locale: "nl") == "Binnen [Afstand]: Assamthee")
        #expect(try await ask.summary(values) == "Assam within 3 km")
    }
}
