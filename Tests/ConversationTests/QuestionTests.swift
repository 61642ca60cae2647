import Conversation
import IntentModel
import Testing

@Suite("A phase asks the person while it runs")
struct QuestionTests {
    let talk = Talk()

    static let phases: [(StageName, String)] = [
        (.confirming, "confirm"), (.handling, "handle"), (.inProgress, "handle"),
    ]

    @Test("the phase that asked runs again with the answer, as a new step", arguments: phases)
    func resumes(_ stage: StageName, _ phase: String) {
        talk.bring(to: stage)
        let step = talk.session.active?.step ?? 0
        #expect(talk.asks("tip") == ["prompt value"])
        #expect(talk.stage == .awaitingAnswer)
        #expect(talk.answer(.accept, "10 %") == [phase])
        #expect(talk.work?.step == step + 2 && talk.work?.item?.attempt == 1)
        #expect(talk.answers == [PhaseAnswer(question: "tip", isAccepted: true, value: .string("10 %"))])
    }

    @Test(
        "the phase can ask to confirm the intent, and continues after either answer",
        arguments: [Answer.Action.accept, .decline])
    func confirmIntent(_ action: Answer.Action) {
        talk.bring(to: .handling)
        #expect(talk.asks("sure", .confirmIntent) == ["prompt confirmIntent"])
        #expect(talk.stage == .awaitingConfirmation && talk.prompt?.dialog == "Book?")
        #expect(talk.answer(action) == ["handle"])
        #expect(talk.answers == [PhaseAnswer(question: "sure", isAccepted: action == .accept)])
        #expect(talk.handler() == ["completed r: success success"])
    }

    @Test("declining a question is an answer that the phase evaluates", arguments: phases)
    func declined(_ stage: StageName, _ phase: String) {
        for kind: PhaseQuestion.Kind in [
            .value, .choice([Station.north, Station.south]), .confirmValue(Station.north.value),
        ] {
            let talk = Talk()
            talk.bring(to: stage, "r", ["dropOff": "Leeds"])
            talk.asks("q", kind, about: "dropOff")
            #expect(talk.answer(.decline) == [phase])
            #expect(talk.answers == [PhaseAnswer(question: "q", isAccepted: false)])
            #expect(talk.known("dropOff") == "given Leeds")
        }
    }

    @Test(
        "cancelling a request with an open question ends it; no handler is running, so none is told to stop",
        arguments: phases)
    func cancelled(_ stage: StageName, _ phase: String) {
        talk.bring(to: stage)
        talk.asks()
        #expect(talk.answer(.cancel) == ["completed r: cancelled cancelled"])
        talk.bring(to: stage, "r2")
        talk.asks()
        #expect(talk.cancel() == ["completed r2: cancelled cancelled"])
    }

