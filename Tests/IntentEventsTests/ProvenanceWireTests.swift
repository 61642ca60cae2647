import Conversation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite("How values came about, on the wire")
struct ProvenanceWireTests {
    @Test(
        "a request may say how sure it is of each of its parameters, before or after them",
        arguments: [
            #"{"intent":"A","parameters":{"to":"the airport","from":"home"},"confidence":{"to":0.4}}"#,
            #"{"confidence":{"to":0.4},"intent":"A","parameters":{"to":"the airport","from":"home"}}"#,
        ])
    func confidence(_ data: String) throws {
        let request = try #require(RequestEvent(requestRecord(data)).request)
        #expect(request.parameters.map(\.provenance) == [ParameterState.Provenance(confidence: 0.4), nil])
    }

    @Test(
        "a confidence that is none is refused by name",
        arguments: [#"{"to":1.5}"#, #"{"to":"high"}"#, "0.4", #"{"from":0.4}"#])
    func refused(_ confidence: String) {
        let data = #"{"intent":"A","parameters":{"to":"x"},"confidence":\#(confidence)}"#
        #expect(problem(requestRecord(data)) == "invalid confidence")
    }

    @Test("what this version does not know of it, and words that are too long, are passed over")
    func unknown() throws {
        let long = String(repeating: "x", count: ParameterState.Provenance.maximumBytes)
        let known = #"{"source":"horoscope","original":"\#(long)","interpreted":{"a":1},"confidence":7,"mood":"good"}"#
        let to = #"{"value":1,"state":"given","provenance":\#(known)}"#
        let value = #"{"request":"r","step":1,"intent":"A","parameters":{"to":\#(to)}}"#
        let work = try WorkEvent(outcomeRecord(value, type: "intent.resolve.v1"))
        let expected = ParameterState.Provenance(interpreted: .object(["a": .number(1)]), confidence: 1)
        #expect(work.work.item?.parameters.first?.provenance == expected)
    }

    @Test("a worker's word on a secret is not kept")
    func secret() throws {
        let pin = #"{"parameter":"pin","secret":true,"provenance":{"original":"one two"},"success":{"value":"12"}}"#
        let record = outcomeRecord(#"{"request":"r","step":1,"resolutions":[\#(pin)]}"#, type: "intent.resolved.v1")
        let parameter = ResolvedParameter(name: "pin", resolution: .success(.string("12")), isSecret: true)
        #expect(try OutcomeEvent(record).outcome.content == .finished(.resolved([parameter])))
    }

    @Test("a completion says nothing of secrets, and of what the intent went without")
    func told() throws {
        let pin = ParameterState(name: "pin", value: .string("12"), origin: .resolved)
            .setting(\.isSecret, true).setting(\.provenance, ParameterState.Provenance(source: .default))
        let note = ParameterState(name: "note", value: .string("none"), origin: .notRequired)
            .setting(\.provenance, ParameterState.Provenance(original: .string("none at all")))
        let completion = Completion(intent: "A", status: .success, code: .success, parameters: [pin, note], turns: 0)
        let result = SessionResult(sequence: 1, request: "r", body: .completed(completion), trace: nil)
        let data = EncodedResult(result, session: "s", event: nil, token: nil, at: Examples.time).data.view
        #expect(data["provenance"] == nil && data["parameters"]?.members.isEmpty == true)
    }
}
