import IntentEvents
import IntentModel
import Testing

@Suite("Secrets are hidden from operators")
struct SecretMaskTests {
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
        "the value of a parameter that any record marks as secret is hidden in all records, also in earlier ones",
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
    func everywhere(_ noted: String, _ shown: (String, String)) throws {
        #expect(try hidden(shown.0, noting: [noted]) == shown.1)
    }

    @Test("an answer is hidden if its prompt asked for a secret")
    func answers() throws {
        let answer = #"{"prompt":"r.2","action":"accept","value":"1234"}"#
        #expect(try hidden(answer, noting: [Self.prompt]) == #"{"prompt":"r.2","action":"accept","value":"(secret)"}"#)
        #expect(try hidden(answer, noting: []) == answer)
        let other = #"{"prompt":"r.3","action":"accept","value":"A"}"#
        #expect(try hidden(other, noting: [Self.prompt]) == other)
    }

    @Test("the secret of a claim is hidden, whatever else is secret")
    func claims() throws {
        let claim = #"{"handoff":"h","claimant":"phone","secret":"0123456789abcdef"}"#
        let shown = #"{"handoff":"h","claimant":"phone","secret":"(secret)"}"#
        #expect(try hidden(claim, noting: []) == shown)
        #expect(try hidden(claim, noting: [Self.work]) == shown)
        #expect(
            try hidden(#"{"type":"handoff.claimed.v1","data":\#(claim)}"#, noting: []).contains("0123456789abcdef")
                == false)
    }

    @Test("options and lists with secret values are hidden as a whole")
    func lists() throws {
        let list = #"{"resolutions":[{"parameter":"pin","secret":true,"element":{"index":0,"list":["1234"]}}]}"#
        #expect(try hidden(list, noting: [list]).contains("1234") == false)
        let choice = #"{"prompt":"r.2","parameter":"pin","secret":true,"options":[{"id":"1234","title":"1234"}]}"#
        #expect(try hidden(choice, noting: [choice]).contains("1234") == false)
    }
}
