import Conversation
import IntentModel
import Testing

@Suite("Live updates: a handler keeps sending updates until one side ends them") struct LiveUpdateTests {
    let talk = Talk()

    private static let dialogues: Dialogues = [
        "the completion offers live updates; they start and stop, and repeated starts and stops are harmless": [
            .offers(): "completed r: success success", .the(\.completion?.offersUpdates): "true", .start(): "update",
            .start(): "ignored repeatedStart", .updates("ongoing"): "update ongoing",
            // The session serves other requests meanwhile.
            .at(.awaitingAnswer, id: "other"): "prompt value dropOff", .updates("arriving"): "update arriving",
            .the(\.stage): "awaitingAnswer", .stop(): ["cancel handle", "updates stopped"],
            .stop(): "ignored noUpdates", .updates("ongoing"): "ignored staleOutcome", .start(): "update",
        ],
        "starting live updates that a request doesn't offer is rejected, and stopping them is ignored": [
            .at(.handling): "handle", .handler(): "…", .start(): "rejected unexpected request",
            .stop(): "ignored noUpdates",
        ],
        "an update without a phase, or completed without a status, ends the updates": [
            .offers(): "…", .start(): "update", .updates(""): ["cancel handle", "updates invalid: invalid"],
            .the(\.violation): "\(IntentUpdate(phase: "").violation ?? "")",
            .or(.updates("unknown")): ["cancel handle", "updates invalid: invalid"],
            .the(\.violation): "\(IntentUpdate(phase: "unknown").violation ?? "")",
            .or(.updates("completed")): ["cancel handle", "updates invalid: invalid"],
            .the(\.violation): "\(IntentUpdate(phase: "completed").violation ?? "")",
        ],
        "a handler that fails is retried after the delay it names, and the failure is finally reported": [
            .policy { $0.maximumAttempts = 2 }: [], .offers(): "…", .start(): "update", .failsFor(1): [],
            .wait(1): ["cancel handle", "update"], .failsFor(1): [], .wait(1): ["cancel handle", "update"],
            .failsFor(1): ["cancel handle", "updates invalid: internal"], .start(): "update",
            .failsFor(0): ["cancel handle", "update"], .failsFor(-1): ["cancel handle", "updates invalid: internal"],
            .start(): "update",
            .reports(.failed(IntentFailure(.failure("failureX"), reason: .internal, message: "m"))): [
                "cancel handle", "updates invalid: internal",
            ],
        ],
        "a question or a failure ends the updates with an error; success ends them normally": [
            .offers(): "…", .start(): "update",
            .reports(.asked(PhaseQuestion(id: "q", kind: .value))): ["cancel handle", "updates invalid: unexpected"],
            .or(.reports(.responded(IntentResponse(.failure)))): ["cancel handle", "updates invalid: unexpected"],
            .or(.reports(.responded(IntentResponse(.success)))): ["cancel handle", "updates completed"],
        ],
        "the handler has what the session remembers": [
            .at(.handling): "handle",
            .handler {
                $0.offersUpdates = true
                $0.remembered = ["city": "Cork"]
            }: "completed r: success success",
            .start(): "update", .the(\.item?.memory): "city Cork",
        ],
        "live updates end when they are completed, when they expire, or if the log refuses their work": [
            .offers(): "…", .start(): "update", .wait(4 * 3_600): ["cancel handle", "updates expired"],
            .or(.event(.workRefused(request: "r", step: 4, Rejection(.internal, "refused")))): [
                "cancel handle", "updates invalid: internal",
            ],
            .or(.updates("completed", status: "completed")): [
                "update completed", "cancel handle", "updates completed",
            ],
            .updates("ongoing"): "ignored staleOutcome",
        ],
        "an unchanged update that comes too soon is left out": [
            .offers(): "…", .start(): "update", .updates("ongoing"): "update ongoing",
            .updates("ongoing"): "ignored earlyUpdate", .passes(1): [], .updates("ongoing"): "update ongoing",
        ],
        "a silent handler is replaced by another, and later updates from the first are ignored": [
            .offers(): "…", .start(): "update",
            .wait(\.updatesSilence): ["ignored earlyTimer", "cancel handle", "update"],
            .updates("ongoing", step: 4): "ignored staleOutcome", .updates("ongoing"): "update ongoing",
            .the(\.session.updates.first?.restarts): "0",
        ],
        "if every handler stays silent, the updates end, and the session is finally forgotten": [
            .policy { $0.maximumAttempts = 2 }: [], .offers(): "…", .start(): "update",
            .timer(): ["cancel handle", "update"], .timer(): ["cancel handle", "update"],
            .timer(): ["cancel handle", "updates silent"], .timer(): "forgotten",
        ],
        "after a crash the work is dispatched again": [
            .offers(): "…", .the(\.outstanding): "none", .start(): "update", .the(\.outstanding): "update",
            .at(.handling, id: "other"): "handle", .the(\.outstanding): "handle, update",
        ],
        "after a crash a stop is sent again": [
            .offers(): "…", .start(): "update", .stop(): ["cancel handle", "updates stopped"],
            .the(\.outstanding): "cancel", .the(\.session.outstandingWork.first?.step): "4", .start(): "update",
            .the(\.outstanding): "update", .event(.ended(reason: nil)): "…", .the(\.outstanding): "cancel",
            .start(): "rejected unexpected request",
        ],
        "live updates without a listener are dropped to make room": [
            .policy { $0.maximumUpdates = 2 }: [], .offers("a"): "…", .offers("r"): "…", .offers("b"): "…",
            .the(\.updated): "r, b",
        ],
        "if there is no room for more live updates, the completion does not offer them": [
            .policy { $0.maximumUpdates = 1 }: [], .offers(): "…", .start(): "update",
            .offers("r2"): "completed r2: success success", .the(\.completion?.offersUpdates): "false",
            .event(.updatesStarted(request: "r2")): "rejected unexpected request",
        ],
    ]

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test func `an update with another value for a parameter of the request is about something else and is ignored`() {
        talk.play(.offers(), .start())
        talk.session.updates[0].parameters = [
            ParameterState(name: "ride", value: "R-1"), ParameterState(name: "seats", value: .number(2)),
            ParameterState(name: "to", value: .object(["name": "Airport"])), ParameterState(name: "note", value: nil),
        ]
        talk.play([
            .updates("ongoing", values: ["ride": "R-2"]): "ignored foreignUpdate",
            .updates("ongoing", values: ["ride": "R-1", "seats": .number(3)]): "ignored foreignUpdate",
            .updates(
                "arriving",
                values: [
                    "ride": "R-1", "seats": .number(2.0), "to": .object(["id": .number(1)]), "note": "n",
                    "other": .number(1),
                ]): "update arriving",
        ])
        #expect(talk.session.updates[0].told != nil)
    }
}

