import Conversation
import IntentModel
import Testing

@Suite("A prompt explains itself")
struct PromptContentTests {
    private let talk = Talk()
    private static let anyPlace = JSON.object(["type": .object(["name": .string("Place")]), "required": .bool(true)])

    private func titled(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

    private func open(_ name: String, _ resolution: ParameterResolution = .needsValue(dialog: nil)) -> ResolvedParameter
    {
        var parameter = ResolvedParameter(name: name, title: titled(name), resolution: resolution)
        parameter.declaration = Self.anyPlace
        return parameter
    }

    private func resolved(_ name: String, _ value: String, isSecret: Bool = false) -> ResolvedParameter {
        var parameter = ResolvedParameter(
            name: name, title: titled(name), resolution: .success(.string(value)), isSecret: isSecret)
        parameter.text = isSecret ? nil : titled(value)
        return parameter
    }

    /// The prompt that was sent.
    private func told() throws -> Prompt {
        for case .result(let result) in talk.effects { if case .prompted(let prompt) = result.body { return prompt } }
        throw NoPrompt()
    }

    private struct NoPrompt: Error {}

    @Test("it shows every parameter: in words where there is a value, and what is missing with what it may be")
    func parameters() throws {
        talk.request("r", ["dropOff": "station", "note": "hello", "pin": "1234"])
        talk.worker(
            .finished(
                .resolved(
                    [
                        resolved("dropOff", "station"), open("pickup"), resolved("pin", "1234", isSecret: true),
                        open(
                            "ride",
                            .disambiguation(
                                (1...30).map { ParameterOption(id: "\($0)", title: "\($0)", value: .number($0)) },
                                dialog: nil)),
                        ResolvedParameter(name: "note", resolution: .notRequired),
                        ResolvedParameter(name: "afterRide", resolution: .needsValue(dialog: nil)),
                    ], summary: "[Ride] to Station")), phase: .resolve)
        let prompt = try told()
        #expect(prompt.parameter == "pickup" && prompt.title == "Pickup" && prompt.declaration == Self.anyPlace)
        #expect(prompt.summary == "[Ride] to Station")
        #expect(prompt.parameters.map(\.name) == ["dropOff", "pickup", "pin", "ride", "note", "afterRide"])
        #expect(prompt.parameters.map(\.isMissing) == [false, true, false, true, false, false])
        #expect(prompt.parameters[0].text == "Station" && prompt.parameters[0].value == .string("station"))
        #expect(prompt.parameters[2].text == nil && prompt.parameters[2].value == nil, "a secret is not told")
        #expect(prompt.parameters[3].options.count == 25 && prompt.parameters[3].omitsOptions)
        #expect(prompt.parameters[3].declaration == Self.anyPlace)
        #expect(prompt.parameters[4].value == nil, "the intent goes on without it")
        #expect(prompt.parameters[1].declaration == nil, "the prompt itself has it")
    }

    @Test("the journal has the values once, beside the prompt")
    func valuesOnce() throws {
        talk.request("r", ["dropOff": "station"])
        talk.resolver([resolved("dropOff", "station"), open("pickup")])
        #expect(try told().parameters[0].value == .string("station"))
        #expect(talk.prompt?.parameters[0].value == nil)
    }

    @Test("one answer may fill in several parameters")
    func severalAtOnce() {
        talk.request()
        talk.resolver([open("pickup"), open("dropOff"), open("ride")])
        #expect(talk.answer(.accept, "home", changing: ["dropOff": "airport", "ride": "pool"]) == ["resolve"])
        #expect(
            talk.known("pickup") == "given home" && talk.known("dropOff") == "given airport"
                && talk.known("ride") == "given pool")
    }

    @Test("a value that was not accepted is told with the reason, unless it is secret")
    func rejectedValue() throws {
        talk.request("r", ["dropOff": "moon", "pin": "12"])
        talk.resolver([open("dropOff", Station.notThere)])
        #expect(try told().rejectedValue == .string("moon") && talk.prompt?.unsupportedReason == "outsideServiceArea")
        talk.answer(.accept, "airport")
        talk.resolver([
            resolved("dropOff", "airport"),
            ResolvedParameter(name: "pin", resolution: .unsupported(reason: "tooShort", dialog: nil), isSecret: true),
        ])
        #expect(try told().rejectedValue == nil && talk.prompt?.unsupportedReason == "tooShort")
    }

