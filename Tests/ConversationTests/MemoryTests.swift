import Conversation
import IntentModel
import Testing

@Suite("What a session remembers")
struct MemoryTests {
    let talk = Talk()

    private func parameter(_ value: String, key: String? = "city", isSecret: Bool = false) -> ResolvedParameter {
        ResolvedParameter(name: "dropOff", resolution: .success(.string(value)), isSecret: isSecret, memoryKey: key)
    }

    /// Plays a request from beginning to end.
    private func book(_ id: Identifier, _ parameter: ResolvedParameter) {
        talk.request(id)
        talk.resolver([parameter])
        talk.confirmer()
        talk.handler()
    }

    @Test("a value is remembered when all parameters are resolved, and sent to the workers of later requests")
    func remembered() {
        talk.request()
        #expect(talk.work?.item?.memory == [:])
        talk.resolver([parameter("Leeds"), ResolvedParameter(name: "ride", resolution: Station.missing)])
        #expect(talk.session.memory.values.isEmpty)
        talk.answer(.accept, "Pool")
        talk.resolver([parameter("Leeds")])
        #expect(talk.work?.item?.memory == ["city": .string("Leeds")])
        talk.confirmer()
        talk.handler()
        talk.request("r2")
        #expect(talk.work?.item?.memory == ["city": .string("Leeds")])
    }

    @Test(
        "that the person wants none in particular is remembered too, hides the value before it, and shows as no value")
    func none() throws {
        book("r1", parameter("Leeds"))
        talk.request("r2", ["dropOff": "no preference"])
        var none = ResolvedParameter(name: "dropOff", resolution: .notRequired, memoryKey: "city")
        none.isNone = true
        talk.resolver([none])
        #expect(talk.work?.item?.memory == ["city": .null] && talk.known("dropOff") == "notRequired -")
        talk.confirmer()
        talk.handler()
        #expect(talk.completion?.parameters.first?.value == nil)
        talk.request("r3", ["dropOff": "York"])
        talk.resolver([parameter("York")])
        #expect(talk.work?.item?.memory == ["city": .string("York")])
    }

    @Test("an answer to a phase's question is remembered like the parameter")
    func answered() {
        talk.request()
        talk.resolver([parameter("Leeds")])
        talk.asks("q", about: "dropOff")
        talk.answer(.accept, "York")
        #expect(talk.work?.item?.memory == ["city": .string("York")])
    }

    @Test("the latest value replaces the earlier one")
    func replaced() {
        book("r1", parameter("Leeds"))
        book("r2", parameter("York"))
        #expect(talk.session.memory.values == ["city": .string("York")])
    }

    @Test("secrets, and parameters that are notRequired, are not remembered")
    func notRemembered() {
        book("r1", parameter("1234", isSecret: true))
        talk.request("r2", ["dropOff": "Leeds"])
        talk.resolver([ResolvedParameter(name: "dropOff", resolution: .notRequired, memoryKey: "city")])
        book("r3", parameter("Leeds", key: nil))
        #expect(talk.session.memory.values.isEmpty)
    }

    @Test("the oldest value is dropped when there is no room")
    func bounds() {
        talk.policy.maximumMemoryKeys = 2
        for (number, key) in ["a", "b", "a", "c"].enumerated() { book("r\(number)", parameter("Leeds", key: key)) }
        #expect(talk.session.memory.entries.map(\.key) == ["a", "c"])
        talk.policy.maximumMemoryBytes = 20
        book("long", parameter(String(repeating: "x", count: 10), key: "d"))
        #expect(talk.session.memory.entries.map(\.key) == ["d"])
        book("longer", parameter(String(repeating: "x", count: 30), key: "d"))
        #expect(talk.session.memory.entries.isEmpty)
    }

    @Test("it is forgotten on request, by key or entirely, without a result, and repeating that changes nothing")
    func forgotten() {
        for key in ["a", "b", "c"] { book("r\(key)", parameter("Leeds", key: key)) }
        #expect(talk.receive(.forgotten(Forgetting(keys: ["a", "x"]))) == [])
        #expect(talk.session.memory.entries.map(\.key) == ["b", "c"])
        #expect(talk.receive(.forgotten(Forgetting(keys: ["a"]))) == ["ignored nothingToForget"])
        #expect(talk.receive(.forgotten(Forgetting(keys: nil))) == [])
        #expect(talk.session.memory.entries.isEmpty)
        #expect(talk.receive(.forgotten(Forgetting(keys: nil))) == ["ignored nothingToForget"])
    }

    @Test("a secret stays secret for the whole request, and no default wording contains its value")
    func secret() {
        talk.request("r", ["dropOff": "1234"])
        let asking = ResolvedParameter(
            name: "dropOff", title: "PIN", resolution: .confirmationRequired(.string("1234"), dialog: nil),
            isSecret: true)
        talk.resolver([asking])
        #expect(talk.prompt?.isSecret == true && talk.prompt?.dialog.contains("1234") == false)
        talk.answer(.accept)
        #expect(
            talk.work?.item?.parameters.first?.isSecret == true
                && talk.work?.item?.parameters.first?.value == .string("1234"))
        talk.resolver(["dropOff": .success(.string("1234"))])
        talk.confirmer()
        talk.handler()
        #expect(talk.completion?.parameters.first?.isSecret == true)
    }

    @Test("a value that the resolver has no parameter for is told no one: it may be a secret under a wrong name")
    func wrongName() {
        talk.request("r", ["dropOff": "Leeds", "pinn": "1234"])
        talk.resolver(["dropOff": Station.notThere])
        talk.correct("pni", "1234")
        talk.cancel()
        #expect(talk.completion?.parameters.filter { !$0.isSecret }.map(\.name) == ["dropOff"])
        talk.request("r2", ["dropOff": "Leeds", "pni": "1234"])
        talk.resolver(["dropOff": .success(.string("Leeds")), "pni": .notRequired])
        talk.confirmer()
        talk.handler()
        #expect(talk.completion?.parameters.filter { !$0.isSecret }.map(\.name) == ["dropOff", "pni"])
    }

    @Test("before a resolver has said what is secret, no result contains a value")
    func notYetKnown() {
        talk.bring(to: .resolving, "r", ["dropOff": "1234"])
        talk.request("next", ["dropOff": "1234"])
        talk.cancel("next")
        #expect(talk.completion?.parameters.map(\.isSecret) == [true])
        talk.fails(.failure(.failureRequiringInAppAuthentication))
        #expect(talk.completion?.parameters.map(\.isSecret) == [true])
        #expect(talk.session.handoffs.first?.interaction.parameters.map(\.isSecret) == [true])
        talk.request("r2", ["dropOff": "Leeds"])
        talk.resolver(["dropOff": Station.notThere])
        talk.cancel()
        #expect(talk.completion?.parameters.map(\.isSecret) == [false])
    }
}
