import Conversation
import IntentModel
import PipelineTestKit
import Testing

private let reason = "an operator ended the session: spam"

private let cancelling: Dialogues = [
    "a request that waits for the person or an app is cancelled at once": [
        .at(.awaitingAnswer, .awaitingConfirmation, .handedOff): "…", .cancel(): "completed r: cancelled",
        .the(\.active): "none", .the(\.handoffs): "none",
    ],
    "resolving and confirming have no effects to wait for: the request completes, and its worker gets a cancel": [
        .at(.resolving, .confirming): "…", .cancel("r"): ["cancel $phase", "completed r: cancelled"],
        .the(\.isOpenStep): "true",
    ],
    "a running handler gets a cancel and has time to stop, also if it reports progress": [
        .at(.handling, .inProgress): "…", .cancel(): "cancel handle", .the(\.outstanding): "handle, cancel",
        .worker(.cancelled): "completed r: cancelled",
        .or(.wait(\.cancelTimeout)): ["ignored earlyTimer", "completed r: cancelled"],
        .or(.progress(0.5)): "progress 0.5",
        .wait(\.cancelTimeout): ["ignored earlyTimer", "completed r: cancelled"],
    ],
    "a handler that had succeeded or failed before it was told to stop ends the request": [
        .at(.handling, .inProgress): "…", .cancel(): "cancel handle", .handler(): "completed r: success",
        .or(.handler(.failure)): "completed r: failure",
    ],
    "a handler that is stopping is not retried, asks nothing, and can't hand the request on: it is cancelled": [
        .at(.handling, .inProgress): "…", .cancel(): "cancel handle", .busy(): "completed r: cancelled",
        .or(.asks()): "completed r: cancelled", .or(.handler(.handleInApp)): "completed r: cancelled",
        .the(\.handoffs): "none", .or(.handler(.continueInApp)): "completed r: cancelled", .the(\.handoffs): "none",
    ],
    "a request whose deadline passes while its handler stops is cancelled": [
        .at(.handling, deadline: 30): "handle", .wait(25): "ignored earlyTimer", .cancel(): "cancel handle",
        .timer(): "completed r: cancelled",
    ],
    "cancelling twice has the effect of cancelling once": [
        .at(.handling): "handle", .cancel(): "cancel handle", .cancel(): "ignored duplicateCancel",
        .cancel("r"): "ignored duplicateCancel",
    ],
    "no worker is active while a retry is due: the request is cancelled at once": [
        .at(.resolving, .confirming, .handling): "…", .busy(5): [], .cancel(): "completed r: cancelled",
    ],
    "a queued request can be cancelled, and the others continue": [
        .at(.awaitingAnswer): "…", .request("second"): "queued", .request("third"): "queued",
        .cancel("second"): "completed second: cancelled", .the(\.stage): "awaitingAnswer",
        .answer(.cancel): ["completed r: cancelled", "resolve"], .the(\.active): "third",
    ],
    "an interrupted request can be cancelled, and the one that interrupts it continues": [
        .at(.awaitingAnswer): "…", .request("second", whenBusy: .interrupt): "resolve",
        .cancel("r"): "completed r: cancelled", .the(\.active): "second", .the(\.completion?.turns): "1",
    ],
    // The ledger checks that a rejected cancel changes nothing.
    "cancelling an unknown request is rejected": [
        .at(.queued, .resolving, .awaitingAnswer, .handling): "…", .cancel("other"): "rejected unexpected request",
    ],
    "a completion carries the trace of its request, even if that never began": [
        .request(): "resolve", .request("second") { $0.trace = TraceContext(parent: "00-aa-bb-01") }: [],
        .cancel("second"): "completed second: cancelled", .the(\.results.last?.trace?.parent): "00-aa-bb-01",
    ],
]

private let correcting: Dialogues = [
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
        .cancel(): ["completed r: cancelled", "resolve"], .the(\.active): "next", .known("dropOff"): "given Leeds",
        .known("party"): "given 2",
    ],
    "an interrupted request is resolved with the corrected value when it continues, and its old prompt is closed": [
        .at(.awaitingConfirmation, knowing: ["dropOff": "London"]): "prompt confirmIntent",
        .request("urgent", whenBusy: .interrupt): "resolve", .correct("dropOff", "Leeds", of: "r"): [],
        .resolver(): "confirm", .confirmer(): "handle", .handler(): ["completed urgent: success", "resolve"],
        .known("dropOff"): "given Leeds", .answer(.accept, prompt: 1): "rejected unexpected prompt",
    ],
    "a correction that would make a waiting request too large is rejected": [
        .policy {
            $0.limits.maximumQueuedBytes = 100
            $0.limits.maximumParameterBytes = 100
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
        .cancel(): ["cancel resolve", "completed urgent: cancelled", "prompt confirmIntent"],
        .answer(.accept): "handle", .the(\.item?.recorded): "paid true", .known("dropOff"): "given London",
    ],
]

