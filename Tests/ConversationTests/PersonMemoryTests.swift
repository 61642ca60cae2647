import Conversation
import IntentModel
import Testing

@Suite("What is remembered about a person") struct PersonMemoryTests {
    private let talk = Talk()

    private static let dialogues: Dialogues = [
        "the session's other open requests have a value at once, whether they are interrupted or wait": [
            .knows("r1"): "resolve",
            .resolved(ResolvedParameter(name: "when", resolution: .missing)): "prompt value when",
            .knows("r2", whenBusy: .interrupt): "resolve", .knows("r3"): [],
            .resolved(city("Leeds")): [#"memory ann city "Leeds""#, "confirm"],
            .the(\.waiting): "r1 city Leeds, r3 city Leeds", .confirmer(): "handle",
            .handler(): ["completed r2: success success", "prompt value when"],
            .answer(.accept, "today", from: .ann): "resolve", .the(\.item?.memory): "city Leeds",
        ],
        "each change has the next number, and says of which forgetting its request knew": [
            .request("r1", from: .ann) { $0.memorySince = MemoryPosition(offset: 7) }: "resolve",
            .resolved(city("Leeds"), city("window", name: "where", key: "seat")): "…",
            .the(\.pending): #"city "Leeds", seat "window""#, .the(\.numbers): "1, 2",
            .the(\.streams): "1", .the(\.offsets): "7, 7",
        ],
        "until it is done it is kept, the latest value of each key, and not more than there is room for": [
            .policy { $0.maximumMemoryKeys = 2 }: [], .book("r0", city("Leeds")): "…", .book("r1", city("York")): "…",
            .book("r2", city("Bath")): "…", .the(\.pending): #"city "Bath""#, .the(\.session.person.last): "3",
            .book("q0", city("any", key: "seat")): "…", .book("q1", city("any", key: "meal")): "…",
            .the(\.pending): #"seat "any", meal "any""#,
            .event(.memoryChanged(MemoryNews(done: 4, forgettings: []))): [], .the(\.pending): #"meal "any""#,
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
            .confirmer(asking: .plain): "…", .answer(.decline, from: .ann): "completed r1: cancelled cancelled",
            .the(\.session.person.isEmpty): "true", .the(\.session.memory.values): "none",
        ],
        "an agent's value is remembered when its person agrees": [
            .agentAsks(): "resolve", .resolved(city("Leeds")): "confirm", .confirmer(asking: .plain): "…",
            .answer(.accept, from: .ann): [#"memory ann city "Leeds""#, "handle"],
        ],
        "an agent's value in a person's request is remembered when they agree; a handler remembers nothing before": [
            .knows("r1"): "resolve", .resolver(["dropOff": .missing]): "prompt value dropOff",
            .agentAnswers("Leeds"): "resolve", .resolved(city("Leeds")): "confirm", .confirmer(): "handle",
            .handler { $0.rememberedForPerson = ["ride": "R-7"] }: "completed r1: success success",
            .the(\.session.person.isEmpty): "true",
        ],
        "someone who is not authenticated, or no person, is remembered by their session only": [
            .either(.book("r1", city("Leeds"), from: nil), .book("r1", city("Leeds"), from: Principal(.apiKey, "k"))):
                "confirm",
            .the(\.session.memory.values): "city Leeds", .the(\.session.person.isEmpty): "true",
        ],
        "a default and an attribute of the request are not remembered": [
            .book("r1", city("Leeds", source: .default)): "confirm",
            .book("r2", city("Leeds", source: .attribute)): "confirm", .the(\.session.person.isEmpty): "true",
        ],
        "a secret is not remembered": [
            .book("r1", city("1234", isSecret: true)): "confirm", .the(\.session.person.isEmpty): "true",
            .the(\.session.memory.values): "none",
        ],
        "what the coordinator has looked up goes with the work, unless the session knows something later": [
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
        "that the person wants none in particular hides what they wanted before": [
            .knows("r1", "York"): "resolve", .resolved(noPreference): ["memory ann city null", "confirm"],
            .the(\.item?.memory): "city null",
        ],
        "a handler may remember something of the person": [
            .knows("r1"): "resolve", .resolved(city("Leeds", key: nil)): "confirm", .confirmer(): "handle",
            .handler { $0.rememberedForPerson = ["ride": "R-7"] }: [
                #"memory ann ride "R-7""#, "completed r1: success success",
            ],
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

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test
    func `a value is written when all parameters are resolved, and later requests of the session have it at once`() {
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
        talk.policy.maximumMemoryBytes = 100
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

private func city(
    _ value: JSON, name: String = "dropOff", key: String? = "city", isSecret: Bool = false,
    scope: MemoryScope = .person, source: ParameterState.Provenance.Source? = nil
) -> ResolvedParameter {
    var city = ResolvedParameter(name: name, resolution: .success(value), isSecret: isSecret, memoryKey: key)
    city.memoryScope = scope
    city.provenance = source.map { ParameterState.Provenance(source: $0) }
    return city
}

private let noPreference: ResolvedParameter = {
    var none = ResolvedParameter(name: "dropOff", resolution: .notRequired, memoryKey: "city")
    (none.isNone, none.memoryScope) = (true, .person)
    return none
}()

extension Step {
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
