import Conversation
import IntentEvents
import IntentKit
import IntentModel
import PersonGateway
import PipelineTestKit
import Testing

@testable import MCPServer

@Suite("Tools of the catalogue") struct ToolListTests {
    private let settings = AgentSettings(key: [1], patience: .seconds(20), lifetime: .seconds(600))

    private func entry(_ intent: Identifier, _ details: [String: JSON] = [:]) -> ToolList.Served {
        (intent, PublishedIntent(intent: intent, title: intent.text, details: details))
    }

    @Test func `an intent's invalid name is replaced by a valid and unique one`() {
        let long = Identifier(String(repeating: "x", count: 300))
        let intents: [Identifier] = ["Ride", "a b", "a_b", "é", "intent_reply", long, ""]
        let tools = ToolList(intents.map { entry($0) }, settings).tools
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.")
        #expect(tools.allSatisfy { 1...128 ~= $0.name.count && allowed.isSuperset(of: $0.name) })
        #expect(!tools.contains { $0.name == "intent_reply" })
        #expect(Set(tools.map(\.name)).count == intents.count && Set(tools.map(\.intent)) == Set(intents))
        #expect(tools.contains { $0.name == "Ride" } && tools.contains { $0.name == "a_b" && $0.intent == "a_b" })
    }

    @Test func `a secret parameter is not in the schema that a model sees`() throws {
        let both: JSON = ["pin": [:], "to": [:]]
        let details: [String: JSON] = [
            "parameters": .array([["name": "pin", "sensitivity": "secret"], ["name": "to"]]),
            "schemas": ["request": ["type": "object", "properties": both, "required": .array(["pin", "to"])]],
        ]
        let tool = try #require(ToolList([entry("Pay", details)], settings).tools.first)
        let schema = try #require(tool.json.view["inputSchema"])
        #expect(schema["properties"]?.members.map(\.name) == ["to"])
        #expect(schema["required"]?.elements.map(\.string) == ["to"] && tool.secrets == ["pin"])
    }

    @Test func `tools describe the patience and the lifetime of the settings`() throws {
        let tools = try ToolList([], settings).page(after: nil).tools.map(\.description)
        #expect(tools.count == 2 && tools.allSatisfy { $0.contains("It can be used for 10 min.") })
        #expect(tools.last?.contains("Waits for up to 20 s ") == true)
    }

    @Test func `a long list has pages, which together have each tool once`() throws {
        let list = ToolList((100..<350).map { entry("I\($0)") }, settings)
        var names: [String] = []
        var cursor: String?
        repeat {
            let page = try list.page(after: cursor)
            names += page.tools.compactMap { $0.view["name"]?.string }
            cursor = page.next
        } while cursor != nil
        #expect(names == (100..<350).map { "I\($0)" } + ["intent_reply", "intent_status"])
        #expect(throws: RPCError.self) { try list.page(after: String(repeating: "x", count: 129)) }
    }
}

@Suite("Sealed places") struct AgentPlaceTests {
    private let key = [UInt8](repeating: 3, count: 32)
    private let now = Instant(milliseconds: 1_767_268_800_000)
    private let ann = Principal(.appUser, "ann\u{E9}")
    private var place: AgentPlace {
        AgentPlace(session: "söme session", request: "r-1", asked: "p/0", expires: now.advanced(by: .seconds(60)))
    }

    private func open(
        _ text: String, key: [UInt8]? = nil, for principal: Principal?, purpose: String = "x", after: Duration = .zero
    ) throws -> AgentPlace {
        try AgentPlace(
            unsealing: text, with: key ?? self.key, for: principal, purpose: purpose, at: now.advanced(by: after))
    }

    @Test func `a sealed place opens as it was, until it expires`() throws {
        let sealed = place.sealed(with: key, for: ann, purpose: "x")
        #expect(try open(sealed, for: ann) == place)
        #expect(throws: AgentProblem.self) { try open(sealed, for: ann, after: .seconds(60)) }
    }

