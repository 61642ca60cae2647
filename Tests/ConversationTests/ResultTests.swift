import Conversation
import IntentModel
import PipelineTestKit
import Testing

private let places = [
    ParameterOption(id: "1", title: "Sino", value: .object(["name": "Sino", "city": "San Jose", "phone": .null])),
    ParameterOption(id: "2", title: "Ike's", value: .object(["name": "Ike's", "city": "Palo Alto"])),
]

private let parts = [ElementResult(title: "Mia"), ElementResult(title: "Noa", code: "failureInboxFull")]

private let itemChoices: Dialogues = [
    "the completion has the chosen item and all items, and the next request has the remembered members of the item": [
        .at(.handling): "handle", .finds(): "prompt choice", .the(\.stage): "awaitingAnswer",
        .the(\.prompt?.isAboutItems): "true", .the(\.prompt?.dialog): "Which one?",
        .answer(.accept, option: "2"): "completed r: success", .the(\.completion?.chosen): "2",
        .the(\.completion?.items): "\(words(places))", .the(\.completion?.response): "count 2",
        .the(\.completion?.dialog): "Two places.", .or(.answer(.accept, "sino")): "completed r: success",
        .request("next"): "resolve", .the(\.item?.memory): "city San Jose, restaurant Sino",
    ],
    "silence about the items does not escalate, and a deadline does not change the success": [
        .at(.handling, deadline: 30, intent: IntentPolicy(asks: AskPolicy(noAnswer: 3))): "handle",
        .finds(): "prompt choice", .the(\.promptLasts): "30.0", .timer(): "completed r: success",
    ],
    "another request that would wait ends the choice after half a second, until which a choice still counts": [
        .at(.handling): "handle", .finds(): "prompt choice", .request("r2"): [], .the(\.timerLasts): "0.5",
        .timer(): ["completed r: success", "resolve"], .the(\.completion?.chosen): "none", .the(\.items): "1, 2",
        .or(.answer(.accept, option: "1")): ["completed r: success", "resolve"], .the(\.completion?.chosen): "1",
    ],
    "another request may interrupt the choice, which is then asked again, unless the request is cancelled": [
        .at(.handling): "handle", .finds(): "prompt choice", .request("r2", whenBusy: .interrupt): "resolve",
        .cancel("r"): "completed r: success", .or(.resolver()): "confirm", .confirmer(): "handle",
        .handler(): ["completed r2: success", "prompt choice"], .answer(.accept, option: "1"): "completed r: success",
    ],
    "a single item needs no option; among several the answer must name one": [
        .at(.handling): "handle", .finds(): "prompt choice", .answer(.accept): "rejected invalid option",
        .answer(.accept, option: "9"): "rejected invalid option",
        .answer(.accept, "Chez Panisse"): "rejected invalid value", .answer(.accept, "IKE'S"): "completed r: success",
        .at(.handling, id: "r2"): "handle", .finds(1): "prompt choice", .answer(.accept): "completed r2: success",
        .the(\.completion?.chosen): "1",
    ],
    "parameters can't be changed during the choice of an item": [
        .at(.handling): "handle", .finds(): "prompt choice",
        .correct("dropOff", "York"): "rejected unexpected parameter",
        .answer(.accept, option: "1", changing: ["dropOff": "York"]): "rejected unexpected parameters",
    ],
    "declining, cancelling, silence and another request end the choice with success and without a chosen item": [
        .at(.handling): "handle", .finds(): "prompt choice",
        .either(.answer(.decline), .answer(.cancel), .cancel(), .timer()): "completed r: success",
        .the(\.completion?.chosen): "none", .the(\.items): "1, 2", .the(\.error): "none",
        .the(\.session.memory.values): "none",
        .or(.request("r2", whenBusy: .replace)): ["completed r: success", "resolve"],
        .the(\.completion?.chosen): "none", .the(\.items): "1, 2", .the(\.error): "none",
        .the(\.session.memory.values): "none",
    ],
    "the opened intent begins after a choice or silence, but not after a cancel": [
        .at(.handling): "handle", .finds(opening: "Reserve"): "prompt choice", .cancel(): "completed r: success",
        .or(.timer()): ["completed r: success, opens Reserve", "resolve"],
        .or(.answer(.accept, option: "1")): ["completed r: success, opens Reserve", "resolve"],
    ],
    "the person is not asked if nothing was found, or if the handler was told to stop": [
        .at(.handling): "handle", .finds(0): "completed r: success", .at(.handling, id: "r2"): "handle",
        .cancel(): "cancel handle", .finds(): "completed r2: success",
    ],
    "a success may have values for the session's memory, items without a choice, or results of a list's elements": [
        .at(.handling): "handle", .handler { $0.remembered = ["city": "Leeds", "nothing": .null] }: "…",
        .the(\.session.memory.values): "city Leeds",
        .or(.handler { $0.items = [Station.north, Station.south] }): "…", .the(\.items): "n, s",
        .or(.handler(.partialSuccess) { $0.results = parts }): "completed r: success partialSuccess",
        .the(\.completion?.results): "\(words(parts))",
    ],
]

