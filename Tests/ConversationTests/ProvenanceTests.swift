import Conversation
import IntentModel
import Testing

@Suite("How a value came about stays with it") struct ProvenanceTests {
    typealias Provenance = ParameterState.Provenance

    private static let airport = "\(Provenance(original: "the airport"))"

    private static let dialogues: Dialogues = [
        "the original words are kept when a resolver has made a value of them, until the completion": [
            .request("r", ["dropOff": "the airport"]): "resolve", .resolver(["dropOff": .success("airport-2")]): "…",
            .came("dropOff"): "\(airport)", .confirmer(): "handle", .handler(): "completed r: success success",
            .the(\.completion?.parameters.first?.provenance): "\(airport)",
        ],
        "words that are the value, or that are longer than is kept, are not kept": [
            .either(
                .request("r", ["dropOff": "airport-2"]), .request("r", ["dropOff": .long(Provenance.maximumBytes)])):
                "resolve",
            .resolver(["dropOff": .success("airport-2")]): "confirm", .came("dropOff"): "none",
        ],
        "a choice keeps the words that it was offered for, and so does a confirmed value": [
            .request("r", ["dropOff": "the airport"]): "resolve",
            .resolver(["dropOff": .which]): "prompt choice dropOff", .the(\.prompt?.provenance): "\(airport)",
            .answer(.accept, option: "n"): "resolve", .resolver(["dropOff": .isItNorth]): "…",
            .known("dropOff"): "chosen station-north", .came("dropOff"): "\(airport)",
        ],
        "what a resolver says of a reading is kept, and is not lost when a later round says nothing": [
            .request("r", ["time": "half past six"]): "resolve",
            .resolves("time", .success("18:30"), Provenance(interpreted: "18:30:00", confidence: 0.9)): "confirm",
            .came("time"): "\(halfPastSix)", .correct("note", "hello"): "resolve",
            .resolver(["time": .success("18:30")]): "confirm", .came("time"): "\(halfPastSix)",
        ],
        "a default has its source until the person says another value": [
            .request("r"): "resolve",
            .resolves("dropOff", .success("airport-2"), Provenance(source: .remembered)): "confirm",
            .came("dropOff"): "\(Provenance(source: .remembered))", .correct("dropOff", "Heuston"): "resolve",
            .came("dropOff"): "none", .resolver(["dropOff": .success("heuston")]): "confirm",
            .came("dropOff"): "\(Provenance(original: "Heuston"))",
        ],
        "a value that was proposed and accepted says so": [
            .at(.confirming): "confirm",
            .confirmer(asking: .plain) { $0.proposed = ["dropOff": "airport-2"] }: "prompt confirmIntent",
            .answer(.accept): "handle", .came("dropOff"): "\(Provenance(source: .proposed))",
        ],
        "a value that is asked about stays as the person said it until they have answered": [
            .request("r", ["dropOff": "the airport"]): "resolve",
            .resolver(["dropOff": .isItNorth]): "prompt confirmValue dropOff", .correct("note", "hello"): "resolve",
            .the(\.item?.parameters.first?.name): "dropOff", .the(\.item?.parameters.first?.value): "the airport",
        ],
        "a prompt shows where the values come from that the person did not give": [
            .request("r", ["dropOff": "Heuston"]): "resolve",
            .resolved(
                ResolvedParameter(name: "dropOff", resolution: .success("heuston")),
                parameter("ride", .success("comfort"), Provenance(source: .remembered))): "confirm",
            .confirmer(
                asking: ConfirmationRequest(parameters: ["dropOff", "ride"].map { PromptParameter(name: $0) })): "…",
            .the(\.sources): "none, remembered",
        ],
        "nothing of a secret's words is kept": [
            .request("r", ["pin": "one two three"]): "resolve",
            .resolves("pin", .success("123"), Provenance(interpreted: "123", confidence: 1), isSecret: true): "…",
            .came("pin"): "none", .known("pin"): "resolved 123",
        ],
        "the confidence of a request reaches the resolver, and its words do, too": [
            .request {
                var doubtful = ParameterState(name: "dropOff", value: "the airport")
                doubtful.provenance = Provenance(confidence: 0.4)
                $0.parameters = [doubtful]
            }: "resolve",
            .the(\.item?.parameters.first?.provenance): "\(Provenance(confidence: 0.4))",
            .resolver(["dropOff": .isItNorth]): "prompt confirmValue dropOff",
            .the(\.prompt?.provenance): "\(Provenance(original: "the airport", confidence: 0.4))",
            .answer(.accept): "resolve", .came("dropOff"): "\(Provenance(original: "the airport", confidence: 0.4))",
        ],
    ]

    private static let halfPastSix = Provenance(original: "half past six", interpreted: "18:30:00", confidence: 0.9)

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { Talk().play(dialogue) }
}

private func parameter(
    _ name: String, _ resolution: ParameterResolution, _ provenance: ProvenanceTests.Provenance, isSecret: Bool = false
) -> ResolvedParameter {
    var parameter = ResolvedParameter(name: name, resolution: resolution, isSecret: isSecret)
    parameter.provenance = provenance
    return parameter
}

extension Step {
    /// Reports a resolver's result with its provenance.
    fileprivate static func resolves(
        _ name: String, _ resolution: ParameterResolution, _ provenance: ProvenanceTests.Provenance,
        isSecret: Bool = false, at line: Line = #_sourceLocation
    ) -> Step {
        .resolved(parameter(name, resolution, provenance, isSecret: isSecret), at: line)
    }

    /// The provenance of a parameter.
    fileprivate static func came(_ name: String, at line: Line = #_sourceLocation) -> Step {
        Step(line, .look) { [words($0.parameter(name)?.provenance as Any)] }
    }
}

extension Talk {
    fileprivate var sources: [ProvenanceTests.Provenance.Source?]? { sentPrompt?.parameters.map(\.source) }
}
