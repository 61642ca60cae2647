import Conversation
import IntentModel
import Testing

@Suite("A confirmer or handler proposes other values")
struct ProposalTests {
    let talk = Talk()

    private func propose(_ asking: ConfirmationRequest? = ConfirmationRequest(), _ code: ResponseCode = .ready)
        -> [String]
    {
        var response = IntentResponse(code, dialog: "Half past six?")
        response.proposed = ["time": .string("18:30"), "area": .string("terrace")]
        return talk.responds(response, asking: asking)
    }

    private var handled: [String: String] {
        Dictionary(
            (talk.work?.item?.parameters ?? []).map { ($0.name, $0.value?.view.string ?? "-") },
            uniquingKeysWith: { $1 })
    }

    @Test("accepting applies the proposed values, and the intent is handled with them", arguments: [true, false])
    func accepted(_ asksAnyway: Bool) {
        talk.bring(to: .confirming, "r", ["time": "18:45", "seats": "2"])
        #expect(propose(asksAnyway ? ConfirmationRequest() : nil) == ["prompt confirmIntent"])
        #expect(talk.prompt?.proposed.map(\.name) == ["area", "time"])
        #expect(talk.known("time") == "given 18:45")
        #expect(talk.answer(.accept) == ["handle"])
        #expect(handled == ["time": "18:30", "area": "terrace", "seats": "2"])
        #expect(talk.known("time") == "confirmed 18:30")
    }

    @Test("declining cancels the request; declining with changes resolves it again without the proposed values")
    func declined() {
        talk.bring(to: .confirming, "r", ["time": "18:45"])
        _ = propose()
        #expect(talk.answer(.decline, changing: ["time": "20:00"]) == ["resolve"])
        #expect(handled == ["time": "20:00"])
        talk.resolver()
        _ = propose()
        #expect(talk.answer(.decline) == ["completed r: cancelled cancelled"])
    }

    @Test("accepting with changes applies the proposed values, then the changes")
    func acceptedWithChanges() {
        talk.bring(to: .confirming, "r", ["time": "18:45"])
        _ = propose()
        #expect(talk.answer(.accept, changing: ["area": "bar"]) == ["resolve"])
        #expect(handled == ["time": "18:30", "area": "bar"])
    }

    @Test("accepting an expired proposal confirms the intent again with its values")
    func tooLate() {
        talk.bring(to: .confirming, "r", ["time": "18:45"])
        var response = IntentResponse(.ready)
        response.proposed = ["time": .string("18:30")]
        response.validFor = .seconds(10)
        talk.responds(response)
        talk.now = talk.now.advanced(by: .seconds(11))
        #expect(talk.answer(.accept) == ["confirm"])
        #expect(handled == ["time": "18:30"])
    }

    @Test("the person is also asked before the app handles the intent")
    func inApp() {
        talk.bring(to: .confirming, "r", ["time": "18:45"])
        #expect(propose(nil, .handleInApp) == ["prompt confirmIntent"])
        #expect(talk.answer(.accept) == ["offer background", "handle in app"])
        #expect(handled["time"] == "18:30")
    }

    @Test("a proposal that is too large is an invalid outcome")
    func tooMuch() {
        talk.bring(to: .confirming)
        var response = IntentResponse(.ready)
        response.proposed = ["time": .string(String(repeating: "x", count: talk.policy.maximumParameterBytes))]
        #expect(talk.responds(response) == ["completed r: failure failure"])
    }

    private func failTo(_ talk: Talk, _ proposed: [String: JSON] = ["time": .string("18:30")]) -> [String] {
        var response = IntentResponse("failureNoTable", dialog: "Nothing is free at 18:45. Half past six?")
        response.proposed = proposed
        return talk.responds(response)
    }

    @Test("after a failure with a proposal, accepting calls the handler again with the proposed values, as a new call")
    func insteadOfFailing() {
        talk.bring(to: .handling, "r", ["time": "18:45"])
        let first = talk.work?.item?.idempotencyKey
        #expect(failTo(talk) == ["prompt confirmIntent"])
        #expect(
            talk.prompt?.dialog == "Nothing is free at 18:45. Half past six?" && talk.stage == .awaitingConfirmation)
        #expect(talk.answer(.accept) == ["handle"])
        #expect(handled == ["time": "18:30"])
        #expect(first == "s/r" && talk.work?.item?.idempotencyKey == "s%call2/r")
        #expect(talk.handler() == ["completed r: success success"])
    }

    @Test("a proposal that is not accepted ends with the original failure")
    func notAgreed() {
        let ways: [(Talk) -> [String]] = [
            { $0.answer(.decline) }, { $0.answer(.cancel) }, { $0.cancel() }, { $0.waitForTimer() },
            { Array($0.request("r2", whenBusy: .replace).prefix(1)) },
        ]
        for way in ways {
            let talk = Talk()
            talk.bring(to: .handling, "r", ["time": "18:45"])
            _ = failTo(talk)
            #expect(way(talk) == ["completed r: failure failureNoTable"])
            #expect(
                talk.completion?.dialog == "Nothing is free at 18:45. Half past six?" && talk.completion?.error == nil)
            #expect(talk.completion?.parameters.first?.value == .string("18:45"))
        }
    }

    @Test("after a failure the person may change values, which are resolved, confirmed and handled again")
    func somethingElse() {
        talk.bring(to: .handling, "r", ["time": "18:45"])
        _ = failTo(talk)
        #expect(talk.answer(.decline, changing: ["time": "20:00"]) == ["resolve"])
        talk.resolver()
        talk.confirmer()
        #expect(talk.work?.item?.idempotencyKey == "s%call2/r" && handled == ["time": "20:00"])
        _ = failTo(talk)
        #expect(talk.correct("time", "21:00") == ["resolve"])
        talk.resolver()
        talk.confirmer()
        #expect(talk.work?.item?.idempotencyKey == "s%call3/r")
        #expect(talk.handler() == ["completed r: success success"])
    }

    @Test("the number of proposals of a handler is limited")
    func bounded() {
        talk.bring(to: .handling)
        for _ in 0..<talk.policy.maximumAsks {
            #expect(failTo(talk) == ["prompt confirmIntent"])
            talk.answer(.accept)
        }
        #expect(failTo(talk) == ["completed r: failure failureNoTable"])
    }

    @Test("a proposal of a handler that was told to stop is ignored")
    func cancelled() {
        talk.bring(to: .handling)
        talk.cancel()
        #expect(failTo(talk) == ["completed r: failure failureNoTable"])
    }

    @Test("the idempotency key of a second call is unique, whatever the ids of requests")
    func keys() {
        #expect(Session.key(session: "s", request: "r", call: 2) == "s%call2/r")
        for (session, request) in [("s", "r/2"), ("s%call2", "r"), ("s", "%call2/r"), ("s/call2", "r")] {
            #expect(
                Session.key(session: Identifier(session), request: Identifier(request))
                    != Session.key(session: "s", request: "r", call: 2))
        }
    }
}
