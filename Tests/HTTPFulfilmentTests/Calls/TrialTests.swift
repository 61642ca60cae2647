import IntentKit
import IntentModel
import PipelineTestKit
import Testing

@testable import HTTPFulfilment

@Suite("A trial of an intent on its service") struct TrialTests {
    @Test func `hands over a proposed value as agreed, also for a parameter that had none, and keeps secrets secret`() {
        var omitted = ParameterState(name: "code", value: nil, origin: .notRequired)
        omitted.isSecret = true
        var accepted = ParameterState(name: "code", value: "1234", origin: .confirmed)
        accepted.isSecret = true
        #expect(omitted.accepting("1234") == accepted)
        #expect(omitted.accepting(nil) == omitted)
    }

    @Test func `shows proposed values, except those of secret parameters`() {
        var response = IntentResponse(.ready)
        response.proposed = ["code": "1234", "time": "18:30"]
        #expect(
            Trial.lines(of: response, secrets: ["code"]) == [
                "ready", "proposes code: (secret)", "proposes time: 18:30",
            ]
        )
    }
}
