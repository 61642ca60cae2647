import Conversation
import IntentModel
import Testing

@Suite("Correcting queued and interrupted requests")
struct CorrectingWaitingTests {
    let talk = Talk()

    @Test("a queued request begins with the corrected value")
    func queued() {
        talk.bring(to: .awaitingAnswer)
        talk.request("next", ["dropOff": "London", "party": "2"])
        #expect(talk.correct("dropOff", "Leeds", of: "next") == [])
        #expect(talk.stage == .awaitingAnswer)
        talk.cancel()
        #expect(talk.session.active?.request.id == "next")
        #expect(talk.known("dropOff") == "given Leeds" && talk.known("party") == "given 2")
    }

    @Test(
        "an interrupted request is resolved again with the corrected value when it continues, and its old prompt is closed"
    )
    func suspended() {
        talk.bring(to: .awaitingConfirmation, "r", ["dropOff": "London"])
        let prompt = talk.prompt?.id
        talk.request("urgent", whenBusy: .interrupt)
        #expect(talk.correct("dropOff", "Leeds", of: "r") == [])
        talk.resolver()
        talk.confirmer()
        #expect(talk.handler() == ["completed urgent: success success", "resolve"])
        #expect(talk.known("dropOff") == "given Leeds")
        #expect(talk.answer(.accept, prompt: prompt) == ["rejected unexpected prompt"])
    }

    @Test("a correction that would make a request too large is rejected and changes nothing")
    func tooLarge() {
        talk.policy.maximumQueuedBytes = 100
        talk.policy.maximumParameterBytes = 100
        let large = String(repeating: "x", count: 200)
        talk.bring(to: .awaitingAnswer)
        talk.request("next", ["dropOff": "London"])
        #expect(talk.correct("dropOff", large, of: "next") == ["rejected complex value"])
        talk.request("urgent", whenBusy: .interrupt)
        #expect(talk.correct("dropOff", large, of: "r") == ["rejected complex value"])
        #expect(talk.session.suspended.first?.stage.name == .awaitingAnswer)
    }

    @Test("an interrupted request whose handler has asked can't be corrected, because its effects would be repeated")
    func suspendedInHandle() {
        talk.bring(to: .handling, "r", ["dropOff": "London"])
        talk.asks("sure", .confirmIntent, recorded: ["paid": .bool(true)])
        talk.request("urgent", whenBusy: .interrupt)
        #expect(talk.correct("dropOff", "Leeds", of: "r") == ["rejected unexpected parameter"])
        #expect(talk.cancel() == ["cancel resolve", "completed urgent: cancelled cancelled", "prompt confirmIntent"])
        #expect(talk.answer(.accept) == ["handle"])
        #expect(talk.work?.item?.recorded == ["paid": .bool(true)] && talk.known("dropOff") == "given London")
    }
}
