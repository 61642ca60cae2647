import Conversation
import IntentModel
import Testing

@Suite("Repeats of a request are recognised after the session was forgotten")
struct RepeatTests {
    let talk = Talk()
    private let hour = Duration.seconds(3_600)
    private let day = Duration.seconds(24 * 3_600)

    /// Handles a request whose handler may be called at most once.
    private func handleOnce(_ id: Identifier) {
        talk.bring(to: .handling, id, intent: OnceTests.once)
        talk.starts("claim of \(id)")
        talk.handler()
    }

    /// Lets the session become idle and be forgotten.
    private func forget() throws -> ForgottenSession {
        #expect(talk.waitForTimer() == ["forgotten"])
        return try #require(talk.session.remains(at: talk.now, policy: talk.policy))
    }

    private func reopen(_ remains: ForgottenSession?) {
        talk.session = Session(id: "s", after: remains, at: talk.now)
        talk.ledger = Ledger(moves: talk.ledger.moves)
    }

    @Test(
        "two requests whose ids only look equal are two, also after the session was forgotten",
        arguments: Lookalikes.names)
    func lookalikes(_ first: String, _ second: String) throws {
        talk.bring(to: .handling, Identifier(first))
        talk.handler()
        reopen(try forget())
        #expect(talk.request(Identifier(first)) == ["ignored duplicateRequest"])
        #expect(talk.request(Identifier(second)) == ["resolve"])
        #expect(talk.session.knows(Identifier(first)) && talk.session.knows(Identifier(second)))
    }

    @Test("a prompt whose id only looks like that of the open one is not open")
    func prompt() {
        talk.request("\u{212A}")
        talk.resolver(["dropOff": .needsValue(dialog: nil)])
        let open = talk.prompt?.id.text ?? ""
        #expect(
            talk.answer(.accept, "x", prompt: Identifier(open.replacing("\u{212A}", with: "K"))) == [
                "rejected unexpected prompt"
            ])
        #expect(talk.answer(.accept, "x", prompt: Identifier(open)) == ["resolve"])
    }

    @Test("a request is known for an hour after the session was forgotten, and is a new one after that")
    func plain() throws {
        talk.bring(to: .handling)
        talk.handler()
        let remains = try forget()
        #expect(remains.requests == ["r"] && remains.once.isEmpty)
        #expect(remains.until == talk.now.advanced(by: hour) && remains.ends == remains.until)

        talk.now = talk.now.advanced(by: hour - .milliseconds(1))
        reopen(remains)
        #expect(talk.request() == ["ignored duplicateRequest"])
        #expect(talk.request("q") == ["resolve"])

        talk.now = talk.now.advanced(by: .milliseconds(1))
        reopen(remains)
        #expect(talk.request() == ["resolve"])
    }

    @Test(
        "a request whose once-only handler was permitted is known for a day after its end, while the others are known for an hour"
    )
    func once() throws {
        talk.bring(to: .handling, "plain")
        talk.handler()
        talk.bring(to: .handling, "once", intent: OnceTests.once)
        talk.starts("a")
        talk.progress(0.5)
        talk.now = talk.now.advanced(by: .seconds(600))
        talk.handler()
        let ended = talk.now
        let remains = try forget()
        #expect(remains.requests == ["plain", "once"])
        #expect(remains.once == [OnceRequest(id: "once", until: ended.advanced(by: day))])
        #expect(remains.ends == ended.advanced(by: day))

        talk.now = ended.advanced(by: day - .milliseconds(1))
        reopen(remains)
        #expect(talk.request("once") == ["ignored duplicateRequest"])
        #expect(talk.request("plain") == ["resolve"])

        talk.now = ended.advanced(by: day)
        reopen(remains)
        #expect(talk.request("once") == ["resolve"])
    }

    @Test("a once-only request whose handler was never permitted is known like any other")
    func neverPermitted() throws {
        talk.bring(to: .handling, intent: OnceTests.once)
        talk.waitForTimer()
        #expect(try forget() == ForgottenSession(requests: ["r"], until: talk.now.advanced(by: hour)))
    }

    @Test("the id of a once-only request is not pushed out by later requests, while its session is open or after that")
    func notPushedOut() throws {
        talk.policy.rememberedRequests = 3
        handleOnce("once")
        for number in 1...10 {
            talk.request("\(number)")
            talk.cancel()
        }
        #expect(talk.session.rememberedRequests == ["8", "9", "10"])
        #expect(talk.request("once") == ["ignored duplicateRequest"])
        let remains = try forget()
        reopen(remains)
        #expect(talk.request("once") == ["ignored duplicateRequest"])
        #expect(talk.request("1") == ["resolve"])
    }

    @Test("in a session that stays open it is forgotten after its day, when the next request comes")
    func openForDays() {
        talk.policy.rememberedRequests = 1
        handleOnce("once")
        talk.now = talk.now.advanced(by: day)
        talk.request("next")
        talk.cancel()
        #expect(talk.session.onceRequests.isEmpty)
        #expect(talk.request("once") == ["resolve"])
    }

    @Test(
        "past the bound no once-only handler is permitted: its request fails as busy and says when there is room; others go on"
    )
    func full() {
        talk.policy.maximumOnceRequests = 2
        handleOnce("a")
        let ended = talk.now
        handleOnce("b")
        talk.bring(to: .handling, "c", intent: OnceTests.once)
        #expect(talk.starts("claim of c") == ["cancel handle", "completed c: failure failure"])
        #expect(talk.completion?.error?.reason == .busy)
        #expect(talk.completion?.error?.message.contains("ask again after \(ended.advanced(by: day))") == true)
        #expect(talk.session.onceRequests.map(\.id) == ["a", "b"])

        talk.bring(to: .handling, "plain")
        #expect(talk.handler() == ["completed plain: success success"])

        talk.now = talk.now.advanced(by: day)
        talk.bring(to: .handling, "d", intent: OnceTests.once)
        #expect(talk.starts("claim of d") == ["permit claim of d"])
    }

    @Test("a second try of a once-only handler takes no second place")
    func retried() {
        talk.policy.maximumOnceRequests = 1
        talk.bring(to: .handling, intent: OnceTests.once)
        talk.starts("a")
        talk.fails(.retry(after: .zero), .busy)
        talk.waitForTimer()
        #expect(talk.starts("b") == ["permit b"])
        #expect(talk.session.onceRequests.count == 1)
    }

    @Test("a session that is opened again knows its requests again, and leaves them again")
    func again() throws {
        handleOnce("once")
        let once = talk.session.onceRequests
        reopen(try forget())
        talk.request("q")
        talk.cancel()
        let remains = try forget()
        #expect(remains.requests == ["once", "q"] && remains.once == once)
    }

    @Test("a session that is ended from outside leaves its requests too, and can't be ended again")
    func ended() throws {
        talk.bring(to: .handling)
        talk.handler()
        talk.receive(.ended(reason: nil))
        reopen(try forget())
        #expect(talk.receive(.ended(reason: nil)) == ["ignored nothingToEnd"])
        #expect(talk.request() == ["ignored duplicateRequest"])
    }

    @Test("nothing is left of a session without requests, or where nothing is to be remembered")
    func nothing() {
        talk.cancel("none")
        #expect(talk.waitForTimer() == ["forgotten"])
        #expect(talk.session.remains(at: talk.now, policy: talk.policy) == nil)
        talk.session.rememberedRequests = ["r"]
        talk.policy.repeatTimeout = .zero
        #expect(talk.session.remains(at: talk.now, policy: talk.policy) == nil)
    }
}
