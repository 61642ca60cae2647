import Conversation
import IntentModel
import Testing

@Suite("How a value came about stays with it")
struct ProvenanceTests {
    typealias Provenance = ParameterState.Provenance

    private let talk = Talk()
    private let airport = JSON.string("airport-2")

    private func known(_ name: String = "dropOff") -> Provenance? {
        talk.session.active?.parameters.first { $0.name == name }?.provenance
    }

    /// Reports a resolver's result with its provenance.
    private func resolver(
        _ resolution: ParameterResolution, _ provenance: Provenance? = nil, isSecret: Bool = false,
        name: String = "dropOff"
    ) -> [String] {
        var parameter = ResolvedParameter(name: name, resolution: resolution, isSecret: isSecret)
        parameter.provenance = provenance
        return talk.worker(.finished(.resolved([parameter])), phase: .resolve)
    }

    @Test("the original words are kept when a resolver has made a value of them, until the completion")
    func original() {
        talk.request("r", ["dropOff": "the airport"])
        _ = resolver(.success(airport))
        #expect(known() == Provenance(original: .string("the airport")))
        talk.confirmer()
        talk.handler()
        #expect(talk.completion?.parameters.first?.provenance == Provenance(original: .string("the airport")))
    }

    @Test("words that are the value, or that are longer than is kept, are not kept twice")
    func notKept() {
        for words in ["airport-2", String(repeating: "x", count: Provenance.maximumBytes)] {
            let talk = Talk()
            talk.request("r", ["dropOff": words])
            talk.resolver(["dropOff": .success(airport)])
            #expect(talk.session.active?.parameters.first { $0.name == "dropOff" }?.provenance == nil)
        }
    }

    @Test("a choice keeps the words that it was offered for, and so does a confirmed value")
    func asked() {
        talk.request("r", ["dropOff": "the airport"])
        _ = resolver(
            .disambiguation(
                [
                    ParameterOption(id: "1", title: "Terminal 1", value: .string("airport-1")),
                    ParameterOption(id: "2", title: "Terminal 2", value: airport),
                ], dialog: nil))
        #expect(talk.prompt?.provenance == Provenance(original: .string("the airport")))
        talk.answer(.accept, option: "2")
        _ = resolver(.confirmationRequired(airport, dialog: nil))
        #expect(talk.session.active?.parameters.first { $0.name == "dropOff" }?.origin == .chosen)
        #expect(known() == Provenance(original: .string("the airport")))
    }

    @Test("what a resolver says of a reading or a default is kept, and is not lost when a later round says nothing")
    func reported() {
        talk.request("r", ["time": "half past six"])
        let read = Provenance(interpreted: .string("18:30:00"), confidence: 0.9)
        _ = resolver(.success(.string("18:30")), read, name: "time")
        var expected = read
        expected.original = .string("half past six")
        #expect(known("time") == expected)
        talk.correct("note", "hello")
        _ = resolver(.success(.string("18:30")), name: "time")
        #expect(known("time") == expected)
    }

    @Test("a default has its source until the person says another value")
    func source() {
        talk.request("r")
        _ = resolver(.success(airport), Provenance(source: .remembered))
        #expect(known() == Provenance(source: .remembered))
        talk.correct("dropOff", "Heuston")
        #expect(known() == nil)
        _ = resolver(.success(.string("heuston")))
        #expect(known() == Provenance(original: .string("Heuston")))
    }

    @Test("a value that was proposed and accepted says so")
    func proposed() {
        talk.bring(to: .confirming)
        var response = IntentResponse(.ready)
        response.proposed = ["dropOff": airport]
        talk.worker(.finished(.responded(response, confirmation: ConfirmationRequest())), phase: .confirm)
        talk.answer(.accept)
        #expect(known() == Provenance(source: .proposed))
    }

    @Test(
        "a value that is asked about stays as the person said it until they have answered, so that the question can't be passed by"
    )
    func unanswered() {
        talk.request("r", ["dropOff": "the airport"])
        _ = resolver(.confirmationRequired(airport, dialog: nil))
        talk.correct("note", "hello")
        let item = talk.effects.compactMap(\.work).last?.item
        #expect(item?.parameters.first { $0.name == "dropOff" }?.value == .string("the airport"))
    }

    @Test("a prompt shows where the values come from that the person did not give")
    func shown() {
        talk.request("r", ["dropOff": "Heuston"])
        var ride = ResolvedParameter(name: "ride", resolution: .success(.string("comfort")))
        ride.provenance = Provenance(source: .remembered)
        let dropOff = ResolvedParameter(name: "dropOff", resolution: .success(.string("heuston")))
        talk.worker(.finished(.resolved([dropOff, ride])), phase: .resolve)
        talk.confirmer(
            .ready,
            asking: ConfirmationRequest(parameters: [PromptParameter(name: "dropOff"), PromptParameter(name: "ride")]))
        let told = talk.effects.compactMap { effect -> Prompt? in
            guard case .result(let result) = effect, case .prompted(let prompt) = result.body else { return nil }
            return prompt
        }
        #expect(told.last?.parameters.map(\.source) == [nil, .remembered])
    }

    @Test("nothing of a secret's words is kept")
    func secret() {
        talk.request("r", ["pin": "one two three"])
        _ = resolver(
            .success(.string("123")), Provenance(interpreted: .string("123"), confidence: 1), isSecret: true,
            name: "pin")
        #expect(
            known("pin") == nil && talk.session.active?.parameters.first { $0.name == "pin" }?.value == .string("123"))
    }

    @Test("the confidence of a request reaches the resolver, and its words do, too")
    func confidence() {
        var doubtful = ParameterState(name: "dropOff", value: .string("the airport"))
        doubtful.provenance = Provenance(confidence: 0.4)
        talk.receive(.requested(IntentRequest(id: "r", intent: "Book", parameters: [doubtful])))
        #expect(talk.effects.compactMap(\.work).last?.item?.parameters.first?.provenance == Provenance(confidence: 0.4))
        _ = resolver(.confirmationRequired(airport, dialog: nil))
        #expect(talk.prompt?.provenance == Provenance(original: .string("the airport"), confidence: 0.4))
        talk.answer(.accept)
        #expect(known() == Provenance(original: .string("the airport"), confidence: 0.4))
    }
}

extension Effect {
    fileprivate var work: Work? { if case .work(let work) = self { work } else { nil } }
}
