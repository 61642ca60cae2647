import Conversation
import IntentModel
import PipelineTestKit
import Testing

@Suite("Repeats of a request are recognised after the session was forgotten") struct RepeatTests {
    let talk = Talk()
    private let hour = Duration.seconds(3_600)
    private let day = Duration.seconds(24 * 3_600)

    private static let dialogues: Dialogues = [
        "the id of a once-only request is not pushed out by later requests, while its session is open or after that": [
            .policy { $0.rememberedRequests = 3 }: [], .handlesOnce("once"): "…", .request("1"): "…", .cancel(): "…",
            .request("2"): "…", .cancel(): "…", .request("3"): "…", .cancel(): "…", .request("4"): "…",
            .cancel(): "…", .the(\.remembered): "2, 3, 4", .request("once"): "ignored duplicateRequest",
            .reopens(): "forgotten", .request("once"): "ignored duplicateRequest", .request("1"): "resolve",
        ],
        "in a session that stays open it is forgotten after its day, when the next request comes": [
            .policy { $0.rememberedRequests = 1 }: [], .handlesOnce("once"): "…", .passes(24 * 3_600): [],
            .request("next"): "resolve", .cancel(): "…", .the(\.once): "none", .request("once"): "resolve",
        ],
        "past the bound no once-only handler is permitted: its request fails as busy; others go on": [
            .policy { $0.maximumOnceRequests = 2 }: [], .handlesOnce("a"): "…", .handlesOnce("b"): "…",
            .at(.handling, id: "c", intent: .once): "handle",
            .starts("claim of c"): ["cancel handle", "completed c: failure failure"], .the(\.error): "busy",
            .the(\.saysWhenThereIsRoom): "true", .the(\.once): "a, b", .at(.handling, id: "plain"): "handle",
            .handler(): "completed plain: success success", .passes(24 * 3_600): [],
            .at(.handling, id: "d", intent: .once): "handle", .starts("claim of d"): "permit claim of d",
        ],
        "a second try of a once-only handler takes no second place": [
            .policy { $0.maximumOnceRequests = 1 }: [], .at(.handling, intent: .once): "handle",
            .starts("a"): "permit a", .busy(): [], .timer(): "handle attempt 2", .starts("b"): "permit b",
            .the(\.once): "r",
        ],
        "a session that is ended from outside leaves its requests too, and can't be ended again": [
            .at(.handling): "handle", .handler(): "…", .event(.ended(reason: nil)): [], .reopens(): "forgotten",
            .event(.ended(reason: nil)): "ignored nothingToEnd", .request(): "ignored duplicateRequest",
        ],
    ]

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    /// Lets the session become idle and be forgotten.
    private func forget() throws -> ForgottenSession {
        #expect(talk.play(.timer()) == ["forgotten"])
        return try #require(talk.session.remains(at: talk.now, policy: talk.policy))
    }

    /// Opens the session again at a time.
    private func reopen(_ remains: ForgottenSession, at time: Instant) {
        talk.now = time
        talk.session = Session(id: "s", after: remains, at: talk.now)
        talk.ledger = Ledger(moves: talk.ledger.moves)
    }

    @Test(
        "two requests whose ids only look equal are two, also after the session was forgotten",
        arguments: Lookalikes.names)
    func lookalikes(_ first: String, _ second: String) {
        talk.play([
            .at(.handling, id: Identifier(first)): "handle", .handler(): "…", .reopens(): "forgotten",
            .request(Identifier(first)): "ignored duplicateRequest", .request(Identifier(second)): "resolve",
        ])
        #expect(talk.session.knows(Identifier(first)) && talk.session.knows(Identifier(second)))
    }

    @Test func `a prompt whose id only looks like that of the open one is not open`() {
        talk.play(.request("\u{212A}"), .resolver(["dropOff": .missing]))
        let other = Identifier((talk.prompt?.id.text ?? "").replacing("\u{212A}", with: "K"))
        talk.play([
            .event(.answered(Answer(prompt: other, action: .accept, value: "x"))): "rejected unexpected prompt",
            .answer(.accept, "x"): "resolve",
        ])
    }

