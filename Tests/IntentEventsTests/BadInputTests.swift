import Conversation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite("Input that is rejected on intents.requests, and why")
struct BadInputTests {
    private func read(_ value: String?, type: String? = nil, id: String? = nil, key: String? = "kitchen") -> String {
        problem { () throws(EventError) in try RequestEvent(requestRecord(value, type: type, id: id, key: key)) }
    }

    private func nested(_ depth: Int) -> String {
        // The value itself and 'parameters' are two levels.
        #"{"intent":"A","parameters":{"p":"# + String(repeating: "[", count: depth - 2)
            + String(repeating: "]", count: depth - 2) + "}}"
    }

    private func keys(_ count: Int) -> String {
        #"{"intent":"A","parameters":{"# + (0..<count - 2).map { #""p\#($0)":1"# }.joined(separator: ",") + "}}"
    }

    private func size(_ bytes: Int) -> String {
        let frame = #"{"intent":"A","filler":""}"#
        return #"{"intent":"A","filler":""# + String(repeating: "x", count: bytes - frame.utf8.count) + #""}"#
    }

    @Test("the bounds: 64 KiB, depth 32 and 1,000 keys are accepted, one more is rejected")
    func bounds() {
        #expect(size(65_536).utf8.count == 65_536)
        #expect(read(size(65_536)) == "fine")
        #expect(read(size(65_537)) == "complex, dead letter")
        #expect(read(nested(32)) == "fine")
        #expect(read(nested(33)) == "complex, dead letter")
        #expect(read(keys(1_000)) == "fine")
        #expect(read(keys(1_001)) == "complex, dead letter")
    }

    @Test(
        "a value that is not a JSON object is unreadable",
        arguments: ["", " ", "{", "{\"intent\"", "{\"intent\":\"A\",}", "[]", "\"A\"", "1", "null"])
    func malformed(_ value: String) {
        #expect(read(value) == "unparseable, dead letter")
    }

