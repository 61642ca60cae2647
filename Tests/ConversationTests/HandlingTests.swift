import Conversation
import IntentKit
import Testing

@Suite("Handling: the intent is handled once and completed once")
struct HandlingTests {
    let talk = Talk()

    @Test("success ends the request with the handler's result")
    func success() throws {
        talk.bring(to: .handling)
        let response = IntentResponse(.success, dialog: "Booked", values: ["fare": .number(12)])
        #expect(talk.worker(.finished(.responded(response, confirmation: nil))) == ["completed r: success success"])
        let completion = try #require(talk.completion)
        #expect(completion.dialog == "Booked" && completion.response == ["fare": .number(12)] && completion.turns == 0)
    }

    @Test("a failure keeps its code and its dialog", arguments: ["failure", "failureCallInProgress"])
    func failure(_ code: String) {
        talk.bring(to: .handling)
        #expect(talk.handler(ResponseCode(rawValue: code)) == ["completed r: failure \(code)"])
    }

    @Test("in progress, then exactly one completion")
    func inProgress() {
        talk.bring(to: .handling)
        #expect(talk.handler(.inProgress) == ["progress -"])
        #expect(talk.stage == .inProgress)
        #expect(talk.progress(0.25) == ["progress 0.25"])
        #expect(talk.progress(0.75, "Nearly") == ["progress 0.75"])
        let (request, step) = ("r", talk.session.active?.step)
        #expect(talk.handler() == ["completed r: success success"])
        #expect(
            talk.worker(
                .finished(.responded(IntentResponse(.success), confirmation: nil)), phase: .handle, step: step,
                request: Identifier(request)
            )
                == ["ignored staleOutcome"])
    }

    @Test("repeated progress is reported once")
    func repeatedProgress() {
        talk.bring(to: .handling)
        talk.progress(0.5)
        #expect(talk.progress(0.5) == ["ignored repeatedProgress"])
        #expect(talk.progress(0.25) == ["ignored repeatedProgress"])
        #expect(talk.progress(nil) == ["ignored repeatedProgress"])
        #expect(talk.progress(nil, "Looking for a driver") == ["progress -"])
        #expect(talk.progress(0.75) == ["progress 0.75"])
    }

    @Test("each progress report extends the handler's time")
    func progressExtends() {
        talk.bring(to: .handling)
        for step in 1...4 {
            talk.now = talk.now.advanced(by: talk.policy.phaseTimeout - .seconds(1))
            talk.progress(Double(step) / 10)
        }
        #expect(talk.session.active?.stageEnds == talk.now.advanced(by: talk.policy.inProgressTimeout))
    }

    @Test("continueInApp sends the person to the app", arguments: [StageName.handling, .inProgress])
    func continueInApp(_ stage: StageName) {
        talk.bring(to: stage)
        #expect(talk.handler(.continueInApp) == ["offer foreground"])
        #expect(talk.stage == .handedOff)
    }

    @Test(
        "handleInApp moves the handling to the app's workers, with the same idempotency key",
        arguments: [StageName.handling, .inProgress])
    func handleInApp(_ stage: StageName) {
        talk.bring(to: stage)
        let key = talk.session.outstandingWork.first?.item?.idempotencyKey
        #expect(talk.handler(.handleInApp) == ["offer background", "handle in app"])
        #expect(talk.work?.item?.idempotencyKey == key)
        #expect(talk.handler() == ["completed r: success success"])
    }

    @Test("no two requests share an idempotency key, whatever their ids and sessions")
    func keys() {
        var keys: Set<Identifier?> = []
        let names = [
            ("a", "b/c"), ("a/b", "c"), ("a%2Fb", "c"), ("a/b/c", ""), ("a", "b%2Fc"), ("a", "b"), ("K", "\u{E9}"),
            ("K", "e\u{301}"),
            ("\u{212A}", "\u{E9}"),
        ]
        for (session, request) in names {
            let talk = Talk()
            talk.session = Session(id: Identifier(session), updated: talk.now)
            talk.request(Identifier(request))
            keys.insert(talk.work?.item?.idempotencyKey)
        }
        #expect(keys.count == names.count)
        #expect(keys.contains("a/b"))
        // The combining mark forms one character with the slash.
        #expect(Session.key(session: "a", request: "\u{338}b", call: 2) == "a%call2/\u{338}b")
    }

    @Test("handleInApp is possible once: the app's workers can't hand the request on")
    func handleInAppTwice() {
        talk.bring(to: .handling)
        talk.handler(.handleInApp)
        #expect(talk.handler(.handleInApp) == ["completed r: failure failure"])
        #expect(talk.completion?.error?.reason == .unexpected)
    }

    @Test("a code of another phase is a protocol error", arguments: ["ready", "userConfirmationRequired", "madeUp"])
    func wrongPhase(_ code: String) {
        talk.bring(to: .handling)
        #expect(talk.handler(ResponseCode(rawValue: code)) == ["completed r: failure failure"])
        #expect(talk.completion?.error?.reason == .unexpected)
    }

    @Test("resolutions are not a valid outcome of handle")
    func wrongContent() {
        talk.bring(to: .handling)
        #expect(talk.worker(.finished(.resolved([]))) == ["completed r: failure failure"])
    }

    @Test("the completion has the resolved parameters")
    func parameters() {
        talk.request("r", ["dropOff": "Airport"])
        talk.resolver(["dropOff": .success(.string("airport-2"))])
        talk.confirmer()
        talk.handler()
        let parameter = talk.completion?.parameters.first
        #expect(
            parameter?.name == "dropOff" && parameter?.value == .string("airport-2") && parameter?.origin == .resolved)
    }

    // MARK: Late, repeated and unexpected outcomes

    @Test(
        "an outcome of another step, phase or request changes nothing",
        arguments: [StageName.resolving, .confirming, .handling, .inProgress])
    func stale(_ stage: StageName) throws {
        talk.bring(to: stage)
        let active = try #require(talk.session.active)
        let success = Outcome.Content.finished(.responded(IntentResponse(.success), confirmation: nil))
        #expect(talk.worker(success, step: active.step - 1) == ["ignored staleOutcome"])
        #expect(talk.worker(success, step: active.step + 1) == ["ignored staleOutcome"])
        #expect(talk.worker(success, request: "other") == ["ignored staleOutcome"])
        for phase in Phase.allCases where phase != active.phase {
            #expect(talk.worker(success, phase: phase) == ["ignored unauthorizedOutcome"])
        }
    }

    @Test(
        "an outcome without dispatched work changes nothing",
        arguments: [StageName.queued, .awaitingAnswer, .awaitingConfirmation, .handedOff])
    func noWorkDispatched(_ stage: StageName) {
        if stage != .queued { talk.bring(to: stage) }
        for phase in Phase.allCases { #expect(talk.worker(.cancelled, phase: phase) == ["ignored staleOutcome"]) }
        #expect(
            talk.receive(.unreadableOutcome(Rejection(.unparseable, "garbage"), talk.session.active?.ticket)) == [
                "ignored staleOutcome"
            ])
    }

    @Test("an outcome that arrives twice counts once, in every phase")
    func twice() {
        talk.request()
        let resolved = Outcome.Content.finished(.resolved([]))
        #expect(talk.worker(resolved, phase: .resolve, step: 1, request: "r") == ["confirm"])
        #expect(talk.worker(resolved, phase: .resolve, step: 1, request: "r") == ["ignored staleOutcome"])
        let ready = Outcome.Content.finished(.responded(IntentResponse(.ready), confirmation: nil))
        #expect(talk.worker(ready, phase: .confirm, step: 2, request: "r") == ["handle"])
        #expect(talk.worker(ready, phase: .confirm, step: 2, request: "r") == ["ignored staleOutcome"])
    }

    @Test(
        "dispatched work is known, so that it can be dispatched again after a crash",
        arguments: [StageName.resolving, .confirming, .handling, .inProgress])
    func outstanding(_ stage: StageName) throws {
        talk.bring(to: stage)
        let work = try #require(talk.session.outstandingWork.first)
        #expect(talk.session.outstandingWork.count == 1)
        #expect(
            work.step == talk.session.active?.step && work.phase == talk.session.active?.phase && work.kind != .cancel)
    }

    @Test(
        "no work is dispatched while the person is asked or an app has the request",
        arguments: [StageName.awaitingAnswer, .awaitingConfirmation, .handedOff])
    func noneOutstanding(_ stage: StageName) {
        talk.bring(to: stage)
        #expect(talk.session.outstandingWork.isEmpty)
    }
}
