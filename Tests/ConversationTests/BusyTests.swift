import Conversation
import IntentModel
import PipelineTestKit
import Testing

private let busy: Dialogues = [
    "queued requests begin in order of arrival, and wait with a result for the person or an app": [
        .at(.awaitingAnswer, .awaitingConfirmation, .handedOff): "…", .request("second"): "queued",
        .request("third"): "queued", .the(\.queued): "second, third",
        .cancel("r"): ["completed r: cancelled", "resolve"], .the(\.active): "second",
        .cancel(): ["cancel resolve", "completed second: cancelled", "resolve"], .the(\.active): "third",
    ],
    "a request behind work waits without a result, and begins when the work has stopped": [
        .at(.resolving, .confirming, .handling, .inProgress): "…", .request("second"): [], .request("third"): [],
        .the(\.queued): "second, third", .cancel("r"): "…", .worker(.cancelled, request: "r"): "…",
        .the(\.active): "second", .the(\.stage): "resolving",
        .cancel(): ["cancel resolve", "completed second: cancelled", "resolve"], .the(\.active): "third",
    ],
    "a request whose deadline passes in the queue times out, and the one behind it begins": [
        .at(.awaitingAnswer): "…", .request("second", deadline: 10): "queued", .request("third"): "queued",
        .passes(11): [],
        .answer(.cancel): ["completed r: cancelled", "completed second: timedOut", "resolve"],
        .the(\.active): "third",
    ],
    "the queue holds a bounded number of requests; one more is rejected as busy and may be sent again": [
        .policy { $0.limits.maximumQueued = 2 }: [], .at(.awaitingAnswer): "…", .request("second"): "queued",
        .request("third"): "queued", .request("fourth"): "rejected busy", .answer(.cancel): "…", .request("fourth"): [],
    ],
    "the queue holds a bounded number of bytes": [
        .policy { $0.limits.maximumQueuedBytes = 100 }: [], .at(.awaitingAnswer): "…",
        .request("second", ["dropOff": .long(80)]): "queued",
        .request("third", ["dropOff": .long(80)]): "rejected busy",
    ],
    "a replacing request cancels one that waits for the person or an app, and begins at once": [
        .at(.awaitingAnswer, .awaitingConfirmation, .handedOff): "…", .request("waiting"): "queued",
        .request("second", whenBusy: .replace): ["completed r: cancelled", "resolve"], .the(\.active): "second",
        .the(\.queued): "waiting", .the(\.completion?.dialog): "Replaced by another request.",
    ],
    "a replacing request cancels one that is resolved or confirmed, and begins at once": [
        .at(.resolving, .confirming): "…", .request("waiting"): [],
        .request("second", whenBusy: .replace): ["cancel $phase", "completed r: cancelled", "resolve"],
        .the(\.completion?.dialog): "Replaced by another request.", .the(\.active): "second", .the(\.queued): "waiting",
    ],
    "a replacing request stops a running handler, and begins then": [
        .at(.handling, .inProgress): "…", .request("waiting"): [],
        .request("second", whenBusy: .replace): "cancel handle", .handler(): ["completed r: success", "resolve"],
        .the(\.active): "second", .the(\.queued): "waiting",
    ],
    "a replacing request is not lost if the active request is already being cancelled": [
        .at(.handling): "…", .cancel(): "cancel handle", .request("second", whenBusy: .replace): [],
        .request("second", whenBusy: .replace): "ignored duplicateRequest",
        .worker(.cancelled): ["completed r: cancelled", "resolve"], .the(\.active): "second",
    ],
    "a replacing request that waits for a handler to stop is replaced too, so at most one waits": [
        .at(.handling): "…", .request("second", whenBusy: .replace): "cancel handle",
        .request("third", whenBusy: .replace): "completed second: cancelled",
        .worker(.cancelled): ["completed r: cancelled", "resolve"], .the(\.active): "third", .the(\.queued): "none",
    ],
    "a replacing request runs before an interrupted request, which continues afterwards": [
        .at(.awaitingAnswer): "…", .request("second", whenBusy: .interrupt): "resolve",
        .request("third", whenBusy: .replace): ["cancel resolve", "completed second: cancelled", "resolve"],
        .the(\.active): "third", .cancel(): ["cancel resolve", "completed third: cancelled", "prompt value dropOff"],
        .the(\.active): "r",
    ],
    "the last interrupted request continues first, and all interrupted requests before queued ones": [
        .at(.awaitingAnswer): "…", .request("waiting"): "queued", .request("second", whenBusy: .interrupt): "resolve",
        .resolver(["party": .missing]): "prompt value party", .request("third", whenBusy: .interrupt): "resolve",
        .cancel(): ["cancel resolve", "completed third: cancelled", "prompt value party"],
        .cancel(): ["completed second: cancelled", "prompt value dropOff"],
        .cancel(): ["completed r: cancelled", "resolve"], .the(\.active): "waiting",
    ],
    "an interrupting request is queued while no prompt is open": [
        .at(.resolving, .confirming, .handling, .inProgress): "…", .request("second", whenBusy: .interrupt): [],
        .the(\.queued): "second",
    ],
    "an interrupting request is queued while an app has the request": [
        .at(.handedOff): "…", .request("second", whenBusy: .interrupt): "queued", .the(\.queued): "second",
    ],
    "the number of interrupted requests is bounded": [
        .policy { $0.limits.maximumSuspended = 1 }: [], .at(.awaitingAnswer): "…",
        .request("second", whenBusy: .interrupt): "resolve", .resolver(["party": .missing]): "prompt value party",
        .request("third", whenBusy: .interrupt): "queued", .the(\.suspended): "r", .the(\.queued): "third",
    ],
    "an interrupted request whose deadline has passed ends without another prompt": [
        .at(.awaitingAnswer, deadline: 60): "…", .request("second", whenBusy: .interrupt): "resolve", .passes(61): [],
        .cancel(): ["cancel resolve", "completed second: cancelled", "completed r: timedOut"],
    ],
    "a request that arrives twice counts once, while the first waits and after it has ended": [
        .at(.resolving, id: "first"): "resolve", .request(): [], .repeats(): "ignored duplicateRequest",
        .cancel("r"): "completed r: cancelled", .repeats(): "ignored duplicateRequest",
    ],
    "a request that arrives twice counts once, in any stage of the first": [
        .at(.resolving, .awaitingAnswer, .confirming, .awaitingConfirmation, .handling, .inProgress, .handedOff): "…",
        .repeats(): "ignored duplicateRequest",
    ],
    "a request rejected as busy was not accepted: its id may be sent again": [
        .at(.resolving): "resolve", .request("second", whenBusy: .reject): "rejected busy", .cancel(): "…",
        .request("second", whenBusy: .reject): "resolve",
    ],
]

