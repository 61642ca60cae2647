import Conversation
import IntentModel
import Testing

@Suite("What is remembered about a person")
struct PersonMemoryTests {
    private let talk = Talk()
    private static let ann = Principal(.appUser, "ann")

    private func parameter(_ value: String, name: String = "dropOff", key: String? = "city", isSecret: Bool = false)
        -> ResolvedParameter
    {
        var parameter = ResolvedParameter(
            name: name, resolution: .success(.string(value)), isSecret: isSecret, memoryKey: key)
        parameter.memoryScope = .person
        return parameter
    }

    /// Sends a request with remembered values.
    ///
    /// - Parameter done: The number of the last change of the session that the remembered values include.
    private func request(
        _ id: Identifier, from principal: Principal? = ann, knowing remembered: [RememberedValue] = [], done: Int = 0,
        whenBusy: IntentRequest.WhenBusy = .queue
    ) {
        var request = IntentRequest(id: id, intent: "Book", whenBusy: whenBusy, principal: principal)
        let known = RememberedPerson(streams: [MemoryStream(name: talk.session.person.stream, number: done)])
        request.remembered = talk.session.person.adding(to: remembered, known)
        request.memoryDone = done
        talk.receive(.requested(request), from: principal)
    }

    /// Plays a request from beginning to end.
    ///
    /// - Returns: The effects of the resolution.
    @discardableResult
    private func book(
        _ id: Identifier, _ parameter: ResolvedParameter, from principal: Principal? = ann,
        knowing remembered: [RememberedValue] = []
    ) -> [String] {
        request(id, from: principal, knowing: remembered)
        let effects = talk.resolver([parameter])
        talk.confirmer()
        talk.handler()
        return effects
    }

    private func known(_ value: String, key: String = "city", daysAgo: Int = 2) -> RememberedValue {
        RememberedValue(
            key: key, value: .string(value), intent: "Travel", time: talk.now.advanced(by: .seconds(-86_400 * daysAgo)))
    }

