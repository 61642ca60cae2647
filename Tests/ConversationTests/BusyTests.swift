import Conversation
import IntentModel
import Testing

@Suite("Busy: a request that arrives while another is active") struct BusyTests {
    let talk = Talk()
    static let active = [
        StageName.resolving, .awaitingAnswer, .confirming, .awaitingConfirmation, .handling, .inProgress, .handedOff,
    ]

    private static let dialogues: Dialogues = [
        "queue: requests begin in order of arrival, and are told that they wait for the person or an app": [
            .at(.awaitingAnswer, .awaitingConfirmation, .handedOff): "…", .request("second"): "queued",
            .request("third"): "queued", .the(\.queued): "second, third",
            .cancel("r"): ["completed r: cancelled cancelled", "resolve"], .the(\.active): "second",
            .cancel(): ["cancel resolve", "completed second: cancelled cancelled", "resolve"], .the(\.active): "third",
        ],
        "queue: behind work a request is not told that it waits, and begins when the work has stopped": [
            .at(.resolving, .confirming, .handling, .inProgress): "…", .request("second"): [], .request("third"): [],
            .the(\.queued): "second, third", .cancel("r"): "…", .worker(.cancelled, request: "r"): "…",
            .the(\.active): "second", .the(\.stage): "resolving",
            .cancel(): ["cancel resolve", "completed second: cancelled cancelled", "resolve"], .the(\.active): "third",
        ],
        "a request whose deadline passes in the queue times out, and the one behind it begins": [
            .at(.awaitingAnswer): "…", .request("second", deadline: 10): "queued", .request("third"): "queued",
            .passes(11): [],
            .answer(.cancel): [
                "completed r: cancelled cancelled", "completed second: timedOut requestTimedOut", "resolve",
            ],
            .the(\.active): "third",
        ],
        "the queue holds a bounded number of requests; one more is rejected as busy and may be sent again": [
            .policy { $0.maximumQueued = 2 }: [], .at(.awaitingAnswer): "…", .request("second"): "queued",
            .request("third"): "queued", .request("fourth"): "rejected busy", .answer(.cancel): "…",
            .request("fourth"): [],
        ],
        "the queue holds a bounded number of bytes": [
            .policy { $0.maximumQueuedBytes = 100 }: [], .at(.awaitingAnswer): "…",
            .request("second", ["dropOff": .long(80)]): "queued",
            .request("third", ["dropOff": .long(80)]): "rejected busy",
        ],
        "replace: a request that is not handled yet is cancelled, and the new one begins at once": [
            .at(.awaitingAnswer, .awaitingConfirmation, .handedOff): "…", .request("waiting"): "queued",
            .request("second", whenBusy: .replace): ["completed r: cancelled cancelled", "resolve"],
            .the(\.active): "second", .the(\.queued): "waiting",
            .the(\.completion?.dialog): "Replaced by another request.",
        ],
        "replace: a request that is resolved or confirmed is cancelled, and the new one begins at once": [
            .at(.resolving, .confirming): "…", .request("waiting"): [],
            .request("second", whenBusy: .replace): ["cancel $phase", "completed r: cancelled cancelled", "resolve"],
            .the(\.completion?.dialog): "Replaced by another request.",
            .the(\.active): "second", .the(\.queued): "waiting",
        ],
        "replace: a running handler is told to stop, and the new request begins then": [
            .at(.handling, .inProgress): "…", .request("waiting"): [],
            .request("second", whenBusy: .replace): "cancel handle",
            .handler(): ["completed r: success success", "resolve"], .the(\.active): "second",
            .the(\.queued): "waiting",
        ],
        "replace: it is not lost if the active request is already being cancelled": [
            .at(.handling): "…", .cancel(): "cancel handle", .request("second", whenBusy: .replace): [],
            .request("second", whenBusy: .replace): "ignored duplicateRequest",
            .worker(.cancelled): ["completed r: cancelled cancelled", "resolve"], .the(\.active): "second",
        ],
        "replace: a request that waits for a handler to stop is replaced too, so at most one waits": [
            .at(.handling): "…", .request("second", whenBusy: .replace): "cancel handle",
            .request("third", whenBusy: .replace): "completed second: cancelled cancelled",
            .worker(.cancelled): ["completed r: cancelled cancelled", "resolve"], .the(\.active): "third",
            .the(\.queued): "none",
        ],
        "replace: it runs before an interrupted request, which continues afterwards": [
            .at(.awaitingAnswer): "…", .request("second", whenBusy: .interrupt): "resolve",
            .request("third", whenBusy: .replace): [
                "cancel resolve", "completed second: cancelled cancelled", "resolve",
            ],
            .the(\.active): "third",
            .cancel(): ["cancel resolve", "completed third: cancelled cancelled", "prompt value dropOff"],
            .the(\.active): "r",
        ],
        "interrupt: the last interrupted request continues first, and all of them before queued requests": [
            .at(.awaitingAnswer): "…", .request("waiting"): "queued",
            .request("second", whenBusy: .interrupt): "resolve",
            .resolver(["party": .missing]): "prompt value party", .request("third", whenBusy: .interrupt): "resolve",
            .cancel(): ["cancel resolve", "completed third: cancelled cancelled", "prompt value party"],
            .cancel(): ["completed second: cancelled cancelled", "prompt value dropOff"],
            .cancel(): ["completed r: cancelled cancelled", "resolve"], .the(\.active): "waiting",
        ],
        "interrupt: it is queued while no prompt is open": [
            .at(.resolving, .confirming, .handling, .inProgress): "…", .request("second", whenBusy: .interrupt): [],
            .the(\.queued): "second",
        ],
        "interrupt: it is queued while an app has the request": [
            .at(.handedOff): "…", .request("second", whenBusy: .interrupt): "queued", .the(\.queued): "second",
        ],
        "interrupt: the number of interrupted requests is bounded": [
            .policy { $0.maximumSuspended = 1 }: [], .at(.awaitingAnswer): "…",
            .request("second", whenBusy: .interrupt): "resolve", .resolver(["party": .missing]): "prompt value party",
            .request("third", whenBusy: .interrupt): "queued", .the(\.suspended): "r", .the(\.queued): "third",
        ],
        "interrupt: a request whose deadline has passed meanwhile ends without another prompt": [
            .at(.awaitingAnswer, deadline: 60): "…", .request("second", whenBusy: .interrupt): "resolve",
            .passes(61): [],
            .cancel(): [
                "cancel resolve", "completed second: cancelled cancelled", "completed r: timedOut requestTimedOut",
            ],
        ],
        "a request that arrives twice counts once, while the first waits": [
            .at(.resolving, id: "first"): "resolve", .request(): [], .repeats(): "ignored duplicateRequest",
        ],
        "a request that arrives twice counts once, in any stage of the first": [
            .at(.resolving, .awaitingAnswer, .confirming, .awaitingConfirmation, .handling, .inProgress, .handedOff):
                "…",
            .repeats(): "ignored duplicateRequest",
        ],
        "a request that arrives twice counts once, after the first has ended": [
            .at(.handling): "handle", .handler(): "completed r: success success",
            .repeats(): "ignored duplicateRequest",
        ],
        "a request rejected as busy was not accepted: its id may be sent again": [
            .at(.resolving): "resolve", .request("second", whenBusy: .reject): "rejected busy", .cancel(): "…",
            .request("second", whenBusy: .reject): "resolve",
        ],
    ]

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test(
        "the next request begins, however the previous one ended",
        arguments: [
            (.handling, .handler(), "success success"), (.handling, .handler(.failure), "failure failure"),
            (.confirming, .confirmer(.inProgress), "failure failure"),
            (.resolving, .fails(.reject, .unsupported), "unsupported noHandlerProvidedForIntent"),
            (.awaitingAnswer, .answer(.decline), "cancelled cancelled"),
            (.awaitingConfirmation, .answer(.decline), "cancelled cancelled"),
            (.awaitingAnswer, .timer(), "timedOut requestTimedOut"),
            (.awaitingConfirmation, .timer(), "timedOut requestTimedOut"),
            (.handedOff, .timer(), "timedOut requestTimedOut"),
            (.handedOff, .steps(.claim(), .complete()), "success success"),
            (.handedOff, .steps(.claim(), .timer()), "deferredToApp continueInApp"),
            (.resolving, .garbage(), "failure failure"), (.resolving, .workRefused(), "failure failure"),
        ] as [(StageName, Step, String)])
    func alwaysNext(_ stage: StageName, _ end: Step, _ completion: String) {
        talk.play([.at(stage): "…", .request("next"): "…", end: ["completed r: \(completion)", "resolve"]])
        #expect(talk.active == "next")
    }

