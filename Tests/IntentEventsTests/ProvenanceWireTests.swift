import Conversation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite("How values came about, on the wire")
struct ProvenanceWireTests {
    private func request(_ data: String) throws(EventError) -> IntentRequest? {
        let event = try RequestEvent(record(Array(data.utf8), topic: "intents.requests", type: "intent.requested.v1"))
        return if case .requested(let request) = event.event { request } else { nil }
    }

    @Test("a request may say how sure it is of each of its parameters, before or after them")
    func confidence() throws {
        for data in [
            #"{"intent":"A","parameters":{"to":"the airport","from":"home"},"confidence":{"to":0.4}}"#,
            #"{"confidence":{"to":0.4},"intent":"A","parameters":{"to":"the airport","from":"home"}}"#,
        ] {
            let parameters = try #require(try request(data)).parameters
            #expect(parameters.map(\.provenance) == [ParameterState.Provenance(confidence: 0.4), nil])
        }
    }

    @Test(
        "a confidence that is none is refused by name",
        arguments: [
            #"{"intent":"A","parameters":{"to":"x"},"confidence":{"to":1.5}}"#,
            #"{"intent":"A","parameters":{"to":"x"},"confidence":{"to":"high"}}"#,
            #"{"intent":"A","parameters":{"to":"x"},"confidence":0.4}"#,
            #"{"intent":"A","parameters":{"to":"x"},"confidence":{"from":0.4}}"#,
        ])
    func refused(_ data: String) {
        #expect { try request(data) } throws: {
            ($0 as? EventError)?.rejection.field == "confidence" && ($0 as? EventError)?.rejection.reason == .invalid
        }
    }

    @Test("what this version does not know of it, and words that are too long, are passed over")
    func unknown() throws {
        let long = String(repeating: "x", count: ParameterState.Provenance.maximumBytes)
        let known = #"{"source":"horoscope","original":"\#(long)","interpreted":{"a":1},"confidence":7,"mood":"good"}"#
        let value =
            #"{"request":"r","step":1,"intent":"A","parameters":{"to":{"value":1,"state":"given","provenance":\#(known)}}}"#
        let work = try WorkEvent(record(Array(value.utf8), topic: "intents.resolve", type: "intent.resolve.v1"))
        let expected = ParameterState.Provenance(interpreted: .object(["a": .number(1)]), confidence: 1)
        #expect(work.work.item?.parameters.first?.provenance == expected)
    }

    @Test("a worker's word on a secret is not kept")
    func secret() throws {
        let value = """
            {"request":"r","step":1,"resolutions":[{"parameter":"pin","secret":true,"provenance":{"original":"one two"},"success":{"value":"12"}}]}
            """
        let outcome = try OutcomeEvent(record(Array(value.utf8), topic: "intents.outcomes", type: "intent.resolved.v1"))
            .outcome
        guard case .finished(.resolved(let resolved, _, _, _)) = outcome.content else {
            return #expect(Bool(false), "not resolved")
        }
        #expect(resolved.map(\.provenance) == [nil])
    }

    @Test("a completion says nothing of secrets, and of what the intent went without")
    func told() throws {
        var pin = ParameterState(name: "pin", value: .string("12"), origin: .resolved)
        (pin.isSecret, pin.provenance) = (true, ParameterState.Provenance(source: .default))
        var note = ParameterState(name: "note", value: .string("none"), origin: .notRequired)
        note.provenance = ParameterState.Provenance(original: .string("none at all"))
        let completion = Completion(intent: "A", status: .success, code: .success, parameters: [pin, note], turns: 0)
        var encoder = EventEncoder(source: "/test")
        let result = SessionResult(sequence: 1, request: "r", body: .completed(completion), trace: nil)
        let encoded = EncodedResult(result, session: "s", event: nil, token: nil, at: Examples.time)
        let record = encoder.record(encoded, session: "s", topics: Topics(), partition: 0)
        let data = try #require(record.value.map { JSON(unchecked: Array($0)).view })
        #expect(data["provenance"] == nil && data["parameters"]?.members.isEmpty == true)
    }
}