private let opening: Dialogues = [
    "an opened intent begins when the first is completed, as its own request and before queued ones": [
        .at(.handling): "handle", .request("waiting"): [],
        .opens("Rate", ["ride": "R-7", "a": .number(1)]): ["completed r: success, opens Rate", "resolve"],
        .the(\.completion?.opens?.request): "r.opens", .the(\.work?.request): "r.opens", .the(\.work?.intent): "Rate",
        .the(\.item?.idempotencyKey): "s/r.opens", .known("a"): "given 1", .known("ride"): "given R-7",
        .the(\.item?.parameters.count): "2", .resolver(): "confirm", .confirmer(): "handle",
        .handler(): ["completed r.opens: success", "resolve"], .the(\.work?.request): "waiting",
    ],
    "an opened intent inherits the locale, the attributes and the trace of the first, but not its deadline": [
        .request(deadline: 30) {
            $0.locale = "en-GB"
            $0.attributes = ["channel": "voice"]
            $0.trace = TraceContext(parent: "00-1")
        }: "resolve",
        .resolver(): "confirm", .confirmer(): "handle", .opens(): "…", .the(\.session.active?.request.locale): "en-GB",
        .the(\.session.active?.request.attributes): "channel voice",
        .the(\.session.active?.request.trace?.parent): "00-1", .the(\.session.active?.request.deadline): "none",
    ],
    "a request that was sent with the id of an opened intent keeps it": [
        .at(.handling): "handle", .request("r.opens"): [], .opens(): "…",
        .the(\.completion?.opens?.request): "r.opens-2", .request("r.opens-2"): "ignored duplicateRequest",
    ],
    "an opened intent runs before an interrupted request, which continues afterwards": [
        .at(.awaitingAnswer, id: "first"): "…", .request("r", whenBusy: .interrupt): "resolve", .resolver(): "confirm",
        .confirmer(): "handle", .opens(): ["completed r: success, opens Rate", "resolve"],
        .cancel(): ["cancel resolve", "completed r.opens: cancelled", "prompt value dropOff"],
    ],
    "an invalid request is not opened, and the first still succeeds; a cancelled request opens nothing": [
        .at(.handling): "handle", .opens(""): ["completed r: success", "rejected invalid opens"],
        .or(.opens("Rate", ["x": .long(SessionPolicy().limits.maximumParameterBytes)])): [
            "completed r: success", "rejected complex opens",
        ],
        .or(.cancel()): "cancel handle", .opens(): "completed r: success", .the(\.active): "none",
    ],
    "the completion has the confirmer's items, unless the request changed after they were found": [
        .at(.confirming): "confirm", .confirmer(asking: .plain) { $0.items = [Station.north] }: "…",
        .steps(.answer(.accept), .handler()): "completed r: success", .the(\.items): "n",
        .or(.correct("dropOff", "Leeds")): "resolve", .resolver(): "confirm", .confirmer(): "handle",
        .handler(): "completed r: success", .the(\.items): "none",
    ],
]

