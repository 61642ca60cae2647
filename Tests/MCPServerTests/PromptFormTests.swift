import Conversation
import IntentEvents
import IntentModel
import PersonGateway
import Testing

@testable import MCPServer

@Suite("Prompts as forms") struct PromptFormTests {
    private func possibleForm(_ prompt: String, page: String? = nil) throws -> PromptForm? {
        func json(_ text: String) throws -> JSON { try JSON(parsing: Array(text.utf8)) }
        return PromptForm(RequestStanding.Question(id: "p", prompt: try json(prompt), page: try page.map(json)))
    }

    private func form(_ prompt: String, page: String? = nil) throws -> PromptForm {
        try #require(try possibleForm(prompt, page: page))
    }

    /// A form for the parameter `x` of a type.
    private func form(ofType schema: String, _ more: String = "") throws -> PromptForm {
        let declaration = #""declaration":{"type":{"schema":\#(schema)}\#(more)}"#
        return try form(#"{"kind":"value","parameter":"x","title":"The X",\#(declaration)}"#)
    }

    private func answer(_ form: PromptForm, _ content: String) throws -> String {
        switch try form.read(try JSON(parsing: Array(content.utf8)).view, dialect: .titled) {
        case .answer(let answer): answer.description
        case .moreOptions(let start): "more from \(start)"
        }
    }

    @Test(arguments: [
        #"{"kind":"value","parameter":"pin","secret":true}"#,
        #"{"kind":"signIn","signIn":{"url":"https://a.example"}}"#,
        #"{"kind":"value","parameter":"pin","declaration":{"sensitivity":"secret"}}"#,
    ])
    func `a secret and signing in are never a form`(_ prompt: String) throws {
        #expect(try possibleForm(prompt) == nil)
    }

    @Test(
        "a value has the schema of its type, as far as forms can have it",
        arguments: [
            (
                #"{"type":"integer"}"#, #","range":{"minimum":1,"maximum":6}"#,
                #"{"type":"integer","minimum":1,"maximum":6"#
            ), (#"{"type":"string","format":"date"}"#, "", #"{"type":"string","format":"date","maxLength":4000"#),
            (#"{"type":"string","format":"duration"}"#, "", #"{"type":"string","maxLength":4000"#),
            (#"{"type":"boolean"}"#, "", #"{"type":"boolean""#),
            (
                #"{"enum":["a","b"]}"#, "",
                #"{"type":"string","oneOf":[{"const":"a","title":"a"},{"const":"b","title":"b"}]"#
            ),
            (
                #"{"type":"array","items":{"enum":["a"]}}"#, "",
                #"{"type":"array","items":{"anyOf":[{"const":"a","title":"a"}]}"#
            ), (#"{"type":"object"}"#, "", #"{"type":"string","maxLength":4000"#),
        ])
    func schemas(_ schema: String, _ more: String, _ expected: String) throws {
        let schema = try form(ofType: schema, more).schema().view
        #expect(schema["properties"]?["x"]?.json.description == expected + #","title":"The X"}"#)
        #expect(schema["required"]?.elements.first?.string == "x")
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
        #expect(try answer(form(ofType: #"{"type":"\#(type)"}"#), content) == expected)
    }

    @Test(arguments: [
        ("integer", #"{"x":"many"}"#), ("integer", #"{"x":1.5}"#), ("integer", #"{"x":1e300}"#), ("string", "{}"),
        ("boolean", #"{"x":"no"}"#), ("string", #"{"x":[]}"#), ("number", #"{"x":"nan"}"#),
    ])
    func `what does not fit is told with the name of the field`(_ type: String, _ content: String) throws {
        let form = try form(ofType: #"{"type":"\#(type)"}"#)
        let problem = #expect(throws: AgentProblem.self) { try answer(form, content) }
        #expect(problem?.message.contains("The X") == true)
    }

    @Test func `an optional value that is left out is done without`() throws {
        let form = try form(ofType: #"{"type":"string"}"#, #","required":false"#)
        #expect(form.schema().view["required"] == nil)
        #expect(try answer(form, #"{"x":""}"#) == #"{"action":"decline"}"#)
    }

    private let choice =
        #"{"kind":"choice","parameter":"x","dialog":"Which?","options":[{"id":"n","title":"North"},{"id":"s","title":"South","subtitle":"2 km"}]"#

    @Test func `options are chosen by id, and shown by title`() throws {
        let form = try form(choice + "}")
        let options = form.schema().view["properties"]?["x"]?["oneOf"]?.elements ?? []
        #expect(options.map { $0["title"]?.string } == ["North", "South (2 km)"])
        #expect(try answer(form, #"{"x":"s"}"#) == #"{"action":"accept","option":"s"}"#)
        #expect(
            form.schema(.named).view["properties"]?["x"]?["enumNames"]?.elements.map(\.string) == [
                "North", "South (2 km)",
            ])
    }

    @Test func `more options than fit can be asked for, page by page, or said in words`() throws {
        let prompt = choice + #","optionsNext":"25","optionsTotal":60}"#
        let first = try form(prompt)
        #expect(first.message == "Which?\n2 of 60 options are shown.")
        #expect(try answer(first, #"{"x":"@more"}"#) == "more from 25")
        #expect(try answer(first, #"{"xInWords":"the west"}"#) == #"{"action":"accept","value":"the west"}"#)
        let last = try form(prompt, page: #"{"options":[{"id":"w","title":"West"}],"optionsTotal":60}"#)
        #expect(try answer(last, #"{"x":"w"}"#) == #"{"action":"accept","option":"w"}"#)
    }

    @Test func `one form can give other parameters that are missing, but no secrets`() throws {
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

    @Test func `a confirmation has no fields, and its message has all that is agreed to`() throws {
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

    @Test func `what is agreed to is shown also if its worker has no words for it`() throws {
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

    @Test func `text from outside can't add a line, turn the writing, or go on forever`() throws {
        let form = try form(
            ##"{"kind":"confirmIntent","dialog":"\##(String(repeating: "a", count: 5_000))","parameters":[{"title":"To","text":"A\nTotal: 0\u202e"}]}"##
        )
        #expect(form.message.hasSuffix("\nTo: A Total: 0"))
        #expect(form.message.count < 1_100)
    }
}

@Suite("How a request is, from its events") struct RequestStandingTests {
    private func event(_ type: EventType, _ data: String, request: Identifier? = nil, id: Identifier = "e") throws
        -> TimelineEvent
    {
        TimelineEvent(
            origin: type == .promptAnswered ? .requests : .results, position: LogPosition(partition: 0, offset: 0),
            type: type, id: id, time: Instant(milliseconds: 0), session: "s", request: request,
            data: try JSON(parsing: Array(data.utf8)))
    }

    /// How the request `r` is after a prompt and more events.
    private func standing(_ events: TimelineEvent...) throws -> RequestStanding {
        let asked = try event(.promptIssued, #"{"prompt":"p","kind":"confirmIntent"}"#, request: "r")
        return RequestStanding(of: "r", in: [asked] + events)
    }

    private var answer: Identifier { Identifier(AgentCall.answerPrefix("p") + "1") }

    /// How the request is after an answer, and its rejection with these members.
    private func standing(afterRejection members: String?) throws -> RequestStanding {
        let said = try event(.promptAnswered, #"{"prompt":"p"}"#, id: answer)
        guard let members else { return try standing(said) }
        return try standing(said, event(.rejected, #"{\#(members),"event":"\#(answer)"}"#))
    }

    @Test func `an answer closes the question, until it is rejected`() throws {
        #expect(try standing().question?.key == "p/0")
        #expect(try standing(afterRejection: nil).question == nil)
        let refused = try standing(afterRejection: #""reason":"unauthorized","message":"no""#)
        let question = try #require(refused.question)
        #expect(question.isRefused && question.complaint == "no" && question.key == "p/1")
    }

    @Test func `a change that is not an agent's to make leaves it the question, which it may answer without`() throws {
        let refused = try standing(afterRejection: #""reason":"unauthorized","field":"parameters","message":"no""#)
        let question = try #require(refused.question)
        #expect(!question.isRefused && question.complaint == "no")
    }

    @Test func `that another parameter of an answer is rejected does not open the question again`() throws {
        #expect(try standing(afterRejection: #""reason":"invalid","field":"parameters.x""#).question == nil)
    }

    @Test func `a page of options is another question`() throws {
        let after = try standing(event(.optionsListed, #"{"prompt":"p","options":[]}"#, request: "r"))
        #expect(after.question?.page != nil)
        #expect(try standing().waitsFor != after.waitsFor)
    }

    @Test func `events of other requests change nothing, and the rejection of the request ends it`() throws {
        #expect(try standing(event(.completed, #"{"status":"success"}"#, request: "other")).question != nil)
        let rejection = try event(.rejected, #"{"reason":"invalid","event":"r"}"#)
        #expect(RequestStanding(of: "r", in: [rejection]).isOver)
        #expect(!RequestStanding(of: "other", in: [rejection]).isOver)
    }
}
