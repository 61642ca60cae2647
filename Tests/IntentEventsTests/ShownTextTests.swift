import Conversation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite("What people are shown") struct ShownTextTests {
    /// An escape sequence, a C1 control character, a second line, and marks that turn the direction of writing.
    private static let hostile = "Pay \u{1B}[2J1\u{9B}0\nto \u{202E}aiM\u{2066}\u{FEFF}"

    @Test func `a dialog keeps its lines and loses all other control characters`() {
        #expect(Self.hostile.withoutControlCharacters == "Pay [2J10\nto aiM")
    }

    @Test func `a value in a sentence stays on its line`() {
        #expect("a\r\nb\u{2028}c\u{85}d\te\u{202E}f".onOneLine == "a  b c d ef")
    }

    @Test func `a log or a terminal gets control characters as escapes`() {
        #expect("a\u{1B}b\nc\u{202E}d".printable == #"a\u{1B}b\u{A}c\u{202E}d"#)
    }

    @Test func `a line of a command keeps its colours and tabs, and escapes marks of direction`() throws {
        #expect("\u{1B}[2mdim\u{1B}[0m\ta\u{202E}b\n\u{9B}".forTerminal == "\u{1B}[2mdim\u{1B}[0m\ta\\u202Eb\n\\u009B")
        let value = JSON.object(["dialog": .string("to \u{202E}aiM\u{2066}\u{FEFF}\u{85}")])
        let shown = value.description.forTerminal
        #expect(!shown.hasControlCharacters)
        #expect(try JSON(parsing: Array(shown.utf8)).view["dialog"]?.string == value.view["dialog"]?.string)
    }

    @Test(arguments: ["Zoë's café", "日本語", "שלום", "👩‍👩‍👧", ""])
    func `text in any script is left as it is`(_ text: String) {
        #expect(Set([text.withoutControlCharacters, text.onOneLine, text.printable]) == [text])
        #expect(!text.hasControlCharacters)
    }

    @Test func `texts of results have no control characters`() throws {
        var prompt = Prompt(
            id: "p", intent: "Pay", kind: .confirmIntent, dialog: Self.hostile, expires: Instant(milliseconds: 0))
        prompt.summary = Self.hostile
        prompt.options = [ParameterOption(id: "a", title: Self.hostile, subtitle: Self.hostile, value: .null)]
        let bodies: [SessionResult.Body] = [
            .prompted(prompt), .progressed(Progress(phase: .handle, dialog: Self.hostile)),
            .rejected(Rejection(.invalid, Self.hostile, field: Self.hostile)),
        ]
        for body in bodies {
            let result = SessionResult(sequence: 1, request: "r", body: body)
            let encoded = EncodedResult(result, session: "s", event: nil, token: nil, at: Instant(milliseconds: 0))
            let text = String(decoding: encoded.data.bytes, as: UTF8.self)
            #expect(!["u001b", "\u{9B}", "\u{202E}", "\u{2066}", "\u{FEFF}"].contains { text.contains($0) }, "\(body)")
        }
    }
}

@Suite("Secrets are hidden from operators") struct SecretMaskTests {
    private func hidden(_ shown: String, noting noted: [String]) throws -> String {
        var mask = SecretMask()
        for text in noted { mask.note(try JSONView(parsing: Array(text.utf8))) }
        return mask.hiding(try JSONView(parsing: Array(shown.utf8))).description
    }

    private static let work =
        #"{"parameters":{"pin":{"value":"1234","state":"given","secret":true},"to":{"value":"A","state":"given"}}}"#
    private static let resolution = #"{"resolutions":[{"parameter":"pin","secret":true,"success":{"value":"1234"}}]}"#
    private static let prompt = #"{"prompt":"r.2","kind":"value","parameter":"pin","secret":true,"dialog":"PIN?"}"#

    @Test(
        arguments: [work, resolution, prompt],
        [
            (
                #"{"intent":"Pay","parameters":{"pin":"1234","to":"A"}}"#,
                #"{"intent":"Pay","parameters":{"pin":"(secret)","to":"A"}}"#
            ), (#"{"parameter":"pin","value":"1234"}"#, #"{"parameter":"pin","value":"(secret)"}"#),
            (#"{"parameter":"to","value":"A"}"#, #"{"parameter":"to","value":"A"}"#),
            (
                work,
                #"{"parameters":{"pin":{"value":"(secret)","state":"given","secret":true},"to":{"value":"A","state":"given"}}}"#
            ), (resolution, #"{"resolutions":[{"parameter":"pin","secret":true,"success":{"value":"(secret)"}}]}"#),
            (prompt, prompt),
        ])
    func `a value that one record marks as secret is hidden in all`(_ noted: String, _ shown: (String, String)) throws {
        #expect(try hidden(shown.0, noting: [noted]) == shown.1)
    }

    @Test func `an answer is hidden if its prompt asked for a secret`() throws {
        let answer = #"{"prompt":"r.2","action":"accept","value":"1234"}"#
        #expect(try hidden(answer, noting: [Self.prompt]) == #"{"prompt":"r.2","action":"accept","value":"(secret)"}"#)
        let words = #"{"prompt":"r.2","utterance":"1234"}"#
        #expect(try hidden(words, noting: [Self.prompt]) == #"{"prompt":"r.2","utterance":"(secret)"}"#)
        #expect(try hidden(answer, noting: []) == answer)
        let other = #"{"prompt":"r.3","action":"accept","value":"A"}"#
        #expect(try hidden(other, noting: [Self.prompt]) == other)
    }

    @Test func `the secret of a claim is hidden, whatever else is secret`() throws {
        let claim = #"{"handoff":"h","claimant":"phone","secret":"0123456789abcdef"}"#
        let shown = #"{"handoff":"h","claimant":"phone","secret":"(secret)"}"#
        #expect(try hidden(claim, noting: []) == shown)
        #expect(try hidden(claim, noting: [Self.work]) == shown)
        let structured = try hidden(#"{"type":"handoff.claimed.v1","data":\#(claim)}"#, noting: [])
        #expect(!structured.contains("0123456789abcdef"))
    }

    @Test func `options and lists with secret values are hidden as a whole`() throws {
        let list = #"{"resolutions":[{"parameter":"pin","secret":true,"element":{"index":0,"list":["1234"]}}]}"#
        #expect(try hidden(list, noting: [list]).contains("1234") == false)
        let choice = #"{"prompt":"r.2","parameter":"pin","secret":true,"options":[{"id":"1234","title":"1234"}]}"#
        #expect(try hidden(choice, noting: [choice]).contains("1234") == false)
    }
}
