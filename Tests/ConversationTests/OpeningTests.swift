import Conversation
import IntentModel
import Testing

@Suite("One intent opens the next")
struct OpeningTests {
    let talk = Talk()

    private func response(_ intent: Identifier = "Rate", _ parameters: [String: JSON] = [:]) -> IntentResponse {
        var response = IntentResponse(.success)
        response.opensIntent = OpenedIntent(intent: intent, parameters: parameters)
        return response
    }

    @Test("it begins when the first is completed, as its own request and before queued ones")
    func opens() {
        talk.bring(to: .handling)
        talk.request("waiting")
        #expect(
            talk.responds(response("Rate", ["ride": .string("R-7"), "a": .number(1)])) == [
                "completed r: success success, opens Rate", "resolve",
            ])
        #expect(talk.completion?.opens == OpenedRequest(request: "r.opens", intent: "Rate"))
        #expect(
            talk.work?.request == "r.opens" && talk.work?.intent == "Rate"
                && talk.work?.item?.idempotencyKey == "s/r.opens")
        #expect(
            talk.work?.item?.parameters == [
                ParameterState(name: "a", value: .number(1)), ParameterState(name: "ride", value: .string("R-7")),
            ])
        talk.resolver()
        talk.confirmer()
        #expect(talk.handler() == ["completed r.opens: success success", "resolve"])
        #expect(talk.work?.request == "waiting")
    }

    @Test("it inherits the locale, the attributes and the trace of the first, but not its deadline")
    func inherits() {
        var request = IntentRequest(
            id: "r", intent: "Book", deadline: talk.now.advanced(by: .seconds(30)), locale: "en-GB")
        request.attributes = ["channel": .string("voice")]
        request.trace = TraceContext(parent: "00-1")
        talk.receive(.requested(request))
        talk.resolver()
        talk.confirmer()
        talk.responds(response())
        let opened = talk.session.active?.request
        #expect(opened?.locale == "en-GB" && opened?.attributes == request.attributes && opened?.trace == request.trace)
        #expect(opened?.deadline == nil)
    }

    @Test("a request already sent with the same id keeps it")
    func taken() {
        talk.bring(to: .handling)
        talk.request("r.opens")
        talk.responds(response())
        #expect(talk.completion?.opens?.request == "r.opens-2")
        #expect(talk.request("r.opens-2") == ["ignored duplicateRequest"])
    }

    @Test("a chain of opened intents is limited: the last one succeeds, and opening another is rejected")
    func chain() {
        talk.request()
        for _ in 1...talk.policy.maximumOpened {
            talk.resolver()
            talk.confirmer()
            #expect(talk.responds(response("Book")).last == "resolve")
        }
        talk.resolver()
        talk.confirmer()
        let last = talk.session.active?.request.id ?? ""
        #expect(talk.responds(response("Book")) == ["completed \(last): success success", "rejected complex opens"])
        #expect(talk.session.active == nil)
    }

    @Test("it runs before an interrupted request, which continues afterwards")
    func interrupted() {
        talk.bring(to: .awaitingAnswer, "first")
        talk.request("r", whenBusy: .interrupt)
        talk.resolver()
        talk.confirmer()
        #expect(talk.responds(response()) == ["completed r: success success, opens Rate", "resolve"])
        #expect(talk.cancel() == ["cancel resolve", "completed r.opens: cancelled cancelled", "prompt value dropOff"])
    }

    @Test("an invalid request is not opened, and the first still succeeds")
    func invalid() {
        talk.bring(to: .handling)
        #expect(talk.responds(response("")) == ["completed r: success success", "rejected invalid opens"])
        talk.bring(to: .handling, "r2")
        let long = ["x": JSON.string(String(repeating: "x", count: talk.policy.maximumParameterBytes))]
        #expect(talk.responds(response("Rate", long)) == ["completed r2: success success", "rejected complex opens"])
    }

    @Test("a cancelled request opens nothing, even if its handler succeeded")
    func cancelled() {
        talk.bring(to: .handling)
        talk.cancel()
        #expect(talk.responds(response()) == ["completed r: success success"])
        #expect(talk.session.active == nil)
    }

    @Test("the completion has the confirmer's items, unless the request changed after they were found")
    func confirmersItems() {
        var found = IntentResponse(.ready)
        found.items = [Station.north]
        for isCorrected in [false, true] {
            let talk = Talk()
            talk.bring(to: .confirming)
            talk.responds(found, asking: ConfirmationRequest())
            if isCorrected {
                talk.correct("dropOff", "Leeds")
                talk.resolver()
                talk.confirmer()
            } else {
                talk.answer(.accept)
            }
            talk.handler()
            #expect(talk.completion?.items == (isCorrected ? [] : found.items))
        }
    }

    @Test("the completion has the items of the response")
    func items() {
        talk.bring(to: .handling)
        var found = IntentResponse(.success)
        found.items = [Station.north, Station.south]
        talk.responds(found)
        #expect(talk.completion?.items == found.items)
    }
}
