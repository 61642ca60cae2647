import Conversation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite("Input that is rejected on intents.requests, and why") struct BadInputTests {
    private func read(_ value: String?, type: String? = nil, id: String? = nil, key: String? = "kitchen") -> String {
        problem(requestRecord(value, type: type, id: id, key: key))
    }

    private static func nested(_ depth: Int) -> String {
        // The value itself and 'parameters' are two levels.
        let lists = String(repeating: "[", count: depth - 2) + String(repeating: "]", count: depth - 2)
        return #"{"intent":"A","parameters":{"p":\#(lists)}}"#
    }

    private static func keys(_ count: Int) -> String {
        let keys = (0..<count - 2).map { #""p\#($0)":1"# }.joined(separator: ",")
        return #"{"intent":"A","parameters":{\#(keys)}}"#
    }

    private static func size(_ bytes: Int) -> String {
        let filler = String(repeating: "x", count: bytes - #"{"intent":"A","filler":""}"#.utf8.count)
        return #"{"intent":"A","filler":"\#(filler)"}"#
    }

    @Test(arguments: [(size(65_536), size(65_537)), (nested(32), nested(33)), (keys(1_000), keys(1_001))])
    func `64 KiB, depth 32 and 1,000 keys are accepted, one more is rejected`(_ most: String, _ more: String) {
        #expect(Self.size(65_536).utf8.count == 65_536)
        #expect(read(most) == "fine" && read(more) == "complex, dead letter")
    }

    @Test(arguments: ["", " ", "{", "{\"intent\"", "{\"intent\":\"A\",}", "[]", "\"A\"", "1", "null", nil])
    func `a value that is not a JSON object is unreadable, as is a tombstone`(_ value: String?) {
        #expect(read(value) == "unparseable, dead letter")
    }

    @Test(arguments: [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82]] as [Bytes])
    func `invalid UTF-8 is unreadable`(_ bytes: Bytes) {
        let value = Array(#"{"intent":""#.utf8) + bytes + Array(#""}"#.utf8)
        #expect(problem(record(value)) == "unparseable, dead letter")
    }

    @Test(arguments: [
        (64, 16_384, "fine"), (65, 16_384, "complex headers, dead letter"),
        (64, 16_385, "complex headers, dead letter"),
    ])
    func `64 headers of 16,384 bytes are accepted, and no more`(_ count: Int, _ bytes: Int, _ expected: String) {
        var headers = (0..<count).map { RecordHeader("h\($0 % 10)", "") }
        headers[0].value = Bytes(repeating: 0x78, count: bytes - 2 * count)
        #expect(problem(requestRecord(#"{"intent":"A"}"#, headers: headers)) == expected)
    }

    @Test func `a trace context that is too long or no text is passed over, and the event counts`() throws {
        let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        func trace(_ parent: String, _ state: String) throws -> TraceContext? {
            let headers = [RecordHeader("traceparent", parent), RecordHeader("tracestate", state)]
            return try RequestEvent(requestRecord(#"{"intent":"A"}"#, headers: headers)).request?.trace
        }
        let long = String(repeating: "x", count: 512)
        #expect(try trace(parent, long) == TraceContext(parent: parent, state: long))
        #expect(try trace(parent, long + "x") == TraceContext(parent: parent))
        #expect(try trace(parent + "\n", "a=1") == nil)
        #expect(try trace(String(repeating: "0", count: 129), "a=1") == nil)
    }

    @Test(arguments: ["a\nb", "a\u{1B}[2Jb", "a\u{9B}b", "a\u{202E}b", "a\u{2028}b", "a\u{2066}b"])
    func `ids and names have no control characters and no marks of direction`(_ name: String) {
        let json = JSON.string(name)
        #expect(read(#"{"intent":"A"}"#, id: name) == "invalid id")
        #expect(read(#"{"intent":"A"}"#, key: name) == "invalid key, dead letter")
        #expect(read(#"{"intent":\#(json)}"#) == "invalid intent")
        #expect(read(#"{"intent":"A","locale":\#(json)}"#) == "invalid locale")
        #expect(read(#"{"intent":"A","parameters":{\#(json):1}}"#) == "invalid parameters")
        #expect(read(#"{"handoff":"h","claimant":\#(json)}"#, type: "handoff.claimed.v1") == "invalid claimant")
        #expect(read(#"{"request":\#(json)}"#, type: "intent.cancelled.v1") == "invalid request")
        #expect(read(#"{"intent":"A","parameters":{"note":\#(json)}}"#) == "fine", "a value may have them")
    }

    @Test(arguments: [
        "", "$positions", "$", "a\u{0}b", "a\nb", "\u{1F}", "a\u{7F}", String(repeating: "x", count: 129),
        String(repeating: "é", count: 65), nil,
    ])
    func `a session's id has 1 to 128 bytes, no control characters, and is not the journal's`(_ key: String?) {
        #expect(read(#"{"intent":"A"}"#, key: key) == "invalid key, dead letter")
    }

    @Test func `a key that is not UTF-8 is not a session id`() {
        #expect(problem(record(Array(#"{"intent":"A"}"#.utf8), key: [0xFF, 0xFE])) == "invalid key, dead letter")
    }

    @Test(arguments: ["a", "with space", "Küche", "a$", "🏠", String(repeating: "x", count: 128)])
    func `a session's id may be any other text`(_ key: String) {
        #expect(read(#"{"intent":"A"}"#, key: key) == "fine")
    }

    @Test(arguments: [
        ("intent.dreamt.v1", "unsupported"), ("intent.requested", "unsupported"), ("", "unsupported"),
        ("intent.requested.vX", "unsupported"), ("intent.requested.v", "unsupported"),
        ("intent.requested.v2", "deprecated"), ("prompt.answered.v12", "deprecated"),
        ("intent.requested.v0", "deprecated"), ("intent.handle.v1", "unexpected"),
        ("prompt.issued.v1", "unexpected"), ("intent.resolved.v1", "unexpected"),
    ])
    func `unknown types, other versions and other topics' types have their reasons`(_ type: String, _ reason: String) {
        #expect(read(#"{"intent":"A"}"#, type: type) == "\(reason) type, dead letter")
    }

    @Test(arguments: [(256, "fine"), (257, "invalid id"), (0, "invalid id")])
    func `an event's id has 1 to 256 bytes`(_ count: Int, _ expected: String) {
        #expect(read(#"{"intent":"A"}"#, id: String(repeating: "x", count: count)) == expected)
    }

    @Test func `a structured event is read without its content type`() throws {
        let value = #"{"specversion":"1.0","id":"e","source":"/x","type":"intent.requested.v1","data":{"intent":"A"}}"#
        let event = try RequestEvent(requestRecord(value))
        #expect(event.id == "e" && event.type == .requested)
    }

    @Test(arguments: [
        ("intent.requested.v1", #"{"intent":"A","paramters":{}}"#, "paramters", "parameters"),
        ("intent.requested.v1", #"{"intnet":"A"}"#, "intnet", "intent"),
        ("intent.requested.v1", #"{"intent":"A","Locale":"en"}"#, "Locale", "locale"),
        ("prompt.answered.v1", #"{"prompt":"p","action":"accept","vaule":1}"#, "vaule", "value"),
    ])
    func `a misspelt member is rejected by name`(_ type: String, _ value: String, _ field: String, _ meant: String) {
        let error = #expect(throws: EventError.self) { try RequestEvent(requestRecord(value, type: type, id: "e")) }
        #expect(error?.rejection.field == field)
        #expect(error?.rejection.message.hasSuffix("did you mean '\(meant)'?") == true)
    }

    @Test(arguments: [
        ("intent.requested.v1", #"{"intent":"A","parameters":{},"paramters":{}}"#),
        ("intent.requested.v1", #"{"intent":"A","colour":1}"#),
        ("prompt.answered.v1", #"{"prompt":"p","action":"accept","parameter":"a","options":[],"kind":"value"}"#),
    ])
    func `other unknown members are ignored, as are a prompt's members in its answer`(_ type: String, _ value: String) {
        #expect(read(value, type: type, id: "e") == "fine")
    }

    /// Searching the whole object for each pair of an unknown and a known name took half a minute, optimized.
    @Test func `a request of hundreds of unknown names in escapes is read`() {
        let unknown = (0..<900).map { #""\u0075nknown \u006eame \u006eumber \#($0)":0"# }
        #expect(read("{\(unknown.joined(separator: ",")),\"intent\":\"A\"}", id: "e") == "fine")
    }

    @Test(arguments: [
        #"{"specversion":"1.0","id":"e"}"#, #"{"type":"intent.requested.v1"}"#,
        #"{"type":"intent.requested.v1","data":"text"}"#, #"{"data":{"intent":"A"}}"#,
        #"{"type":"intent.requested.v1","data_base64":"e30="}"#,
    ])
    func `a structured event needs a type and data`(_ value: String) {
        #expect(problem(requestRecord(value, headers: structured)) == "unparseable data, dead letter")
    }

    @Test func `null counts as absent for optional members`() throws {
        let nulls =
            #"{"intent":"A","parameters":null,"whenBusy":null,"deadline":null,"locale":null,"attributes":null,"phases":null}"#
        func event(_ value: String, _ type: String) throws -> SessionEvent {
            try RequestEvent(requestRecord(value, type: type, id: "e")).event
        }
        #expect(try event(nulls, "intent.requested.v1") == .requested(IntentRequest(id: "e", intent: "A")))
        let answer = #"{"prompt":"p","action":"accept","option":null,"parameters":null}"#
        #expect(try event(answer, "prompt.answered.v1") == .answered(Answer(prompt: "p", action: .accept)))
        #expect(try event(#"{"request":null}"#, "intent.cancelled.v1") == .cancelled(request: nil))
        #expect(read(#"{"intent":null}"#) == "invalid intent")
    }

    @Test func `the last of two members with the same name counts`() throws {
        #expect(try RequestEvent(requestRecord(#"{"intent":"A","intent":"B"}"#)).request?.intent == "B")
    }
}

extension RequestEvent {
    /// The request; `nil` for other events.
    var request: IntentRequest? { if case .requested(let request) = event { request } else { nil } }
}

@Suite("Input that is rejected from workers, and by workers") struct BadWorkTests {
    @Test func `an outcome is a dead letter whatever is wrong with it, also if it names half a principal`() {
        let event = outcomeRecord(
            #"{"request":"r","step":1,"code":"success"}"#, headers: [RecordHeader("ce_authtype", "app_user")])
        #expect(problem(event, OutcomeEvent.init) == "invalid authid, dead letter")
    }

    @Test(arguments: [("7", 1), ("-1", 0), ("0.25", 0.25), ("1e400", 1)])
    func `a fraction is clamped to 0...1`(_ text: String, _ fraction: Double) throws {
        let value = #"{"request":"r","step":1,"code":"inProgress","fraction":\#(text)}"#
        let outcome = try OutcomeEvent(outcomeRecord(value)).outcome
        #expect(outcome.content == .progressed(fraction: fraction, dialog: nil))
    }

    @Test func `a question is asked without a card that can't be read`() throws {
        let value = #"{"request":"r","step":1,"ask":{"id":"q","kind":"value","snippet":{"title":7},"dialog":"Which?"}}"#
        let content = try OutcomeEvent(outcomeRecord(value)).outcome.content
        #expect(content == .finished(.asked(PhaseQuestion(id: "q", kind: .value, dialog: "Which?"))))
    }

    @Test(arguments: [
        #""cancelled":true,"resolutions":5"#, #""resolutions":[{}],"cancelled":true"#,
    ])
    func `resolutions that can't be read do not matter to cancelled work`(_ members: String) throws {
        let record = outcomeRecord(#"{"request":"r","step":1,\#(members)}"#, type: "intent.resolved.v1")
        #expect(try OutcomeEvent(record).outcome.content == .cancelled)
    }

    @Test(arguments: [
        (#""fail":"x""#, AskPolicy.Finally.fail("x")), (#""handToApp":true"#, .handToApp),
        (#""handToApp":true,"fail":"x""#, .fail("x")), (#""fail":"x","later":1,"handToApp":true"#, .handToApp),
    ])
    func `the last way to end the asking counts`(_ members: String, _ finally: AskPolicy.Finally) throws {
        let value = #"{"request":"r","step":1,"resolutions":[],"policy":{"asks":{\#(members)}}}"#
        let outcome = try OutcomeEvent(outcomeRecord(value, type: "intent.resolved.v1")).outcome
        #expect(outcome.policy?.asks?.finally == finally)
    }

    @Test(arguments: [Duration.seconds(9_007_199_254_741), .seconds(Int64.max)])
    func `a delay that is too long to be said is as long as can be said`(_ delay: Duration) throws {
        let failure = IntentFailure(.retry(after: delay), reason: .busy, message: "later")
        let outcome = Outcome(request: "r", step: 1, phase: .handle, content: .finished(.failed(failure)), ticket: nil)
        var encoder = EventEncoder(source: "/test")
        let record = encoder.record(
            outcome, session: "kitchen", topics: Topics(), partition: 0, at: Instant(milliseconds: 0))
        let read = try OutcomeEvent(record.consumed()).outcome.content
        guard case .finished(.failed(let failure)) = read, case .retry(let after) = failure.disposition else {
            Issue.record("\(read)")
            return
        }
        #expect(after > .seconds(1_000_000_000))
    }

    @Test(arguments: [#""intent":"I","step":1,"step":"""#, #""step":1,"intent":"I","intent":null"#])
    func `work with a member that is repeated and no value the last time is refused`(_ members: String) throws {
        let event = outcomeRecord(#"{"request":"r",\#(members)}"#, type: "intent.resolve.v1")
        #expect(problem(event, WorkEvent.init).hasSuffix("dead letter"))
    }

    @Test(arguments: [("", true), (#","provenance":null"#, false), (#","provenance":5"#, false)])
    func `the last provenance of a parameter counts`(_ members: String, _ isThere: Bool) throws {
        let state = #"{"state":"given","provenance":{"confidence":0.5}\#(members)}"#
        let value = #"{"request":"r","step":1,"intent":"I","parameters":{"p":\#(state)}}"#
        let work = try WorkEvent(outcomeRecord(value, type: "intent.resolve.v1")).work
        #expect((work.item?.parameters.first?.provenance != nil) == isThere)
    }

    @Test(arguments: ["", #","message":"""#, #","message":"\u0007""#])
    func `a failure without a message still tells the person something`(_ message: String) throws {
        let value = #"{"request":"r","step":1,"failure":{"disposition":"failure","reason":"internal"\#(message)}}"#
        let content = try OutcomeEvent(outcomeRecord(value)).outcome.content
        let failure = if case .finished(.failed(let failure)) = content { failure } else { nil as IntentFailure? }
        #expect(failure?.message == "the worker failed without a message")
    }

    @Test(arguments: [
        ("intent.requested.v1", "unsupported type, dead letter"), ("", "unsupported type, dead letter"),
        ("intent.resolved.v2", "deprecated type, dead letter"),
    ])
    func `types of other topics and other versions are rejected`(_ type: String, _ expected: String) {
        let record = outcomeRecord(#"{"request":"r","step":1,"resolutions":[],"intent":"A"}"#, type: type)
        #expect(problem(record, OutcomeEvent.init) == expected && problem(record, WorkEvent.init) == expected)
    }

    @Test(arguments: ["intent.requested.v1", "handoff.returned.v1", "intent.handle.v1", "prompt.issued.v2", ""])
    func `a record that is not a result is not read as one`(_ type: String) {
        #expect(problem(outcomeRecord("{}", type: type), ReceivedResult.init) == "unsupported type, dead letter")
    }

    @Test(arguments: ["{", "[]", "", "\u{1}"])
    func `unreadable input is unreadable for workers and readers too`(_ value: String) {
        let problems = [
            problem(outcomeRecord(value, type: "intent.resolve.v1"), WorkEvent.init),
            problem(outcomeRecord(value, type: "intent.resolved.v1"), OutcomeEvent.init),
            problem(outcomeRecord(value, type: "prompt.issued.v1"), ReceivedResult.init),
        ]
        #expect(Set(problems) == ["unparseable, dead letter"])
    }
}

@Suite("Answers in words, as they are read") struct UtteranceInputTests {
    private func read(_ members: String) -> String {
        problem(requestRecord(#"{"prompt":"p",\#(members)}"#, type: "prompt.answered.v1"))
    }

    @Test func `an utterance has 1 to 500 characters, and no control characters`() {
        let longest = String(repeating: "é", count: 500)
        #expect(read(#""utterance":"yes""#) == "fine" && read(#""utterance":"\#(longest)","language":"fr""#) == "fine")
        for words in ["", longest + "é", "a\\nb", "\\u001b"] {
            #expect(read(#""utterance":"\#(words)""#) == "invalid utterance", "\(words)")
        }
        #expect(read(#""utterance":7"#) == "invalid utterance")
        #expect(read(#""utterance":"yes","language":"\#(longest)""#) == "invalid language")
    }

    @Test(arguments: [#""action":"accept""#, #""value":1"#, #""option":"a""#, #""parameters":{"a":1}"#])
    func `an utterance stands alone`(_ other: String) {
        #expect(read(#""utterance":"yes",\#(other)"#) == "invalid utterance")
    }

    @Test func `an answer has an utterance or an action`() {
        #expect(read(#""value":1"#) == "invalid action" && read(#""utterance":null,"action":"accept""#) == "fine")
    }
}
