import Conversation
import IntentModel
import Testing

@Suite("A prompt explains itself") struct PromptContentTests {
    private let talk = Talk()

    private static let dialogues: Dialogues = [
        "the journal has the values once, beside the prompt": [
            .request("r", ["dropOff": "station"]): "resolve",
            .resolved(resolved("dropOff", "station"), open("pickup")): "prompt value pickup",
            .the(\.sentPrompt?.parameters.first?.value): "station", .the(\.prompt?.parameters.first?.value): "none",
        ],
        "one answer may fill in several parameters": [
            .request(): "resolve", .resolved(open("pickup"), open("dropOff"), open("ride")): "prompt value pickup",
            .answer(.accept, "home", changing: ["dropOff": "airport", "ride": "pool"]): "resolve",
            .known("pickup"): "given home", .known("dropOff"): "given airport", .known("ride"): "given pool",
        ],
        "a value that was not accepted is told with the reason, unless it is secret": [
            .request("r", ["dropOff": "moon", "pin": "12"]): "resolve",
            .resolved(open("dropOff", .notThere)): "prompt value dropOff", .the(\.sentPrompt?.rejectedValue): "moon",
            .the(\.prompt?.unsupportedReason): "outsideServiceArea", .answer(.accept, "airport"): "resolve",
            .resolved(
                resolved("dropOff", "airport"),
                ResolvedParameter(
                    name: "pin", resolution: .unsupported(reason: "tooShort", dialog: nil), isSecret: true)):
                "prompt value pin",
            .the(\.sentPrompt?.rejectedValue): "none", .the(\.prompt?.unsupportedReason): "tooShort",
        ],
        "a confirmation shows what is agreed to, also values that are proposed": [
            .request("r", ["time": "18:45"]): "resolve", .resolved(resolved("time", "18:45")): "confirm",
            .confirmer(asking: ConfirmationRequest(parameters: [halfPastSix()])) {
                $0.proposed = ["time": "18:30"]
            }: "prompt confirmIntent",
            .the(\.sentPrompt?.parameters): "\(halfPastSix("18:30"))",
        ],
        "the confirmer's name of the action counts, or else the resolver's": [
            .request(): "resolve", .resolver(asking: ConfirmationRequest(action: book)): "confirm",
            .confirmer(): "prompt confirmIntent", .the(\.sentPrompt?.action): "\(book)",
            .answer(.decline, changing: ["time": "18:45"]): "resolve",
            .resolver(asking: ConfirmationRequest(action: book)): "confirm",
            .confirmer(asking: ConfirmationRequest(action: pay)): "prompt confirmIntent",
            .the(\.sentPrompt?.action): "\(pay)",
        ],
        "a confirmer that says nothing of the parameters has them shown all the same": [
            .request("r", ["time": "18:45"]): "resolve", .resolved(resolved("time", "18:45")): "confirm",
            .confirmer(asking: .plain): "prompt confirmIntent",
            .the(\.sentPrompt?.parameters): "\(PromptParameter(name: "time", value: "18:45"))",
        ],
    ]

    private static let book = ConfirmationAction(name: "book", acceptLabel: "Book", denyLabel: "Cancel")
    private static let pay = ConfirmationAction(name: "pay", acceptLabel: "Pay", denyLabel: "Cancel")

    /// The confirmer's words for a time, with the proposed value.
    private static func halfPastSix(_ proposed: JSON? = nil) -> PromptParameter {
        var time = PromptParameter(name: "time", title: "Time", text: "half past six", value: proposed)
        if proposed != nil { time.source = .proposed }
        return time
    }

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test
    func `it shows every parameter: in words where there is a value, and what is missing with what it may be`() throws {
        let rides = (1...30).map { ParameterOption(id: "\($0)", title: "\($0)", value: .number($0)) }
        let parameters = [
            resolved("dropOff", "station"), open("pickup"), resolved("pin", "1234", isSecret: true),
            open("ride", .disambiguation(rides, dialog: nil)),
            ResolvedParameter(name: "note", resolution: .notRequired),
            ResolvedParameter(name: "afterRide", resolution: .missing),
        ]
        talk.play(
            .request("r", ["dropOff": "station", "note": "hello", "pin": "1234"]),
            .worker(.finished(.resolved(parameters, summary: "[Ride] to Station")), phase: .resolve))
        let prompt = try #require(talk.sentPrompt)
        #expect(prompt.parameter == "pickup" && prompt.title == "Pickup" && prompt.declaration == anyPlace)
        #expect(prompt.summary == "[Ride] to Station")
        #expect(prompt.parameters.map(\.name) == ["dropOff", "pickup", "pin", "ride", "note", "afterRide"])
        #expect(prompt.parameters.map(\.isMissing) == [false, true, false, true, false, false])
        #expect(prompt.parameters[0].text == "Station" && prompt.parameters[0].value == "station")
        #expect(prompt.parameters[2].text == nil && prompt.parameters[2].value == nil, "a secret is not told")
        #expect(prompt.parameters[3].options.count == 25 && prompt.parameters[3].omitsOptions)
        #expect(prompt.parameters[3].declaration == anyPlace)
        #expect(prompt.parameters[4].value == nil, "the intent goes on without it")
        #expect(prompt.parameters[1].declaration == nil, "the prompt itself has it")
    }
}