private let repeats: Dialogues = [
    "the id of a once-only request is not pushed out by later requests, while its session is open or after that": [
        .policy { $0.limits.rememberedRequests = 3 }: [], .handlesOnce("once"): "…", .request("1"): "…", .cancel(): "…",
        .request("2"): "…", .cancel(): "…", .request("3"): "…", .cancel(): "…", .request("4"): "…", .cancel(): "…",
        .the(\.remembered): "2, 3, 4", .request("once"): "ignored duplicateRequest", .reopens(): "forgotten",
        .request("once"): "ignored duplicateRequest", .request("1"): "resolve",
    ],
    "in an open session the id of a once-only request is dropped after its day, when the next request comes": [
        .policy { $0.limits.rememberedRequests = 1 }: [], .handlesOnce("once"): "…", .passes(24 * 3_600): [],
        .request("next"): "resolve", .cancel(): "…", .the(\.once): "none", .request("once"): "resolve",
    ],
    "past the bound no once-only handler is permitted: its request fails as busy; others go on": [
        .policy { $0.limits.maximumOnceRequests = 2 }: [], .handlesOnce("a"): "…", .handlesOnce("b"): "…",
        .at(.handling, id: "c", intent: .once): "handle",
        .starts("claim of c"): ["cancel handle", "completed c: failure"], .the(\.error): "busy",
        .the(\.saysWhenThereIsRoom): "true", .the(\.once): "a, b", .at(.handling, id: "plain"): "handle",
        .handler(): "completed plain: success", .passes(24 * 3_600): [],
        .at(.handling, id: "d", intent: .once): "handle", .starts("claim of d"): "permit claim of d",
    ],
    "a second try of a once-only handler takes no second place": [
        .policy { $0.limits.maximumOnceRequests = 1 }: [], .at(.handling, intent: .once): "handle",
        .starts("a"): "permit a",
        .busy(): [], .timer(): "handle attempt 2", .starts("b"): "permit b", .the(\.once): "r",
    ],
    "a request is known for an hour after the session was forgotten, and is a new one after that": [
        .at(.handling): "handle", .handler(): "…", .timer(): "forgotten", .the(\.remains): "r 3600.0, all 3600.0",
        .or(.steps(.reopens(after: 3_599.999), .request())): "ignored duplicateRequest",
        .or(.steps(.reopens(after: 3_600), .request())): "resolve",
    ],
    "a request whose once-only handler was permitted is known for a day after its end, others for an hour": [
        .at(.handling, id: "plain"): "handle", .handler(): "…", .at(.handling, id: "once", intent: .once): "handle",
        .starts("a"): "permit a", .progress(0.5): "progress 0.5", .passes(600): [], .handler(): "…",
        .timer(): "forgotten", .the(\.remains): "plain once 3600.0, once 84600.0, all 84600.0",
        .or(.steps(.reopens(after: 84_599.999), .request("once"))): "ignored duplicateRequest",
        .or(.steps(.reopens(after: 84_599.999), .request("plain"))): "resolve",
        .or(.steps(.reopens(after: 84_600), .request("once"))): "resolve",
    ],
    "a once-only request whose handler was never permitted is known like any other": [
        .at(.handling, intent: .once): "handle", .timer(): "…", .timer(): "forgotten",
        .the(\.remains): "r 3600.0, all 3600.0",
    ],
    "a session that is opened again knows its requests again, and leaves them again": [
        .handlesOnce("once"): "…", .reopens(): "forgotten", .request("q"): "resolve", .cancel(): "…",
        .timer(): "forgotten", .the(\.remains): "once q 3600.0, once 82800.0, all 82800.0",
    ],
    "nothing is left of a session without requests, or where nothing is to be remembered": [
        .cancel("none"): "rejected unexpected request", .timer(): "forgotten", .the(\.remains): "none",
        .or(.request()): "resolve", .policy { $0.repeatTimeout = .zero }: [], .cancel(): "…", .timer(): "forgotten",
        .the(\.remains): "none",
    ],
    "a session that is ended from outside leaves its requests too, and can't be ended again": [
        .at(.handling): "handle", .handler(): "…", .event(.ended(reason: nil)): [], .reopens(): "forgotten",
        .event(.ended(reason: nil)): "ignored nothingToEnd", .request(): "ignored duplicateRequest",
    ],
]

