import IntentKit
import IntentModel
import Testing

@Suite("A table holds an extension's translations")
struct LocalizedTableTests {
    private func read(_ json: String) throws(LocalizedTableError) -> LocalizedTable {
        try LocalizedTable(json: Array(json.utf8))
    }
    private func code(_ json: String) -> LocalizedTableError.Code? {
        do {
            _ = try read(json)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("a table is read from JSON")
    func json() throws {
        let json = #"{"Tea":{"nl":"Thee","PT_br":"Chá"},"${leaf} for ${guest}":{"de":"Für ${guest}: ${leaf}"}}"#
        let expected = [
            "Tea": ["nl": "Thee", "pt-BR": "Chá"], "${leaf} for ${guest}": ["de": "Für ${guest}: ${leaf}"],
        ]
        #expect(try read(json) == LocalizedTable(expected))
        #expect(try read(json).languages == ["de", "nl", "pt-BR"])
        #expect(try read("{}").isEmpty)
    }

    @Test("a table is read from a string catalog")
    func stringCatalog() throws {
        let json = #"""
            {"sourceLanguage":"en","version":"1.0","strings":{"Water":{},
             "Tea":{"extractionState":"manual","localizations":{"nl":{"stringUnit":{"state":"translated","value":"Thee"}},
             "fr":{"stringUnit":{"state":"new","value":""}}}}}}
            """#
        #expect(try read(json) == LocalizedTable(["Tea": ["nl": "Thee"], "Water": [:]]))
    }

    @Test("a translation must have the same placeholders as its key")
    func places() {
        #expect(code(#"{"${a} to ${b}":{"nl":"${b} en ${a}"},"%@ %@":{"nl":"%2$@ %1$@"},"100%":{"nl":"100%"}}"#) == nil)
        for json in [
            #"{"${a} to ${b}":{"nl":"naar ${b}"}}"#, #"{"${a}":{"nl":"${A}"}}"#, #"{"%@":{"nl":"%@ %@"}}"#,
            #"{"%@ %@":{"nl":"%1$@"}}"#,
            #"{"%@":{"nl":"%2$@"}}"#,
        ] { #expect(code(json) == .placesDiffer, "\(json)") }
    }

    @Test("mistakes are reported with their code")
    func mistakes() {
        for json in ["", "[]", "3", #"{"Tea":"Thee"}"#, #"{"Tea":{"nl":3}}"#, #"{"Tea":{"nl":"Thee"}"#] {
            #expect(code(json) == .unreadable, "\(json)")
        }
        let plural =
            #"{"sourceLanguage":"en","strings":{"%@ pots":{"localizations":{"nl":{"variations":{"plural":{}}}}}}}"#
        #expect(code(plural) == .varies)
        do {
            _ = try read(#"{"${a} to ${b}":{"nl":"naar ${b}"}}"#)
        } catch {
            #expect(
                error.message == #"the translation of "${a} to ${b}" to 'nl' has different placeholders: "naar ${b}""#)
        }
    }

    @Test(
        "a malformed format is shown as far as possible",
        arguments: [
            ("%", "%"), ("%1", "%1"), ("%1$", "%1$"), ("%$@", "%$@"), ("%0$@", "%0$@"),
            ("%99999999999999999999$@", "%99999999999999999999$@"),
            ("%3$@", ""), ("%@ %@ %@", "2 3 "), ("%%@", "%@"), ("%%%@", "%2"), ("${", "${"), ("${x}", "${x}"),
            ("%2$@%2$@", "33"), ("", ""),
        ])
    func odd(_ format: String, _ shown: String) {
        #expect(LocalizedText("\(2) or \(3)", translations: ["nl": format]).text(in: "nl") == shown)
    }

    @Test("the pipeline's own texts are translated")
    func builtIn() throws {
        #expect(BuiltInText.table.languages == ["de", "es", "fr", "nl"])
        #expect(BuiltInText.cantBe("Blad", "koffie").text(in: "nl-BE") == "Blad kan niet 'koffie' zijn.")
        #expect(
            BuiltInText.outsideRange("Töpfe", from: "1", to: "4", said: "5").text(in: "de")
                == "Töpfe kann 1 bis 4 sein, nicht 5.")
        #expect(
            BuiltInText.isNot("drie", Int.typeDescription).text(in: "nl")
                == "'drie' is niet te begrijpen als een heel getal.")
        #expect(BuiltInText.confirmIntent("Té").text(in: "es") == "¿Té?")
        let english = [
            BuiltInText.cantBe("A", "b"), BuiltInText.isNot("b", "a cup"), BuiltInText.whichOneWouldYouLike,
            BuiltInText.needsValue("A"),
            BuiltInText.needsChoice("A"), BuiltInText.confirmValue("A", "b"), BuiltInText.unsupported("A"),
            BuiltInText.tooLate,
            BuiltInText.outsideRange("A", from: "1", to: "4", said: "5"), BuiltInText.confirmIntent("A"),
        ]
        for text in english {
            #expect(text.text(in: "en") == text.original && text.text(in: nil) == text.original)
            #expect(BuiltInText.table.languages == text.translations.keys.sorted(), "\(text.original)")
            // Each translation has the placeholders of its key.
            let key = try #require(text.key)
            #expect((try? LocalizedTable([key: text.translations])) != nil)
        }
    }

    @Test("open braces without a closing one are text, and the rest is not searched again for each of them")
    func openBraces() {
        let text = String(repeating: "${", count: 20_000)
        #expect(LocalizedFormat.parts(of: text) == [.text(text)])
        #expect(LocalizedFormat.parts(of: "${a}\(text)") == [.named("a"), .text(text)])
    }
}
