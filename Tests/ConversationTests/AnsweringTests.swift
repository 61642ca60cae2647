import Conversation
import IntentModel
import Testing

@Suite("Answering: accept, decline and cancel have different effects")
struct AnsweringTests {
    let talk = Talk()

    private func ask(_ kind: Prompt.Kind) {
        talk.request("r", ["dropOff": "Stat"])
        switch kind {
        case .value: talk.resolver(["dropOff": Station.missing])
        case .choice: talk.resolver(["dropOff": Station.which])
        case .confirmValue: talk.resolver(["dropOff": Station.isItNorth])
        case .confirmIntent:
            talk.resolver()
            talk.confirmer(.ready, asking: ConfirmationRequest(summary: "Book"))
        case .signIn: talk.asks("signIn#1", .signIn(SignIn()))
        }
    }

    @Test("cancelling a prompt cancels the request", arguments: Prompt.Kind.allCases)
    func cancel(_ kind: Prompt.Kind) {
        ask(kind)
        #expect(talk.answer(.cancel) == ["completed r: cancelled cancelled"])
        #expect(talk.session.active == nil)
    }

    @Test("declining to give a value cancels the request")
    func declineValue() {
        ask(.value)
        #expect(talk.answer(.decline) == ["completed r: cancelled cancelled"])
    }

    @Test(
        "declining a choice or a value forgets it and resolves again, so that the person is asked for it",
        arguments: [Prompt.Kind.choice, .confirmValue])
    func declineParameter(_ kind: Prompt.Kind) {
        ask(kind)
        #expect(talk.answer(.decline) == ["resolve"])
        #expect(talk.known("dropOff") == "given -")
        #expect(talk.resolver(["dropOff": Station.missing]) == ["prompt value dropOff"])
    }

    @Test("declining the intent cancels the request, which is not a failure")
    func declineIntent() {
        ask(.confirmIntent)
        #expect(talk.answer(.decline) == ["completed r: cancelled cancelled"])
    }

    @Test(
        "answering the confirmation with a change resolves the intent again",
        arguments: [Answer.Action.accept, .decline])
    func changeIntent(_ action: Answer.Action) {
        ask(.confirmIntent)
        #expect(talk.answer(action, changing: ["dropOff": "Leeds"]) == ["resolve"])
        #expect(talk.known("dropOff") == "given Leeds")
        talk.resolver()
        #expect(talk.confirmer(.ready, asking: ConfirmationRequest()) == ["prompt confirmIntent"])
        #expect(talk.answer(.accept) == ["handle"])
    }

    @Test("accepting the intent handles it")
    func acceptIntent() {
        ask(.confirmIntent)
        #expect(talk.prompt?.summary == "Book" && talk.prompt?.dialog == "Book?")
        #expect(talk.answer(.accept) == ["handle"])
    }