    @Test(
        "a value is written to the memory when all parameters are resolved, and later requests of the session have it at once"
    )
    func written() {
        #expect(book("r1", parameter("Leeds")) == [#"memory ann city "Leeds""#, "confirm"])
        let value = RememberedValue(key: "city", value: .string("Leeds"), intent: "Book", time: Talk.start)
        let stream = talk.session.person.stream
        #expect(!stream.isEmpty && talk.session.person.last == 1)
        #expect(
            talk.session.person.pending == [MemoryChange(.remember(value), stream: stream, number: 1, time: Talk.start)]
        )
        #expect(talk.session.memory.entries.isEmpty)
        request("r2")
        #expect(talk.work?.item?.memory == ["city": .string("Leeds")])
    }

    @Test("the session's other open requests have it at once, whether they are interrupted or wait")
    func openRequests() {
        request("r1")
        talk.resolver([ResolvedParameter(name: "when", resolution: Station.missing)])
        request("r2", whenBusy: .interrupt)
        request("r3")
        #expect(talk.resolver([parameter("Leeds")]) == [#"memory ann city "Leeds""#, "confirm"])
        let open = talk.session.suspended.map(\.request) + talk.session.queued
        #expect(open.map(\.id) == ["r1", "r3"])
        #expect(open.map { $0.remembered.map(\.value) } == [[.string("Leeds")], [.string("Leeds")]])
        talk.confirmer()
        #expect(talk.handler() == ["completed r2: success success", "prompt value when"])
        let answer = Answer(prompt: talk.prompt?.id ?? "", action: .accept, value: .string("today"))
        #expect(talk.receive(.answered(answer), from: Self.ann) == ["resolve"])
        #expect(talk.work?.item?.memory == ["city": .string("Leeds")])
    }

    @Test("each change has the next number, and says of which forgetting its request knew")
    func numbered() {
        var request = IntentRequest(id: "r1", intent: "Book", principal: Self.ann)
        request.memorySince = MemoryPosition(offset: 7)
        talk.receive(.requested(request), from: Self.ann)
        talk.resolver([parameter("Leeds"), parameter("window", name: "where", key: "seat")])
        let changes = talk.session.person.pending
        #expect(changes.map(\.kind.line) == [#"city "Leeds""#, #"seat "window""#] && changes.map(\.number) == [1, 2])
        #expect(Set(changes.map(\.stream)).count == 1)
        #expect(changes.map(\.since) == [MemoryPosition(offset: 7), MemoryPosition(offset: 7)])
    }

    @Test("until it is done it is kept, the latest value of each key, and not more than there is room for")
    func kept() {
        talk.policy.maximumMemoryKeys = 2
        for (number, value) in ["Leeds", "York", "Bath"].enumerated() { book("r\(number)", parameter(value)) }
        #expect(talk.session.person.pending.map(\.kind.line) == [#"city "Bath""#] && talk.session.person.last == 3)
        for (number, key) in ["seat", "meal"].enumerated() { book("q\(number)", parameter("any", key: key)) }
        #expect(talk.session.person.pending.map(\.kind.line) == [#"seat "any""#, #"meal "any""#])
        let news = MemoryNews(done: 4, forgettings: [])
        #expect(talk.receive(.memoryChanged(news)) == [])
        #expect(talk.session.person.pending.map(\.kind.line) == [#"meal "any""#])
        #expect(talk.receive(.memoryChanged(news)) == ["ignored nothingToForget"])
    }

    @Test("a value that the log refuses for good is given up, and nobody is told")
    func refused() {
        book("r1", parameter("Leeds"))
        let refusal = SessionEvent.changeRefused(number: 1, Rejection(.internal, "too large"))
        #expect(talk.receive(refusal) == [] && talk.session.person.pending.isEmpty)
        #expect(talk.receive(refusal) == ["ignored nothingToForget"])
    }

    private func agentRequest(_ id: Identifier = "r1") {
        var request = IntentRequest(id: id, intent: "Book", principal: Self.ann)
        request.isUnagreed = true
        talk.receive(.requested(request), from: Self.ann)
    }

    private func asksToConfirm() {
        talk.worker(
            .finished(.responded(IntentResponse(.ready), confirmation: ConfirmationRequest(summary: "To Leeds"))))
    }

    @Test("what an agent asks for is remembered when its person agrees, in no scope before, and never if they decline")
    func agents() {
        for scope in [MemoryScope.person, .session] {
            var city = parameter("Leeds")
            city.memoryScope = scope
            agentRequest("decline-\(scope)")
            #expect(talk.resolver([city]) == ["confirm"])
            asksToConfirm()
            talk.receive(.answered(Answer(prompt: talk.prompt?.id ?? "", action: .decline)), from: Self.ann)
            #expect(talk.session.person.isEmpty && talk.session.memory.entries.isEmpty)
        }
        agentRequest()
        talk.resolver([parameter("Leeds")])
        asksToConfirm()
        let agreed = talk.receive(.answered(Answer(prompt: talk.prompt?.id ?? "", action: .accept)), from: Self.ann)
        #expect(agreed == [#"memory ann city "Leeds""#, "handle"])
    }

    @Test(
        "an agent's value in a person's request is remembered when the person agrees, and a handler remembers nothing of them before"
    )
    func agentsAnswers() {
        request("r1")
        talk.resolver(["dropOff": .needsValue(dialog: nil)])
        var answer = Answer(prompt: talk.prompt?.id ?? "", action: .accept, value: .string("Leeds"))
        answer.isFromAgent = true
        talk.receive(.answered(answer), from: Self.ann)
        #expect(talk.resolver([parameter("Leeds")]) == ["confirm"])
        talk.confirmer()
        var response = IntentResponse(.success)
        response.rememberedForPerson = ["ride": .string("R-7")]
        #expect(talk.worker(.finished(.responded(response, confirmation: nil))) == ["completed r1: success success"])
        #expect(talk.session.person.isEmpty)
    }

    @Test(
        "someone who is not authenticated, or no person, is remembered by their session only",
        arguments: [nil, Principal(.apiKey, "k")])
    func others(_ principal: Principal?) {
        #expect(book("r1", parameter("Leeds"), from: principal) == ["confirm"])
        #expect(talk.session.memory.values == ["city": .string("Leeds")] && talk.session.person.isEmpty)
    }

    @Test("so is a person who is only named by a producer that is not trusted")
    func named() {
        var randomness = Randomness(seed: 1)
        let request = SessionEvent.requested(IntentRequest(id: "r", intent: "Book"))
        _ = talk.session.receive(
            request, from: Self.ann, isNamed: true, at: talk.now, policy: talk.policy, randomness: &randomness)
        #expect(talk.session.owner == Self.ann && talk.session.rememberedPerson == nil)
        #expect(
            talk.receive(.forgotten(Forgetting(scope: .person)), from: Self.ann) == ["rejected unauthorized authid"])
    }

    @Test(
        "a default and an attribute of the request are not remembered",
        arguments: [ParameterState.Provenance.Source.default, .attribute])
    func notSaid(_ source: ParameterState.Provenance.Source) {
        var city = parameter("Leeds")
        city.provenance = ParameterState.Provenance(source: source)
        #expect(book("r1", city) == ["confirm"])
        #expect(talk.session.person.isEmpty)
    }

    @Test("a secret is not remembered")
    func secret() {
        #expect(book("r1", parameter("1234", isSecret: true)) == ["confirm"])
        #expect(talk.session.person.isEmpty && talk.session.memory.entries.isEmpty)
    }

    @Test("what the coordinator has looked up goes with the work, unless the session knows something later")
    func lookedUp() {
        request("r1", knowing: [known("York")])
        #expect(talk.work?.item?.memory == ["city": .string("York")])
        talk.resolver([parameter("Leeds")])
        #expect(talk.work?.item?.memory == ["city": .string("Leeds")])
        talk.confirmer()
        talk.handler()
        // Another session of the person has changed the value meanwhile.
        talk.now = talk.now.advanced(by: .seconds(60))
        request("r2", knowing: [known("Bath", daysAgo: 0)], done: 1)
        #expect(talk.work?.item?.memory == ["city": .string("Bath")])
    }

    @Test("a value that the person goes on using is written again after a day, and not each time")
    func renewed() {
        #expect(book("r1", parameter("York"), knowing: [known("York", daysAgo: 0)]) == ["confirm"])
        #expect(
            book("r2", parameter("York"), knowing: [known("York", daysAgo: 2)]) == [
                #"memory ann city "York""#, "confirm",
            ])
        #expect(book("r3", parameter("Leeds")) == [#"memory ann city "Leeds""#, "confirm"])
    }

    @Test("a value that is too large is not remembered, and the one before it is forgotten")
    func large() {
        talk.policy.maximumMemoryBytes = 100
        book("r1", parameter("Leeds"))
        #expect(book("r2", parameter(String(repeating: "x", count: 200))) == ["memory ann forget city", "confirm"])
        request("r3", knowing: [known("Leeds")])
        #expect(talk.work?.item?.memory == [:])
        // No event has asked for this forgetting, so there is no confirmation.
        let forgetting = DoneForgetting(
            keys: ["city"], count: 1, stream: talk.session.person.stream, number: 2, position: MemoryPosition(offset: 1)
        )
        #expect(talk.receive(.memoryChanged(MemoryNews(done: 2, forgettings: [forgetting]))) == [])
        #expect(talk.session.person.pending.isEmpty)
    }

    @Test("that the person wants none in particular hides what they wanted before")
    func none() {
        request("r1", knowing: [known("York")])
        var none = ResolvedParameter(name: "dropOff", resolution: .notRequired, memoryKey: "city")
        (none.isNone, none.memoryScope) = (true, .person)
        #expect(talk.resolver([none]) == ["memory ann city null", "confirm"])
        #expect(talk.work?.item?.memory == ["city": .null])
    }

    @Test("a handler may remember something of the person")
    func handler() {
        request("r1")
        talk.resolver([parameter("Leeds", key: nil)])
        talk.confirmer()
        var response = IntentResponse(.success)
        response.rememberedForPerson = ["ride": .string("R-7")]
        #expect(
            talk.worker(.finished(.responded(response, confirmation: nil)))
                == [#"memory ann ride "R-7""#, "completed r1: success success"])
        request("r2")
        #expect(talk.work?.item?.memory == ["ride": .string("R-7")])
    }

    @Test("a completion says for which intent and when a remembered value was said")
    func source() throws {
        var remembered = parameter("York")
        remembered.provenance = ParameterState.Provenance(source: .remembered)
        let said = known("York", daysAgo: 0)
        book("r1", remembered, knowing: [said])
        let first = try #require(talk.completion?.parameters.first?.provenance)
        #expect(first.source == .remembered && first.intent == "Travel" && first.time == said.time.description)
    }

    @Test(
        "a prompt says in the person's language why a parameter has its value",
        arguments: [("en", "as last time"), ("de", "wie beim letzten Mal")])
    func reason(_ locale: String, _ reason: String) throws {
        var request = IntentRequest(id: "r", intent: "Book", locale: locale, principal: Self.ann)
        request.remembered = [known("York", daysAgo: 0)]
        talk.receive(.requested(request), from: Self.ann)
        var remembered = parameter("York")
        remembered.provenance = ParameterState.Provenance(source: .remembered)
        talk.resolver([remembered])
        talk.worker(
            .finished(.responded(IntentResponse(.ready), confirmation: ConfirmationRequest(summary: "To York"))))
        let told = talk.effects.compactMap { effect -> Prompt? in
            guard case .result(let result) = effect, case .prompted(let prompt) = result.body else { return nil }
            return prompt
        }
        let shown = try #require(told.first?.parameters.first)
        #expect(shown.reason == reason && shown.source == .remembered)
    }
}
