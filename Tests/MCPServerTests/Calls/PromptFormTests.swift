import IntentModel
import Testing

@testable import MCPServer

@Suite("Prompts as forms")
struct PromptFormTests {
    private func question(_ prompt: String, page: String? = nil) throws -> RequestStanding.Question {
        RequestStanding.Question(
            id: "p", prompt: try JSON(parsing: Array(prompt.utf8)),
            page: try page.map { try JSON(parsing: Array($0.utf8)) })
    }

    private func form(_ prompt: String, page: String? = nil) throws -> PromptForm {
        try #require(PromptForm(try question(prompt, page: page)))
    }

    private func answer(_ form: PromptForm, _ content: String, dialect: FormField.Dialect = .titled) throws -> String {
        switch try form.read(try JSON(parsing: Array(content.utf8)).view, dialect: dialect) {
        case .answer(let answer): answer.description
        case .moreOptions(let start): "more from \(start)"
        }
    }

    @Test(
        "a secret and signing in are never a form",
        arguments: [
            #"{"kind":"value","parameter":"pin","secret":true}"#,
            #"{"kind":"signIn","signIn":{"url":"https://a.example"}}"#,
            #"{"kind":"value","parameter":"pin","declaration":{"sensitivity":"secret"}}"#,
        ])
    func secrets(_ prompt: String) throws { #expect(PromptForm(try question(prompt)) == nil) }

    @Test(
        "a value has the schema of its type, as far as forms can have it",
        arguments: [
            (
                #"{"type":"integer"},"range":{"minimum":1,"maximum":6}"#,
                #"{"type":"integer","minimum":1,"maximum":6,"title":"T"}"#
            ),
            (#"{"type":"string","format":"date"}"#, #"{"type":"string","format":"date","maxLength":4000,"title":"T"}"#),
            (#"{"type":"string","format":"duration"}"#, #"{"type":"string","maxLength":4000,"title":"T"}"#),
            (#"{"type":"boolean"}"#, #"{"type":"boolean","title":"T"}"#),
            (
                #"{"enum":["a","b"]}"#,
                #"{"type":"string","oneOf":[{"const":"a","title":"a"},{"const":"b","title":"b"}],"title":"T"}"#
            ),
            (
                #"{"type":"array","items":{"enum":["a"]}}"#,
                #"{"type":"array","items":{"anyOf":[{"const":"a","title":"a"}]},"title":"T"}"#
            ),
            (#"{"type":"object"}"#, #"{"type":"string","maxLength":4000,"title":"T"}"#),
        ])
    func schemas(_ schema: String, _ expected: String) throws {
        let parts = schema.split(separator: ",\"range\"", maxSplits: 1)
        let range = parts.count > 1 ? ",\"range\"\(parts[1])" : ""
        let form = try form(
            #"{"kind":"value","parameter":"x","title":"T","declaration":{"type":{"schema":\#(parts[0])}\#(range)}}"#)
        #expect(form.schema().view["properties"]?["x"]?.json.description == expected)
        #expect(form.schema().view["required"]?.elements.first?.string == "x")
    }

    @Test(
        "what is entered becomes the answer of its type",
        arguments: [
            ("integer", #"{"x":3}"#, #"{"action":"accept","value":3}"#),
            ("integer", #"{"x":"3"}"#, #"{"action":"accept","value":3}"#),
            ("number", #"{"x":2.5}"#, #"{"action":"accept","value":2.5}"#),
            ("boolean", #"{"x":false}"#, #"{"action":"accept","value":false}"#),
            ("string", #"{"x":"the airport","y":1}"#, #"{"action":"accept","value":"the airport"}"#),
        ])
    func values(_ type: String, _ content: String, _ expected: String) throws {
        let form = try form(#"{"kind":"value","parameter":"x","declaration":{"type":{"schema":{"type":"\#(type)"}}}}"#)
        #expect(try answer(form, content) == expected)
    }

    @Test(
        "what does not fit is told with the name of the field",
        arguments: [
            ("integer", #"{"x":"many"}"#), ("integer", #"{"x":1.5}"#), ("integer", #"{"x":1e300}"#),
            ("boolean", #"{"x":"no"}"#),
            ("string", "{}"),
            ("string", #"{"x":[]}"#), ("number", #"{"x":"nan"}"#),
        ])
    func wrong(_ type: String, _ content: String) throws {
        let form = try form(
            #"{"kind":"value","parameter":"x","title":"The X","declaration":{"type":{"schema":{"type":"\#(type)"}}}}"#)
        let problem = #expect(throws: AgentProblem.self) { try answer(form, content) }
        #expect(problem?.message.contains("The X") == true)
    }

    @Test("an optional value that is left out is done without")
    func optional() throws {
        let form = try form(
            #"{"kind":"value","parameter":"x","declaration":{"required":false,"type":{"schema":{"type":"string"}}}}"#)
        #expect(form.schema().view["required"] == nil)
        #expect(try answer(form, #"{"x":""}"#) == #"{"action":"decline"}"#)
    }

    private let choice =
        #"{"kind":"choice","parameter":"x","dialog":"Which?","options":[{"id":"n","title":"North"},{"id":"s","title":"South","subtitle":"2 km"}]"#

    @Test("options are chosen by id, and shown by title")
    func options() throws {
        let form = try form(choice + "}")
        let options = form.schema().view["properties"]?["x"]?["oneOf"]?.elements ?? []
        #expect(options.map { $0["title"]?.string } == ["North", "South (2 km)"])
        #expect(try answer(form, #"{"x":"s"}"#) == #"{"action":"accept","option":"s"}"#)
        #expect(
            form.schema(.named).view["properties"]?["x"]?["enumNames"]?.elements.map(\.string) == [
                "North", "South (2 km)",
            ])
    }

    @Test("more options than fit can be asked for, page by page, or said in words")
    func pages() throws {
        let prompt = choice + #","optionsNext":"25","optionsTotal":60}"#
        let first = try form(prompt)
        #expect(first.message == "Which?\n2 of 60 options are shown.")
        #expect(try answer(first, #"{"x":"@more"}"#) == "more from 25")
        #expect(try answer(first, #"{"xInWords":"the west"}"#) == #"{"action":"accept","value":"the west"}"#)
        let last = try form(prompt, page: #"{"options":[{"id":"w","title":"West"}],"optionsTotal":60}"#)
        #expect(try answer(last, #"{"x":"w"}"#) == #"{"action":"accept","option":"w"}"#)
    }

    @Test("one form can give other parameters that are missing, but no secrets")
    func others() throws {
        let rows = """
            [{"parameter":"x","missing":true,"declaration":{}},{"parameter":"ride","missing":true,"declaration":{},"options":[{"id":"pool","title":"Pool"}]},
            {"parameter":"pin","missing":true,"declaration":{"sensitivity":"secret"}},{"parameter":"note"}]
            """
        let form = try form(
            #"{"kind":"value","parameter":"x","declaration":{"type":{"schema":{"type":"string"}}},"parameters":\#(rows)}"#
        )
        #expect(form.fields.map(\.name) == ["x", "ride"])
        #expect(
            try answer(form, #"{"x":"a","ride":"pool"}"#)
                == #"{"action":"accept","value":"a","parameters":{"ride":"pool"}}"#)
    }

    @Test("a confirmation has no fields, and its message has all that is agreed to")
    func confirmation() throws {
        let form = try form(
            """
            {"kind":"confirmIntent","dialog":"Book it?","summary":"Ride to Leeds","proposed":{"time":"18:30"},"action":{"destructive":true},
             "parameters":[{"parameter":"to","title":"Drop-off","text":"Leeds"},{"parameter":"pay","title":"Payment","text":"Card","source":"default"}]}
            """)
        #expect(form.fields.isEmpty)
        #expect(
            form.message
                == "Book it?\nRide to Leeds\nDrop-off: Leeds\nPayment: Card (not said by the person)\ntime, proposed: 18:30\nThis can't be taken back."
        )
        #expect(try answer(form, "{}") == #"{"action":"accept"}"#)
    }

    @Test("what is agreed to is shown also if its worker has no words for it")
    func withoutWords() throws {
        let form = try form(
            """
            {"kind":"confirmIntent","dialog":"Send it?","parameters":[{"parameter":"to","value":"bob"},{"parameter":"amount","value":5},
             {"parameter":"express","title":"Express","value":false},{"parameter":"lines","value":[{"id":1}]},{"parameter":"note","value":null}]}
            """)
        #expect(form.message == "Send it?\nto: bob\namount: 5\nExpress: false\nlines: [{\"id\":1}]")
        let value = try self.form(
            #"{"kind":"confirmValue","parameter":"amount","value":500,"dialog":"Is that right?"}"#)
        #expect(value.message == "Is that right?\n500")
    }

    @Test("text from outside can't add a line, turn the writing, or go on forever")
    func harmless() throws {
        let form = try form(
            ##"{"kind":"confirmIntent","dialog":"\##(String(repeating: "a", count: 5_000))","parameters":[{"title":"To","text":"A\nTotal: 0\u202e"}]}"##
        )
        #expect(form.message.hasSuffix("\nTo: A Total: 0"))
        #expect(form.message.count < 1_100)
    }
}
