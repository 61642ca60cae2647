import Conversation
import IntentModel
import Testing

@Suite("A confirmer or handler proposes other values") struct ProposalTests {
    private static let dialogues: Dialogues = [
        "accepting applies the proposed values, and the intent is handled with them": [
            .at(.confirming, knowing: ["time": "18:45", "seats": "2"]): "confirm",
            .either(.proposes(asking: .plain), .proposes(asking: nil)): "prompt confirmIntent",
            .the(\.proposed): "area, time", .known("time"): "given 18:45", .answer(.accept): "handle",
            .the(\.handled): "area terrace, seats 2, time 18:30", .known("time"): "confirmed 18:30",
        ],
        "declining cancels the request; declining with changes resolves it again without the proposed values": [
            .at(.confirming, knowing: ["time": "18:45"]): "confirm", .proposes(): "prompt confirmIntent",
            .answer(.decline, changing: ["time": "20:00"]): "resolve", .the(\.handled): "time 20:00",
            .resolver(): "confirm", .proposes(): "prompt confirmIntent",
            .answer(.decline): "completed r: cancelled cancelled",
        ],
        "accepting with changes applies the proposed values, then the changes; the app asks the person too": [
            .at(.confirming, knowing: ["time": "18:45"]): "confirm",
            .steps(.proposes(), .answer(.accept, changing: ["area": "bar"])): "resolve",
            .the(\.handled): "area bar, time 18:30", .or(.proposes(.handleInApp, asking: nil)): "prompt confirmIntent",
            .answer(.accept): ["offer background", "handle in app"], .the(\.handled): "area terrace, time 18:30",
        ],
        "accepting an expired proposal confirms the intent again with its values": [
            .at(.confirming, knowing: ["time": "18:45"]): "confirm",
            .confirmer {
                $0.proposed = ["time": "18:30"]
                $0.validFor = .seconds(10)
            }: "prompt confirmIntent",
            .passes(11): [], .answer(.accept): "confirm", .the(\.handled): "time 18:30",
        ],
        "a proposal that is too large is an invalid outcome": [
            .at(.confirming): "confirm",
            .confirmer { $0.proposed = ["time": .long(SessionPolicy().maximumParameterBytes)] }:
                "completed r: failure failure",
        ],
        "after a failure with a proposal, accepting calls the handler again with the values, as a new call": [
            .at(.handling, knowing: ["time": "18:45"]): "handle", .the(\.item?.idempotencyKey): "s/r",
            .failsProposing(): "prompt confirmIntent",
            .the(\.prompt?.dialog): "Nothing is free at 18:45. Half past six?", .the(\.stage): "awaitingConfirmation",
            .answer(.accept): "handle", .the(\.handled): "time 18:30", .the(\.item?.idempotencyKey): "s%call2/r",
            .handler(): "completed r: success success",
        ],
        "after a failure the person may change values, which are resolved, confirmed and handled again": [
            .at(.handling, knowing: ["time": "18:45"]): "handle", .failsProposing(): "prompt confirmIntent",
            .answer(.decline, changing: ["time": "20:00"]): "resolve", .resolver(): "confirm", .confirmer(): "handle",
            .the(\.item?.idempotencyKey): "s%call2/r", .the(\.handled): "time 20:00",
            .failsProposing(): "prompt confirmIntent", .correct("time", "21:00"): "resolve", .resolver(): "confirm",
            .confirmer(): "handle", .the(\.item?.idempotencyKey): "s%call3/r",
            .handler(): "completed r: success success",
        ],
        "the number of proposals of a handler is limited": [
            .policy { $0.maximumAsks = 2 }: [], .at(.handling): "handle", .failsProposing(): "prompt confirmIntent",
            .answer(.accept): "handle", .failsProposing(): "prompt confirmIntent", .answer(.accept): "handle",
            .failsProposing(): "completed r: failure failureNoTable",
        ],
        "a proposal that is not accepted ends with the original failure": [
            .at(.handling, knowing: ["time": "18:45"]): "handle", .failsProposing(): "prompt confirmIntent",
            .either(.answer(.decline), .answer(.cancel), .cancel(), .timer()): "completed r: failure failureNoTable",
            .the(\.completion?.dialog): "Nothing is free at 18:45. Half past six?", .the(\.error): "none",
            .the(\.completion?.parameters.first?.value): "18:45",
            .or(.request("r2", whenBusy: .replace)): ["completed r: failure failureNoTable", "resolve"],
            .the(\.completion?.dialog): "Nothing is free at 18:45. Half past six?", .the(\.error): "none",
            .the(\.completion?.parameters.first?.value): "18:45",
        ],
        "a proposal of a handler that was told to stop is ignored": [
            .at(.handling): "handle", .cancel(): "cancel handle",
            .failsProposing(): "completed r: failure failureNoTable",
        ],
    ]

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { Talk().play(dialogue) }

    @Test(
        "the idempotency key of a second call is unique, whatever the ids of requests",
        arguments: [("s", "r/2"), ("s%call2", "r"), ("s", "%call2/r"), ("s/call2", "r")] as [(Identifier, Identifier)])
    func keys(_ session: Identifier, _ request: Identifier) {
        #expect(Session.key(session: "s", request: "r", call: 2) == "s%call2/r")
        #expect(Session.key(session: session, request: request) != "s%call2/r")
    }
}

extension Step {
    fileprivate static func proposes(
        _ code: ResponseCode = .ready, asking: ConfirmationRequest? = .plain,
        at line: Line = #_sourceLocation
    ) -> Step {
        .confirmer(code, asking: asking, at: line) { $0.proposed = ["time": "18:30", "area": "terrace"] }
    }

    fileprivate static func failsProposing(at line: Line = #_sourceLocation) -> Step {
        .handler("failureNoTable", at: line) {
            $0.dialog = "Nothing is free at 18:45. Half past six?"
            $0.proposed = ["time": "18:30"]
        }
    }
}

extension Talk {
    fileprivate var proposed: [String]? { prompt?.proposed.map(\.name) }
    /// The values that the worker gets.
    fileprivate var handled: [String] {
        (item?.parameters ?? []).map { "\($0.name) \(words($0.value as Any))" }.sorted()
    }
}