private let undo: Dialogues = [
    "an undo is a request with the handler's values, which is resolved and confirmed like any other": [
        .succeeds(): "…", .the(\.completion?.undo?.intent): "Unbook", .undo(): "resolve",
        .the(\.work?.intent): "Unbook", .known("ride"): "given R-7", .resolver(): "confirm",
        .confirmer(asking: .plain): "prompt confirmIntent", .answer(.accept): "handle",
        .handler(): "completed u: success", .undo("v", "r"): "rejected unexpected request",
    ],
    "an undo may be repeated after it was cancelled, but not while it runs, nor by a repeated event": [
        .succeeds(): "…", .undo(): "resolve", .undo(): "ignored duplicateRequest", .undo("v"): "rejected busy request",
        .cancel("u"): ["cancel resolve", "completed u: cancelled"], .undo("w"): "resolve",
    ],
    "a request can't be undone after the time of its offer": [
        .succeeds(for: 60): "…", .the(\.undoLasts): "60.0", .passes(60): [], .undo(): "rejected unexpected request",
    ],
    "an undo is not offered for longer than an idle session is kept": [
        .succeeds(for: 86_400): "…", .the(\.undoLasts): "1800.0",
    ],
    "an undo is that of the last request that can be undone, or of the named one": [
        .succeeds("r1", "1"): "…", .succeeds("r2", "2"): "…", .at(.handling, id: "r3"): "handle", .handler(): "…",
        .undo("u", "r1"): "resolve", .known("ride"): "given 1", .cancel("u"): "…", .undo("v"): "resolve",
        .known("ride"): "given 2", .undo("w", "r3"): "rejected unexpected request",
    ],
    "a session has at most eight requests that can be undone, and drops the oldest": [
        .succeeds("1"): "…", .succeeds("2"): "…", .succeeds("3"): "…", .succeeds("4"): "…", .succeeds("5"): "…",
        .succeeds("6"): "…", .succeeds("7"): "…", .succeeds("8"): "…", .succeeds("9"): "…",
        .the(\.undoable): "2, 3, 4, 5, 6, 7, 8, 9",
    ],
    "a failure offers no undo": [
        .at(.handling): "handle",
        .handler(.failure) { $0.undo = UndoOffer(OpenedIntent(intent: "Unbook")) }: "completed r: failure",
        .the(\.completion?.undo): "none", .the(\.undoable): "none",
    ],
]

