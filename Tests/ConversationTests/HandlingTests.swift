import Conversation
import IntentModel
import Testing

@Suite("Handling: the intent is handled once and completed once") struct HandlingTests {
    let talk = Talk()

    private static let dialogues: Dialogues = [
        "success ends the request with the handler's result": [
            .at(.handling): "handle",
            .handler {
                $0.dialog = "Booked"
                $0.values = ["fare": .number(12)]
            }: "completed r: success success",
            .the(\.completion?.dialog): "Booked", .the(\.completion?.response): "fare 12",
            .the(\.completion?.turns): "0",
        ],
        "a failure keeps its code": [
            .at(.handling): "handle", .handler(.failure): "completed r: failure failure",
            .or(.handler("failureCallInProgress")): "completed r: failure failureCallInProgress",
        ],
        "in progress, then exactly one completion": [
            .at(.handling): "handle", .handler(.inProgress): "progress -", .the(\.stage): "inProgress",
            .progress(0.25): "progress 0.25", .progress(0.75, "Nearly"): "progress 0.75",
            .handler(): "completed r: success success",
            .worker(.success, phase: .handle, step: 3, request: "r"): "ignored staleOutcome",
        ],
        "repeated progress is reported once": [
            .at(.handling): "handle", .progress(0.5): "progress 0.5", .progress(0.5): "ignored repeatedProgress",
            .progress(0.25): "ignored repeatedProgress", .progress(nil): "ignored repeatedProgress",
            .progress(nil, "Looking for a driver"): "progress -", .progress(0.75): "progress 0.75",
        ],
        "each progress report extends the handler's time": [
            .at(.handling): "handle", .passes(59): [], .progress(0.1): "progress 0.1", .passes(59): [],
            .progress(0.2): "progress 0.2", .the(\.stageLasts): "900.0",
        ],
        "continueInApp sends the person to the app": [
            .at(.handling, .inProgress): "…", .handler(.continueInApp): "offer foreground", .the(\.stage): "handedOff",
        ],
        "handleInApp moves the handling to the app's workers once, with the same idempotency key": [
            .at(.handling, .inProgress): "…", .the(\.session.outstandingWork.first?.item?.idempotencyKey): "s/r",
            .handler(.handleInApp): ["offer background", "handle in app"], .the(\.item?.idempotencyKey): "s/r",
            .handler(.handleInApp): "completed r: failure failure", .the(\.error): "unexpected",
            .or(.handler()): "completed r: success success",
        ],
        "a code of another phase is a protocol error, and so are resolutions": [
            .at(.handling): "handle",
            .either(.handler(.ready), .handler(.userConfirmationRequired), .handler("madeUp"), .worker(.resolved)):
                "completed r: failure failure",
            .the(\.error): "unexpected",
        ],
        "the completion has the resolved parameters": [
            .request("r", ["dropOff": "Airport"]): "resolve", .resolver(["dropOff": .success("airport-2")]): "confirm",
            .confirmer(): "handle", .handler(): "completed r: success success",
            .the(\.completion?.parameters.first?.name): "dropOff",
            .the(\.completion?.parameters.first?.value): "airport-2",
            .the(\.completion?.parameters.first?.origin): "resolved",
        ],
        "an outcome without dispatched work changes nothing": [
            .at(.queued, .awaitingAnswer, .awaitingConfirmation, .handedOff): "…", .the(\.outstanding): "none",
            .worker(.cancelled, phase: .resolve): "ignored staleOutcome",
            .worker(.cancelled, phase: .confirm): "ignored staleOutcome",
            .worker(.cancelled, phase: .handle): "ignored staleOutcome", .garbage(): "ignored staleOutcome",
        ],
        "an outcome that arrives twice counts once, in every phase": [
            .request(): "resolve", .worker(.resolved, phase: .resolve, step: 1, request: "r"): "confirm",
            .worker(.resolved, phase: .resolve, step: 1, request: "r"): "ignored staleOutcome",
            .worker(.ready, phase: .confirm, step: 2, request: "r"): "handle",
            .worker(.ready, phase: .confirm, step: 2, request: "r"): "ignored staleOutcome",
        ],
    ]

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    private static let working = [StageName.resolving, .confirming, .handling, .inProgress]

    @Test(arguments: working)
    func `an outcome of another step, phase or request changes nothing`(_ stage: StageName) throws {
        talk.play(.at(stage))
        let active = try #require(talk.session.active)
        talk.play([
            .worker(.success, step: active.step - 1): "ignored staleOutcome",
            .worker(.success, step: active.step + 1): "ignored staleOutcome",
            .worker(.success, request: "other"): "ignored staleOutcome",
        ])
        for phase in Phase.allCases where phase != active.phase {
            #expect(talk.play(.worker(.success, phase: phase)) == ["ignored unauthorizedOutcome"])
        }
    }

    @Test(arguments: working)
    func `dispatched work is known, so that it can be dispatched again after a crash`(_ stage: StageName) throws {
        talk.play(.at(stage))
        let work = try #require(talk.session.outstandingWork.first)
        #expect(talk.session.outstandingWork.count == 1 && work.kind != .cancel)
        #expect(work.step == talk.session.active?.step && work.phase == talk.session.active?.phase)
    }

    @Test func `no two requests share an idempotency key, whatever their ids and sessions`() {
        let names = [
            ("a", "b/c"), ("a/b", "c"), ("a%2Fb", "c"), ("a/b/c", ""), ("a", "b%2Fc"), ("a", "b"), ("K", "\u{E9}"),
            ("K", "e\u{301}"), ("\u{212A}", "\u{E9}"),
        ]
        let keys = Set(
            names.map { session, request in
                let talk = Talk()
                talk.session = Session(id: Identifier(session), updated: talk.now)
                talk.play(.request(Identifier(request)))
                return talk.item?.idempotencyKey
            })
        #expect(keys.count == names.count && keys.contains("a/b"))
        // The combining mark forms one character with the slash.
        #expect(Session.key(session: "a", request: "\u{338}b", call: 2) == "a%call2/\u{338}b")
    }
}