extension Step {
    /// Brings a request to a success that offers live updates.
    fileprivate static func offers(_ id: Identifier = "r", at line: Line = #_sourceLocation) -> Step {
        .steps(.at(.handling, id: id), .handler { $0.offersUpdates = true }, at: line)
    }

    fileprivate static func start(at line: Line = #_sourceLocation) -> Step {
        .event(.updatesStarted(request: "r"), at: line)
    }

    fileprivate static func stop(at line: Line = #_sourceLocation) -> Step {
        .event(.updatesStopped(request: "r"), at: line)
    }

    fileprivate static func updates(
        _ phase: String, status: String? = nil, values: [String: JSON] = [:], step: Int? = nil,
        at line: Line = #_sourceLocation
    ) -> Step {
        .update(.updated(IntentUpdate(phase: phase, completionStatus: status, values: values)), step: step, at: line)
    }

    fileprivate static func reports(_ outcome: PhaseOutcome, at line: Line = #_sourceLocation) -> Step {
        .update(.finished(outcome), at: line)
    }

    /// Reports a failure that is retried after some seconds.
    fileprivate static func failsFor(_ seconds: Double, at line: Line = #_sourceLocation) -> Step {
        .reports(.failed(IntentFailure(.retry(after: .seconds(seconds)), reason: .internal, message: "m")), at: line)
    }

    private static func update(_ content: Outcome.Content, step: Int? = nil, at line: Line) -> Step {
        Step(line) {
            let step = step ?? $0.session.updates.last?.step
            return Step.worker(content, phase: .handle, step: step, request: "r", at: line).play(on: $0)
        }
    }
}

extension Talk {
    fileprivate var updated: [Identifier] { session.updates.map(\.request.id) }
    /// The error with which the updates have ended.
    fileprivate var violation: String? {
        results.lazy.compactMap { if case .updatesEnded(_, _, let error) = $0.body { error?.message } else { nil } }
            .first
    }
}
