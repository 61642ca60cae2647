import Conversation
import IntentModel
import Testing

@Suite("The person chooses one of the found items") struct ItemChoiceTests {
    private static let dialogues: Dialogues = [
        "the person is asked before the request completes, and the completion has the chosen item and all items": [
            .at(.handling): "handle", .finds(): "prompt choice", .the(\.stage): "awaitingAnswer",
            .the(\.prompt?.isAboutItems): "true", .the(\.prompt?.dialog): "Which one?",
            .answer(.accept, option: "2"): "completed r: success success", .the(\.completion?.chosen): "2",
            .the(\.completion?.items): "\(words(places))", .the(\.completion?.response): "count 2",
            .the(\.completion?.dialog): "Two places.",
        ],
        "the next request has the members of the item that the session remembers, except those the item lacks": [
            .at(.handling): "handle", .finds(): "prompt choice", .answer(.accept, "sino"): "…",
            .request("next"): "resolve", .the(\.item?.memory): "city San Jose, restaurant Sino",
        ],
        "silence does not escalate, and a deadline does not change the success": [
            .at(.handling, deadline: 30, intent: IntentPolicy(asks: AskPolicy(noAnswer: 3))): "handle",
            .finds(): "prompt choice", .the(\.promptLasts): "30.0", .timer(): "completed r: success success",
        ],
        "another request that would wait ends the choice after half a second, until which a choice still counts": [
            .at(.handling): "handle", .finds(): "prompt choice", .request("r2"): [], .the(\.timerLasts): "0.5",
            .timer(): ["completed r: success success", "resolve"], .the(\.completion?.chosen): "none",
            .the(\.items): "1, 2", .or(.answer(.accept, option: "1")): ["completed r: success success", "resolve"],
            .the(\.completion?.chosen): "1",
        ],
        "another request may interrupt, and the person is then asked again, unless the request is cancelled": [
            .at(.handling): "handle", .finds(): "prompt choice", .request("r2", whenBusy: .interrupt): "resolve",
            .cancel("r"): "completed r: success success", .or(.resolver()): "confirm", .confirmer(): "handle",
            .handler(): ["completed r2: success success", "prompt choice"],
            .answer(.accept, option: "1"): "completed r: success success",
        ],
        "a single item needs no option; among several the answer must name one": [
            .at(.handling): "handle", .finds(): "prompt choice", .answer(.accept): "rejected invalid option",
            .answer(.accept, option: "9"): "rejected invalid option",
            .answer(.accept, "Chez Panisse"): "rejected invalid value",
            .answer(.accept, "IKE'S"): "completed r: success success", .at(.handling, id: "r2"): "handle",
            .finds(1): "prompt choice", .answer(.accept): "completed r2: success success",
            .the(\.completion?.chosen): "1",
        ],
        "parameters can't be changed any more": [
            .at(.handling): "handle", .finds(): "prompt choice",
            .correct("dropOff", "York"): "rejected unexpected parameter",
            .answer(.accept, option: "1", changing: ["dropOff": "York"]): "rejected unexpected parameters",
        ],
        "declining, cancelling, silence and another request complete it with success and without a choice": [
            .at(.handling): "handle", .finds(): "prompt choice",
            .either(.answer(.decline), .answer(.cancel), .cancel(), .timer()): "completed r: success success",
            .the(\.completion?.chosen): "none", .the(\.items): "1, 2", .the(\.error): "none",
            .the(\.session.memory.values): "none",
            .or(.request("r2", whenBusy: .replace)): ["completed r: success success", "resolve"],
            .the(\.completion?.chosen): "none", .the(\.items): "1, 2", .the(\.error): "none",
            .the(\.session.memory.values): "none",
        ],
        "the intent that it opens begins after a choice or silence, but not after a cancel": [
            .at(.handling): "handle", .finds(opening: "Reserve"): "prompt choice",
            .cancel(): "completed r: success success",
            .or(.timer()): ["completed r: success success, opens Reserve", "resolve"],
            .or(.answer(.accept, option: "1")): ["completed r: success success, opens Reserve", "resolve"],
        ],
        "the person is not asked if nothing was found, or if the handler was told to stop": [
            .at(.handling): "handle", .finds(0): "completed r: success success", .at(.handling, id: "r2"): "handle",
            .cancel(): "cancel handle", .finds(): "completed r2: success success",
        ],
        "a handler may store values in the session's memory itself": [
            .at(.handling): "handle", .handler { $0.remembered = ["city": "Leeds", "nothing": .null] }: "…",
            .the(\.session.memory.values): "city Leeds",
        ],
    ]

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { Talk().play(dialogue) }
}

private let places = [
    ParameterOption(id: "1", title: "Sino", value: .object(["name": "Sino", "city": "San Jose", "phone": .null])),
    ParameterOption(id: "2", title: "Ike's", value: .object(["name": "Ike's", "city": "Palo Alto"])),
]

extension Step {
    fileprivate static func finds(
        _ count: Int = 2, opening intent: Identifier? = nil, at line: Line = #_sourceLocation
    ) -> Step {
        .handler(at: line) { response in
            response.dialog = "Two places."
            response.values = ["count": .number(count)]
            response.items = Array(places.prefix(count))
            response.choice = ItemChoice(
                dialog: "Which one?",
                remembers: ["restaurant": "name", "city": "city", "phone": "phone", "stars": "stars"])
            response.opensIntent = intent.map { OpenedIntent(intent: $0) }
        }
    }
}