    @Test("invalid UTF-8 is unreadable")
    func notUTF8() {
        for bytes: Bytes in [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82]] {
            let value = Array(#"{"intent":""#.utf8) + bytes + Array(#""}"#.utf8)
            #expect(
                problem { () throws(EventError) in try RequestEvent(record(value, topic: "intents.requests")) }
                    == "unparseable, dead letter")
        }
    }

    @Test("the bounds of headers: 64 of them, with 16,384 bytes, are accepted, one more is rejected")
    func headerBounds() {
        func read(_ count: Int, _ bytes: Int) -> String {
            var headers = (0..<count).map { RecordHeader("h\($0 % 10)", "") }
            headers[0].value = Bytes(repeating: 0x78, count: bytes - 2 * count)
            let value = Bytes(#"{"intent":"A"}"#.utf8)
            return problem { () throws(EventError) in
                try RequestEvent(record(value, topic: "intents.requests", headers: headers))
            }
        }
        #expect(read(64, 16_384) == "fine")
        #expect(read(65, 16_384) == "complex headers, dead letter")
        #expect(read(64, 16_385) == "complex headers, dead letter")
    }

    @Test("a trace context that is too long or no text is passed over, and the event counts")
    func traceBounds() throws {
        let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        func trace(_ parent: String, _ state: String) throws -> TraceContext? {
            let headers = [RecordHeader("traceparent", parent), RecordHeader("tracestate", state)]
            let event = try RequestEvent(
                record(Bytes(#"{"intent":"A"}"#.utf8), topic: "intents.requests", headers: headers)
            ).event
            guard case .requested(let request) = event else { return nil }
            return request.trace
        }
        let long = String(repeating: "x", count: 512)
        #expect(try trace(parent, long) == TraceContext(parent: parent, state: long))
        #expect(try trace(parent, long + "x") == TraceContext(parent: parent))
        #expect(try trace(parent + "\n", "a=1") == nil)
        #expect(try trace(String(repeating: "0", count: 129), "a=1") == nil)
    }

    @Test(
        "ids and names have no control characters and no marks of direction",
        arguments: ["a\nb", "a\u{1B}[2Jb", "a\u{9B}b", "a\u{202E}b", "a\u{2028}b", "a\u{2066}b"])
    func controlCharacters(_ name: String) {
        func json(_ text: String) -> String { JSON.string(text).description }
        #expect(read(#"{"intent":"A"}"#, id: name) == "invalid id")
        #expect(read(#"{"intent":"A"}"#, key: name) == "invalid key, dead letter")
        #expect(read(#"{"intent":\#(json(name))}"#) == "invalid intent")
        #expect(read(#"{"intent":"A","locale":\#(json(name))}"#) == "invalid locale")
        #expect(read(#"{"intent":"A","parameters":{\#(json(name)):1}}"#) == "invalid parameters")
        #expect(read(#"{"handoff":"h","claimant":\#(json(name))}"#, type: "handoff.claimed.v1") == "invalid claimant")
        #expect(read(#"{"request":\#(json(name))}"#, type: "intent.cancelled.v1") == "invalid request")
        #expect(read(#"{"intent":"A","parameters":{"note":\#(json(name))}}"#) == "fine", "a value may have them")
    }

    @Test("a tombstone is not an event")
    func tombstone() {
        #expect(read(nil) == "unparseable, dead letter")
    }

    @Test("a record without a key has no session")
    func noKey() {
        #expect(read(#"{"intent":"A"}"#, key: nil) == "invalid key, dead letter")
    }

    @Test(
        "a session's id is 1 to 128 bytes without control characters, and not one of the journal's own",
        arguments: [
            "", "$positions", "$", "a\u{0}b", "a\nb", "\u{1F}", "a\u{7F}", String(repeating: "x", count: 129),
            String(repeating: "é", count: 65),
        ])
    func badKey(_ key: String) {
        #expect(read(#"{"intent":"A"}"#, key: key) == "invalid key, dead letter")
    }

    @Test(
        "a session's id may be any other text",
        arguments: ["a", "with space", "Küche", "a$", "🏠", String(repeating: "x", count: 128)])
    func goodKey(_ key: String) {
        #expect(read(#"{"intent":"A"}"#, key: key) == "fine")
    }

    @Test("a key that is not UTF-8 is not a session id")
    func keyNotUTF8() {
        let bad = record(Array(#"{"intent":"A"}"#.utf8), topic: "intents.requests", key: [0xFF, 0xFE])
        #expect(problem { () throws(EventError) in try RequestEvent(bad) } == "invalid key, dead letter")
    }

    @Test(
        "an unknown type, another version and a type of another topic have different reasons",
        arguments: [
            ("intent.dreamt.v1", "unsupported type, dead letter"),
            ("intent.requested", "unsupported type, dead letter"),
            ("", "unsupported type, dead letter"),
            ("intent.requested.v2", "deprecated type, dead letter"),
            ("prompt.answered.v12", "deprecated type, dead letter"),
            ("intent.requested.v0", "deprecated type, dead letter"),
            ("intent.requested.vX", "unsupported type, dead letter"),
            ("intent.requested.v", "unsupported type, dead letter"),
            ("intent.handle.v1", "unexpected type, dead letter"),
            ("prompt.issued.v1", "unexpected type, dead letter"),
            ("intent.resolved.v1", "unexpected type, dead letter"),
        ])
    func types(_ type: String, _ expected: String) {
        #expect(read(#"{"intent":"A"}"#, type: type) == expected)
    }

    @Test("an event's id has 1 to 256 bytes")
    func ids() {
        #expect(read(#"{"intent":"A"}"#, id: String(repeating: "x", count: 256)) == "fine")
        #expect(read(#"{"intent":"A"}"#, id: String(repeating: "x", count: 257)) == "invalid id")
        #expect(read(#"{"intent":"A"}"#, id: "") == "invalid id")
    }

    @Test("a structured event is read as one, also without its content type")
    func withoutContentType() throws {
        let value =
            #"{"specversion":"1.0","id":"e","source":"/x","type":"intent.requested.v1","data":{"intent":"Book"}}"#
        let event = try RequestEvent(requestRecord(value, type: nil, id: nil, key: "kitchen"))
        #expect(event.id == "e" && event.type == .requested)
    }

    @Test(
        "a member that is a slip away from a missing one is named, and not passed over",
        arguments: [
            ("intent.requested.v1", #"{"intent":"A","paramters":{}}"#, "paramters", "parameters"),
            ("intent.requested.v1", #"{"intnet":"A"}"#, "intnet", "intent"),
            ("intent.requested.v1", #"{"intent":"A","Locale":"en"}"#, "Locale", "locale"),
            ("prompt.answered.v1", #"{"prompt":"p","action":"accept","vaule":1}"#, "vaule", "value"),
        ])
    func misspelt(_ type: String, _ value: String, _ field: String, _ meant: String) {
        let error = #expect(throws: EventError.self) {
            try RequestEvent(requestRecord(value, type: type, id: "e", key: "kitchen"))
        }
        #expect(
            error?.rejection.field == field && error?.rejection.message.hasSuffix("did you mean '\(meant)'?") == true)
    }

    @Test(
        "other members that are not known are passed over, and so are those of a prompt that an answer has",
        arguments: [
            ("intent.requested.v1", #"{"intent":"A","parameters":{},"paramters":{}}"#),
            ("intent.requested.v1", #"{"intent":"A","colour":1}"#),
            ("prompt.answered.v1", #"{"prompt":"p","action":"accept","parameter":"a","options":[],"kind":"value"}"#),
        ])
    func passedOver(_ type: String, _ value: String) throws {
        _ = try RequestEvent(requestRecord(value, type: type, id: "e", key: "kitchen"))
    }

    @Test(
        "a structured event needs a type and data",
        arguments: [
            #"{"specversion":"1.0","id":"e"}"#, #"{"type":"intent.requested.v1"}"#,
            #"{"type":"intent.requested.v1","data":"text"}"#,
            #"{"data":{"intent":"A"}}"#, #"{"type":"intent.requested.v1","data_base64":"e30="}"#,
        ])
    func structured(_ value: String) {
        let structured = record(
            Array(value.utf8), topic: "intents.requests", contentType: "Application/CloudEvents+JSON")
        #expect(problem { () throws(EventError) in try RequestEvent(structured) } == "unparseable data, dead letter")
    }

    @Test("null counts as absent for optional members")
    func null() throws {
        let nulls =
            #"{"intent":"A","parameters":null,"whenBusy":null,"deadline":null,"locale":null,"attributes":null,"phases":null}"#
        #expect(
            try RequestEvent(requestRecord(nulls, id: "e")).event == .requested(IntentRequest(id: "e", intent: "A")))
        let answer = #"{"prompt":"p","action":"accept","option":null,"parameters":null}"#
        let read = try RequestEvent(requestRecord(answer, type: "prompt.answered.v1")).event
        #expect(read == .answered(Answer(prompt: "p", action: .accept)))
        let cancel = try RequestEvent(requestRecord(#"{"request":null}"#, type: "intent.cancelled.v1")).event
        #expect(cancel == .cancelled(request: nil))
        #expect(self.read(#"{"intent":null}"#) == "invalid intent")
    }

    @Test("the last of two members with the same name counts")
    func twice() throws {
        let event = try RequestEvent(requestRecord(#"{"intent":"A","intent":"B"}"#))
        guard case .requested(let request) = event.event else {
            Issue.record("something else came")
            return
        }
        #expect(request.intent == "B")
    }

}

@Suite("Input that is rejected from workers, and by workers")
struct BadWorkTests {
    private func outcome(_ value: String, type: String = "intent.resolved.v1") -> String {
        problem { () throws(EventError) in
            try OutcomeEvent(record(Array(value.utf8), topic: "intents.outcomes", type: type))
        }
    }

    @Test("an outcome is a dead letter whatever is wrong with it, also if it names half a principal")
    func half() {
        let event = record(
            Array(#"{"request":"r","step":1,"code":"success"}"#.utf8), topic: "intents.outcomes",
            type: "intent.handled.v1",
            headers: [RecordHeader("ce_authtype", "app_user")])
        #expect(problem { () throws(EventError) in try OutcomeEvent(event) } == "invalid authid, dead letter")
    }

    @Test("a fraction is clamped to 0...1", arguments: [("7", 1), ("-1", 0), ("0.25", 0.25), ("1e400", 1)])
    func fraction(_ text: String, _ fraction: Double) throws {
        let value = Array(#"{"request":"r","step":1,"code":"inProgress","fraction":\#(text)}"#.utf8)
        let outcome = try OutcomeEvent(record(value, topic: "intents.outcomes", type: "intent.handled.v1")).outcome
        #expect(outcome.content == .progressed(fraction: fraction, dialog: nil))
    }

    @Test(
        "a failure without a message still tells the person something",
        arguments: [#""#, #","message":"""#, #","message":"\u0007""#])
    func failureWithoutMessage(_ message: String) throws {
        let value = #"{"request":"r","step":1,"failure":{"disposition":"failure","reason":"internal"\#(message)}}"#
        let outcome = try OutcomeEvent(record(Array(value.utf8), topic: "intents.outcomes", type: "intent.handled.v1"))
            .outcome
        guard case .finished(.failed(let failure)) = outcome.content else {
            return #expect(Bool(false), "not a failure")
        }
        #expect(failure.message == "the worker failed without a message")
    }

    @Test(
        "types of other topics and other versions are rejected",
        arguments: [
            ("intent.requested.v1", "unsupported type, dead letter"), ("", "unsupported type, dead letter"),
            ("intent.resolved.v2", "deprecated type, dead letter"),
        ])
    func types(_ type: String, _ expected: String) {
        let value = #"{"request":"r","step":1,"resolutions":[],"intent":"A"}"#
        #expect(outcome(value, type: type) == expected)
        #expect(
            problem { () throws(EventError) in
                try WorkEvent(record(Array(value.utf8), topic: "intents.resolve", type: type))
            } == expected)
    }

    @Test("unreadable input is unreadable for workers and readers too", arguments: ["{", "[]", "", "\u{1}"])
    func malformed(_ value: String) {
        let bytes = Array(value.utf8)
        #expect(
            problem { () throws(EventError) in try WorkEvent(record(bytes, topic: "t", type: "intent.resolve.v1")) }
                == "unparseable, dead letter")
        #expect(
            problem { () throws(EventError) in try OutcomeEvent(record(bytes, topic: "t", type: "intent.resolved.v1")) }
                == "unparseable, dead letter")
        #expect(
            problem { () throws(EventError) in try ReceivedResult(record(bytes, topic: "t", type: "prompt.issued.v1")) }
                == "unparseable, dead letter")
    }
}
