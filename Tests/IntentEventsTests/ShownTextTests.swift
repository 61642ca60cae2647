import Conversation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite("What people are shown")
struct ShownTextTests {
    /// An escape sequence, a C1 control character, a second line, and marks that turn the direction of writing.
    private static let hostile = "Pay \u{1B}[2J1\u{9B}0\nto \u{202E}aiM\u{2066}\u{FEFF}"

    @Test("a dialog keeps its lines and loses all other control characters")
    func dialog() { #expect(Self.hostile.withoutControlCharacters == "Pay [2J10\nto aiM") }

    @Test("a value in a sentence stays on its line")
    func value() { #expect("a\r\nb\u{2028}c\u{85}d\te\u{202E}f".onOneLine == "a  b c d ef") }

    @Test("a log or a terminal gets control characters as escapes")
    func printable() { #expect("a\u{1B}b\nc\u{202E}d".printable == #"a\u{1B}b\u{A}c\u{202E}d"#) }

    @Test("a line of a command keeps its colours, tabs and ends, and JSON stays JSON; marks of direction are escapes")
    func terminal() throws {
        #expect("\u{1B}[2mdim\u{1B}[0m\ta\u{202E}b\n\u{9B}".forTerminal == "\u{1B}[2mdim\u{1B}[0m\ta\\u202Eb\n\\u009B")
        let value = JSON.object(["dialog": .string("to \u{202E}aiM\u{2066}\u{FEFF}\u{85}")])
        let shown = value.description.forTerminal
        #expect(!shown.hasControlCharacters)
        #expect(try JSON(parsing: Array(shown.utf8)).view["dialog"]?.string == value.view["dialog"]?.string)
    }

    @Test("text in any script is left as it is", arguments: ["Zoë's café", "日本語", "שלום", "👩‍👩‍👧", ""])
    func plain(_ text: String) {
        #expect(
            text.withoutControlCharacters == text && text.onOneLine == text && text.printable == text
                && !text.hasControlCharacters)
    }

    @Test("results have no control characters in what the person is told")
    func results() throws {
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
            for mark in ["u001b", "\u{9B}", "\u{202E}", "\u{2066}", "\u{FEFF}"] {
                #expect(!text.contains(mark), "\(body)")
            }
        }
    }
}
