import IntentKit
import IntentRuntime
import PipelineTestKit
import TestTrails
import Testing

@Suite("A parameter summary describes the intent in a sentence")
struct SummaryTests {
    private typealias Values = KeyValuePairs<String, any ParameterValue>

    @Test(
        "the example of Apple's article follows its conditions",
        arguments: [
            ([("activity", "biking"), ("location", "Bonn"), ("searchRadius", "5")], "Ride a bike within 5 km of Bonn"),
            ([("activity", "biking"), ("location", "Bonn")], "Ride a bike within [Search Radius] of Bonn"),
            ([("activity", "biking"), ("trailCollection", "Alps")], "Pick a bike ride from Alps"),
            ([("activity", "biking")], "Suggest bike rides from [Trail Collection] or near [Location]"),
            (
                [("activity", "hiking"), ("location", "Bonn"), ("searchRadius", "50")],
                "Suggest Hiking trails within 50 km of Bonn"
            ),
            ([("activity", "jogging"), ("trailCollection", "Alps")], "Suggest Jogging trails from Alps"),
            ([("activity", "jogging")], "Suggest Jogging trails from [Trail Collection] or near [Location]"),
        ])
    func article(_ values: [(String, String)], _ expected: String) async throws {
        let registry = try ConfirmationAsker<SuggestedTrails>().registry()
        func kilometers(_ count: String) -> JSON {
            JSON(Measurement(value: Double(count) ?? 0, unit: UnitLength.kilometers))
        }
        let states = values.map { name, value in
            ParameterState(
                name: name, value: name == "searchRadius" ? kilometers(value) : .string(value), origin: .resolved)
        }
        #expect(await registry.perform(.confirm, "SuggestedTrails", states).confirmation?.summary == expected)
    }

    private struct Compared: Intent {
        static let title: LocalizedText = "Compared"
        @Parameter(title: "N") var n: Int?
        @Parameter(title: "Cup") var cup: Cup?
        static let parameters = Parameters<Self>(\.$n, \.$cup)
        static var parameterSummary: some ParameterSummary {
            When(\.$n, .lessThan, 2) {
                Summary("less than 2")
            } otherwise: {
                When(\.$n, .lessThanOrEqualTo, 2) {
                    Summary("at most 2")
                } otherwise: {
                    When(\.$n, .greaterThan, 9) {
                        Summary("more than 9")
                    } otherwise: {
                        When(\.$n, .greaterThanOrEqualTo, 9) {
                            Summary("at least 9")
                        } otherwise: {
                            When(\.$n, .oneOf, [3, 4]) {
                                Summary("3 or 4")
                            } otherwise: {
                                When(\.$n, .hasNoValue) {
                                    When(\.$cup, .equalTo, identifier: "c1") {
                                        Summary("the first cup")
                                    } otherwise: {
                                        When(\.$cup, .oneOf, identifiers: ["c2", "c3"]) {
                                            Summary("another cup")
                                        } otherwise: {
                                            When(\.$cup, .noneOf, identifiers: ["c4"]) {
                                                Summary("no cup, or one of no interest")
                                            }
                                        }
                                    }
                                } otherwise: {
                                    When(\.$n, .notEqualTo, 5) { Summary("not 5") }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    @Test("every comparison works")
    func comparisons() async throws {
        let ask = ConfirmationAsker<Compared>()
        let expected = [
            1: "less than 2", 2: "at most 2", 3: "3 or 4", 4: "3 or 4", 5: "Compared", 6: "not 5", 9: "at least 9",
            10: "more than 9",
        ]
        for (n, sentence) in expected { #expect(try await ask.summary(["n": n]) == sentence) }
    }

    @Test("an entity is compared by its identifier")
    func entity() async throws {
        let ask = ConfirmationAsker<Compared>()
        #expect(try await ask.summary(["cup": Cup(id: "c1", title: "any")]) == "the first cup")
        #expect(try await ask.summary(["cup": Cup(id: "c3", title: "any")]) == "another cup")
        #expect(try await ask.summary(["cup": Cup(id: "c4", title: "any")]) == "Compared")
    }

    @Test("a missing value matches no comparison but noneOf")
    func noValue() async throws {
        #expect(try await ConfirmationAsker<Compared>().summary() == "no cup, or one of no interest")
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

    @Test("the first matching case is used, and cases can nest")
    func cases() async throws {
        #expect(try await ConfirmationAsker<Partial>().summary(["leaf": Leaf.sencha]) == "Light Sencha")
        let cup = Cup(id: "c1", title: "Glass")
        #expect(
            try await ConfirmationAsker<Partial>().summary(["leaf": Leaf.pouchong, "cup": cup])
                == "Light Bāozhǒng in the first cup")
        #expect(
            try await ConfirmationAsker<Partial>().summary(["leaf": Leaf.assam, "cup": cup]) == "Strong, in the Glass")
    }

    @Test("the intent's title is used if no alternative matches")
    func title() async throws {
        #expect(try await ConfirmationAsker<Partial>().summary() == "Brew")
        #expect(try await ConfirmationAsker<Partial>().summary(["leaf": Leaf.assam]) == "Brew")
        #expect(try await ConfirmationAsker<Partial>().summary(locale: "nl") == "Zet")
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

    @Test("a translation can reorder the parameters")
    func translation() async throws {
        let values: KeyValuePairs<String, any ParameterValue> = ["leaf": Leaf.assam, "within": Kilometres(3)]
        #expect(try await ConfirmationAsker<Tilted>().summary(values, locale: "ru") == "В 3 км: Assam")
        #expect(try await ConfirmationAsker<Tilted>().summary(values, locale: "pt-BR") == "Assam a 3 km")
        #expect(try await ConfirmationAsker<Tilted>().summary(values, locale: "pt") == "Assam within 3 km")
    }

    @Test("a table translates a summary by its parameter names, and takes precedence over inline translations")
    func table() async throws {
        let table = try LocalizedTable([
            "${leaf} within ${within}": ["ru": "${within} → ${leaf}", "nl": "Binnen ${within}: ${leaf}"],
            "Assam": ["nl": "Assamthee"],
            "Within": ["nl": "Afstand"],
        ])
        let ask = ConfirmationAsker<Tilted>(tables: [table])
        let values: KeyValuePairs<String, any ParameterValue> = ["leaf": Leaf.assam, "within": Kilometres(3)]
        #expect(try await ask.summary(values, locale: "ru-RU") == "3 km → Assam")
        #expect(try await ask.summary(values, locale: "nl_BE") == "Binnen 3 km: Assamthee")
        #expect(try await ask.summary(["leaf": Leaf.assam], locale: "nl") == "Binnen [Afstand]: Assamthee")
        #expect(try await ask.summary(values) == "Assam within 3 km")
    }
}
