import Conversation
import IntentModel
import Testing

@Suite("A phase asks the person while it runs") struct QuestionTests {
    let talk = Talk()
    private static let stations = PhaseQuestion.Kind.choice([Station.north, Station.south])
    private static let isItNorth = PhaseQuestion.Kind.confirmValue(Station.north.value)

    private static let dialogues: Dialogues = [
        "the phase that asked runs again with the answer, as a new step": [
            .at(.confirming, .handling, .inProgress): "…", .asks("tip"): "prompt value",
            .the(\.stage): "awaitingAnswer", .answer(.accept, "10 %"): "$phase", .the(\.isTwoStepsLater): "true",
            .the(\.item?.attempt): "1", .the(\.answers): "tip accepted 10 %",
        ],
        "the phase can ask to confirm the intent, and continues after either answer": [
            .at(.handling): "handle", .asks("sure", .confirmIntent): "prompt confirmIntent",
            .the(\.stage): "awaitingConfirmation", .the(\.prompt?.dialog): "Book?", .answer(.decline): "handle",
            .the(\.answers): "sure declined", .or(.answer(.accept)): "handle", .the(\.answers): "sure accepted",
            .handler(): "completed r: success success",
        ],
        "cancelling a request with an open question ends it; no handler is running, so none is told to stop": [
            .at(.confirming, .handling, .inProgress): "…", .asks(): "prompt value",
            .either(.answer(.cancel), .cancel()): "completed r: cancelled cancelled",
        ],
        "a choice without a parameter accepts only its options": [
            .at(.handling): "handle", .asks("which", stations): "prompt choice",
            .answer(.accept, "Leeds"): "rejected invalid value",
            .answer(.accept, option: "x"): "rejected invalid option", .answer(.accept): "rejected invalid option",
            .answer(.accept, option: "s"): "handle", .the(\.answers): "which accepted station-south",
        ],
        "accepting a value confirms it; answering with another value declines it and sets the parameter": [
            .at(.confirming): "confirm", .asks("right", isItNorth, about: "dropOff"): "prompt confirmValue dropOff",
            .the(\.prompt?.value): "station-north", .answer(.accept): "confirm",
            .known("dropOff"): "confirmed station-north", .the(\.answers): "right accepted station-north",
            .asks("right", isItNorth, about: "dropOff"): "prompt confirmValue dropOff",
            .answer(.accept, "Leeds"): "confirm", .known("dropOff"): "given Leeds",
            .the(\.answers): "right declined Leeds",
        ],
        "answers accumulate, and a later answer to the same question replaces the earlier one": [
            .at(.handling): "handle", .asks("a"): "…", .answer(.accept, "1"): "handle", .asks("b"): "…",
            .answer(.accept, "2"): "handle", .asks("a"): "…", .answer(.accept, "3"): "handle",
            .the(\.answers): "a accepted 3, b accepted 2", .the(\.session.active?.asking.turns): "3",
        ],
        "declining a question is an answer that the phase evaluates": [
            .at(.confirming, .handling, .inProgress, knowing: ["dropOff": "Leeds"]): "…",
            .either(
                .asks(about: "dropOff"), .asks("q", stations, about: "dropOff"), .asks("q", isItNorth, about: "dropOff")
            ): "…",
            .answer(.decline): "$phase", .the(\.answers): "q declined", .known("dropOff"): "given Leeds",
        ],
        "an option is chosen by id, by title or by value, and becomes the parameter's value": [
            .at(.confirming): "confirm", .asks("which", stations, about: "dropOff"): "prompt choice dropOff",
            .either(.answer(.accept, option: "n"), .answer(.accept, "station north"), .answer(.accept, "N")): "confirm",
            .the(\.answers): "which accepted station-north", .known("dropOff"): "chosen station-north",
        ],
        "the next run gets what a phase has recorded, after a question and after a retry": [
            .at(.handling): "handle", .asks("a", recorded: ["hold": "H-1"]): "…", .answer(.accept, "1"): "handle",
            .the(\.item?.recorded): "hold H-1",
            .fails(.retry(after: .seconds(1)), .busy) { $0.recorded = ["charge": "C-1"] }: [],
            .timer(): "handle attempt 2", .the(\.item?.recorded): "charge C-1, hold H-1",
            .the(\.answers): "a accepted 1", .handler(.handleInApp): ["offer background", "handle in app"],
            .the(\.isOutstanding): "true", .the(\.item?.recorded): "charge C-1, hold H-1",
            .the(\.answers): "a accepted 1",
        ],
        "the handler does not get the confirmer's answers and recorded values": [
            .at(.confirming): "confirm", .asks("a", recorded: ["fare": .number(12)]): "…",
            .answer(.accept, "1"): "confirm", .confirmer(): "handle", .the(\.answers): "none",
            .the(\.item?.recorded): "none",
        ],
        "a correction while the confirmer asks resolves again and forgets the confirmer's answers": [
            .at(.confirming): "confirm", .asks("a"): "…", .answer(.accept, "1"): "confirm", .asks("b"): "…",
            .correct("dropOff", "Leeds"): "resolve", .resolver(): "confirm", .the(\.answers): "none",
        ],
        "an answer that changes parameters while the confirmer asks resolves again": [
            .at(.confirming): "confirm", .asks("sure", .confirmIntent): "…",
            .either(
                .answer(.accept, changing: ["dropOff": "Leeds"]), .answer(.decline, changing: ["dropOff": "Leeds"])):
                "resolve",
            .known("dropOff"): "given Leeds", .resolver(): "confirm", .the(\.answers): "none",
        ],
        "parameters can't be changed while the handler asks": [
            .at(.handling, .inProgress): "…", .asks("sure", .confirmIntent): "prompt confirmIntent",
            .correct("dropOff", "Leeds"): "rejected unexpected parameter",
            .answer(.accept, changing: ["dropOff": "Leeds"]): "rejected unexpected parameters",
            .known("dropOff"): "none", .answer(.accept): "handle",
        ],
        "an unanswered question ends the request with an error that names it": [
            .at(.confirming, .handling, .inProgress): "…", .asks("tip"): "prompt value",
            .timer(): "completed r: timedOut requestTimedOut",
            .the(\.completion?.error?.message): "no answer in time to the prompt for 'tip'",
        ],
        "the request's deadline applies while it waits for an answer": [
            .at(.handling, deadline: 5): "handle", .asks("tip"): "prompt value", .the(\.promptLasts): "5.0",
            .wait(5): "completed r: timedOut requestTimedOut",
        ],
        "another request may interrupt while it waits, and the question is asked again afterwards": [
            .at(.confirming, .handling, .inProgress): "…", .asks("tip", recorded: ["hold": .number(1)]): "prompt value",
            .request("r2", whenBusy: .interrupt): "resolve",
            .cancel("r2"): ["cancel resolve", "completed r2: cancelled cancelled", "prompt value"],
            .answer(.accept, "1", prompt: 1): "rejected unexpected prompt", .answer(.accept, "10 %"): "$phase",
            .the(\.answers): "tip accepted 10 %", .the(\.item?.recorded): "hold 1",
        ],
        "a question has the same ask limit as a parameter; each question is counted separately": [
            .policy { $0.maximumAsks = 2 }: [], .at(.handling): "handle", .asks("tip"): "prompt value",
            .answer(.decline): "handle", .asks("tip"): "prompt value", .answer(.decline): "handle",
            .asks("other"): "prompt value", .answer(.decline): "handle", .asks("tip"): "completed r: failure failure",
            .the(\.error): "complex",
            .the(\.completion?.error?.message):
                "'handle' asked its question 'tip' 2 times without an answer that it can use",
        ],
        "the number of questions of one request is bounded": [
            .policy { $0.maximumQuestions = 3 }: [], .at(.confirming): "confirm", .asks("q1"): "prompt value",
            .answer(.accept, "x"): "confirm", .asks("q2"): "prompt value", .answer(.accept, "x"): "confirm",
            .asks("q3"): "prompt value", .answer(.accept, "x"): "confirm", .asks("q4"): "completed r: failure failure",
            .the(\.completion?.error?.message): "more than 3 questions were asked for one request",
        ],
        "records and answers are bounded: too large a record ends the request, too large an answer is rejected": [
            .policy { $0.maximumNoteBytes = 100 }: [], .at(.handling): "handle",
            .asks("a", recorded: ["x": .long(80)]): "prompt value",
            .answer(.accept, "much more than is left of it"): "rejected complex value",
            .answer(.accept, "1"): "handle", .asks("b", recorded: ["y": .long(20)]): "completed r: failure failure",
            .the(\.completion?.error?.field): "recorded",
        ],
        "a resolver can't ask questions: it has resolution results for that": [
            .at(.resolving): "resolve", .asks(): "completed r: failure failure",
        ],
        "an answer to an older question and a second outcome of the run that asked change nothing": [
            .at(.handling): "handle", .asks("a"): "prompt value",
            .worker(.success, phase: .handle, step: 3): "ignored staleOutcome", .answer(.accept, "1"): "handle",
            .the(\.answers): "a accepted 1", .answer(.accept, "2", prompt: 1): "rejected unexpected prompt",
        ],
    ]

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test func `later phases, the memory and the completion have the value a phase converted an answer to`() {
        talk.play(.at(.confirming, knowing: ["dropOff": "Leeds"]))
        talk.session.active?.traits.memoryKeys = ["dropOff": "home"]
        talk.session.active?.parameters.append(ParameterState(name: "party", value: .number(2), origin: .resolved))
        talk.play([
            .asks("where", about: "dropOff"): "prompt value dropOff", .answer(.accept, "the north one"): "confirm",
            .known("dropOff"): "given the north one", .the(\.session.memory.values): "home the north one",
            .confirmer {
                $0.appliedAnswers = ["dropOff": Station.north.value, "party": .number(9), "other": .number(1)]
            }: "handle",
            .known("dropOff"): "resolved station-north", .the(\.session.memory.values): "home station-north",
            // A value that a resolver has resolved stays, and nothing is added.
            .known("party"): "resolved 2", .known("other"): "none",
            .the(\.item?.parameters.first?.value): "station-north", .handler(): "completed r: success success",
            .the(\.completion?.parameters.first?.name): "dropOff",
            .the(\.completion?.parameters.first?.value): "station-north",
        ])
    }

    @Test(arguments: [ParameterState.Origin.given, .chosen, .confirmed])
    func `a phase can't change what the person has said elsewhere`(_ origin: ParameterState.Origin) {
        talk.play(.at(.confirming))
        talk.session.active?.parameters.append(ParameterState(name: "payee", value: "Mia", origin: origin))
        talk.play([
            .asks("sure", about: "note"): "prompt value note", .answer(.accept, "x"): "confirm",
            .confirmer { $0.appliedAnswers = ["payee": "Eve", "note": "y"] }: "handle",
            .known("payee"): "\(origin) Mia", .known("note"): "resolved y",
        ])
    }
}

extension Talk {
    fileprivate var isTwoStepsLater: Bool { work?.step == (opening == .confirm ? 4 : 5) }
    fileprivate var isOutstanding: Bool { work != nil && work == session.outstandingWork.first }
}