    @Test func `a request is known for an hour after the session was forgotten, and is a new one after that`() throws {
        talk.play(.at(.handling), .handler())
        let remains = try forget()
        let ends = talk.now.advanced(by: hour)
        #expect(remains == ForgottenSession(requests: ["r"], until: ends) && remains.ends == ends)
        reopen(remains, at: ends.advanced(by: .milliseconds(-1)))
        talk.play([.request(): "ignored duplicateRequest", .request("q"): "resolve"])
        reopen(remains, at: ends)
        talk.play([.request(): "resolve"])
    }

    @Test("a request whose once-only handler was permitted is known for a day after its end, the others for an hour")
    func once() throws {
        talk.play(
            .at(.handling, id: "plain"), .handler(), .at(.handling, id: "once", intent: .once), .starts("a"),
            .progress(0.5), .passes(600), .handler())
        let ends = talk.now.advanced(by: day)
        let remains = try forget()
        #expect(remains.requests == ["plain", "once"] && remains.ends == ends)
        #expect(remains.once == [OnceRequest(id: "once", until: ends)])
        reopen(remains, at: ends.advanced(by: .milliseconds(-1)))
        talk.play([.request("once"): "ignored duplicateRequest", .request("plain"): "resolve"])
        reopen(remains, at: ends)
        talk.play([.request("once"): "resolve"])
    }

    @Test func `a once-only request whose handler was never permitted is known like any other`() throws {
        talk.play(.at(.handling, intent: .once), .timer())
        #expect(try forget() == ForgottenSession(requests: ["r"], until: talk.now.advanced(by: hour)))
    }

    @Test func `a session that is opened again knows its requests again, and leaves them again`() throws {
        talk.play(.handlesOnce("once"))
        let once = talk.session.onceRequests
        talk.play(.reopens(), .request("q"), .cancel())
        let remains = try forget()
        #expect(remains.requests == ["once", "q"] && remains.once == once)
    }

    @Test func `nothing is left of a session without requests, or where nothing is to be remembered`() {
        #expect(talk.play(.cancel("none"), .timer()) == ["forgotten"])
        #expect(talk.session.remains(at: talk.now, policy: talk.policy) == nil)
        talk.session.rememberedRequests = ["r"]
        talk.policy.repeatTimeout = .zero
        #expect(talk.session.remains(at: talk.now, policy: talk.policy) == nil)
    }
}

extension Step {
    /// Handles a request whose handler may be called at most once.
    fileprivate static func handlesOnce(_ id: Identifier, at line: Line = #_sourceLocation) -> Step {
        .steps(.at(.handling, id: id, intent: .once), .starts("claim of \(id)"), .handler(), at: line)
    }

    /// Lets the session become idle and be forgotten, and opens it again.
    fileprivate static func reopens(at line: Line = #_sourceLocation) -> Step {
        Step(line) {
            let lines = $0.play(.timer(at: line))
            $0.begin(true)
            return lines
        }
    }
}

extension Talk {
    fileprivate var remembered: [Identifier] { Array(session.rememberedRequests) }
    fileprivate var once: [Identifier] { session.onceRequests.map(\.id) }
    fileprivate var saysWhenThereIsRoom: Bool? {
        completion?.error?.message.contains("ask again after \(now.advanced(by: policy.onceRepeatTimeout))")
    }
}

struct RequestIDsTests {
    @Test func `they are those of a list of strings, whatever is done with them`() {
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

    @Test func `a copy is not changed with the one that it was made of`() {
        let first: RequestIDs = ["a"]
        var second = first
        second.append("b")
        #expect(Array(first) == ["a"] && Array(second) == ["a", "b"])
    }
}
