import Conversation
import IntentModel
import Testing

@Suite("The person chooses one of the found items")
struct ItemChoiceTests {
    let talk = Talk()

    private static let sino = ParameterOption(
        id: "1", title: "Sino", value: .object(["name": .string("Sino"), "city": .string("San Jose"), "phone": .null]))
    private static let ikes = ParameterOption(
        id: "2", title: "Ike's", value: .object(["name": .string("Ike's"), "city": .string("Palo Alto")]))

    private func found(_ items: [ParameterOption] = [sino, ikes]) -> IntentResponse {
        var response = IntentResponse(.success, dialog: "Two places.", values: ["count": .number(items.count)])
        response.items = items
        response.choice = ItemChoice(
            dialog: "Which one?", remembers: ["restaurant": "name", "city": "city", "phone": "phone", "stars": "stars"])
        return response
    }

    private func search(_ items: [ParameterOption] = [sino, ikes]) {
        talk.bring(to: .handling)
        talk.responds(found(items))
    }

    @Test("the person is asked before the request completes, and the completion has the chosen item and all items")
    func chosen() {
        talk.bring(to: .handling)
        #expect(talk.responds(found()) == ["prompt choice"])
        #expect(
            talk.stage == .awaitingAnswer && talk.prompt?.isAboutItems == true && talk.prompt?.dialog == "Which one?")
        #expect(talk.answer(.accept, option: "2") == ["completed r: success success"])
        #expect(talk.completion?.chosen == "2" && talk.completion?.items == [Self.sino, Self.ikes])
        #expect(talk.completion?.response == ["count": .number(2)] && talk.completion?.dialog == "Two places.")
    }

    @Test("the next request has the members of the item that the session remembers, except those the item lacks")
    func remembers() {
        search()
        talk.answer(.accept, "sino")
        talk.request("next")
        #expect(talk.work?.item?.memory == ["restaurant": .string("Sino"), "city": .string("San Jose")])
    }

    @Test("declining, cancelling, silence and another request complete it with success and without a choice")
    func noneOfThese() {
        let ways: [(Talk) -> [String]] = [
            { $0.answer(.decline) }, { $0.answer(.cancel) }, { $0.cancel() }, { $0.waitForTimer() },
            { Array($0.request("r2", whenBusy: .replace).prefix(1)) },
        ]
        for way in ways {
            let talk = Talk()
            talk.bring(to: .handling)
            talk.responds(found())
            #expect(way(talk) == ["completed r: success success"])
            #expect(
                talk.completion?.chosen == nil && talk.completion?.items.count == 2 && talk.completion?.error == nil)
            #expect(talk.session.memory.values.isEmpty)
        }
    }

    @Test("silence does not escalate, and a deadline does not change the success")
    func silence() {
        talk.bring(to: .handling, deadline: .seconds(30), intent: IntentPolicy(asks: AskPolicy(noAnswer: 3)))
        talk.responds(found())
        #expect(talk.waitForTimer() == ["completed r: success success"])
        #expect(talk.now == Talk.start.advanced(by: .seconds(30)))
    }

    @Test("another request that would wait ends the choice after half a second: the work is done")
    func queueing() {
        search()
        #expect(talk.request("r2") == [])
        let came = talk.now
        #expect(talk.waitForTimer() == ["completed r: success success", "resolve"])
        #expect(talk.now == came.advanced(by: .milliseconds(500)))
        #expect(talk.completion?.chosen == nil && talk.completion?.items == [Self.sino, Self.ikes])
    }

    @Test("a choice that was made before it, and arrives after it on another topic, still counts")
    func overtaken() {
        search()
        talk.request("r2")
        #expect(talk.answer(.accept, option: "1") == ["completed r: success success", "resolve"])
        #expect(talk.completion?.chosen == "1")
    }

    @Test("another request may interrupt, and the person is then asked again")
    func interrupted() {
        search()
        #expect(talk.request("r2", whenBusy: .interrupt) == ["resolve"])
        talk.resolver()
        talk.confirmer()
        #expect(talk.handler() == ["completed r2: success success", "prompt choice"])
        #expect(talk.answer(.accept, option: "1") == ["completed r: success success"])
    }

    @Test("a request cancelled while it is interrupted completes with success")
    func takenBack() {
        search()
        talk.request("r2", whenBusy: .interrupt)
        #expect(talk.cancel("r") == ["completed r: success success"])
    }

    @Test("a single item needs no option; among several the answer must name one")
    func unnamed() {
        search([Self.sino])
        talk.answer(.accept)
        #expect(talk.completion?.chosen == "1")
        talk.bring(to: .handling, "r2")
        talk.responds(found())
        #expect(talk.answer(.accept) == ["rejected invalid option"])
        #expect(talk.answer(.accept, option: "9") == ["rejected invalid option"])
        #expect(talk.answer(.accept, "Chez Panisse") == ["rejected invalid value"])
        #expect(talk.answer(.accept, "IKE'S") == ["completed r2: success success"])
    }

    @Test("parameters can't be changed any more")
    func unchangeable() {
        search()
        #expect(talk.correct("dropOff", "York") == ["rejected unexpected parameter"])
        #expect(talk.answer(.accept, option: "1", changing: ["dropOff": "York"]) == ["rejected unexpected parameters"])
        #expect(talk.stage == .awaitingAnswer)
    }

    @Test("the intent that it opens begins after a choice or silence, but not after a cancel")
    func opens() {
        func search(_ talk: Talk) {
            var response = found()
            response.opensIntent = OpenedIntent(intent: "Reserve")
            talk.bring(to: .handling)
            talk.responds(response)
        }
        search(talk)
        #expect(talk.answer(.accept, option: "1") == ["completed r: success success, opens Reserve", "resolve"])
        let silent = Talk()
        search(silent)
        #expect(silent.waitForTimer() == ["completed r: success success, opens Reserve", "resolve"])
        let cancelled = Talk()
        search(cancelled)
        #expect(cancelled.cancel() == ["completed r: success success"])
    }

    @Test("the person is not asked if nothing was found, or if the handler was told to stop")
    func nothingToAsk() {
        talk.bring(to: .handling)
        #expect(talk.responds(found([])) == ["completed r: success success"])
        talk.bring(to: .handling, "r2")
        talk.cancel()
        #expect(talk.responds(found()) == ["completed r2: success success"])
    }

    @Test("a handler may store values in the session's memory itself")
    func remembered() {
        talk.bring(to: .handling)
        var response = IntentResponse(.success)
        response.remembered = ["city": .string("Leeds"), "nothing": .null]
        talk.responds(response)
        #expect(talk.session.memory.values == ["city": .string("Leeds")])
    }
}
