import Conversation
import IntentModel
import Testing

@Suite("Cancelling: possible at any time, and running work is told") struct CancellingTests {
    private static let dialogues: Dialogues = [
        "a request that waits for the person or an app is cancelled at once": [
            .at(.awaitingAnswer, .awaitingConfirmation, .handedOff): "…",
            .cancel(): "completed r: cancelled cancelled", .the(\.active): "none", .the(\.handoffs): "none",
        ],
        "resolving and confirming have no effects to wait for: the request completes at once, the worker is told": [
            .at(.resolving, .confirming): "…", .cancel("r"): ["cancel $phase", "completed r: cancelled cancelled"],
            .the(\.isOpenStep): "true",
        ],
        "a running handler is told to stop and has time to do so": [
            .at(.handling, .inProgress): "…", .cancel(): "cancel handle", .the(\.outstanding): "handle, cancel",
            .worker(.cancelled): "completed r: cancelled cancelled",
            .or(.wait(\.cancelTimeout)): ["ignored earlyTimer", "completed r: cancelled cancelled"],
        ],
        "a handler that had succeeded or failed before it was told to stop ends the request": [
            .at(.handling, .inProgress): "…", .cancel(): "cancel handle", .handler(): "completed r: success success",
            .or(.handler(.failure)): "completed r: failure failure",
        ],
        "a handler that does not stop in time is abandoned, also if it reports progress": [
            .at(.handling, .inProgress): "…", .cancel(): "cancel handle", .progress(0.5): "progress 0.5",
            .wait(\.cancelTimeout): ["ignored earlyTimer", "completed r: cancelled cancelled"],
        ],
        "a handler that is stopping is not retried, asks nothing, and can't hand the request on: it is cancelled": [
            .at(.handling, .inProgress): "…", .cancel(): "cancel handle", .busy(): "completed r: cancelled cancelled",
            .or(.asks()): "completed r: cancelled cancelled",
            .or(.handler(.handleInApp)): "completed r: cancelled cancelled", .the(\.handoffs): "none",
            .or(.handler(.continueInApp)): "completed r: cancelled cancelled", .the(\.handoffs): "none",
        ],
        "a request whose deadline passes while its handler stops is cancelled": [
            .at(.handling, deadline: 30): "handle", .wait(25): "ignored earlyTimer", .cancel(): "cancel handle",
            .timer(): "completed r: cancelled cancelled",
        ],
        "cancelling twice has the effect of cancelling once": [
            .at(.handling): "handle", .cancel(): "cancel handle", .cancel(): "ignored duplicateCancel",
            .cancel("r"): "ignored duplicateCancel",
        ],
        "no worker is active while a retry is due: the request is cancelled at once": [
            .at(.resolving, .confirming, .handling): "…", .busy(5): [], .cancel(): "completed r: cancelled cancelled",
        ],
        "a queued request can be cancelled, and the others continue": [
            .at(.awaitingAnswer): "…", .request("second"): "queued", .request("third"): "queued",
            .cancel("second"): "completed second: cancelled cancelled", .the(\.stage): "awaitingAnswer",
            .answer(.cancel): ["completed r: cancelled cancelled", "resolve"], .the(\.active): "third",
        ],
        "an interrupted request can be cancelled, and the one that interrupts it continues": [
            .at(.awaitingAnswer): "…", .request("second", whenBusy: .interrupt): "resolve",
            .cancel("r"): "completed r: cancelled cancelled", .the(\.active): "second", .the(\.completion?.turns): "1",
        ],
        // The ledger checks that a rejected cancel changes nothing.
        "cancelling an unknown request is rejected": [
            .at(.queued, .resolving, .awaitingAnswer, .handling): "…", .cancel("other"): "rejected unexpected request",
        ],
        "cancelling without a request is rejected": [.cancel(): "rejected unexpected request"],
        "a completion carries the trace of its request, even if that never began": [
            .request(): "resolve", .request("second") { $0.trace = TraceContext(parent: "00-aa-bb-01") }: [],
            .cancel("second"): "completed second: cancelled cancelled",
            .the(\.results.last?.trace?.parent): "00-aa-bb-01",
        ],
    ]

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { Talk().play(dialogue) }
}

@Suite("Correcting: \u{201C}no, to Leeds\u{201D}") struct CorrectingTests {
    let talk = Talk()

