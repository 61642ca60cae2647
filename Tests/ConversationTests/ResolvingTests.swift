import Conversation
import IntentModel
import Testing

@Suite("Resolving: six results, one prompt at a time") struct ResolvingTests {
    let talk = Talk()

    private static let dialogues: Dialogues = [
        "a request is dispatched to a resolver first, with its parameters": [
            .request("r", ["dropOff": "Airport"]): "resolve", .the(\.item?.request): "r", .the(\.item?.step): "1",
            .the(\.item?.attempt): "1", .the(\.item?.intent): "Book", .the(\.item?.parameters.count): "1",
            .known("dropOff"): "given Airport", .the(\.item?.parameters.first?.value): "Airport",
            .the(\.workLasts): "60.0",
        ],
        "success replaces the value with the resolved one; notRequired asks nothing and keeps the value": [
            .request("r", ["dropOff": "Airport"]): "resolve", .resolver(["dropOff": .success("airport-2")]): "confirm",
            .known("dropOff"): "resolved airport-2",
            .or(.resolver(["dropOff": .notRequired, "party": .notRequired])): "confirm",
            .known("dropOff"): "notRequired Airport", .known("party"): "notRequired -",
        ],
        "needsValue asks for a value": [
            .request(): "resolve", .resolver(["dropOff": .needsValue(dialog: "Where to?")]): "prompt value dropOff",
            .the(\.prompt?.dialog): "Where to?", .the(\.prompt?.intent): "Book", .the(\.promptLasts): "120.0",
            .answer(.accept, "Airport"): "resolve", .known("dropOff"): "given Airport",
        ],
        "disambiguation asks which option is meant; confirmationRequired asks whether the value is right": [
            .request("r", ["dropOff": "Station"]): "resolve", .resolver(["dropOff": .which]): "prompt choice dropOff",
            .the(\.prompt?.options): "\(words([Station.north, Station.south]))",
            .or(.resolver(["dropOff": .isItNorth])): "prompt confirmValue dropOff",
            .the(\.prompt?.value): "station-north",
        ],
        "an unsupported value is dropped, and the prompt for another one gives the reason": [
            .request("r", ["dropOff": "Moon"]): "resolve", .resolver(["dropOff": .notThere]): "prompt value dropOff",
            .the(\.prompt?.unsupportedReason): "outsideServiceArea", .known("dropOff"): "given -",
            .answer(.accept, "Airport"): "resolve", .resolver(["dropOff": .success("Airport")]): "confirm",
            .the(\.item?.parameters.count): "1", .the(\.item?.parameters.first?.value): "Airport",
        ],
        "the person is asked for the first declared of two open parameters, and other successes are kept": [
            .request("r", ["party": "2"]): "resolve",
            .resolver(["dropOff": .missing, "ride": .which, "party": .success(.number(2))]): "prompt value dropOff",
            .known("party"): "resolved 2",
        ],
        "a value that the person confirmed is not asked about again, even if the resolver does; another one is": [
            .request("r", ["dropOff": "Stat"]): "resolve", .resolver(["dropOff": .isItNorth]): "…",
            .answer(.accept): "resolve", .known("dropOff"): "confirmed station-north",
            .resolver(["dropOff": .confirmationRequired("elsewhere", dialog: nil)]): "prompt confirmValue dropOff",
            .or(.resolver(["dropOff": .isItNorth])): "confirm", .known("dropOff"): "confirmed station-north",
        ],
        "a value that the person chose is not offered again; it keeps its origin, is changed, or is dropped": [
            .request("r", ["dropOff": "Station"]): "resolve", .resolver(["dropOff": .which]): "…",
            .answer(.accept, option: "s"): "resolve", .known("dropOff"): "chosen station-south",
            .resolver(["dropOff": .which]): "confirm", .known("dropOff"): "chosen station-south",
            .or(.resolver(["dropOff": .notThere])): "prompt value dropOff", .known("dropOff"): "given -",
            .or(.resolver(["dropOff": .success("station-south")])): "confirm",
            .known("dropOff"): "chosen station-south", .correct("party", "2"): "resolve",
            .resolver(["dropOff": .success("station-south-2")]): "confirm",
            .known("dropOff"): "resolved station-south-2",
        ],
        "a value that only resembles an option, or the value to be confirmed, is still asked about": [
            .request("r", ["dropOff": "station-south"]): "resolve",
            .resolver(["dropOff": .which]): "prompt choice dropOff",
            .request("r2", ["dropOff": "station-north"], whenBusy: .interrupt): "resolve",
            .resolver(["dropOff": .isItNorth]): "prompt confirmValue dropOff",
        ],
        "the number of prompts for a parameter is limited: then the request fails and names it": [
            .policy { $0.maximumAsks = 2 }: [], .at(.awaitingAnswer): "prompt value dropOff",
            .answer(.accept, "Moon"): "resolve", .resolver(["dropOff": .missing]): "prompt value dropOff",
            .answer(.accept, "Moon"): "resolve", .resolver(["dropOff": .missing]): "completed r: failure failure",
            .the(\.error): "complex", .the(\.completion?.error?.field): "parameters.dropOff",
            .the(\.completion?.turns): "2",
        ],
        "prompts are counted for each parameter separately": [
            .policy { $0.maximumAsks = 1 }: [], .at(.awaitingAnswer): "…", .answer(.accept, "Airport"): "resolve",
            .resolver(["dropOff": .success("Airport"), "party": .missing]): "prompt value party",
        ],
        "an intent without parameters is resolved at once": [.request(): "resolve", .resolver(): "confirm"],
    ]

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test(
        "a parameter without a title or dialog is asked for in plain words",
        arguments: [
            (.missing, "dropOff?"), (.which, "dropOff: which one?"), (.isItNorth, "dropOff: station-north?"),
            (.notThere, "dropOff: that can't be used. What else?"),
        ] as [(ParameterResolution, String)])
    func plainWords(_ resolution: ParameterResolution, _ words: String) {
        talk.play(.request(), .resolver(["dropOff": resolution]))
        #expect(talk.prompt?.dialog == words)
    }
}
