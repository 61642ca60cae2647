import Conversation
import IntentModel
import Testing

@Suite("Answering: accept, decline and cancel have different effects") struct AnsweringTests {
    let talk = Talk()

    private static let dialogues: Dialogues = [
        "declining to give a value, and declining the intent, cancels the request, which is not a failure": [
            .either(.ask(.value), .ask(.confirmIntent)): "…", .answer(.decline): "completed r: cancelled cancelled",
        ],
        "declining a choice or a value forgets it and resolves again, so that the person is asked for it": [
            .either(.ask(.choice), .ask(.confirmValue)): "…", .answer(.decline): "resolve",
            .known("dropOff"): "given -", .resolver(["dropOff": .missing]): "prompt value dropOff",
        ],
        "answering the confirmation with a change resolves the intent again": [
            .ask(.confirmIntent): "prompt confirmIntent",
            .either(
                .answer(.accept, changing: ["dropOff": "Leeds"]), .answer(.decline, changing: ["dropOff": "Leeds"])):
                "resolve",
            .known("dropOff"): "given Leeds", .resolver(): "confirm",
            .confirmer(asking: .plain): "prompt confirmIntent", .answer(.accept): "handle",
        ],
        "accepting the intent handles it, and a change to null forgets the parameter": [
            .ask(.confirmIntent): "prompt confirmIntent", .the(\.prompt?.summary): "Book",
            .the(\.prompt?.dialog): "Book?", .answer(.accept): "handle",
            .or(.answer(.accept, changing: ["dropOff": .null])): "resolve", .known("dropOff"): "given -",
        ],
        "an answer may also change other parameters": [
            .ask(.value): "…", .answer(.accept, "Airport", changing: ["party": "3"]): "resolve",
            .known("party"): "given 3", .known("dropOff"): "given Airport", .cancel(): "…", .ask(.choice, "b"): "…",
            .answer(.accept, option: "n", changing: ["party": "3"]): "resolve", .known("party"): "given 3",
            .known("dropOff"): "chosen station-north", .cancel(): "…", .ask(.confirmValue, "c"): "…",
            .answer(.accept, changing: ["party": "3"]): "resolve", .known("party"): "given 3",
            .known("dropOff"): "confirmed station-north",
        ],
        "an answer may consist of changes only": [
            .either(.ask(.value), .ask(.choice)): "…", .answer(.accept, changing: ["dropOff": "Leeds"]): "resolve",
            .known("dropOff"): "given Leeds",
        ],
        "an option is chosen by its id, or by text that matches its id or title in any letter case": [
            .ask(.choice): "…",
            .either(
                .answer(.accept, option: "s"), .answer(.accept, "s"), .answer(.accept, "S"),
                .answer(.accept, "Station South"), .answer(.accept, "station SOUTH")): "resolve",
            .known("dropOff"): "chosen station-south",
        ],
        "only an answer without a value, with null or with true is a yes to the intent": [
            .at(.awaitingConfirmation): "prompt confirmIntent", .answer(.accept, "no"): "rejected invalid value",
            .answer(.accept, "yes"): "rejected invalid value", .answer(.accept, ""): "rejected invalid value",
            .answer(.accept, .bool(false)): "rejected invalid value",
            .answer(.accept, .number(1)): "rejected invalid value",
            .answer(.accept, .object([:])): "rejected invalid value",
            .either(.answer(.accept), .answer(.accept, .null), .answer(.accept, .bool(true))): "handle",
        ],
        "an option may be chosen by its value if the value is not text": [
            .request(): "resolve",
            .resolver(["dropOff": .disambiguation(options("One", "Two"), dialog: nil)]): "prompt choice dropOff",
            .answer(.accept, .number(2)): "resolve", .known("dropOff"): "chosen 2",
        ],
        "text that matches two options chooses neither": [
            .request(): "resolve",
            .resolver(["dropOff": .disambiguation(options("John", "John"), dialog: nil)]): "prompt choice dropOff",
            .answer(.accept, "John"): "resolve", .known("dropOff"): "given John",
        ],
        "free text that matches no option is a new value, and an unknown option is rejected": [
            .ask(.choice): "…", .answer(.accept, option: "x"): "rejected invalid option",
            .answer(.accept, option: "n"): "resolve", .or(.answer(.accept, "Leeds")): "resolve",
            .known("dropOff"): "given Leeds",
        ],
        "accepting without a value or an option is rejected and the prompt stays open": [
            .ask(.value): "…", .either(.answer(.accept), .answer(.accept, .null)): "rejected invalid value",
            .the(\.stage): "awaitingAnswer", .answer(.cancel): "…", .ask(.choice, "r2"): "…",
            .either(.answer(.accept), .answer(.accept, .null)): "rejected invalid option",
            .the(\.stage): "awaitingAnswer",
        ],
        "accepting a confirmation with true or the same value confirms it; another value is resolved": [
            .ask(.confirmValue): "…", .answer(.accept, .bool(true)): "resolve",
            .known("dropOff"): "confirmed station-north", .or(.answer(.accept, "station-north")): "resolve",
            .known("dropOff"): "confirmed station-north", .or(.answer(.accept, "Leeds")): "resolve",
            .known("dropOff"): "given Leeds",
        ],
        // The ledger checks that a rejected answer changes nothing.
        "an answer to a withdrawn prompt, or after the request has ended, is rejected": [
            .ask(.value): "…", .either(.correct("dropOff", "Leeds"), .cancel()): "…",
            .answer(.accept, "Airport", prompt: 1): "rejected unexpected prompt",
        ],
        "an answer to an older prompt does not answer the open prompt": [
            .ask(.confirmValue): "…", .answer(.decline): "resolve", .resolver(["dropOff": .isItNorth]): "…",
            .answer(.accept, prompt: 1): "rejected unexpected prompt",
        ],
        "an answer to a prompt that never existed is rejected": [
            .at(.queued, .resolving, .awaitingAnswer, .handling): "…",
            .event(.answered(Answer(prompt: "other.1", action: .accept, value: "Airport"))):
                "rejected unexpected prompt",
        ],
    ]

