import IntentKit
import IntentModel
import IntentRuntime
import PipelineTestKit
import TestTrails
import Testing

@Suite("Dialogs are in the language of the request") struct LocalizationTests {
    private let table: LocalizedTable

    init() throws {
        table = try LocalizedTable([
            "Leaf": ["nl": "Blad"], "Which leaf?": ["nl": "Welk blad?", "nl-BE": "Welke blaadjes?"],
            "Strong": ["nl": "Sterk"], "green tea": ["nl": "groene thee"], "Pots": ["nl": "Kannen", "de": "Kannen"],
            "Here is your tea, %@": ["nl": "%@, je thee"],
            "%@ pots of %@": ["nl": "%2$@: %1$@ potten", "fr": "100 %% %@, %@"],
        ])
    }

    private var teahouse: Teahouse { Teahouse(localizations: [table]) }

    /// The dialog of a handler.
    private func dialog(
        _ locale: String?, guest: JSON? = nil, _ text: @escaping @Sendable (OrderTea) -> LocalizedText
    ) async throws -> String? {
        let handler = OrderTeaHandler(handles: { order, _ in .success(dialog: text(order)) })
        let states = order + (guest.map { [ParameterState.given("guest", $0, .resolved)] } ?? [])
        return try await Teahouse(order: handler, localizations: [table]).respond(.handle, states, locale: locale)
            .dialog
    }

    @Test func `titles, prompts and options are translated from the table, and so are a person's words`() async throws {
        #expect(try await teahouse.resolve(locale: "nl-NL").map(\.title) == ["Blad", "Kannen", "Cup", "Guest", "Note"])
        let leaf = try await teahouse.resolve("leaf", said: nil, locale: "nl-NL")
        #expect(leaf.dialog == "Welk blad?" && leaf.options[1].title == "Assam" && leaf.options[1].subtitle == "Sterk")
        #expect(try await teahouse.resolve("leaf", said: "Groene thee", locale: "nl") == .success("sencha"))
    }

    @Test(arguments: [
        ("nl-BE", "Welke blaadjes?"), ("nl_be.UTF-8", "Welke blaadjes?"), ("NL-Latn-BE", "Welk blad?"),
        ("nl", "Welk blad?"), ("nl-x-club", "Welk blad?"), ("fr", "Which leaf?"), ("", "Which leaf?"),
        ("-", "Which leaf?"), ("n", "Which leaf?"), (String(repeating: "nl-", count: 40), "Which leaf?"),
        (nil, "Which leaf?"),
    ])
    func `longer language tags come first, and the original last`(_ locale: String?, _ prompt: String) async throws {
        #expect(try await teahouse.resolve("leaf", said: nil, locale: locale).dialog == prompt)
    }

    @Test func `the first table wins, and a table takes precedence over an inline translation`() async throws {
        func titles(_ tables: LocalizedTable...) async throws -> [String?] {
            try await Teahouse(localizations: tables).resolve(locale: "nl").prefix(2).map(\.title)
        }
        #expect(try await titles(try LocalizedTable(["Leaf": ["nl": "Thee"]]), table) == ["Thee", "Kannen"])
        #expect(try await titles() == ["Leaf", "Potten"])
    }

    @Test func `a handler's dialogs are in the language of the request`() async throws {
        let text: @Sendable (OrderTea) -> LocalizedText = { "Here is your tea, \($0.guest?.displayName ?? "stranger")" }
        #expect(try await dialog("nl", guest: "Kim", text) == "Kim, je thee")
        #expect(try await dialog("fr", guest: "Kim", text) == "Here is your tea, Kim")
        #expect(try await dialog(nil, text) == "Here is your tea, stranger")
    }

    @Test(arguments: [("nl", "Assam: 1 potten"), ("fr-CA", "100 % 1, Assam"), ("de", "1 pots of Assam")])
    func `a translation can reorder the values, which are localized too`(_ locale: String, _ text: String) async throws
    { #expect(try await dialog(locale) { "\($0.pots) pots of \($0.leaf)" } == text) }

    @Test func `a text can have inline translations, and is given in the closest language`() {
        let inner = LocalizedText("tea", translations: ["nl": "thee", "pt-BR": "chá"])
        let text = LocalizedText("\(2) cups of \(inner), 100%", translations: ["NL": "%@ koppen %@, 100%%"])
        #expect(text.original == "2 cups of tea, 100%" && text.key == "%@ cups of %@, 100%%")
        #expect(text.text(in: "nl-NL") == "2 koppen thee, 100%" && text.text(in: "de") == "2 cups of tea, 100%")
        #expect([nil, "nl-BE", "pt-BR", "pt-PT"].map(inner.text(in:)) == ["tea", "thee", "chá", "tea"])
    }

    @Test func `text from data is not translated`() async throws {
        let shown = try await dialog("nl", guest: "Leaf") { order in
            let name = order.guest?.displayName ?? ""
            return "\(LocalizedText(name))/\(LocalizedText(key: name))"
        }
        #expect(shown == "Leaf/Blad")
        let city = LocalizedText(verbatim: "Cologne" as String, translations: ["nl": "Keulen"])
        #expect(city.text(in: "nl") == "Keulen" && city.key == nil)
    }

    @Test func `each extension has its own tables`() async throws {
        let other = try LocalizedTable(["Nod": ["nl": "Knik"]])
        let registry = try IntentRegistry(
            [teahouse, ConfirmationAsker<SuggestedTrails>(localizations: [other])],
            dependencies: AppDependencyManager())
        #expect(registry.describe("Nod", in: "nl")?.title == "Nod")
        #expect(registry.describe("OrderTea", in: "nl")?.parameters[0].title == "Blad")
    }
}

@Suite("A table holds an extension's translations") struct LocalizedTableTests {
    private func read(_ json: String) throws(LocalizedTableError) -> LocalizedTable {
        try LocalizedTable(json: Array(json.utf8))
    }