    @Test(arguments: active)
    func `reject: it is rejected as busy`(_ stage: StageName) {
        talk.play([.at(stage): "…", .request("second", whenBusy: .reject): "rejected busy", .the(\.queued): "none"])
        #expect(talk.rejection?.event == "second" && talk.results.first?.request == nil)
    }

    @Test(
        "interrupt: it runs first while a prompt is open; the other request then continues with all it knew",
        arguments: [(.awaitingAnswer, "prompt value dropOff"), (.awaitingConfirmation, "prompt confirmIntent")]
            as [(StageName, String)])
    func interrupt(_ stage: StageName, _ prompt: String) throws {
        talk.play([.at(stage, knowing: ["party": "2"]): "\(prompt)"])
        let before = try #require(talk.session.active)
        talk.play([
            .request("second", whenBusy: .interrupt): "resolve", .passes(600): [], .resolver(): "confirm",
            .confirmer(): "handle",
            .handler(): ["completed second: success success", "\(prompt)"], .the(\.active): "r",
            .answer(.accept, "Airport", prompt: 1): "rejected unexpected prompt",
        ])
        let after = try #require(talk.session.active)
        #expect(after.parameters == before.parameters && after.asking.asks == before.asking.asks)
        #expect(after.prompt?.dialog == before.prompt?.dialog && after.prompt?.id != before.prompt?.id)
        #expect(talk.promptLasts == 120)
    }

    @Test func `the most recent ended requests are remembered, and all requests that have not ended`() {
        talk.policy.rememberedRequests = 3
        talk.play(.at(.handedOff, id: "active"), .request("waiting"))
        for number in 1...5 { talk.play(.request("\(number)"), .cancel("\(number)")) }
        #expect(talk.session.rememberedRequests == ["3", "4", "5"])
        for id: Identifier in ["5", "active", "waiting"] {
            #expect(talk.play(.request(id)) == ["ignored duplicateRequest"])
        }
    }
}

extension Step {
    /// Sends the request "r" again in each way.
    fileprivate static func repeats(at line: Line = #_sourceLocation) -> Step {
        Step(line) { talk in
            let ways = IntentRequest.WhenBusy.allCases
            return Set(ways.flatMap { talk.play(.request(whenBusy: $0, at: line)) }).sorted()
        }
    }
}