    private static func options(_ one: String, _ two: String) -> [ParameterOption] {
        [
            ParameterOption(id: "a", title: one, value: .number(1)),
            ParameterOption(id: "b", title: two, value: .number(2)),
        ]
    }

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test(arguments: Prompt.Kind.allCases)
    func `cancelling a prompt cancels the request`(_ kind: Prompt.Kind) {
        talk.play([.ask(kind): "…", .answer(.cancel): "completed r: cancelled cancelled", .the(\.active): "none"])
    }

    @Test(arguments: Prompt.Kind.allCases)
    func `a second answer to a prompt is rejected`(_ kind: Prompt.Kind) {
        talk.play([
            .ask(kind): "…",
            .answer(.accept, kind == .value ? "Airport" : nil, option: kind == .choice ? "n" : nil): "…",
            .answer(.accept, "Airport", prompt: 1): "rejected unexpected prompt",
            .answer(.decline, "Airport", prompt: 1): "rejected unexpected prompt",
            .answer(.cancel, "Airport", prompt: 1): "rejected unexpected prompt",
        ])
    }
}

extension Step {
    fileprivate static func ask(_ kind: Prompt.Kind, _ id: Identifier = "r", at line: Line = #_sourceLocation) -> Step {
        let request = Step.request(id, ["dropOff": "Stat"])
        return switch kind {
        case .value: .steps(request, .resolver(["dropOff": .missing]))
        case .choice: .steps(request, .resolver(["dropOff": .which]))
        case .confirmValue: .steps(request, .resolver(["dropOff": .isItNorth]))
        case .confirmIntent: .steps(request, .resolver(), .confirmer(asking: ConfirmationRequest(summary: "Book")))
        case .signIn: .steps(request, .asks("signIn#1", .signIn(SignIn())))
        }
    }
}
