import Conversation
import IntentModel
import PipelineTestKit
import Testing

private func city(
    _ value: JSON, name: String = "dropOff", key: String? = "city", isSecret: Bool = false,
    scope: MemoryScope = .person, source: ParameterState.Provenance.Source? = nil
) -> ResolvedParameter {
    var city = ResolvedParameter(name: name, resolution: .success(value), isSecret: isSecret, memoryKey: key)
    city.memoryScope = scope
    city.provenance = source.map { ParameterState.Provenance(source: $0) }
    return city
}

/// A value that only the session remembers.
private func own(_ value: JSON, key: String? = "city", isSecret: Bool = false) -> ResolvedParameter {
    city(value, key: key, isSecret: isSecret, scope: .session)
}

private func noPreference(_ scope: MemoryScope) -> ResolvedParameter {
    var none = ResolvedParameter(name: "dropOff", resolution: .notRequired, memoryKey: "city")
    (none.isNone, none.memoryScope) = (true, scope)
    return none
}

private let ofSession: Dialogues = [
    "a value is remembered when all parameters are resolved, and sent to the workers of later requests": [
        .request(): "resolve", .the(\.item?.memory): "none",
        .resolved(own("Leeds"), ResolvedParameter(name: "ride", resolution: .missing)): "prompt value ride",
        .the(\.session.memory.values): "none", .answer(.accept, "Pool"): "resolve", .resolved(own("Leeds")): "confirm",
        .the(\.item?.memory): "city Leeds", .confirmer(): "handle", .handler(): "…", .request("r2"): "resolve",
        .the(\.item?.memory): "city Leeds",
    ],
    "\"none in particular\" is remembered by the session, hides the value before it, and shows as none": [
        .stores("r1", own("Leeds")): "…", .request("r2", ["dropOff": "no preference"]): "resolve",
        .resolved(noPreference(.session)): "confirm", .the(\.item?.memory): "city null",
        .known("dropOff"): "notRequired -",
        .confirmer(): "handle", .handler(): "…", .the(\.completion?.parameters.first?.value): "none",
        .request("r3", ["dropOff": "York"]): "resolve", .resolved(own("York")): "confirm",
        .the(\.item?.memory): "city York",
    ],
    "an answer to a phase's question is remembered like the parameter": [
        .request(): "resolve", .resolved(own("Leeds")): "confirm",
        .asks("q", about: "dropOff"): "prompt value dropOff", .answer(.accept, "York"): "confirm",
        .the(\.item?.memory): "city York",
    ],
    "secrets, and parameters that are notRequired, are not remembered": [
        .stores("r1", own("1234", isSecret: true)): "…", .request("r2", ["dropOff": "Leeds"]): "resolve",
        .resolved(ResolvedParameter(name: "dropOff", resolution: .notRequired, memoryKey: "city")): "confirm",
        .stores("r3", own("Leeds", key: nil)): "…", .the(\.session.memory.values): "none",
    ],
    "the oldest value is dropped when there is no room": [
        .policy { $0.limits.maximumMemoryKeys = 2 }: [], .stores("r1", own("Leeds", key: "a")): "…",
        .stores("r2", own("Leeds", key: "b")): "…", .stores("r3", own("Leeds", key: "a")): "…",
        .stores("r4", own("Leeds", key: "c")): "…", .the(\.keys): "a, c",
        .policy { $0.limits.maximumMemoryBytes = 20 }: [],
        .stores("long", own(.long(10), key: "d")): "…", .the(\.keys): "d",
        .stores("longer", own(.long(30), key: "d")): "…", .the(\.keys): "none",
    ],
    "the session's memory is forgotten by key or entirely, without a result, and again without an effect": [
        .stores("ra", own("Leeds", key: "a")): "…", .stores("rb", own("Leeds", key: "b")): "…",
        .stores("rc", own("Leeds", key: "c")): "…", .event(.forgotten(Forgetting(keys: ["a", "x"]))): [],
        .the(\.keys): "b, c", .event(.forgotten(Forgetting(keys: ["a"]))): "ignored nothingToForget",
        .event(.forgotten(Forgetting(keys: nil))): [], .the(\.keys): "none",
        .event(.forgotten(Forgetting(keys: nil))): "ignored nothingToForget",
    ],
    "a secret stays secret for the whole request, and no default wording contains its value": [
        .request("r", ["dropOff": "1234"]): "resolve",
        .resolved(
            ResolvedParameter(
                name: "dropOff", title: "PIN", resolution: .confirmationRequired("1234", dialog: nil), isSecret: true)):
            "prompt confirmValue dropOff",
        .the(\.prompt?.asked.isSecret): "true", .the(\.prompt?.dialog): "PIN: is it the one that is known?",
        .answer(.accept): "resolve", .the(\.item?.parameters.first?.isSecret): "true",
        .the(\.item?.parameters.first?.value): "1234", .resolver(["dropOff": .success("1234")]): "confirm",
        .confirmer(): "handle", .handler(): "…", .the(\.completion?.parameters.first?.isSecret): "true",
    ],
    "a value without a parameter of the resolver is in no result: it may be a secret under a wrong name": [
        .request("r", ["dropOff": "Leeds", "pinn": "1234"]): "resolve", .resolver(["dropOff": .notThere]): "…",
        .correct("pni", "1234"): "resolve", .cancel(): "…", .the(\.shown): "none",
        .request("r2", ["dropOff": "Leeds", "pni": "1234"]): "resolve",
        .resolver(["dropOff": .success("Leeds"), "pni": .notRequired]): "confirm", .confirmer(): "handle",
        .handler(): "…", .the(\.shown): "dropOff, pni",
    ],
    "before a resolver has said what is secret, no result contains a value": [
        .at(.resolving, knowing: ["dropOff": "1234"]): "resolve", .request("next", ["dropOff": "1234"]): [],
        .cancel("next"): "completed next: cancelled", .the(\.shown): "none",
        .fails(.failure(.failureRequiringInAppAuthentication)): "…", .the(\.shown): "none",
        .the(\.session.handoffs.first?.interaction.parameters.first?.isSecret): "true",
        .request("r2", ["dropOff": "Leeds"]): "resolve", .resolver(["dropOff": .notThere]): "…", .cancel(): "…",
        .the(\.shown): "none",
    ],
]

