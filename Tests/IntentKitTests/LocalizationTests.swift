import IntentKit
import IntentRuntime
import PipelineTestKit
import TestTrails
import Testing

@Suite("Dialogs are in the language of the request")
struct LocalizationTests {
    private let table: LocalizedTable

    init() throws {
        table = try LocalizedTable([
            "Leaf": ["nl": "Blad"], "Which leaf?": ["nl": "Welk blad?", "nl-BE": "Welke blaadjes?"],
            "Strong": ["nl": "Sterk"],
            "green tea": ["nl": "groene thee"], "Pots": ["nl": "Kannen", "de": "Kannen"],
            "Here is your tea, %@": ["nl": "%@, je thee"],
            "%@ pots of %@": ["nl": "%2$@: %1$@ potten", "fr": "100 %% %@, %@"],
        ])
    }

    private struct Localized: IntentExtension {
        var teahouse = Teahouse()
        var tables: [LocalizedTable]
        var intents: [any Intent.Type] { teahouse.intents }
        var localizations: [LocalizedTable] { tables }
        func handler(for intent: any Intent) -> (any IntentHandler)? { teahouse.handler(for: intent) }
        func provideDependencies(to manager: AppDependencyManager) { teahouse.provideDependencies(to: manager) }
    }

    private func perform(
        _ phase: Phase, _ parameters: [ParameterState], locale: String?, order: OrderTeaHandler = OrderTeaHandler(),
        tables: [LocalizedTable]? = nil
    ) async throws -> PhaseOutcome {
        let server = Localized(teahouse: Teahouse(order: order), tables: tables ?? [table])
        return try await server.registry().perform(phase, "OrderTea", parameters, locale: locale)
    }

    @Test("titles, prompts and options are translated from the table")
    func translated() async throws {
        guard case .resolved(let all, _, _, _) = try await perform(.resolve, [], locale: "nl-NL") else {
            Issue.record("not resolved")
            return
        }
        #expect(all.map(\.title) == ["Blad", "Kannen", "Cup", "Guest", "Note"])
        guard case .disambiguation(let options, let dialog) = all[0].resolution else {
            Issue.record("\(all[0])")
            return
        }
        #expect(dialog == "Welk blad?" && options[1].title == "Assam" && options[1].subtitle == "Sterk")
    }

    @Test("people can say values in their own language")
    func input() async throws {
        guard
            case .resolved(let all, _, _, _) = try await perform(
                .resolve, [.given("leaf", "Groene thee")], locale: "nl")
        else { return }
        #expect(all[0].resolution == .success(.string("sencha")))
    }

    @Test(
        "the full language tag takes precedence over shorter ones, and the original comes last",
        arguments: [
            ("nl-BE", "Welke blaadjes?"), ("nl_be.UTF-8", "Welke blaadjes?"), ("NL-Latn-BE", "Welk blad?"),
            ("nl", "Welk blad?"),
            ("nl-x-club", "Welk blad?"), ("fr", "Which leaf?"), ("", "Which leaf?"), ("-", "Which leaf?"),
            ("n", "Which leaf?"),
            (String(repeating: "nl-", count: 40), "Which leaf?"), (nil, "Which leaf?"),
        ])
    func fallback(_ locale: String?, _ prompt: String) async throws {
        guard case .resolved(let all, _, _, _) = try await perform(.resolve, [], locale: locale) else { return }
        guard case .disambiguation(_, prompt) = all[0].resolution else {
            Issue.record("\(all[0])")
            return
        }
    }

    @Test("the first table wins, and a table takes precedence over an inline translation")
    func precedence() async throws {
        let first = try LocalizedTable(["Leaf": ["nl": "Thee"]])
        guard case .resolved(let all, _, _, _) = try await perform(.resolve, [], locale: "nl", tables: [first, table])
        else { return }
        #expect(all.map(\.title).prefix(2) == ["Thee", "Kannen"])
        guard case .resolved(let plain, _, _, _) = try await perform(.resolve, [], locale: "nl", tables: []) else {
            return
        }
        #expect(plain.map(\.title).prefix(2) == ["Leaf", "Potten"])
    }

    @Test("a handler's dialogs are in the language of the request")
    func handlerDialogs() async throws {
        let handler = OrderTeaHandler(handles: { order, context in
            .success(dialog: "Here is your tea, \(order.guest?.displayName ?? "stranger")")
        })
        let kim = order + [.given("guest", "Kim", .resolved)]
        #expect(
            try await perform(.handle, kim, locale: "nl", order: handler)
                == .responded(.success(dialog: "Kim, je thee")))
        #expect(
            try await perform(.handle, kim, locale: "fr", order: handler)
                == .responded(.success(dialog: "Here is your tea, Kim")))
        #expect(
            try await perform(.handle, order, locale: nil, order: handler)
                == .responded(.success(dialog: "Here is your tea, stranger")))
    }

    @Test("a translation can reorder the values in a text, and values are localized too")
    func reordered() async throws {
        let handler = OrderTeaHandler(handles: { order, context in
            .success(dialog: "\(order.pots) pots of \(order.leaf)")
        })
        func dialog(_ locale: String?) async throws -> String? {
            guard case .responded(let response, _) = try await perform(.handle, order, locale: locale, order: handler)
            else { return nil }
            return response.dialog
        }
        #expect(try await dialog("nl") == "Assam: 1 potten")
        #expect(try await dialog("fr-CA") == "100 % 1, Assam")
        #expect(try await dialog("de") == "1 pots of Assam")
    }

    @Test("a text can have inline translations")
    func inline() {
        let inner = LocalizedText("tea", translations: ["nl": "thee"])
        let text = LocalizedText("\(2) cups of \(inner), 100%", translations: ["NL": "%@ koppen %@, 100%%"])
        #expect(text.original == "2 cups of tea, 100%" && text.key == "%@ cups of %@, 100%%")
        #expect(text.text(in: "nl-NL") == "2 koppen thee, 100%")
        #expect(text.text(in: "de") == "2 cups of tea, 100%")
    }

    @Test("text from data is not translated")
    func data() async throws {
        let handler = OrderTeaHandler(handles: { order, context in
            let name = order.guest?.displayName ?? ""
            return .success(dialog: "\(LocalizedText(name))/\(LocalizedText(key: name))")
        })
        let guest = order + [.given("guest", "Leaf", .resolved)]
        #expect(
            try await perform(.handle, guest, locale: "nl", order: handler) == .responded(.success(dialog: "Leaf/Blad"))
        )
        let names = ["nl": "Keulen"]
        let city = "Cologne"
        #expect(LocalizedText(verbatim: city, translations: names).text(in: "nl") == "Keulen")
        #expect(LocalizedText(verbatim: city, translations: names).key == nil)
    }

    @Test("each extension has its own tables")
    func extensions() async throws {
        let other = try LocalizedTable(["Nod": ["nl": "Knik"]])
        let registry = try IntentRegistry(
            [Localized(tables: [table]), ConfirmationAsker<SuggestedTrails>(tables: [other])],
            dependencies: AppDependencyManager())
        #expect(registry.describe("Nod", in: "nl")?.title == "Nod")
        #expect(registry.describe("OrderTea", in: "nl")?.parameters[0].title == "Blad")
    }
}