    @Test func `a sealed place opens only for its principal, its purpose and its key`() {
        let sealed = place.sealed(with: key, for: ann, purpose: "x")
        for other in [Principal(.user, ann.id), Principal(.appUser, "anne\u{301}"), nil] {
            #expect(throws: AgentProblem.self) { try open(sealed, for: other) }
        }
        #expect(throws: AgentProblem.self) { try open(sealed, for: ann, purpose: "y") }
        #expect(throws: AgentProblem.self) { try open(sealed, key: [UInt8](repeating: 4, count: 32), for: ann) }
    }

    @Test func `no character can be changed, added or left out`() {
        let sealed = Array(place.sealed(with: key, for: ann, purpose: "x"))
        var wrong = [String(sealed) + "A", String(repeating: "A", count: 5_000)]
        for index in sealed.indices {
            var changed = sealed
            changed[index] = changed[index] == "A" ? "B" : "A"
            wrong += [String(changed), String(sealed[..<index])]
        }
        for text in wrong { #expect(throws: AgentProblem.self) { try open(text, for: ann) } }
    }

    @Test func `the digest of a value does not depend on the order of its members`() throws {
        func digest(_ text: String) throws -> String { try JSON(parsing: Array(text.utf8)).digest }
        #expect(try digest(#"{"a":1,"b":{"c":2,"d":[3]}}"#) == digest(#"{"b": {"d":[3], "c":2}, "a":1}"#))
        #expect(try digest(#"{"a":1}"#) != digest(#"{"a":2}"#) && digest(#"["a","b"]"#) != digest(#"["b","a"]"#))
    }

    @Test(arguments: [
        ("https://a.example/b", true), ("http://127.0.0.1:8080", true), ("javascript:alert(1)", false),
        ("file:///etc", false),
        ("https://user@a.example", false), ("https://a b", false), ("https://", false), ("data:text/html,x", false),
    ])
    func `only the URLs of pages are passed on`(_ text: String, _ isPage: Bool) {
        #expect((text.webURL != nil) == isPage)
    }
}

@Suite("What no client should send") struct HostileInputTests {
    @Test(arguments: [
        ("{", -32700), ("\u{0}", -32700), ("[]", -32600), ("1", -32600),
        (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600), (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32600), (#"{"jsonrpc":"2.0","id":1}"#, -32600),
        (String(repeating: "[", count: 100), -32600),
    ])
    func `a message that can't be read gets an error of the protocol`(_ text: String, _ code: Int) {
        #expect(throws: RPCError.self) { try RPCMessage(parsing: Array(text.utf8)) }
        do throws(RPCError) { _ = try RPCMessage(parsing: Array(text.utf8)) } catch {
            #expect(error.code.rawValue == code, "\(error)")
        }
    }

    @Test func `a caller's fault is an error of parameters, and a busy or unauthorized one is not`() {
        for reason in [RejectionReason.invalid, .unparseable, .complex, .unexpected] {
            #expect(RPCError(GatewayProblem(reason, "x")).code == .invalidParams, "\(reason)")
        }
        for reason in [RejectionReason.busy, .unauthorized] {
            #expect(RPCError(GatewayProblem(reason, "x")).code == .internalError, "\(reason)")
        }
    }

    @Test func `every request gets exactly one reply, whatever is in it`() async throws {
        let host = try await AgentHost { $0.maximumCalls = 1_000 }
        try await host.initialize(elicitation: nil)
        var input = HostileInput()
        let words = "tools/list tools/call ping tasks/get tasks/update server/discover resources/list initialize \u{1B}"
        let methods = words.split(separator: " ").map(String.init)
        for number in 0..<400 {
            let params = input.object(Self.words, upTo: 12)
            let reply = try await host.ask(input.pick(methods), params)
            #expect((reply["error"] != nil) != (reply["result"] != nil), "seed \(input.seed), request \(number)")
        }
    }

    private static let words = HostileInput.Vocabulary(
        names: [
            "name", "name", "arguments", "arguments", "cursor", "requestState", "inputResponses", "taskId", "_meta",
            "handle", "action", "values", "search", "dropOff", "io.modelcontextprotocol/clientCapabilities",
            "progressToken", "traceparent",
        ],
        texts: [
            "name": ["intent_reply"],
            "": ["", "x", "handle", "intent_status", "\u{202E}", "@more", String(repeating: "a", count: 5_000)],
        ])
}

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

    private static let a = #"{"const":"a","title":"a"}"#