    @Test("a confirmation shows what is agreed to, also values that are proposed")
    func confirmation() throws {
        talk.request("r", ["time": "18:45"])
        talk.resolver([resolved("time", "18:45")])
        var ready = IntentResponse(.ready)
        ready.proposed = ["time": .string("18:30")]
        talk.responds(
            ready,
            asking: ConfirmationRequest(parameters: [
                PromptParameter(name: "time", title: "Time", text: "half past six")
            ]))
        var time = PromptParameter(name: "time", title: "Time", text: "half past six", value: .string("18:30"))
        time.source = .proposed
        #expect(try told().parameters == [time])
    }

    @Test("the confirmer's name of the action counts, or else the resolver's")
    func action() throws {
        let book = ConfirmationAction(name: "book", acceptLabel: "Book", denyLabel: "Cancel")
        let pay = ConfirmationAction(name: "pay", acceptLabel: "Pay", denyLabel: "Cancel")
        talk.request()
        talk.worker(.finished(.resolved([], confirmation: ConfirmationRequest(action: book))), phase: .resolve)
        talk.confirmer(.ready, asking: nil)
        #expect(try told().action == book)
        talk.answer(.decline, changing: ["time": "18:45"])
        talk.worker(.finished(.resolved([], confirmation: ConfirmationRequest(action: book))), phase: .resolve)
        talk.confirmer(.ready, asking: ConfirmationRequest(action: pay))
        #expect(try told().action == pay)
    }

    @Test("a confirmer that says nothing of the parameters has them shown all the same")
    func bareConfirmation() throws {
        talk.request("r", ["time": "18:45"])
        talk.resolver([resolved("time", "18:45")])
        talk.confirmer(.ready, asking: ConfirmationRequest())
        #expect(try told().parameters == [PromptParameter(name: "time", value: .string("18:45"))])
    }
}

@Suite("A wrong value rejects itself, and not the request")
struct WrongAnswerTests {
    private let talk = Talk()

    private func rejects(_ parameter: String) -> [String] {
        talk.worker(
            .finished(
                .failed(
                    IntentFailure(.reject, reason: .invalid, message: "no such thing", field: "parameters.\(parameter)")
                )),
            phase: .resolve)
    }

    @Test("of several values in an answer, the wrong ones are told and dropped, and the others stay")
    func answer() {
        talk.bring(to: .awaitingAnswer)
        talk.answer(.accept, "airport", changing: ["colour": "red", "size": "7"])
        #expect(rejects("colour") == ["rejected invalid parameters.colour", "resolve"])
        #expect(rejects("size") == ["rejected invalid parameters.size", "resolve"])
        #expect(talk.known("colour") == nil && talk.known("size") == nil && talk.known("dropOff") == "given airport")
    }

    @Test("a correction that can't be a value leaves the value before it")
    func correction() {
        talk.request("r", ["dropOff": "airport"])
        talk.resolver(["dropOff": .success(.string("airport"))])
        talk.correct("dropOff", "garbage")
        #expect(rejects("dropOff[0]") == ["rejected invalid parameters.dropOff[0]", "resolve"])
        #expect(talk.known("dropOff") == "resolved airport")
    }

    @Test("a correction of what the person did without leaves them without it")
    func declined() {
        talk.request("r", ["dropOff": "airport"])
        var none = ResolvedParameter(name: "note", resolution: .notRequired)
        none.isNone = true
        talk.resolver([ResolvedParameter(name: "dropOff", resolution: .success(.string("airport"))), none])
        talk.correct("note", "garbage")
        #expect(rejects("note") == ["rejected invalid parameters.note", "resolve"])
        #expect(talk.known("note") == "notRequired -")
    }

    @Test("so does one beside the answer to a question of a phase, or to a confirmation")
    func otherPrompts() {
        talk.bring(to: .confirming, "r", ["dropOff": "airport"])
        talk.asks("q")
        talk.answer(.accept, "5", changing: ["colour": "red"])
        #expect(rejects("colour") == ["rejected invalid parameters.colour", "resolve"])
        talk.resolver()
        talk.confirmer(.ready, asking: ConfirmationRequest())
        talk.answer(.decline, changing: ["dropOff": "station", "size": "7"])
        #expect(rejects("size") == ["rejected invalid parameters.size", "resolve"])
        #expect(talk.known("dropOff") == "given station")
    }

    @Test("what came with the request, or was accepted since, fails the request as before")
    func request() {
        talk.request("r", ["colour": "red"])
        #expect(rejects("colour") == ["completed r: failure failure"])
        talk.request("r2", ["dropOff": "airport"])
        talk.resolver(["dropOff": .needsValue(dialog: nil)])
        talk.answer(.accept, "station")
        talk.resolver(["dropOff": .success(.string("station")), "pickup": .needsValue(dialog: nil)])
        talk.answer(.accept, "home")
        #expect(rejects("dropOff") == ["completed r2: failure failure"])
    }
}