@Suite("Requests that arrive while another is active, and repeated requests") struct BusyTests {
    private let talk = Talk()

    @Test(arguments: [busy, repeats].flatMap(\.cases))
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    static let active = [
        StageName.resolving, .awaitingAnswer, .confirming, .awaitingConfirmation, .handling, .inProgress, .handedOff,
    ]

    @Test(
        arguments: [
            (.handling, .handler(), "success"), (.handling, .handler(.failure), "failure"),
            (.confirming, .confirmer(.inProgress), "failure"),
            (.resolving, .fails(.reject, .unsupported), "unsupported noHandlerProvidedForIntent"),
            (.awaitingAnswer, .answer(.decline), "cancelled"), (.awaitingConfirmation, .answer(.decline), "cancelled"),
            (.awaitingAnswer, .timer(), "timedOut"), (.awaitingConfirmation, .timer(), "timedOut"),
            (.handedOff, .timer(), "timedOut"), (.handedOff, .steps(.claim(), .complete()), "success"),
            (.handedOff, .steps(.claim(), .timer()), "deferredToApp continueInApp"),
            (.resolving, .garbage(), "failure"), (.resolving, .workRefused(), "failure"),
            (.resolving, .fails(.failure("failure")), "failure"), (.resolving, .busy(), "failure"),
        ] as [(StageName, Step, String)])
    func `the next request begins, however the last one ended`(_ stage: StageName, _ end: Step, _ result: String) {
        talk.policy.limits.maximumAttempts = 1
        talk.play([.at(stage): "…", .request("next"): "…", end: ["completed r: \(result)", "resolve"]])
        #expect(talk.active == "next")
    }

    @Test(arguments: active) func `a request that does not wait is rejected as busy`(_ stage: StageName) {
        talk.play([.at(stage): "…", .request("second", whenBusy: .reject): "rejected busy", .the(\.queued): "none"])
        #expect(talk.rejection?.event == "second" && talk.results.first?.request == nil)
    }

    @Test(
        arguments: [(.awaitingAnswer, "prompt value dropOff"), (.awaitingConfirmation, "prompt confirmIntent")]
            as [(StageName, String)])
    func `an interrupted request continues afterwards with all it knew`(_ stage: StageName, _ prompt: String) throws {
        talk.play([.at(stage, knowing: ["party": "2"]): "\(prompt)"])
        let before = try #require(talk.session.active)
        talk.play([
            .request("second", whenBusy: .interrupt): "resolve", .passes(600): [], .resolver(): "confirm",
            .confirmer(): "handle", .handler(): ["completed second: success", "\(prompt)"], .the(\.active): "r",
            .answer(.accept, "Airport", prompt: 1): "rejected unexpected prompt",
        ])
        let after = try #require(talk.session.active)
        #expect(after.parameters == before.parameters && after.asking.asks == before.asking.asks)
        #expect(after.prompt?.dialog == before.prompt?.dialog && after.prompt?.id != before.prompt?.id)
        #expect(talk.promptLasts == 120)
    }