    private func error(_ json: String) -> LocalizedTableError? {
        do { _ = try read(json) } catch { return error }
        return nil
    }

    @Test func `a table is read from JSON`() throws {
        let json = #"{"Tea":{"nl":"Thee","PT_br":"Chá"},"${leaf} for ${guest}":{"de":"Für ${guest}: ${leaf}"}}"#
        let expected = [
            "Tea": ["nl": "Thee", "pt-BR": "Chá"], "${leaf} for ${guest}": ["de": "Für ${guest}: ${leaf}"],
        ]
        #expect(try read(json) == LocalizedTable(expected) && read(json).languages == ["de", "nl", "pt-BR"])
        #expect(try read("{}").isEmpty)
    }

    @Test func `a table is read from a string catalog`() throws {
        let json = #"""
            {"sourceLanguage":"en","version":"1.0","strings":{"Water":{},
             "Tea":{"extractionState":"manual","localizations":{"nl":{"stringUnit":{"state":"translated","value":"Thee"}},
             "fr":{"stringUnit":{"state":"new","value":""}}}}}}
            """#
        #expect(try read(json) == LocalizedTable(["Tea": ["nl": "Thee"], "Water": [:]]))
    }

    @Test(
        arguments: [
            (#"{"${a} to ${b}":{"nl":"${b} en ${a}"},"%@ %@":{"nl":"%2$@ %1$@"},"100%":{"nl":"100%"}}"#, nil),
            (#"{"${a} to ${b}":{"nl":"naar ${b}"}}"#, .placesDiffer), (#"{"${a}":{"nl":"${A}"}}"#, .placesDiffer),
            (#"{"%@":{"nl":"%@ %@"}}"#, .placesDiffer), (#"{"%@ %@":{"nl":"%1$@"}}"#, .placesDiffer),
            (#"{"%@":{"nl":"%2$@"}}"#, .placesDiffer), ("", .unreadable), ("[]", .unreadable), ("3", .unreadable),
            (#"{"Tea":"Thee"}"#, .unreadable), (#"{"Tea":{"nl":3}}"#, .unreadable),
            (#"{"Tea":{"nl":"Thee"}"#, .unreadable),
            (
                #"{"sourceLanguage":"en","strings":{"%@ pots":{"localizations":{"nl":{"variations":{"plural":{}}}}}}}"#,
                .varies
            ),
        ] as [(String, LocalizedTableError.Code?)])
    func `mistakes, also in placeholders, have a code`(_ json: String, _ code: LocalizedTableError.Code?) {
        #expect(error(json)?.code == code)
    }

    @Test func `the message about placeholders quotes the key and the translation`() {
        let message = #"the translation of "${a} to ${b}" to 'nl' has different placeholders: "naar ${b}""#
        #expect(error(#"{"${a} to ${b}":{"nl":"naar ${b}"}}"#)?.message == message)
    }

    @Test(arguments: [
        ("%", "%"), ("%1", "%1"), ("%1$", "%1$"), ("%$@", "%$@"), ("%0$@", "%0$@"),
        ("%99999999999999999999$@", "%99999999999999999999$@"), ("%3$@", ""), ("%@ %@ %@", "2 3 "), ("%%@", "%@"),
        ("%%%@", "%2"), ("${", "${"), ("${x}", "${x}"), ("%2$@%2$@", "33"), ("", ""),
    ])
    func `a malformed format is shown as far as possible`(_ format: String, _ shown: String) {
        #expect(LocalizedText("\(2) or \(3)", translations: ["nl": format]).text(in: "nl") == shown)
    }

    @Test func `the pipeline's own texts are translated`() throws {
        let table = BuiltInText.table
        #expect(table.languages == ["de", "es", "fr", "nl"])
        let range = BuiltInText.outsideRange("Töpfe", from: "1", to: "4", said: "5")
        let number = BuiltInText.isNot("drie", Int.typeDescription)
        #expect(BuiltInText.cantBe("Blad", "koffie").text(in: "nl-BE") == "Blad kan niet 'koffie' zijn.")
        #expect(range.text(in: "de") == "Töpfe kann 1 bis 4 sein, nicht 5.")
        #expect(number.text(in: "nl") == "'drie' is niet te begrijpen als een heel getal.")
        #expect(BuiltInText.confirmIntent("Té").text(in: "es") == "¿Té?")
        let english = [
            BuiltInText.cantBe("A", "b"), BuiltInText.isNot("b", "a cup"), BuiltInText.whichOneWouldYouLike,
            BuiltInText.needsValue("A"), BuiltInText.needsChoice("A"), BuiltInText.confirmValue("A", "b"),
            BuiltInText.unsupported("A"), BuiltInText.tooLate, range, BuiltInText.confirmIntent("A"),
        ]
        for text in english {
            #expect(text.text(in: "en") == text.original && text.text(in: nil) == text.original)
            #expect(table.languages == text.translations.keys.sorted(), "\(text.original)")
            // Each translation has the placeholders of its key.
            let key = try #require(text.key)
            #expect((try? LocalizedTable([key: text.translations])) != nil)
        }
    }

    @Test func `unclosed braces are text, and the rest is not searched again for each brace`() {
        let text = String(repeating: "${", count: 20_000)
        #expect(LocalizedFormat.parts(of: text) == [.text(text)])
        #expect(LocalizedFormat.parts(of: "${a}\(text)") == [.named("a"), .text(text)])
    }
}
