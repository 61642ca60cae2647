import Conversation
import IntentModel
import Testing

@Suite("One intent opens the next") struct OpeningTests {
    let talk = Talk()

    private static let dialogues: Dialogues = [
        "it begins when the first is completed, as its own request and before queued ones": [
            .at(.handling): "handle", .request("waiting"): [],
            .opens("Rate", ["ride": "R-7", "a": .number(1)]): ["completed r: success success, opens Rate", "resolve"],
            .the(\.completion?.opens?.request): "r.opens", .the(\.work?.request): "r.opens",
            .the(\.work?.intent): "Rate", .the(\.item?.idempotencyKey): "s/r.opens", .known("a"): "given 1",
            .known("ride"): "given R-7", .the(\.item?.parameters.count): "2", .resolver(): "confirm",
            .confirmer(): "handle",
            .handler(): ["completed r.opens: success success", "resolve"], .the(\.work?.request): "waiting",
        ],
        "it inherits the locale, the attributes and the trace of the first, but not its deadline": [
            .request(deadline: 30) {
                $0.locale = "en-GB"
                $0.attributes = ["channel": "voice"]
                $0.trace = TraceContext(parent: "00-1")
            }: "resolve",
            .resolver(): "confirm", .confirmer(): "handle", .opens(): "…",
            .the(\.session.active?.request.locale): "en-GB",
            .the(\.session.active?.request.attributes): "channel voice",
            .the(\.session.active?.request.trace?.parent): "00-1", .the(\.session.active?.request.deadline): "none",
        ],
        "a request already sent with the same id keeps it": [
            .at(.handling): "handle", .request("r.opens"): [], .opens(): "…",
            .the(\.completion?.opens?.request): "r.opens-2", .request("r.opens-2"): "ignored duplicateRequest",
        ],
        "it runs before an interrupted request, which continues afterwards": [
            .at(.awaitingAnswer, id: "first"): "…", .request("r", whenBusy: .interrupt): "resolve",
            .resolver(): "confirm", .confirmer(): "handle",
            .opens(): ["completed r: success success, opens Rate", "resolve"],
            .cancel(): ["cancel resolve", "completed r.opens: cancelled cancelled", "prompt value dropOff"],
        ],
        "an invalid request is not opened, and the first still succeeds; a cancelled request opens nothing": [
            .at(.handling): "handle", .opens(""): ["completed r: success success", "rejected invalid opens"],
            .or(.opens("Rate", ["x": .long(SessionPolicy().maximumParameterBytes)])): [
                "completed r: success success", "rejected complex opens",
            ],
            .or(.cancel()): "cancel handle", .opens(): "completed r: success success", .the(\.active): "none",
        ],
        "the completion has the confirmer's items, unless the request changed after they were found": [
            .at(.confirming): "confirm", .confirmer(asking: .plain) { $0.items = [Station.north] }: "…",
            .steps(.answer(.accept), .handler()): "completed r: success success", .the(\.items): "n",
            .or(.correct("dropOff", "Leeds")): "resolve", .resolver(): "confirm", .confirmer(): "handle",
            .handler(): "completed r: success success", .the(\.items): "none",
        ],
        "the completion has the items of the response": [
            .at(.handling): "handle", .handler { $0.items = [Station.north, Station.south] }: "…",
            .the(\.items): "n, s",
        ],
    ]

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test func `a chain of opened intents is limited: the last one succeeds, and opening another is rejected`() {
        talk.play(.request())
        for _ in 1...talk.policy.maximumOpened {
            #expect(talk.play(.resolver(), .confirmer(), .opens("Book")).last == "resolve")
        }
        let last = talk.active ?? ""
        talk.play([
            .resolver(): "confirm", .confirmer(): "handle",
            .opens("Book"): ["completed \(last): success success", "rejected complex opens"], .the(\.active): "none",
        ])
    }
}

extension Step {
    fileprivate static func opens(
        _ intent: Identifier = "Rate", _ parameters: [String: JSON] = [:],
        at line: Line = #_sourceLocation
    ) -> Step {
        .handler(at: line) { $0.opensIntent = OpenedIntent(intent: intent, parameters: parameters) }
    }
}