    @Test(arguments: [
        (#"{"type":"integer"}"#, #","range":{"minimum":1,"maximum":6}"#, #"{"type":"integer","minimum":1,"maximum":6"#),
        (#"{"type":"string","format":"date"}"#, "", #"{"type":"string","format":"date","maxLength":4000"#),
        (#"{"type":"string","format":"duration"}"#, "", #"{"type":"string","maxLength":4000"#),
        (#"{"type":"boolean"}"#, "", #"{"type":"boolean""#),
        (#"{"enum":["a","b"]}"#, "", #"{"type":"string","oneOf":[\#(a),{"const":"b","title":"b"}]"#),
        (#"{"type":"array","items":{"enum":["a"]}}"#, "", #"{"type":"array","items":{"anyOf":[\#(a)]}"#),
        (#"{"type":"object"}"#, "", #"{"type":"string","maxLength":4000"#),
    ])
    func `a value's form has the schema of its type`(_ schema: String, _ more: String, _ expected: String) throws {
        let schema = try form(ofType: schema, more).schema().view
        #expect(schema["properties"]?["x"]?.json.description == expected + #","title":"The X"}"#)
        #expect(schema["required"]?.elements.first?.string == "x")
    }

    @Test(arguments: [
        ("integer", #"{"x":3}"#, #"{"action":"accept","value":3}"#),
        ("integer", #"{"x":"3"}"#, #"{"action":"accept","value":3}"#),
        ("number", #"{"x":2.5}"#, #"{"action":"accept","value":2.5}"#),
        ("boolean", #"{"x":false}"#, #"{"action":"accept","value":false}"#),
        ("string", #"{"x":"the airport","y":1}"#, #"{"action":"accept","value":"the airport"}"#),
    ])
    func `a form's value becomes an answer of its type`(_ type: String, _ content: String, _ expected: String) throws {
        #expect(try answer(form(ofType: #"{"type":"\#(type)"}"#), content) == expected)
    }

    @Test(arguments: [
        ("integer", #"{"x":"many"}"#), ("integer", #"{"x":1.5}"#), ("integer", #"{"x":1e300}"#), ("string", "{}"),
        ("boolean", #"{"x":"no"}"#), ("string", #"{"x":[]}"#), ("number", #"{"x":"nan"}"#),
    ])
    func `a misfit is reported with the title of the field`(_ type: String, _ content: String) throws {
        let form = try form(ofType: #"{"type":"\#(type)"}"#)
        let problem = #expect(throws: AgentProblem.self) { try answer(form, content) }
        #expect(problem?.message.contains("The X") == true)
    }

    @Test func `an omitted optional value is declined`() throws {
        let form = try form(ofType: #"{"type":"string"}"#, #","required":false"#)
        #expect(try form.schema().view["required"] == nil && answer(form, #"{"x":""}"#) == #"{"action":"decline"}"#)
    }

    private let choice =
        #"{"kind":"choice","parameter":"x","dialog":"Which?","options":[{"id":"n","title":"North"},{"id":"s","title":"South","subtitle":"2 km"}]"#

    @Test func `options are chosen by id, and shown by title`() throws {
        let form = try form(choice + "}")
        let options = form.schema().view["properties"]?["x"]?["oneOf"]?.elements ?? []
        #expect(options.map { $0["title"]?.string } == ["North", "South (2 km)"])
        #expect(try answer(form, #"{"x":"s"}"#) == #"{"action":"accept","option":"s"}"#)
        let names = form.schema(.named).view["properties"]?["x"]?["enumNames"]
        #expect(names?.elements.map(\.string) == ["North", "South (2 km)"])
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
        let type = #""declaration":{"type":{"schema":{"type":"string"}}}"#
        let form = try form(#"{"kind":"value","parameter":"x",\#(type),"parameters":\#(rows)}"#)
        #expect(form.fields.map(\.name) == ["x", "ride"])
        let answer = try answer(form, #"{"x":"a","ride":"pool"}"#)
        #expect(answer == #"{"action":"accept","value":"a","parameters":{"ride":"pool"}}"#)
    }

    @Test func `a confirmation has no fields, and its message lists all values`() throws {
        let form = try form(
            """
            {"kind":"confirmIntent","dialog":"Book it?","summary":"Ride to Leeds","proposed":{"time":"18:30"},"action":{"destructive":true},
             "parameters":[{"parameter":"to","title":"Drop-off","text":"Leeds"},{"parameter":"pay","title":"Payment","text":"Card","source":"default"}]}
            """)
        #expect(form.fields.isEmpty)
        let values = "Drop-off: Leeds\nPayment: Card (not said by the person)\ntime, proposed: 18:30"
        #expect(form.message == "Book it?\nRide to Leeds\n\(values)\nThis can't be taken back.")
        #expect(try answer(form, "{}") == #"{"action":"accept"}"#)
    }

    @Test func `a value without a text of its worker is shown as it is`() throws {
        let form = try form(
            """
            {"kind":"confirmIntent","dialog":"Send it?","parameters":[{"parameter":"to","value":"bob"},{"parameter":"amount","value":5},
             {"parameter":"express","title":"Express","value":false},{"parameter":"lines","value":[{"id":1}]},{"parameter":"note","value":null}]}
            """)
        #expect(form.message == "Send it?\nto: bob\namount: 5\nExpress: false\nlines: [{\"id\":1}]")
        let value = try self.form(#"{"kind":"confirmValue","parameter":"amount","value":500,"dialog":"Right?"}"#)
        #expect(value.message == "Right?\n500")
    }

    @Test func `untrusted text can't add a line, change the direction, or be endless`() throws {
        let (long, row) = (String(repeating: "a", count: 5_000), ##"{"title":"To","text":"A\nTotal: 0\u202e"}"##)
        let form = try form(#"{"kind":"confirmIntent","dialog":"\#(long)","parameters":[\#(row)]}"#)
        #expect(form.message.hasSuffix("\nTo: A Total: 0") && form.message.count < 1_100)
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
    private func standing(after members: String?) throws -> RequestStanding {
        let said = try event(.promptAnswered, #"{"prompt":"p"}"#, id: answer)
        guard let members else { return try standing(said) }
        return try standing(said, event(.rejected, #"{\#(members),"event":"\#(answer)"}"#))
    }

    @Test func `an answer closes the question, until it is rejected`() throws {
        #expect(try standing().question?.key == "p/0" && standing(after: nil).question == nil)
        let question = try #require(try standing(after: #""reason":"unauthorized","message":"no""#).question)
        #expect(question.isRefused && question.complaint == "no" && question.key == "p/1")
    }

    @Test func `a refused change leaves the question open, to be answered without the change`() throws {
        let question = try standing(after: #""reason":"unauthorized","field":"parameters","message":"no""#).question
        #expect(question?.isRefused == false && question?.complaint == "no")
    }

    @Test func `a rejected parameter does not reopen the question`() throws {
        #expect(try standing(after: #""reason":"invalid","field":"parameters.x""#).question == nil)
    }

    @Test func `words that were no answer leave the question open, and those of somebody else change nothing`() throws {
        let said = try event(.promptAnswered, #"{"prompt":"p"}"#, id: answer)
        func read(_ event: Identifier, dialog: String = #","dialog":"Which one?""#) throws -> TimelineEvent {
            try self.event(
                .answerRead, #"{"prompt":"p","readAs":"unclear","event":"\#(event)"\#(dialog)}"#, request: "r")
        }
        let question = try #require(try standing(said, read(answer)).question)
        #expect(question.complaint == "Which one?" && question.key == "p/1" && !question.isRefused)
        #expect(try standing(said, read("another")).question == nil)
        #expect(try standing(said, read(answer, dialog: "")).question == nil)
    }

    @Test func `a page of options is another question`() throws {
        let after = try standing(event(.optionsListed, #"{"prompt":"p","options":[]}"#, request: "r"))
        #expect(try after.question?.page != nil && standing().waitsFor != after.waitsFor)
    }

    @Test func `events of other requests change nothing, and the rejection of the request ends it`() throws {
        #expect(try standing(event(.completed, #"{"status":"success"}"#, request: "other")).question != nil)
        let rejection = try event(.rejected, #"{"reason":"invalid","event":"r"}"#)
        #expect(RequestStanding(of: "r", in: [rejection]).isOver)
        #expect(!RequestStanding(of: "other", in: [rejection]).isOver)
    }
}