    private static let dialogues: Dialogues = [
        "a correction overtakes a pending retry": [
            .request(): "resolve", .busy(5): [], .correct("dropOff", "Leeds", of: "r"): "resolve",
            .the(\.session.active?.retryAt): "none",
        ],
        "a correction of a request that is being handled is rejected": [
            .at(.handling, .inProgress, .handedOff, knowing: ["dropOff": "London"]): "…",
            .correct("dropOff", "Leeds"): "rejected unexpected parameter", .known("dropOff"): "given London",
        ],
        "a correction of an unknown request is rejected": [
            .at(.queued, .resolving): "…", .correct("dropOff", "Leeds", of: "other"): "rejected unexpected request",
        ],
        "a confirmed value that is corrected no longer counts as confirmed": [
            .request(): "resolve", .resolver(["dropOff": .isItNorth]): "prompt confirmValue dropOff",
            .answer(.accept): "resolve", .correct("dropOff", "station-north"): "resolve",
            .known("dropOff"): "given station-north", .resolver(["dropOff": .isItNorth]): "prompt confirmValue dropOff",
        ],
        "a queued request begins with the corrected value": [
            .at(.awaitingAnswer): "…", .request("next", ["dropOff": "London", "party": "2"]): "queued",
            .correct("dropOff", "Leeds", of: "next"): [], .the(\.stage): "awaitingAnswer",
            .cancel(): ["completed r: cancelled cancelled", "resolve"], .the(\.active): "next",
            .known("dropOff"): "given Leeds", .known("party"): "given 2",
        ],
        "an interrupted request is resolved with the corrected value when it continues, and its old prompt is closed": [
            .at(.awaitingConfirmation, knowing: ["dropOff": "London"]): "prompt confirmIntent",
            .request("urgent", whenBusy: .interrupt): "resolve", .correct("dropOff", "Leeds", of: "r"): [],
            .resolver(): "confirm", .confirmer(): "handle",
            .handler(): ["completed urgent: success success", "resolve"], .known("dropOff"): "given Leeds",
            .answer(.accept, prompt: 1): "rejected unexpected prompt",
        ],
        "a correction that would make a waiting request too large is rejected": [
            .policy {
                $0.maximumQueuedBytes = 100
                $0.maximumParameterBytes = 100
            }: [],
            .at(.awaitingAnswer): "…", .request("next", ["dropOff": "London"]): "queued",
            .correct("dropOff", .long(200), of: "next"): "rejected complex value",
            .request("urgent", whenBusy: .interrupt): "resolve",
            .correct("dropOff", .long(200), of: "r"): "rejected complex value",
            .the(\.session.suspended.first?.stage.name): "awaitingAnswer",
        ],
        "an interrupted request whose handler has asked can't be corrected, because its effects would be repeated": [
            .at(.handling, knowing: ["dropOff": "London"]): "handle",
            .asks("sure", .confirmIntent, recorded: ["paid": .bool(true)]): "prompt confirmIntent",
            .request("urgent", whenBusy: .interrupt): "resolve",
            .correct("dropOff", "Leeds", of: "r"): "rejected unexpected parameter",
            .cancel(): ["cancel resolve", "completed urgent: cancelled cancelled", "prompt confirmIntent"],
            .answer(.accept): "handle", .the(\.item?.recorded): "paid true", .known("dropOff"): "given London",
        ],
    ]

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test(arguments: [StageName.resolving, .awaitingAnswer, .confirming, .awaitingConfirmation])
    func `a correction before handling resolves again, and open work and prompts are void`(_ stage: StageName) {
        talk.play(.at(stage, knowing: ["dropOff": "London"]))
        let (step, phase) = (talk.session.active?.step, talk.session.active?.phase)
        talk.play([
            .correct("dropOff", "Leeds"): "resolve", .known("dropOff"): "given Leeds",
            .worker(.resolved, phase: phase, step: step): "ignored staleOutcome",
        ])
    }

    @Test func `corrections and answers are bounded, so a request does not grow without limit`() {
        talk.play(.request())
        let lines = (1...20).flatMap { talk.play(.correct("p\($0)", .long(30_000))) }
        #expect(lines.contains("rejected complex parameters"))
        #expect(talk.session.active!.parameters.reduce(0) { $0 + ($1.value?.bytes.count ?? 0) } <= 131_072)
        #expect(talk.play(.resolver()) == ["confirm"])
    }
}

extension Talk {
    /// `true` if the cancel names the step that was open.
    fileprivate var isOpenStep: Bool { work?.cancel != nil && work?.step == (opening == .resolve ? 1 : 2) }
}
