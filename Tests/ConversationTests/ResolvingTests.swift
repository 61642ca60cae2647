import Conversation
import IntentModel
import Testing

@Suite("Resolving: six results, one prompt at a time")
struct ResolvingTests {
    let talk = Talk()

    @Test("a request is dispatched to a resolver first, with its parameters")
    func begins() throws {
        #expect(talk.request("r", ["dropOff": "Airport"]) == ["resolve"])
        let work = try #require(talk.work?.item)
        #expect(work.request == "r" && work.step == 1 && work.attempt == 1 && work.intent == "Book")
        #expect(work.parameters == [ParameterState(name: "dropOff", value: .string("Airport"), origin: .given)])
        #expect(work.deadline == talk.now.advanced(by: talk.policy.phaseTimeout))
    }

    @Test("success replaces the value with the resolved one")
    func success() {
        talk.request("r", ["dropOff": "Airport"])
        #expect(talk.resolver(["dropOff": .success(.string("airport-2"))]) == ["confirm"])
        #expect(talk.known("dropOff") == "resolved airport-2")
    }

    @Test("notRequired asks nothing and keeps the value")
    func notRequired() {
        talk.request("r", ["dropOff": "Airport"])
        #expect(talk.resolver(["dropOff": .notRequired, "party": .notRequired]) == ["confirm"])
        #expect(talk.known("dropOff") == "notRequired Airport")
        #expect(talk.known("party") == "notRequired -")
    }