private let ending: Dialogues = [
    "a request that waits is cancelled with the operator's reason, and the timer forgets the session at once": [
        .at(.awaitingAnswer, .awaitingConfirmation, .handedOff): "…", .end(): "completed r: cancelled",
        .the(\.completion?.error?.message): "\(reason)", .the(\.handoffs): "none", .wait(0): "forgotten",
    ],
    "a request that is resolved or confirmed is cancelled, and its worker gets the reason": [
        .at(.resolving, .confirming): "…", .end(): ["cancel $phase", "completed r: cancelled"],
        .the(\.completion?.error?.message): "\(reason)", .wait(0): "forgotten",
    ],
    "queued and interrupted requests are completed too, and none of them begins": [
        .at(.awaitingAnswer): "…", .request("second", whenBusy: .interrupt): "resolve", .request("third"): [],
        .end(): [
            "completed third: cancelled", "completed r: cancelled", "cancel resolve", "completed second: cancelled",
        ],
        .wait(0): "forgotten",
    ],
    "a running handler gets the reason, truncated if long, and has its time to clean up": [
        .at(.handling, .inProgress): "…", .end(String(repeating: "x", count: 5_000)): "cancel handle",
        .the(\.session.ending?.reason?.count): "\(SessionEnding.maximumReasonLength)", .or(.end(nil)): "cancel handle",
        .the(\.work?.cancel?.reason): "sessionEnded", .wait(0): "ignored earlyTimer",
        .worker(.cancelled): "completed r: cancelled",
        .the(\.completion?.error?.message): "an operator ended the session", .wait(0): "forgotten",
    ],
    "a handler that had succeeded completes with success; one that does not answer is abandoned": [
        .at(.handling): "handle", .end(): "cancel handle", .handler(): "completed r: success", .the(\.error): "none",
        .or(.wait(\.cancelTimeout)): ["ignored earlyTimer", "completed r: cancelled"], .wait(0): "forgotten",
    ],
    "an at-most-once handler that does not answer has an unknown outcome, and is not reported as cancelled": [
        .at(.handling, intent: .once): "handle", .starts("a"): "permit a", .end(): "cancel handle",
        .wait(\.cancelTimeout): ["ignored earlyTimer", "completed r: failure"], .the(\.error): "outcomeUnknown",
    ],
    "ending twice has the effect of ending once, and does not open an unknown session": [
        .end(): "ignored nothingToEnd", .at(.handling): "handle", .end(): "cancel handle",
        .end("again"): "ignored repeatedEnd", .worker(.cancelled): "completed r: cancelled",
        .end(): "ignored repeatedEnd",
    ],
    "an idle session is forgotten without a result, together with its memory": [
        .at(.handling): "handle", .handler(): "completed r: success", .end(): [], .the(\.session.memory.values): "none",
        .wait(0): "forgotten",
    ],
    "an ended session accepts no new request until it is forgotten, and still knows its old ones": [
        .at(.handling): "handle", .end(): "cancel handle", .request("late"): "rejected busy",
        .request("late", whenBusy: .replace): "rejected busy", .request("r"): "ignored duplicateRequest",
        .worker(.cancelled): "completed r: cancelled", .request("late"): "rejected busy", .wait(0): "forgotten",
    ],
    "running live updates are ended": [
        .at(.handling): "handle", .handler { $0.offersUpdates = true }: "completed r: success",
        .event(.updatesStarted(request: "r")): "update", .end(): ["cancel handle", "updates stopped"],
        .wait(0): "forgotten",
    ],
]

@Suite("Cancelling, correcting and ending: at any time, and running work gets a cancel") struct CancellingTests {
    private let talk = Talk()

    @Test(arguments: [cancelling, correcting, ending].flatMap(\.cases))
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

extension Step {
    fileprivate static func end(_ reason: String? = "spam", at line: Line = #_sourceLocation) -> Step {
        .event(.ended(reason: reason), at: line)
    }
}

extension Talk {
    /// `true` if the cancel names the step that was open.
    fileprivate var isOpenStep: Bool { work?.cancel != nil && work?.step == (opening == .resolve ? 1 : 2) }
}
