import Conversation
import Intents
import Testing

@Suite("A confirmer proposes other values than those that were said")
struct ProposalTests {
    let talk = Talk()

    private func propose(_ asking: ConfirmationRequest? = ConfirmationRequest(), _ code: ResponseCode = .ready) -> [String] {
        var response = IntentResponse(code, dialog: "Half past six?")
        response.proposed = ["time": .string("18:30"), "area": .string("terrace")]
        return talk.responds(response, asking: asking)
    }

    private var handled: [String: String] {
        Dictionary((talk.work?.parameters ?? []).map { ($0.name, $0.value?.view.string ?? "-") }, uniquingKeysWith: { $1 })
    }

    @Test("yes makes them the intent's, and it is handled with them", arguments: [true, false])
    func accepted(_ asksAnyway: Bool) {
        talk.bring(to: .confirming, "r", ["time": "18:45", "seats": "2"])
        #expect(propose(asksAnyway ? ConfirmationRequest() : nil) == ["prompt confirmIntent"])
        #expect(talk.prompt?.proposed.map(\.name) == ["area", "time"])
        #expect(talk.known("time") == "given 18:45")
        #expect(talk.answer(.accept) == ["handle"])
        #expect(handled == ["time": "18:30", "area": "terrace", "seats": "2"])
        #expect(talk.known("time") == "confirmed 18:30")
    }

    @Test("no takes the request back; no with changes resolves it again without them")
    func declined() {
        talk.bring(to: .confirming, "r", ["time": "18:45"])
        _ = propose()
        #expect(talk.answer(.decline, changing: ["time": "20:00"]) == ["resolve"])
        #expect(handled == ["time": "20:00"])
        talk.resolver()
        _ = propose()
        #expect(talk.answer(.decline) == ["completed r: cancelled cancelled"])
    }

    @Test("yes with changes takes them, and then the changes")
    func acceptedWithChanges() {
        talk.bring(to: .confirming, "r", ["time": "18:45"])
        _ = propose()
        #expect(talk.answer(.accept, changing: ["area": "bar"]) == ["resolve"])
        #expect(handled == ["time": "18:30", "area": "bar"])
    }

    @Test("agreed to too late, it is confirmed again with them")
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

    @Test("before the app handles it, the person is asked too")
    func inApp() {
        talk.bring(to: .confirming, "r", ["time": "18:45"])
        #expect(propose(nil, .handleInApp) == ["prompt confirmIntent"])
        #expect(talk.answer(.accept) == ["offer background", "handle in app"])
        #expect(handled["time"] == "18:30")
    }

    @Test("more than there is room for breaks the rules")
    func tooMuch() {
        talk.bring(to: .confirming)
        var response = IntentResponse(.ready)
        response.proposed = ["time": .string(String(repeating: "x", count: talk.policy.maximumParameterBytes))]
        #expect(talk.responds(response) == ["completed r: failure failure"])
    }
}
