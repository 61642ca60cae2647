import Conversation
import IntentModel
import Testing

@Suite("Busy: a request that arrives while another is active")
struct BusyTests {
    let talk = Talk()
    static let active = [
        StageName.resolving, .awaitingAnswer, .confirming, .awaitingConfirmation, .handling, .inProgress, .handedOff,
    ]

    /// The results for a request that waits behind another one. A request is reported as queued if it waits for the
    /// person or an app, which may take long.
    private static func told(behind stage: StageName) -> [String] {
        [.awaitingAnswer, .awaitingConfirmation, .handedOff].contains(stage) ? ["queued"] : []
    }

    @Test("queue: it waits, and requests begin in order of arrival", arguments: active)
    func queue(_ stage: StageName) {
        talk.bring(to: stage)
        #expect(talk.request("second") == Self.told(behind: stage))
        #expect(talk.request("third") == Self.told(behind: stage))
        #expect(talk.session.queued.map(\.id) == ["second", "third"])
        talk.cancel("r")
        if talk.session.active?.isCancelling == true { talk.worker(.cancelled) }
        #expect(talk.session.active?.request.id == "second" && talk.stage == .resolving)
        #expect(talk.cancel() == ["cancel resolve", "completed second: cancelled cancelled", "resolve"])
        #expect(talk.session.active?.request.id == "third")
    }

    @Test("the next request begins, however the previous one ended")
    func alwaysNext() {
        let ends: [(StageName, String, (Talk) -> [String])] = [
            (.handling, "success success", { $0.handler() }),
            (.handling, "failure failure", { $0.handler(.failure) }),
            (.confirming, "failure failure", { $0.confirmer(.inProgress) }),
            (.resolving, "unsupported noHandlerProvidedForIntent", { $0.fails(.reject, .unsupported) }),
            (.awaitingAnswer, "cancelled cancelled", { $0.answer(.decline) }),
            (.awaitingConfirmation, "cancelled cancelled", { $0.answer(.decline) }),
            (.awaitingAnswer, "timedOut requestTimedOut", { $0.waitForTimer() }),
            (.awaitingConfirmation, "timedOut requestTimedOut", { $0.waitForTimer() }),
            (.handedOff, "timedOut requestTimedOut", { $0.waitForTimer() }),
            (
                .handedOff, "success success",
                { talk in
                    talk.claim(); return talk.complete()
                }
            ),
            (
                .handedOff, "deferredToApp continueInApp",
                { talk in
                    talk.claim(); return talk.waitForTimer()
                }
            ),
            (
                .resolving, "failure failure",
                { $0.receive(.unreadableOutcome(Rejection(.unparseable, "garbage"), $0.session.active?.ticket)) }
            ),
        ]
        for (stage, end, play) in ends {
            let talk = Talk()
            talk.bring(to: stage)
            talk.request("next")
            #expect(play(talk) == ["completed r: \(end)", "resolve"])
            #expect(talk.session.active?.request.id == "next")
        }
    }

