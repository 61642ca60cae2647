import Conversation
import IntentModel
import Testing

@Suite("A phase asks the person to sign in, and goes on once they have")
struct SignInTests {
    private let talk = Talk()
    private static let ann = Principal(.appUser, "ann")

    @discardableResult
    private func accept(_ value: String? = nil, from principal: Principal? = nil, changing: [ParameterState] = [])
        -> [String]
    {
        talk.receive(
            .answered(
                Answer(
                    prompt: talk.prompt?.id ?? "none", action: .accept, value: value.map { .string($0) },
                    parameters: changing)),
            from: principal)
    }

    @Test("any phase may ask, also resolve, and runs again with the answer", arguments: Phase.allCases)
    func phases(_ phase: Phase) {
        talk.bring(
            to: phase == .resolve ? .resolving : phase == .confirm ? .confirming : .handling, "r",
            ["dropOff": "Airport"])
        #expect(talk.asks("signIn#1", .signIn(SignIn(url: "https://example.com"))) == ["prompt signIn"])
        #expect(talk.prompt?.signIn?.url == "https://example.com" && talk.prompt?.dialog == "Sign in to go on.")
        #expect(accept("4711") == [phase.rawValue])
        #expect(talk.answers == [PhaseAnswer(question: "signIn#1", isAccepted: true, value: .string("4711"))])
        #expect(talk.known("dropOff")?.hasSuffix("Airport") == true, "what is known is kept")
    }

    @Test("resolve may ask nothing else")
    func onlyThat() {
        talk.request()
        #expect(talk.asks("q", .value) == ["completed r: failure failure"])
    }

    @Test("the answer to what an intent demands has to name a person, who is the request's principal from then on")
    func principal() {
        talk.request()
        talk.asks("authentication", .signIn(SignIn(requires: .person)))
        for other in [nil, Principal(.serviceAccount, "agent")] {
            #expect(accept(from: other) == ["rejected unauthorized authtype"])
        }
        #expect(accept(from: Self.ann) == ["resolve"])
        #expect(talk.work?.item?.principal == Self.ann)
        #expect(talk.session.owner == Self.ann, "the session had no owner, and is theirs")
        #expect(
            talk.receive(.cancelled(request: nil), from: Principal(.appUser, "bob")) == ["rejected unauthorized authid"]
        )
    }

    @Test("on the local device, if the intent demands that")
    func localDevice() {
        talk.request()
        talk.asks("authentication", .signIn(SignIn(requires: .localDevice)))
        #expect(accept(from: Self.ann) == ["rejected unauthorized value"])
        #expect(accept("localDevice", from: Self.ann) == ["resolve"])
        #expect(talk.work?.item?.attributes["authentication"] == .string("localDevice"))
    }

    @Test("a person who declines is not signed in, and the phase is told")
    func declined() {
        talk.request()
        talk.asks("authentication", .signIn(SignIn(requires: .person)))
        #expect(talk.answer(.decline) == ["resolve"])
        #expect(talk.answers == [PhaseAnswer(question: "authentication", isAccepted: false)])
        #expect(talk.work?.item?.principal == nil)
    }

    @Test("other values that come with the answer are merged, and do not lose it")
    func changes() {
        talk.request()
        talk.asks("signIn#1", .signIn(SignIn()))
        #expect(accept(changing: [ParameterState(name: "dropOff", value: .string("Leeds"))]) == ["resolve"])
        #expect(talk.answers.count == 1 && talk.known("dropOff") == "given Leeds")
    }

    @Test("a code is text of at most 4 KiB")
    func code() {
        talk.request()
        talk.asks("signIn#1", .signIn(SignIn()))
        #expect(accept(String(repeating: "x", count: 4_097)) == ["rejected invalid value"])
        let wrong = Answer(prompt: talk.prompt?.id ?? "", action: .accept, value: .number(7))
        #expect(talk.receive(.answered(wrong)) == ["rejected invalid value"])
        #expect(accept() == ["resolve"])
    }

    @Test("there are ten minutes for it, or as long as the worker says")
    func time() {
        talk.request()
        talk.asks("signIn#1", .signIn(SignIn()))
        #expect(talk.prompt?.expires == talk.now.advanced(by: .seconds(600)))
        accept()
        talk.asks("signIn#2", .signIn(SignIn(validFor: .seconds(1_800))))
        #expect(talk.prompt?.expires == talk.now.advanced(by: .seconds(1_800)))
        #expect(talk.waitForTimer() == ["completed r: timedOut requestTimedOut"])
    }

    @Test("the answer and what a resolver has recorded are there in each of its rounds, and not in confirm")
    func rounds() {
        talk.request()
        talk.asks("signIn#1", .signIn(SignIn()), recorded: ["token": .string("t")])
        accept()
        let open = ResolvedParameter(name: "dropOff", resolution: .needsValue(dialog: nil))
        talk.worker(
            .finished(.resolved([open], recorded: ["token": .string("t"), "fares": .number(3)])), phase: .resolve)
        #expect(talk.answer(.accept, "Airport") == ["resolve"])
        #expect(talk.answers.count == 1)
        #expect(talk.work?.item?.recorded == ["token": .string("t"), "fares": .number(3)])
        #expect(talk.resolver() == ["confirm"])
        #expect(talk.answers.isEmpty && talk.work?.item?.recorded == [:])
        talk.correct("dropOff", "Leeds")
        #expect(talk.answers.isEmpty, "a new round after confirm is a new resolving")
    }

    @Test(
        "a URL that is not absolute, or that would run where it is shown, breaks the rules",
        arguments: [
            "", "/sign-in", "javascript:alert(1)", "DATA:text/html,x", "file:///etc/passwd", "https://a b", "https:",
            "1http://x",
        ])
    func urls(_ url: String) {
        #expect(SignIn(url: url).violation?.field == "signIn.url")
        #expect(
            SignIn(url: "https://example.com/a?state=1").violation == nil && SignIn(url: "myapp:link").violation == nil)
    }
}