    @Test("an answer may also change other parameters", arguments: [Prompt.Kind.value, .choice, .confirmValue])
    func changing(_ kind: Prompt.Kind) {
        ask(kind)
        let option = kind == .choice ? "n" : nil
        #expect(
            talk.answer(.accept, kind == .value ? "Airport" : nil, option: option, changing: ["party": "3"]) == [
                "resolve"
            ])
        #expect(talk.known("party") == "given 3")
        #expect(
            talk.known("dropOff")
                == (kind == .value
                    ? "given Airport" : kind == .choice ? "chosen station-north" : "confirmed station-north"))
    }

    @Test("an answer may consist of changes only", arguments: [Prompt.Kind.value, .choice])
    func onlyChanges(_ kind: Prompt.Kind) {
        ask(kind)
        #expect(talk.answer(.accept, changing: ["dropOff": "Leeds"]) == ["resolve"])
        #expect(talk.known("dropOff") == "given Leeds")
    }

    @Test("a change to null forgets the parameter")
    func changeToNull() {
        ask(.confirmIntent)
        let answer = Answer(
            prompt: talk.prompt?.id ?? "", action: .accept, parameters: [ParameterState(name: "dropOff", value: .null)])
        #expect(talk.receive(.answered(answer)) == ["resolve"])
        #expect(talk.known("dropOff") == "given -")
    }

    @Test(
        "an option is chosen by its id, or by text that matches its id or title in any letter case",
        arguments: [
            ("s", nil), (nil, "s"), (nil, "S"), (nil, "Station South"), (nil, "station SOUTH"),
        ] as [(String?, String?)])
    func choose(_ option: String?, _ value: String?) {
        ask(.choice)
        #expect(talk.answer(.accept, value, option: option) == ["resolve"])
        #expect(talk.known("dropOff") == "chosen station-south")
    }

    @Test("an option may be chosen by its value if the value is not text")
    func chooseByValue() {
        talk.request()
        let options = [
            ParameterOption(id: "a", title: "One", value: .number(1)),
            ParameterOption(id: "b", title: "Two", value: .number(2)),
        ]
        talk.resolver(["dropOff": .disambiguation(options, dialog: nil)])
        talk.receive(.answered(Answer(prompt: talk.prompt?.id ?? "", action: .accept, value: .number(2))))
        #expect(talk.known("dropOff") == "chosen 2")
    }

    @Test("free text that matches no option is a new value for the resolver")
    func freeText() {
        ask(.choice)
        #expect(talk.answer(.accept, "Leeds") == ["resolve"])
        #expect(talk.known("dropOff") == "given Leeds")
    }

    @Test("text that matches two options chooses neither")
    func ambiguousText() {
        talk.request()
        let twins = [
            ParameterOption(id: "a", title: "John", value: .number(1)),
            ParameterOption(id: "b", title: "John", value: .number(2)),
        ]
        talk.resolver(["dropOff": .disambiguation(twins, dialog: nil)])
        talk.answer(.accept, "John")
        #expect(talk.known("dropOff") == "given John")
    }

    @Test("an unknown option is rejected and the prompt stays open")
    func unknownOption() {
        ask(.choice)
        let before = talk.session
        #expect(talk.answer(.accept, option: "x") == ["rejected invalid option"])
        #expect(talk.session.active == before.active)
        #expect(talk.answer(.accept, option: "n") == ["resolve"])
    }

    @Test(
        "accepting without a value or an option is rejected and the prompt stays open",
        arguments: [(Prompt.Kind.value, "value"), (.choice, "option")])
    func nothingSaid(_ kind: Prompt.Kind, _ field: String) {
        ask(kind)
        let before = talk.session
        #expect(talk.answer(.accept) == ["rejected invalid \(field)"])
        #expect(
            talk.receive(.answered(Answer(prompt: talk.prompt?.id ?? "", action: .accept, value: .null))) == [
                "rejected invalid \(field)"
            ])
        #expect(talk.session.active == before.active)
    }

    @Test("only an answer without a value, with null or with true is a yes to the intent")
    func onlyYesIsYes() {
        func answer(_ value: JSON?) -> [String] {
            talk.receive(.answered(Answer(prompt: talk.prompt?.id ?? "", action: .accept, value: value)))
        }
        for value: JSON in [.string("no"), .string("yes"), .bool(false), .number(1), .object([:]), .string("")] {
            talk.bring(to: .awaitingConfirmation, "r\(value)")
            let before = talk.session
            #expect(answer(value) == ["rejected invalid value"], "\(value)")
            #expect(talk.session.active == before.active)
            talk.cancel()
        }
        for (index, value) in [nil, JSON.null, .bool(true)].enumerated() {
            talk.bring(to: .awaitingConfirmation, "yes\(index)")
            #expect(answer(value) == ["handle"])
            talk.handler()
        }
    }

    @Test("true confirms a value, unless that is false")
    func trueConfirms() {
        ask(.confirmValue)
        let before = talk.prompt?.value
        #expect(before != nil)
        #expect(
            talk.receive(.answered(Answer(prompt: talk.prompt?.id ?? "", action: .accept, value: .bool(true)))) == [
                "resolve"
            ])
        #expect(talk.session.active?.parameters.first { $0.name == "dropOff" }?.value == before)
    }

    @Test("accepting a confirmation with another value resolves that value")
    func yesBut() {
        ask(.confirmValue)
        #expect(talk.answer(.accept, "Leeds") == ["resolve"])
        #expect(talk.known("dropOff") == "given Leeds")
    }

    @Test("accepting a confirmation with the same value confirms it")
    func yesWithValue() {
        ask(.confirmValue)
        talk.answer(.accept, "station-north")
        #expect(talk.known("dropOff") == "confirmed station-north")
    }

    // MARK: Late, repeated and unknown answers

    private func isToldAndChangesNothing(_ answer: () -> [String], _ location: SourceLocation = #_sourceLocation) {
        var before = talk.session
        #expect(answer() == ["rejected unexpected prompt"], sourceLocation: location)
        before.sequence += 1
        #expect(talk.session == before, sourceLocation: location)
    }

    @Test("an answer to a withdrawn prompt is rejected and changes nothing")
    func withdrawn() {
        ask(.value)
        let prompt = talk.prompt?.id
        talk.correct("dropOff", "Leeds")
        isToldAndChangesNothing { talk.answer(.accept, "Airport", prompt: prompt) }
    }

    @Test("a second answer to a prompt is rejected and changes nothing", arguments: Prompt.Kind.allCases)
    func double(_ kind: Prompt.Kind) {
        ask(kind)
        let prompt = talk.prompt?.id
        talk.answer(.accept, kind == .value ? "Airport" : nil, option: kind == .choice ? "n" : nil)
        for action in Answer.Action.allCases {
            isToldAndChangesNothing { talk.answer(action, "Airport", prompt: prompt) }
        }
    }

    @Test("an answer to an older prompt does not answer the open prompt")
    func older() {
        ask(.confirmValue)
        let prompt = talk.prompt?.id
        talk.answer(.decline)
        talk.resolver(["dropOff": Station.isItNorth])
        isToldAndChangesNothing { talk.answer(.accept, prompt: prompt) }
    }

    @Test("an answer after the request has ended is rejected and changes nothing")
    func afterTheEnd() {
        ask(.value)
        let prompt = talk.prompt?.id
        talk.cancel()
        isToldAndChangesNothing { talk.answer(.accept, "Airport", prompt: prompt) }
    }

    @Test(
        "an answer to a prompt that never existed is rejected and changes nothing",
        arguments: [StageName.queued, .resolving, .awaitingAnswer, .handling])
    func never(_ stage: StageName) {
        if stage != .queued { talk.bring(to: stage) }
        isToldAndChangesNothing { talk.answer(.accept, "Airport", prompt: "other.1") }
    }
}