    @Test func `the most recent ended requests are remembered, and all requests that have not ended`() {
        talk.policy.limits.rememberedRequests = 3
        talk.play(.at(.handedOff, id: "active"), .request("waiting"))
        for number in 1...5 { talk.play(.request("\(number)"), .cancel("\(number)")) }
        #expect(talk.session.rememberedRequests == ["3", "4", "5"])
        for id: Identifier in ["5", "active", "waiting"] {
            #expect(talk.play(.request(id)) == ["ignored duplicateRequest"])
        }
    }

    @Test(arguments: Lookalikes.names)
    func `requests whose ids only look equal are two, also after a forgotten session`(_ a: String, _ b: String) {
        talk.play([
            .at(.handling, id: Identifier(a)): "handle", .handler(): "…", .reopens(): "forgotten",
            .request(Identifier(a)): "ignored duplicateRequest", .request(Identifier(b)): "resolve",
        ])
        #expect(talk.session.knows(Identifier(a)) && talk.session.knows(Identifier(b)))
    }

    @Test func `a prompt whose id only looks like that of the open one is not open`() {
        talk.play(.request("\u{212A}"), .resolver(["dropOff": .missing]))
        let other = Identifier((talk.prompt?.id.text ?? "").replacing("\u{212A}", with: "K"))
        talk.play([
            .event(.answered(Answer(prompt: other, action: .accept, value: "x"))): "rejected unexpected prompt",
            .answer(.accept, "x"): "resolve",
        ])
    }
}

struct RequestIDsTests {
    @Test func `request ids behave as a list of strings`() {
        var random = SeededRandom(seed: 7)
        let texts: [Identifier] = [
            "a", "r-1", "\"", "\\", "\",\"", "a\\\"b", "é", "e\u{301}", "🚕", " ", "", "[]", "a,b",
        ]
        var ids = RequestIDs()
        var list: [Identifier] = []
        for _ in 0..<2_000 {
            let text = texts.randomElement(using: &random) ?? ""
            if list.count > 5 || (!list.isEmpty && Bool.random(using: &random)) {
                ids.removeFirst()
                list.removeFirst()
            } else {
                ids.append(text)
                list.append(text)
            }
            #expect(
                Array(ids) == list && ids.count == list.count && ids.isEmpty == list.isEmpty && ids.last == list.last)
            for text in texts { #expect(ids.contains(text) == list.contains(text), "\(text) in \(list)") }
            #expect(ids == RequestIDs(list))
        }
    }

    @Test func `a copy is not changed with its original`() {
        let first: RequestIDs = ["a"]
        var second = first
        second.append("b")
        #expect(Array(first) == ["a"] && Array(second) == ["a", "b"])
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

    /// Handles a request whose handler may be called at most once.
    fileprivate static func handlesOnce(_ id: Identifier, at line: Line = #_sourceLocation) -> Step {
        .steps(.at(.handling, id: id, intent: .once), .starts("claim of \(id)"), .handler(), at: line)
    }

    /// Lets the session become idle and be forgotten, and opens it again some time later.
    fileprivate static func reopens(after seconds: Double = 0, at line: Line = #_sourceLocation) -> Step {
        Step(line) {
            let lines = $0.play(.timer(at: line))
            let remains = $0.session.remains(at: $0.now, policy: $0.policy)
            $0.passes(duration(seconds))
            $0.begin(remains)
            return lines
        }
    }
}

extension Talk {
    /// The ids that remain of the session, the once-only ones, and the end of all, with the seconds until then.
    fileprivate var remains: [String] {
        guard let remains = session.remains(at: now, policy: policy) else { return [] }
        let ids = remains.requests.map(\.text).joined(separator: " ")
        let times = [(ids, remains.until)] + remains.once.map { ($0.id.text, $0.until) } + [("all", remains.ends)]
        return times.map { "\($0) \(seconds(until: $1) ?? 0)" }
    }
    fileprivate var remembered: [Identifier] { Array(session.rememberedRequests) }
    fileprivate var once: [Identifier] { session.onceRequests.map(\.id) }
    fileprivate var saysWhenThereIsRoom: Bool? {
        completion?.error?.message.contains("ask again after \(now.advanced(by: policy.onceRepeatTimeout))")
    }
}