    @Test("needsValue asks for a value")
    func needsValue() throws {
        talk.request()
        #expect(talk.resolver(["dropOff": .needsValue(dialog: "Where to?")]) == ["prompt value dropOff"])
        let prompt = try #require(talk.prompt)
        #expect(
            prompt.dialog == "Where to?" && prompt.intent == "Book"
                && prompt.expires == talk.now.advanced(by: talk.policy.answerTimeout))
        #expect(talk.answer(.accept, "Airport") == ["resolve"])
        #expect(talk.known("dropOff") == "given Airport")
    }

    @Test("disambiguation asks which option is meant")
    func disambiguation() throws {
        talk.request("r", ["dropOff": "Station"])
        #expect(talk.resolver(["dropOff": Station.which]) == ["prompt choice dropOff"])
        #expect(try #require(talk.prompt).options == [Station.north, Station.south])
    }

    @Test("confirmationRequired asks whether the value is right")
    func confirmationRequired() throws {
        talk.request("r", ["dropOff": "Stat"])
        #expect(talk.resolver(["dropOff": Station.isItNorth]) == ["prompt confirmValue dropOff"])
        #expect(try #require(talk.prompt).value == Station.north.value)
    }

    @Test("an unsupported value is dropped, and the prompt for another one gives the reason")
    func unsupported() throws {
        talk.request("r", ["dropOff": "Moon"])
        #expect(talk.resolver(["dropOff": Station.notThere]) == ["prompt value dropOff"])
        #expect(try #require(talk.prompt).unsupportedReason == "outsideServiceArea")
        #expect(talk.known("dropOff") == "given -")
        #expect(talk.answer(.accept, "Airport") == ["resolve"])
        #expect(talk.resolver(["dropOff": .success(.string("Airport"))]) == ["confirm"])
        #expect(talk.work?.item?.parameters.map(\.value) == [.string("Airport")])
    }

    @Test("the person is asked for the first declared of two open parameters, and other successes are kept")
    func firstQuestion() {
        talk.request("r", ["party": "2"])
        #expect(
            talk.resolver(["dropOff": Station.missing, "ride": Station.which, "party": .success(.number(2))]) == [
                "prompt value dropOff"
            ])
        #expect(talk.known("party") == "resolved 2")
    }

    @Test(
        "a parameter without a title or dialog is asked for in plain words",
        arguments: [
            (Station.missing, "dropOff?"), (Station.which, "dropOff: which one?"),
            (Station.isItNorth, "dropOff: station-north?"),
            (Station.notThere, "dropOff: that can't be used. What else?"),
        ])
    func plainWords(_ resolution: ParameterResolution, _ words: String) {
        talk.request()
        talk.resolver(["dropOff": resolution])
        #expect(talk.prompt?.dialog == words)
    }

    @Test("a value that the person confirmed is not asked about again, even if the resolver does")
    func confirmedOnce() {
        talk.request("r", ["dropOff": "Stat"])
        talk.resolver(["dropOff": Station.isItNorth])
        #expect(talk.answer(.accept) == ["resolve"])
        #expect(talk.known("dropOff") == "confirmed station-north")
        #expect(talk.resolver(["dropOff": Station.isItNorth]) == ["confirm"])
        #expect(talk.known("dropOff") == "confirmed station-north")
    }

    @Test("a value other than the confirmed one is asked about")
    func confirmedAnother() {
        talk.request("r", ["dropOff": "Stat"])
        talk.resolver(["dropOff": Station.isItNorth])
        talk.answer(.accept)
        #expect(
            talk.resolver(["dropOff": .confirmationRequired(.string("elsewhere"), dialog: nil)]) == [
                "prompt confirmValue dropOff"
            ])
    }

    @Test("a value that the person chose is not offered again, even if the resolver does")
    func chosenOnce() {
        talk.request("r", ["dropOff": "Station"])
        talk.resolver(["dropOff": Station.which])
        #expect(talk.answer(.accept, option: "s") == ["resolve"])
        #expect(talk.known("dropOff") == "chosen station-south")
        #expect(talk.resolver(["dropOff": Station.which]) == ["confirm"])
        #expect(talk.known("dropOff") == "chosen station-south")
    }

    @Test("a value that only resembles an option, or the value to be confirmed, is still asked about")
    func onlyLooksLike() {
        talk.request("r", ["dropOff": "station-south"])
        #expect(talk.resolver(["dropOff": Station.which]) == ["prompt choice dropOff"])
        talk.request("r2", ["dropOff": "station-north"], whenBusy: .interrupt)
        #expect(talk.resolver(["dropOff": Station.isItNorth]) == ["prompt confirmValue dropOff"])
    }

    @Test(
        "a chosen or confirmed value keeps its origin when the resolver accepts it, and is resolved when the resolver changes it"
    )
    func settled() {
        talk.request("r", ["dropOff": "Station"])
        talk.resolver(["dropOff": Station.which])
        talk.answer(.accept, option: "s")
        talk.resolver(["dropOff": .success(.string("station-south"))])
        #expect(talk.known("dropOff") == "chosen station-south")
        talk.correct("party", "2")
        talk.resolver(["dropOff": .success(.string("station-south-2"))])
        #expect(talk.known("dropOff") == "resolved station-south-2")
    }

    @Test("a chosen value that is rejected later is dropped like any other")
    func chosenThenUnsupported() {
        talk.request()
        talk.resolver(["dropOff": Station.which])
        talk.answer(.accept, option: "s")
        #expect(talk.resolver(["dropOff": Station.notThere]) == ["prompt value dropOff"])
        #expect(talk.known("dropOff") == "given -")
    }

    @Test("the number of prompts for a parameter is limited: then the request fails and names it")
    func askLimit() throws {
        talk.policy.maximumAsks = 3
        talk.request()
        for _ in 1...3 {
            #expect(talk.resolver(["dropOff": Station.missing]) == ["prompt value dropOff"])
            talk.answer(.accept, "Moon")
        }
        #expect(talk.resolver(["dropOff": Station.missing]) == ["completed r: failure failure"])
        let completion = try #require(talk.completion)
        #expect(
            completion.error?.reason == .complex && completion.error?.field == "parameters.dropOff"
                && completion.turns == 3)
    }

    @Test("prompts are counted for each parameter separately")
    func asksApart() {
        talk.policy.maximumAsks = 1
        talk.request()
        #expect(talk.resolver(["dropOff": Station.missing]) == ["prompt value dropOff"])
        talk.answer(.accept, "Airport")
        #expect(
            talk.resolver(["dropOff": .success(.string("Airport")), "party": Station.missing]) == ["prompt value party"]
        )
    }

    @Test("an intent without parameters is resolved at once")
    func nothing() {
        talk.request()
        #expect(talk.resolver() == ["confirm"])
    }
}
