import Conversation
import IntentModel
import Testing

@Suite("Ending a session from outside: all its requests are completed, then it is forgotten")
struct EndingSessionTests {
    private static let reason = "an operator ended the session: spam"

    private static let dialogues: Dialogues = [
        "a request that waits is cancelled with the operator's reason, and the timer forgets the session at once": [
            .at(.awaitingAnswer, .awaitingConfirmation, .handedOff): "…", .end(): "completed r: cancelled cancelled",
            .the(\.completion?.error?.message): "\(reason)", .the(\.handoffs): "none", .wait(0): "forgotten",
        ],
        "a request that is resolved or confirmed is cancelled with the reason, and its worker is told": [
            .at(.resolving, .confirming): "…", .end(): ["cancel $phase", "completed r: cancelled cancelled"],
            .the(\.completion?.error?.message): "\(reason)", .wait(0): "forgotten",
        ],
        "queued and interrupted requests are completed too, and none of them begins": [
            .at(.awaitingAnswer): "…", .request("second", whenBusy: .interrupt): "resolve", .request("third"): [],
            .end(): [
                "completed third: cancelled cancelled", "completed r: cancelled cancelled", "cancel resolve",
                "completed second: cancelled cancelled",
            ],
            .wait(0): "forgotten",
        ],
        "a running handler is told the reason, of which a long one is truncated, and has its time to clean up": [
            .at(.handling, .inProgress): "…", .end(String(repeating: "x", count: 5_000)): "cancel handle",
            .the(\.session.ending?.reason?.count): "\(SessionEnding.maximumReasonLength)",
            .or(.end(nil)): "cancel handle", .the(\.work?.cancel?.reason): "sessionEnded",
            .wait(0): "ignored earlyTimer", .worker(.cancelled): "completed r: cancelled cancelled",
            .the(\.completion?.error?.message): "an operator ended the session", .wait(0): "forgotten",
        ],
        "a handler that had succeeded completes with success; one that does not answer is abandoned": [
            .at(.handling): "handle", .end(): "cancel handle", .handler(): "completed r: success success",
            .the(\.error): "none",
            .or(.wait(\.cancelTimeout)): ["ignored earlyTimer", "completed r: cancelled cancelled"],
            .wait(0): "forgotten",
        ],
        "an at-most-once handler that does not answer has an unknown outcome, and is not reported as cancelled": [
            .at(.handling, intent: .once): "handle", .starts("a"): "permit a", .end(): "cancel handle",
            .wait(\.cancelTimeout): ["ignored earlyTimer", "completed r: failure failure"],
            .the(\.error): "outcomeUnknown",
        ],
        "ending twice has the effect of ending once, and does not open an unknown session": [
            .end(): "ignored nothingToEnd", .at(.handling): "handle", .end(): "cancel handle",
            .end("again"): "ignored repeatedEnd", .worker(.cancelled): "completed r: cancelled cancelled",
            .end(): "ignored repeatedEnd",
        ],
        "an idle session is forgotten without a result, together with its memory": [
            .at(.handling): "handle", .handler(): "completed r: success success", .end(): [],
            .the(\.session.memory.values): "none", .wait(0): "forgotten",
        ],
        "until it is forgotten, it accepts no new request and still knows its old ones": [
            .at(.handling): "handle", .end(): "cancel handle", .request("late"): "rejected busy",
            .request("late", whenBusy: .replace): "rejected busy", .request("r"): "ignored duplicateRequest",
            .worker(.cancelled): "completed r: cancelled cancelled", .request("late"): "rejected busy",
            .wait(0): "forgotten",
        ],
        "running live updates are ended": [
            .at(.handling): "handle", .handler { $0.offersUpdates = true }: "completed r: success success",
            .event(.updatesStarted(request: "r")): "update", .end(): ["cancel handle", "updates stopped"],
            .wait(0): "forgotten",
        ],
    ]

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { Talk().play(dialogue) }
}

extension Step {
    fileprivate static func end(_ reason: String? = "spam", at line: Line = #_sourceLocation) -> Step {
        .event(.ended(reason: reason), at: line)
    }
}