    @Test("an option is chosen by id, by title or by value, and becomes the parameter's value")
    func choice() {
        let spoken: [(value: String?, option: String?)] = [(nil, "n"), ("station north", nil), ("N", nil)]
        for (value, option) in spoken {
            let talk = Talk()
            talk.bring(to: .confirming)
            #expect(
                talk.asks("which", .choice([Station.north, Station.south]), about: "dropOff") == [
                    "prompt choice dropOff"
                ])
            #expect(talk.answer(.accept, value, option: option) == ["confirm"])
            #expect(talk.answers.first?.value == Station.north.value)
            #expect(talk.known("dropOff") == "chosen station-north")
        }
    }

    @Test("a choice without a parameter accepts only its options")
    func choiceWithoutParameter() {
        talk.bring(to: .handling)
        talk.asks("which", .choice([Station.north, Station.south]))
        #expect(talk.answer(.accept, "Leeds") == ["rejected invalid value"])
        #expect(talk.answer(.accept, option: "x") == ["rejected invalid option"])
        #expect(talk.answer(.accept) == ["rejected invalid option"])
        #expect(talk.answer(.accept, option: "s") == ["handle"])
        #expect(talk.answers == [PhaseAnswer(question: "which", isAccepted: true, value: Station.south.value)])
    }

    @Test("accepting a value confirms it; answering with another value declines it and sets the parameter")
    func confirmValue() {
        talk.bring(to: .confirming)
        talk.asks("right", .confirmValue(Station.north.value), about: "dropOff")
        #expect(talk.prompt?.value == Station.north.value)
        #expect(talk.answer(.accept) == ["confirm"])
        #expect(talk.known("dropOff") == "confirmed station-north")
        #expect(talk.answers == [PhaseAnswer(question: "right", isAccepted: true, value: Station.north.value)])
        talk.asks("right", .confirmValue(Station.north.value), about: "dropOff")
        talk.answer(.accept, "Leeds")
        #expect(talk.known("dropOff") == "given Leeds")
        #expect(talk.answers == [PhaseAnswer(question: "right", isAccepted: false, value: .string("Leeds"))])
    }

    @Test("later phases, the memory and the completion have the value a phase converted an answer to")
    func taken() {
        talk.bring(to: .confirming, "r", ["dropOff": "Leeds"])
        talk.session.active?.traits.memoryKeys = ["dropOff": "home"]
        talk.session.active?.parameters.append(ParameterState(name: "party", value: .number(2), origin: .resolved))
        talk.asks("where", about: "dropOff")
        talk.answer(.accept, "the north one")
        #expect(talk.known("dropOff") == "given the north one")
        #expect(talk.session.memory.values["home"] == .string("the north one"))
        var response = IntentResponse(.ready)
        response.appliedAnswers = ["dropOff": Station.north.value, "party": .number(9), "other": .number(1)]
        #expect(talk.responds(response) == ["handle"])
        #expect(talk.known("dropOff") == "resolved station-north")
        #expect(talk.session.memory.values["home"] == Station.north.value)
        // A value that a resolver has resolved stays, and nothing is added.
        #expect(talk.known("party") == "resolved 2" && talk.known("other") == nil)
        #expect(talk.work?.item?.parameters.first { $0.name == "dropOff" }?.value == Station.north.value)
        talk.handler()
        #expect(talk.completion?.parameters.first { $0.name == "dropOff" }?.value == Station.north.value)
    }

    @Test(
        "a phase can't change what the person has said elsewhere",
        arguments: [ParameterState.Origin.given, .chosen, .confirmed])
    func takenElsewhere(_ origin: ParameterState.Origin) {
        talk.bring(to: .confirming)
        talk.session.active?.parameters.append(ParameterState(name: "payee", value: .string("Mia"), origin: origin))
        talk.asks("sure", about: "note")
        talk.answer(.accept, "x")
        var response = IntentResponse(.ready)
        response.appliedAnswers = ["payee": .string("Eve"), "note": .string("y")]
        #expect(talk.responds(response) == ["handle"])
        #expect(talk.session.active?.parameters.first { $0.name == "payee" }?.value == .string("Mia"))
        #expect(talk.session.active?.parameters.first { $0.name == "note" }?.value == .string("y"))
    }

    @Test("answers accumulate, and a later answer to the same question replaces the earlier one")
    func answers() {
        talk.bring(to: .handling)
        talk.asks("a")
        talk.answer(.accept, "1")
        talk.asks("b")
        talk.answer(.accept, "2")
        talk.asks("a")
        talk.answer(.accept, "3")
        #expect(talk.answers.map(\.question) == ["a", "b"])
        #expect(talk.answers.map { $0.value?.view.string } == ["3", "2"])
        #expect(talk.session.active?.asking.turns == 3)
    }

    @Test("the next run gets what a phase has recorded, after a question and after a retry")
    func recorded() {
        talk.bring(to: .handling)
        talk.asks("a", recorded: ["hold": .string("H-1")])
        talk.answer(.accept, "1")
        #expect(talk.work?.item?.recorded == ["hold": .string("H-1")])
        var failure = IntentFailure(.retry(after: .seconds(1)), reason: .busy, message: "later")
        failure.recorded = ["charge": .string("C-1")]
        talk.worker(.finished(.failed(failure)))
        #expect(talk.waitForTimer() == ["handle attempt 2"])
        #expect(talk.work?.item?.recorded == ["hold": .string("H-1"), "charge": .string("C-1")])
        #expect(talk.answers.map(\.question) == ["a"])
        talk.handler(.handleInApp)
        #expect(talk.work == talk.session.outstandingWork.first)
        #expect(talk.work?.item?.recorded.count == 2 && talk.answers.count == 1)
    }

    @Test("the handler does not get the confirmer's answers and recorded values")
    func forgotten() {
        talk.bring(to: .confirming)
        talk.asks("a", recorded: ["fare": .number(12)])
        talk.answer(.accept, "1")
        #expect(talk.confirmer() == ["handle"])
        #expect(talk.answers.isEmpty && talk.work?.item?.recorded == [:])
    }

    @Test("a correction while the confirmer asks resolves again and forgets the confirmer's answers")
    func corrected() {
        talk.bring(to: .confirming)
        talk.asks("a")
        talk.answer(.accept, "1")
        talk.asks("b")
        #expect(talk.correct("dropOff", "Leeds") == ["resolve"])
        #expect(talk.resolver() == ["confirm"])
        #expect(talk.answers.isEmpty)
    }

    @Test(
        "an answer that changes parameters while the confirmer asks resolves again",
        arguments: [Answer.Action.accept, .decline])
    func changed(_ action: Answer.Action) {
        talk.bring(to: .confirming)
        talk.asks("sure", .confirmIntent)
        #expect(talk.answer(action, changing: ["dropOff": "Leeds"]) == ["resolve"])
        #expect(talk.known("dropOff") == "given Leeds")
        talk.resolver()
        #expect(talk.answers.isEmpty)
    }

    @Test("parameters can't be changed while the handler asks", arguments: [StageName.handling, .inProgress])
    func tooLate(_ stage: StageName) {
        talk.bring(to: stage)
        talk.asks("sure", .confirmIntent)
        #expect(talk.correct("dropOff", "Leeds") == ["rejected unexpected parameter"])
        #expect(talk.answer(.accept, changing: ["dropOff": "Leeds"]) == ["rejected unexpected parameters"])
        #expect(talk.known("dropOff") == nil)
        #expect(talk.answer(.accept) == ["handle"])
    }

    @Test("an unanswered question ends the request with an error that names it", arguments: phases)
    func timeout(_ stage: StageName, _ phase: String) {
        talk.bring(to: stage)
        talk.asks("tip")
        #expect(talk.waitForTimer() == ["completed r: timedOut requestTimedOut"])
        #expect(talk.completion?.error?.message == "no answer in time to the prompt for 'tip'")
    }

    @Test("the request's deadline applies while it waits for an answer")
    func deadline() {
        talk.bring(to: .handling, deadline: .seconds(5))
        talk.asks("tip")
        #expect(talk.prompt?.expires == Talk.start.advanced(by: .seconds(5)))
        #expect(talk.wait(.seconds(5)) == ["completed r: timedOut requestTimedOut"])
    }

    @Test("another request may interrupt while it waits, and the question is asked again afterwards", arguments: phases)
    func interrupted(_ stage: StageName, _ phase: String) {
        talk.bring(to: stage)
        talk.asks("tip", recorded: ["hold": .number(1)])
        let first = talk.prompt?.id
        #expect(talk.request("r2", whenBusy: .interrupt) == ["resolve"])
        #expect(talk.cancel("r2") == ["cancel resolve", "completed r2: cancelled cancelled", "prompt value"])
        #expect(talk.answer(.accept, "1", prompt: first) == ["rejected unexpected prompt"])
        #expect(talk.answer(.accept, "10 %") == [phase])
        #expect(talk.answers.map(\.question) == ["tip"] && talk.work?.item?.recorded == ["hold": .number(1)])
    }

    @Test("a question has the same ask limit as a parameter; each question is counted separately")
    func askLimit() {
        talk.bring(to: .handling)
        for _ in 0..<talk.policy.maximumAsks {
            #expect(talk.asks("tip") == ["prompt value"])
            talk.answer(.decline)
        }
        talk.asks("other")
        talk.answer(.decline)
        #expect(talk.asks("tip") == ["completed r: failure failure"])
        #expect(
            talk.completion?.error?.reason == .complex
                && talk.completion?.error?.message.contains("'tip' 5 times") == true)
    }

    @Test("the number of questions of one request is bounded")
    func questionLimit() {
        talk.policy.maximumQuestions = 3
        talk.bring(to: .confirming)
        for number in 1...3 {
            talk.asks("q\(number)")
            talk.answer(.accept, "x")
        }
        #expect(talk.asks("q4") == ["completed r: failure failure"])
        #expect(talk.completion?.error?.message == "more than 3 questions were asked for one request")
    }

    @Test(
        "recorded values and answers are bounded: too large a record ends the request, too large an answer is rejected")
    func noteLimit() {
        talk.policy.maximumNoteBytes = 100
        talk.bring(to: .handling)
        talk.asks("a", recorded: ["x": .string(String(repeating: "x", count: 80))])
        #expect(talk.answer(.accept, "much more than is left of it") == ["rejected complex value"])
        #expect(talk.answer(.accept, "1") == ["handle"])
        #expect(
            talk.asks("b", recorded: ["y": .string(String(repeating: "y", count: 20))]) == [
                "completed r: failure failure"
            ])
        #expect(talk.completion?.error?.field == "recorded")
    }

    @Test("a resolver can't ask questions: it has resolution results for that")
    func resolver() {
        talk.bring(to: .resolving)
        #expect(talk.asks() == ["completed r: failure failure"])
    }

    @Test("a handler that is told to stop and asks a question counts as stopped")
    func cancelling() {
        talk.bring(to: .handling)
        talk.cancel()
        #expect(talk.asks() == ["completed r: cancelled cancelled"])
    }

    @Test("an answer to an older question and a second outcome of the run that asked change nothing")
    func late() {
        talk.bring(to: .handling)
        let step = talk.session.active?.step
        talk.asks("a")
        #expect(
            talk.worker(.finished(.responded(IntentResponse(.success))), phase: .handle, step: step) == [
                "ignored staleOutcome"
            ])
        let prompt = talk.prompt?.id
        talk.answer(.accept, "1")
        #expect(talk.answer(.accept, "2", prompt: prompt) == ["rejected unexpected prompt"])
        #expect(
            talk.answers.first?.value == .string("1")
                || talk.session.active?.run.notes.answers.first?.value == .string("1"))
    }
}