private let anyPlace = JSON.object(["type": .object(["name": "Place"]), "required": .bool(true)])

private func titled(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

private func open(_ name: String, _ resolution: ParameterResolution = .missing) -> ResolvedParameter {
    var parameter = ResolvedParameter(name: name, title: titled(name), resolution: resolution)
    parameter.declaration = anyPlace
    return parameter
}

private func resolved(_ name: String, _ value: String, isSecret: Bool = false) -> ResolvedParameter {
    var parameter = ResolvedParameter(
        name: name, title: titled(name), resolution: .success(.string(value)), isSecret: isSecret)
    parameter.text = isSecret ? nil : titled(value)
    return parameter
}

@Suite("A wrong value rejects itself, and not the request") struct WrongAnswerTests {
    private static let dialogues: Dialogues = [
        "of several values in an answer, the wrong ones are told and dropped, and the others stay": [
            .at(.awaitingAnswer): "…",
            .answer(.accept, "airport", changing: ["colour": "red", "size": "7"]): "resolve",
            .rejects("colour"): ["rejected invalid parameters.colour", "resolve"],
            .rejects("size"): ["rejected invalid parameters.size", "resolve"], .known("colour"): "none",
            .known("size"): "none", .known("dropOff"): "given airport",
        ],
        "a correction that can't be a value leaves the value before it": [
            .request("r", ["dropOff": "airport"]): "resolve", .resolver(["dropOff": .success("airport")]): "confirm",
            .correct("dropOff", "garbage"): "resolve",
            .rejects("dropOff[0]"): ["rejected invalid parameters.dropOff[0]", "resolve"],
            .known("dropOff"): "resolved airport",
        ],
        "a correction of what the person did without leaves them without it": [
            .request("r", ["dropOff": "airport"]): "resolve",
            .resolved(ResolvedParameter(name: "dropOff", resolution: .success("airport")), noNote): "confirm",
            .correct("note", "garbage"): "resolve",
            .rejects("note"): ["rejected invalid parameters.note", "resolve"], .known("note"): "notRequired -",
        ],
        "so does one beside the answer to a question of a phase, or to a confirmation": [
            .at(.confirming, knowing: ["dropOff": "airport"]): "confirm", .asks(): "prompt value",
            .answer(.accept, "5", changing: ["colour": "red"]): "resolve",
            .rejects("colour"): ["rejected invalid parameters.colour", "resolve"], .resolver(): "confirm",
            .confirmer(asking: .plain): "prompt confirmIntent",
            .answer(.decline, changing: ["dropOff": "station", "size": "7"]): "resolve",
            .rejects("size"): ["rejected invalid parameters.size", "resolve"], .known("dropOff"): "given station",
        ],
        "what came with the request fails the request as before": [
            .request("r", ["colour": "red"]): "resolve", .rejects("colour"): "completed r: failure failure",
        ],
        "what was accepted since fails the request as before": [
            .request("r", ["dropOff": "airport"]): "resolve", .resolver(["dropOff": .missing]): "…",
            .answer(.accept, "station"): "resolve",
            .resolver(["dropOff": .success("station"), "pickup": .missing]): "prompt value pickup",
            .answer(.accept, "home"): "resolve", .rejects("dropOff"): "completed r: failure failure",
        ],
    ]

    private static let noNote: ResolvedParameter = {
        var none = ResolvedParameter(name: "note", resolution: .notRequired)
        none.isNone = true
        return none
    }()

    @Test(arguments: dialogues.cases)
    func `as in the dialogues`(_ dialogue: Dialogue) { Talk().play(dialogue) }
}

extension Step {
    fileprivate static func rejects(_ parameter: String, at line: Line = #_sourceLocation) -> Step {
        .fails(.reject, .invalid, at: line) { $0.field = "parameters.\(parameter)" }
    }
}