private let ofPerson: Dialogues = [
    "the session's other open requests have a value at once, whether they are interrupted or wait": [
        .knows("r1"): "resolve", .resolved(ResolvedParameter(name: "when", resolution: .missing)): "prompt value when",
        .knows("r2", whenBusy: .interrupt): "resolve", .knows("r3"): [],
        .resolved(city("Leeds")): [#"memory ann city "Leeds""#, "confirm"],
        .the(\.waiting): "r1 city Leeds, r3 city Leeds", .confirmer(): "handle",
        .handler(): ["completed r2: success", "prompt value when"], .answer(.accept, "today", from: .ann): "resolve",
        .the(\.item?.memory): "city Leeds",
    ],
    "each change has the next number, and says of which forgetting its request knew": [
        .request("r1", from: .ann) { $0.memorySince = MemoryPosition(offset: 7) }: "resolve",
        .resolved(city("Leeds"), city("window", name: "where", key: "seat")): "…",
        .the(\.pending): #"city "Leeds", seat "window""#, .the(\.numbers): "1, 2", .the(\.streams): "1",
        .the(\.offsets): "7, 7",
    ],
    "the latest change of each key is kept until it is done, as far as there is room": [
        .policy { $0.limits.maximumMemoryKeys = 2 }: [], .book("r0", city("Leeds")): "…",
        .book("r1", city("York")): "…",
        .book("r2", city("Bath")): "…", .the(\.pending): #"city "Bath""#, .the(\.session.person.last): "3",
        .book("q0", city("any", key: "seat")): "…", .book("q1", city("any", key: "meal")): "…",
        .the(\.pending): #"seat "any", meal "any""#, .event(.memoryChanged(MemoryNews(done: 4, forgettings: []))): [],
        .the(\.pending): #"meal "any""#,
        .event(.memoryChanged(MemoryNews(done: 4, forgettings: []))): "ignored nothingToForget",
    ],
    "a value that the log refuses for good is given up, and nobody is told": [
        .book("r1", city("Leeds")): "…", .event(.changeRefused(number: 1, Rejection(.internal, "too large"))): [],
        .the(\.pending): "none",
        .event(.changeRefused(number: 1, Rejection(.internal, "too large"))): "ignored nothingToForget",
    ],
    "an agent's value is remembered in no scope before its person agrees, and never if they decline": [
        .agentAsks(): "resolve",
        .either(.resolved(city("Leeds")), .resolved(city("Leeds", scope: .session))): "confirm",
        .confirmer(asking: .plain): "…", .answer(.decline, from: .ann): "completed r1: cancelled",
        .the(\.session.person.isEmpty): "true", .the(\.session.memory.values): "none",
    ],
    "an agent's value is remembered when its person agrees": [
        .agentAsks(): "resolve", .resolved(city("Leeds")): "confirm", .confirmer(asking: .plain): "…",
        .answer(.accept, from: .ann): [#"memory ann city "Leeds""#, "handle"],
    ],
    "an agent's value in a person's request is remembered when they agree; a handler remembers nothing before": [
        .knows("r1"): "resolve", .resolver(["dropOff": .missing]): "prompt value dropOff",
        .agentAnswers("Leeds"): "resolve", .resolved(city("Leeds")): "confirm", .confirmer(): "handle",
        .handler { $0.rememberedForPerson = ["ride": "R-7"] }: "completed r1: success",
        .the(\.session.person.isEmpty): "true",
    ],
    "someone who is not authenticated, or no person, is remembered by their session only": [
        .either(.book("r1", city("Leeds"), from: nil), .book("r1", city("Leeds"), from: Principal(.apiKey, "k"))):
            "confirm",
        .the(\.session.memory.values): "city Leeds", .the(\.session.person.isEmpty): "true",
    ],
    "a default, an attribute of the request and a secret are not remembered": [
        .book("r1", city("Leeds", source: .default)): "confirm",
        .book("r2", city("Leeds", source: .attribute)): "confirm",
        .book("r3", city("1234", isSecret: true)): "confirm", .the(\.session.person.isEmpty): "true",
        .the(\.session.memory.values): "none",
    ],
    "remembered values go with the work, unless the session has a later value": [
        .knows("r1", "York"): "resolve", .the(\.item?.memory): "city York", .resolved(city("Leeds")): "…",
        .the(\.item?.memory): "city Leeds", .confirmer(): "handle", .handler(): "…",
        // Another session of the person has changed the value meanwhile.
        .passes(60): [], .knows("r2", "Bath", daysAgo: 0, done: 1): "resolve", .the(\.item?.memory): "city Bath",
    ],
    "a value that the person goes on using is written again after a day, and not each time": [
        .book("r1", city("York"), knowing: "York", daysAgo: 0): "confirm",
        .book("r2", city("York"), knowing: "York"): [#"memory ann city "York""#, "confirm"],
        .book("r3", city("Leeds")): [#"memory ann city "Leeds""#, "confirm"],
    ],
    "\"none in particular\" is remembered for the person, and hides the value before it": [
        .knows("r1", "York"): "resolve", .resolved(noPreference(.person)): ["memory ann city null", "confirm"],
        .the(\.item?.memory): "city null",
    ],
    "a handler may remember something of the person": [
        .knows("r1"): "resolve", .resolved(city("Leeds", key: nil)): "confirm", .confirmer(): "handle",
        .handler { $0.rememberedForPerson = ["ride": "R-7"] }: [#"memory ann ride "R-7""#, "completed r1: success"],
        .knows("r2"): "resolve", .the(\.item?.memory): "ride R-7",
    ],
    "a completion says for which intent and when a remembered value was said": [
        .book("r1", city("York", source: .remembered), knowing: "York", daysAgo: 0): "…",
        .the(\.completion?.parameters.first?.provenance?.source): "remembered",
        .the(\.completion?.parameters.first?.provenance?.intent): "Travel",
        .the(\.completion?.parameters.first?.provenance?.time): "\(Talk.start)",
    ],
    "a prompt says in the person's language why a parameter has its value": [
        .knows("r", "York", daysAgo: 0, locale: "en"): "resolve",
        .resolved(city("York", source: .remembered)): "confirm", .confirmer(asking: .plain): "prompt confirmIntent",
        .the(\.sentPrompt?.parameters.first?.source): "remembered", .the(\.reason): "as last time",
        .answer(.decline, from: .ann): "…", .knows("r2", "York", daysAgo: 0, locale: "de"): "resolve",
        .resolved(city("York", source: .remembered)): "confirm", .confirmer(asking: .plain): "prompt confirmIntent",
        .the(\.reason): "wie beim letzten Mal",
    ],
]

@Suite("What a session remembers, and what is remembered about a person") struct MemoryTests {
    private let talk = Talk()

    @Test(arguments: [ofSession, ofPerson].flatMap(\.cases))
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test func `a value is written once all parameters are resolved, and the session's later requests have it`() {
        talk.play([.book("r1", city("Leeds")): [#"memory ann city "Leeds""#, "confirm"]])
        let value = RememberedValue(key: "city", value: "Leeds", intent: "Book", time: Talk.start)
        let stream = talk.session.person.stream
        let change = MemoryChange(.remember(value), stream: stream, number: 1, time: Talk.start)
        #expect(!stream.isEmpty && talk.session.person.last == 1 && talk.session.person.pending == [change])
        #expect(talk.session.memory.entries.isEmpty)
        talk.play([.knows("r2"): "resolve", .the(\.item?.memory): "city Leeds"])
    }

    @Test func `a person who is only named by a producer that is not trusted is remembered by the session only`() {
        talk.receive(.requested(IntentRequest(id: "r", intent: "Book")), from: .ann, isNamed: true)
        #expect(talk.session.owner == .ann && talk.session.rememberedPerson == nil)
        talk.play([.event(.forgotten(Forgetting(scope: .person)), from: .ann): "rejected unauthorized authid"])
    }

    @Test func `a value that is too large is not remembered, and the one before it is forgotten`() {
        talk.policy.limits.maximumMemoryBytes = 100
        talk.play([
            .book("r1", city("Leeds")): "…", .book("r2", city(.long(200))): ["memory ann forget city", "confirm"],
            .knows("r3", "Leeds"): "resolve", .the(\.item?.memory): "none",
        ])
        // No event has asked for this forgetting, so there is no confirmation.
        let forgetting = DoneForgetting(
            keys: ["city"], count: 1, stream: talk.session.person.stream, number: 2, position: MemoryPosition(offset: 1)
        )
        #expect(talk.receive(.memoryChanged(MemoryNews(done: 2, forgettings: [forgetting]))) == [])
        #expect(talk.session.person.pending.isEmpty)
    }
}

extension Step {
    /// Plays a request from beginning to end.
    fileprivate static func stores(
        _ id: Identifier, _ parameter: ResolvedParameter, at line: Line = #_sourceLocation
    ) -> Step { .steps(.request(id), .resolved(parameter), .confirmer(), .handler(), at: line) }

    /// Sends a request with the city that is remembered.
    ///
    /// - Parameter done: The number of the last change of the session that the remembered values include.
    fileprivate static func knows(
        _ id: Identifier, _ city: JSON? = nil, daysAgo: Int = 2, done: Int = 0, from principal: Principal? = .ann,
        whenBusy: IntentRequest.WhenBusy = .queue, locale: String? = nil, at line: Line = #_sourceLocation
    ) -> Step {
        Step(line) { talk in
            let remembered = [city].compactMap(\.self).map {
                RememberedValue(
                    key: "city", value: $0, intent: "Travel", time: talk.now.advanced(by: .seconds(-86_400 * daysAgo)))
            }
            let person = talk.session.person
            let known = RememberedPerson(streams: [MemoryStream(name: person.stream, number: done)])
            return talk.play(
                .request(id, whenBusy: whenBusy, from: principal, at: line) { request in
                    request.remembered = person.adding(to: remembered, known)
                    request.memoryDone = done
                    request.locale = locale
                })
        }
    }

    /// Plays a request from beginning to end.
    ///
    /// - Returns: A step with the effects of the resolution.
    fileprivate static func book(
        _ id: Identifier, _ parameter: ResolvedParameter, from principal: Principal? = .ann, knowing city: JSON? = nil,
        daysAgo: Int = 2, at line: Line = #_sourceLocation
    ) -> Step {
        Step(line) { talk in
            let effects = talk.play(
                .knows(id, city, daysAgo: daysAgo, from: principal, at: line), .resolved(parameter, at: line))
            talk.play(.confirmer(at: line), .handler(at: line))
            return effects
        }
    }

    fileprivate static func agentAsks(at line: Line = #_sourceLocation) -> Step {
        .request("r1", from: .ann, at: line) { $0.isUnagreed = true }
    }

    fileprivate static func agentAnswers(_ value: JSON, at line: Line = #_sourceLocation) -> Step {
        Step(line) {
            var answer = Answer(prompt: $0.prompt?.id ?? "", action: .accept, value: value)
            answer.isFromAgent = true
            return $0.receive(.answered(answer), from: .ann, at: line)
        }
    }
}

extension Talk {
    fileprivate var keys: [String] { session.memory.entries.map(\.key) }
    /// The parameters of the last completion.
    fileprivate var shown: [String]? { completion?.parameters.map { $0.isSecret ? "\($0.name) hidden" : $0.name } }

    fileprivate var reason: String? { sentPrompt?.parameters.first?.reason }
    fileprivate var numbers: [Int] { session.person.pending.map(\.number) }
    fileprivate var streams: Int { Set(session.person.pending.map(\.stream)).count }
    fileprivate var offsets: [Int64?] { session.person.pending.map { $0.since?.offset } }
    /// The requests that wait, with the values that they remember.
    fileprivate var waiting: [String] {
        (session.suspended.map(\.request) + session.queued).map { request in
            "\(request.id) " + request.remembered.map { "\($0.key) \(words($0.value))" }.joined(separator: " ")
        }
    }
}