    @Test("a request whose deadline passes in the queue times out, and the one behind it begins")
    func lateInQueue() {
        talk.bring(to: .awaitingAnswer)
        talk.request("second", deadline: .seconds(10))
        talk.request("third")
        talk.now = talk.now.advanced(by: .seconds(11))
        #expect(
            talk.answer(.cancel) == [
                "completed r: cancelled cancelled", "completed second: timedOut requestTimedOut", "resolve",
            ])
        #expect(talk.session.active?.request.id == "third")
    }

    @Test("the queue holds a bounded number of requests; one more is rejected as busy and may be sent again")
    func bounded() {
        talk.policy.maximumQueued = 2
        talk.bring(to: .awaitingAnswer)
        talk.request("second")
        talk.request("third")
        #expect(talk.request("fourth") == ["rejected busy"])
        talk.answer(.cancel)
        #expect(talk.request("fourth") == [], "behind work it is not told")
    }

    @Test("the queue holds a bounded number of bytes")
    func boundedBytes() {
        talk.policy.maximumQueuedBytes = 100
        talk.bring(to: .awaitingAnswer)
        #expect(talk.request("second", ["dropOff": String(repeating: "x", count: 80)]) == ["queued"])
        #expect(talk.request("third", ["dropOff": String(repeating: "x", count: 80)]) == ["rejected busy"])
    }

    @Test("reject: it is rejected as busy", arguments: active)
    func reject(_ stage: StageName) {
        talk.bring(to: stage)
        let before = talk.session
        #expect(talk.request("second", whenBusy: .reject) == ["rejected busy"])
        #expect(talk.session.active == before.active && talk.session.queued.isEmpty)
        guard case .result(let result)? = talk.effects.first, case .rejected(let rejection) = result.body else {
            Issue.record("something else came")
            return
        }
        #expect(rejection.event == "second" && result.request == nil)
    }

    @Test(
        "replace: a request that is not handled yet is cancelled, and the new one begins at once",
        arguments: [
            StageName.resolving, .awaitingAnswer, .confirming, .awaitingConfirmation, .handedOff,
        ])
    func replace(_ stage: StageName) {
        talk.bring(to: stage)
        talk.request("waiting")
        #expect(
            Array(talk.request("second", whenBusy: .replace).suffix(2)) == [
                "completed r: cancelled cancelled", "resolve",
            ])
        #expect(talk.session.active?.request.id == "second" && talk.session.queued.map(\.id) == ["waiting"])
        #expect(talk.completion?.dialog == "Replaced by another request.")
    }

    @Test(
        "replace: a running handler is told to stop, and the new request begins then",
        arguments: [StageName.handling, .inProgress])
    func replaceRunning(_ stage: StageName) {
        talk.bring(to: stage)
        talk.request("waiting")
        #expect(talk.request("second", whenBusy: .replace) == ["cancel handle"])
        #expect(talk.handler() == ["completed r: success success", "resolve"])
        #expect(talk.session.active?.request.id == "second" && talk.session.queued.map(\.id) == ["waiting"])
    }

    @Test("replace: it is not lost if the active request is already being cancelled")
    func replaceCancelling() {
        talk.bring(to: .handling)
        talk.cancel()
        #expect(talk.request("second", whenBusy: .replace) == [])
        #expect(talk.request("second", whenBusy: .replace) == ["ignored duplicateRequest"])
        #expect(talk.worker(.cancelled) == ["completed r: cancelled cancelled", "resolve"])
        #expect(talk.session.active?.request.id == "second")
    }

    @Test("replace: a request that waits for a handler to stop is replaced too, so at most one waits")
    func replaceTwice() {
        talk.bring(to: .handling)
        talk.request("second", whenBusy: .replace)
        #expect(talk.request("third", whenBusy: .replace) == ["completed second: cancelled cancelled"])
        #expect(talk.worker(.cancelled) == ["completed r: cancelled cancelled", "resolve"])
        #expect(talk.session.active?.request.id == "third" && talk.session.queued.isEmpty)
    }

    @Test("replace: it runs before an interrupted request, which continues afterwards")
    func replaceInterrupting() {
        talk.bring(to: .awaitingAnswer)
        talk.request("second", whenBusy: .interrupt)
        #expect(
            talk.request("third", whenBusy: .replace) == [
                "cancel resolve", "completed second: cancelled cancelled", "resolve",
            ])
        #expect(talk.session.active?.request.id == "third")
        #expect(talk.cancel() == ["cancel resolve", "completed third: cancelled cancelled", "prompt value dropOff"])
        #expect(talk.session.active?.request.id == "r")
    }

    @Test(
        "interrupt: it runs first while a prompt is open; the other request then continues with all it knew",
        arguments: [
            StageName.awaitingAnswer, .awaitingConfirmation,
        ])
    func interrupt(_ stage: StageName) throws {
        talk.bring(to: stage, "r", ["party": "2"])
        let before = try #require(talk.session.active)
        let open = try #require(before.prompt)
        #expect(talk.request("second", whenBusy: .interrupt) == ["resolve"])
        talk.now = talk.now.advanced(by: .seconds(600))
        talk.resolver()
        talk.confirmer()
        let lines = talk.handler()
        #expect(
            lines.count == 2 && lines[0] == "completed second: success success"
                && lines[1].hasPrefix("prompt \(open.kind)"))
        let after = try #require(talk.session.active)
        #expect(
            after.request.id == "r" && after.parameters == before.parameters && after.asking.asks == before.asking.asks)
        let again = try #require(after.prompt)
        #expect(
            again.id != open.id && again.dialog == open.dialog
                && again.expires == talk.now.advanced(by: talk.policy.answerTimeout))
        #expect(talk.answer(.accept, "Airport", prompt: open.id) == ["rejected unexpected prompt"])
    }

    @Test("interrupt: the last interrupted request continues first, and all of them before queued requests")
    func nested() {
        talk.bring(to: .awaitingAnswer)
        talk.request("waiting")
        talk.request("second", whenBusy: .interrupt)
        talk.resolver(["party": Station.missing])
        talk.request("third", whenBusy: .interrupt)
        #expect(talk.cancel() == ["cancel resolve", "completed third: cancelled cancelled", "prompt value party"])
        #expect(talk.cancel() == ["completed second: cancelled cancelled", "prompt value dropOff"])
        #expect(talk.cancel() == ["completed r: cancelled cancelled", "resolve"])
        #expect(talk.session.active?.request.id == "waiting")
    }

    @Test(
        "interrupt: it is queued while no prompt is open",
        arguments: [StageName.resolving, .confirming, .handling, .inProgress, .handedOff])
    func interruptWaits(_ stage: StageName) {
        talk.bring(to: stage)
        #expect(talk.request("second", whenBusy: .interrupt) == Self.told(behind: stage))
        #expect(talk.session.queued.map(\.id) == ["second"])
    }

    @Test("interrupt: the number of interrupted requests is bounded")
    func interruptBounded() {
        talk.policy.maximumSuspended = 1
        talk.bring(to: .awaitingAnswer)
        talk.request("second", whenBusy: .interrupt)
        talk.resolver(["party": Station.missing])
        #expect(talk.request("third", whenBusy: .interrupt) == ["queued"])
        #expect(talk.session.suspended.count == 1 && talk.session.queued.map(\.id) == ["third"])
    }

    @Test("interrupt: a request whose deadline has passed meanwhile ends without another prompt")
    func interruptedTooLong() {
        talk.request("r", deadline: .seconds(60))
        talk.resolver(["dropOff": Station.missing])
        talk.request("second", whenBusy: .interrupt)
        talk.now = talk.now.advanced(by: .seconds(61))
        #expect(
            talk.cancel() == [
                "cancel resolve", "completed second: cancelled cancelled", "completed r: timedOut requestTimedOut",
            ])
    }

    // MARK: Duplicates

    @Test("a request that arrives twice counts once, in any stage of the first", arguments: StageName.allCases)
    func duplicate(_ stage: StageName) {
        switch stage {
        case .queued:
            talk.bring(to: .resolving, "first")
            talk.request()
        case .ended:
            talk.bring(to: .handling)
            talk.handler()
        default: talk.bring(to: stage)
        }
        for whenBusy in IntentRequest.WhenBusy.allCases {
            #expect(talk.request(whenBusy: whenBusy) == ["ignored duplicateRequest"])
        }
    }

    @Test("a request rejected as busy was not accepted: its id may be sent again")
    func busyIsNotRemembered() {
        talk.bring(to: .resolving)
        talk.request("second", whenBusy: .reject)
        talk.cancel()
        #expect(talk.request("second", whenBusy: .reject) == ["resolve"])
    }

    @Test("the most recent ended requests are remembered, and all requests that have not ended")
    func remembered() {
        talk.policy.rememberedRequests = 3
        talk.bring(to: .handedOff, "active")
        talk.request("waiting")
        for number in 1...5 {
            talk.request("\(number)")
            talk.cancel("\(number)")
        }
        #expect(talk.session.rememberedRequests == ["3", "4", "5"])
        #expect(talk.request("5") == ["ignored duplicateRequest"])
        #expect(talk.request("active") == ["ignored duplicateRequest"])
        #expect(talk.request("waiting") == ["ignored duplicateRequest"])
    }
}