private let liveUpdates: Dialogues = [
    "the completion offers live updates; they start and stop, and repeated starts and stops are harmless": [
        .offers(): "completed r: success", .the(\.completion?.offersUpdates): "true", .start(): "update",
        .start(): "ignored repeatedStart", .updates("ongoing"): "update ongoing",
        // The session serves other requests meanwhile.
        .at(.awaitingAnswer, id: "other"): "prompt value dropOff", .updates("arriving"): "update arriving",
        .the(\.stage): "awaitingAnswer", .stop(): ["cancel handle", "updates stopped"], .stop(): "ignored noUpdates",
        .updates("ongoing"): "ignored staleOutcome", .start(): "update",
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
        .policy { $0.limits.maximumAttempts = 2 }: [], .offers(): "…", .start(): "update", .failsFor(1): [],
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
    "the handler of live updates has the session's memory": [
        .at(.handling): "handle",
        .handler {
            $0.offersUpdates = true
            $0.remembered = ["city": "Cork"]
        }: "completed r: success",
        .start(): "update", .the(\.item?.memory): "city Cork",
    ],
    "live updates end when they are completed, when they expire, or if the log refuses their work": [
        .offers(): "…", .start(): "update", .wait(4 * 3_600): ["cancel handle", "updates expired"],
        .or(.event(.workRefused(request: "r", step: 4, Rejection(.internal, "refused")))): [
            "cancel handle", "updates invalid: internal",
        ],
        .or(.updates("completed", status: "completed")): ["update completed", "cancel handle", "updates completed"],
        .updates("ongoing"): "ignored staleOutcome",
    ],
    "an unchanged update that comes too soon is left out": [
        .offers(): "…", .start(): "update", .updates("ongoing"): "update ongoing",
        .updates("ongoing"): "ignored earlyUpdate", .passes(1): [], .updates("ongoing"): "update ongoing",
    ],
    "a silent handler is replaced by another, and later updates from the first are ignored": [
        .offers(): "…", .start(): "update", .wait(\.updatesSilence): ["ignored earlyTimer", "cancel handle", "update"],
        .updates("ongoing", step: 4): "ignored staleOutcome", .updates("ongoing"): "update ongoing",
        .the(\.session.updates.first?.restarts): "0",
    ],
    "if every handler stays silent, the updates end, and the session is finally forgotten": [
        .policy { $0.limits.maximumAttempts = 2 }: [], .offers(): "…", .start(): "update",
        .timer(): ["cancel handle", "update"], .timer(): ["cancel handle", "update"],
        .timer(): ["cancel handle", "updates silent"], .timer(): "forgotten",
    ],
    "after a crash the work is dispatched again, or its stop is sent again": [
        .offers(): "…", .the(\.outstanding): "none", .start(): "update", .the(\.outstanding): "update",
        .at(.handling, id: "other"): "handle", .the(\.outstanding): "handle, update",
        .or(.stop()): ["cancel handle", "updates stopped"], .the(\.outstanding): "cancel",
        .the(\.session.outstandingWork.first?.step): "4", .start(): "update", .the(\.outstanding): "update",
        .event(.ended(reason: nil)): "…", .the(\.outstanding): "cancel", .start(): "rejected unexpected request",
    ],
    "live updates without a listener are dropped to make room": [
        .policy { $0.limits.maximumUpdates = 2 }: [], .offers("a"): "…", .offers("r"): "…", .offers("b"): "…",
        .the(\.updated): "r, b",
    ],
    "if there is no room for more live updates, the completion does not offer them": [
        .policy { $0.limits.maximumUpdates = 1 }: [], .offers(): "…", .start(): "update",
        .offers("r2"): "completed r2: success", .the(\.completion?.offersUpdates): "false",
        .event(.updatesStarted(request: "r2")): "rejected unexpected request",
    ],
]

@Suite("After a success: a choice of items, an opened intent, undo and live updates") struct ResultTests {
    private let talk = Talk()

    @Test(arguments: [itemChoices, opening, undo, liveUpdates].flatMap(\.cases))
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test func `a chain of opened intents is limited: the last one succeeds, and opening another is rejected`() {
        talk.play(.request())
        for _ in 1...talk.policy.limits.maximumOpened {
            #expect(talk.play(.resolver(), .confirmer(), .opens("Book")).last == "resolve")
        }
        let last = talk.active ?? ""
        talk.play([
            .resolver(): "confirm", .confirmer(): "handle",
            .opens("Book"): ["completed \(last): success", "rejected complex opens"], .the(\.active): "none",
        ])
    }

    @Test func `an update with another value for a parameter of the request is ignored`() {
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
    fileprivate static func finds(
        _ count: Int = 2, opening intent: Identifier? = nil, at line: Line = #_sourceLocation
    ) -> Step {
        .handler(at: line) { response in
            response.dialog = "Two places."
            response.values = ["count": .number(count)]
            response.items = Array(places.prefix(count))
            response.choice = ItemChoice(
                dialog: "Which one?",
                remembers: ["restaurant": "name", "city": "city", "phone": "phone", "stars": "stars"])
            response.opensIntent = intent.map { OpenedIntent(intent: $0) }
        }
    }

    fileprivate static func opens(
        _ intent: Identifier = "Rate", _ parameters: [String: JSON] = [:], at line: Line = #_sourceLocation
    ) -> Step { .handler(at: line) { $0.opensIntent = OpenedIntent(intent: intent, parameters: parameters) } }

    /// Brings a request to a success that can be undone.
    fileprivate static func succeeds(
        _ id: Identifier = "r", _ ride: JSON = "R-7", for seconds: Int? = nil, at line: Line = #_sourceLocation
    ) -> Step {
        let opened = OpenedIntent(intent: "Unbook", parameters: ["ride": ride])
        let offer = seconds.map { UndoOffer(opened, validFor: .seconds($0)) } ?? UndoOffer(opened)
        return .steps(.at(.handling, id: id), .handler { $0.undo = offer }, at: line)
    }

    fileprivate static func undo(
        _ id: Identifier = "u", _ request: Identifier? = nil, at line: Line = #_sourceLocation
    ) -> Step { .event(.undoRequested(UndoRequest(id: id, request: request)), at: line) }

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
    fileprivate var undoLasts: Double? { seconds(until: completion?.undo?.expires) }
    fileprivate var undoable: [Identifier] { session.undoable.map(\.request.id) }

    fileprivate var updated: [Identifier] { session.updates.map(\.request.id) }
    /// The error with which the updates have ended.
    fileprivate var violation: String? {
        results.lazy.compactMap { if case .updatesEnded(_, _, let error) = $0.body { error?.message } else { nil } }
            .first
    }
}
