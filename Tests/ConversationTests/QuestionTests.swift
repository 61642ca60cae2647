import Conversation
import IntentModel
import PipelineTestKit
import Testing

private let stations = PhaseQuestion.Kind.choice([Station.north, Station.south])
private let isItNorth = PhaseQuestion.Kind.confirmValue(Station.north.value)

private let round = Outcome.Content.finished(
    .resolved(
        [ResolvedParameter(name: "dropOff", resolution: .missing)], recorded: ["token": "t", "fares": .number(3)]))

private let book = ConfirmationAction(name: "book", acceptLabel: "Book", denyLabel: "Cancel")
private let pay = ConfirmationAction(name: "pay", acceptLabel: "Pay", denyLabel: "Cancel")

/// The confirmer's words for a time, with the proposed value.
private func halfPastSix(_ proposed: JSON? = nil) -> PromptParameter {
    var time = PromptParameter(name: "time", title: "Time", text: "half past six", value: proposed)
    if proposed != nil { time.source = .proposed }
    return time
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

private let noNote: ResolvedParameter = {
    var none = ResolvedParameter(name: "note", resolution: .notRequired)
    none.isNone = true
    return none
}()

private let questions: Dialogues = [
    "the phase that asked runs again with the answer, as a new step": [
        .at(.confirming, .handling, .inProgress): "…", .asks("tip"): "prompt value", .the(\.stage): "awaitingAnswer",
        .answer(.accept, "10 %"): "$phase", .the(\.isTwoStepsLater): "true", .the(\.item?.attempt): "1",
        .the(\.answers): "tip accepted 10 %",
    ],
    "the phase can ask to confirm the intent, and continues after either answer": [
        .at(.handling): "handle", .asks("sure", .confirmIntent): "prompt confirmIntent",
        .the(\.stage): "awaitingConfirmation", .the(\.prompt?.dialog): "Book?", .answer(.decline): "handle",
        .the(\.answers): "sure declined", .or(.answer(.accept)): "handle", .the(\.answers): "sure accepted",
        .handler(): "completed r: success",
    ],
    "a choice without a parameter accepts only its options": [
        .at(.handling): "handle", .asks("which", stations): "prompt choice",
        .answer(.accept, "Leeds"): "rejected invalid value", .answer(.accept, option: "x"): "rejected invalid option",
        .answer(.accept): "rejected invalid option", .answer(.accept, option: "s"): "handle",
        .the(\.answers): "which accepted station-south",
    ],
    "accepting a value confirms it; answering with another value declines it and sets the parameter": [
        .at(.confirming): "confirm", .asks("right", isItNorth, about: "dropOff"): "prompt confirmValue dropOff",
        .the(\.prompt?.value): "station-north", .answer(.accept): "confirm",
        .known("dropOff"): "confirmed station-north", .the(\.answers): "right accepted station-north",
        .asks("right", isItNorth, about: "dropOff"): "prompt confirmValue dropOff",
        .answer(.accept, "Leeds"): "confirm", .known("dropOff"): "given Leeds", .the(\.answers): "right declined Leeds",
    ],
    "answers accumulate, and a later answer to the same question replaces the earlier one": [
        .at(.handling): "handle", .asks("a"): "…", .answer(.accept, "1"): "handle", .asks("b"): "…",
        .answer(.accept, "2"): "handle", .asks("a"): "…", .answer(.accept, "3"): "handle",
        .the(\.answers): "a accepted 3, b accepted 2", .the(\.session.active?.asking.turns): "3",
    ],
    "declining a question is an answer that the phase evaluates": [
        .at(.confirming, .handling, .inProgress, knowing: ["dropOff": "Leeds"]): "…",
        .either(
            .asks(about: "dropOff"), .asks("q", stations, about: "dropOff"), .asks("q", isItNorth, about: "dropOff")):
            "…",
        .answer(.decline): "$phase", .the(\.answers): "q declined", .known("dropOff"): "given Leeds",
    ],
    "an option is chosen by id, by title or by value, and becomes the parameter's value": [
        .at(.confirming): "confirm", .asks("which", stations, about: "dropOff"): "prompt choice dropOff",
        .either(.answer(.accept, option: "n"), .answer(.accept, "station north"), .answer(.accept, "N")): "confirm",
        .the(\.answers): "which accepted station-north", .known("dropOff"): "chosen station-north",
    ],
    "the next run gets what a phase has recorded, after a question and after a retry": [
        .at(.handling): "handle", .asks("a", recorded: ["hold": "H-1"]): "…", .answer(.accept, "1"): "handle",
        .the(\.item?.recorded): "hold H-1",
        .fails(.retry(after: .seconds(1)), .busy) { $0.recorded = ["charge": "C-1"] }: [], .timer(): "handle attempt 2",
        .the(\.item?.recorded): "charge C-1, hold H-1", .the(\.answers): "a accepted 1",
        .handler(.handleInApp): ["offer background", "handle in app"], .the(\.isOutstanding): "true",
        .the(\.item?.recorded): "charge C-1, hold H-1", .the(\.answers): "a accepted 1",
    ],
    "the handler does not get the confirmer's answers and recorded values": [
        .at(.confirming): "confirm", .asks("a", recorded: ["fare": .number(12)]): "…", .answer(.accept, "1"): "confirm",
        .confirmer(): "handle", .the(\.answers): "none", .the(\.item?.recorded): "none",
    ],
    "a correction while the confirmer asks resolves again and forgets the confirmer's answers": [
        .at(.confirming): "confirm", .asks("a"): "…", .answer(.accept, "1"): "confirm", .asks("b"): "…",
        .correct("dropOff", "Leeds"): "resolve", .resolver(): "confirm", .the(\.answers): "none",
    ],
    "an answer that changes parameters while the confirmer asks resolves again": [
        .at(.confirming): "confirm", .asks("sure", .confirmIntent): "…",
        .either(.answer(.accept, changing: ["dropOff": "Leeds"]), .answer(.decline, changing: ["dropOff": "Leeds"])):
            "resolve",
        .known("dropOff"): "given Leeds", .resolver(): "confirm", .the(\.answers): "none",
    ],
    "parameters can't be changed while the handler asks": [
        .at(.handling, .inProgress): "…", .asks("sure", .confirmIntent): "prompt confirmIntent",
        .correct("dropOff", "Leeds"): "rejected unexpected parameter",
        .answer(.accept, changing: ["dropOff": "Leeds"]): "rejected unexpected parameters", .known("dropOff"): "none",
        .answer(.accept): "handle",
    ],
    "an unanswered question ends the request with an error that names it; a cancel ends it without a handler to stop": [
        .at(.confirming, .handling, .inProgress): "…", .asks("tip"): "prompt value",
        .timer(): "completed r: timedOut",
        .the(\.completion?.error?.message): "no answer in time to the prompt for 'tip'",
        .or(.answer(.cancel)): "completed r: cancelled", .or(.cancel()): "completed r: cancelled",
    ],
    "the request's deadline applies while it waits for an answer": [
        .at(.handling, deadline: 5): "handle", .asks("tip"): "prompt value", .the(\.promptLasts): "5.0",
        .wait(5): "completed r: timedOut",
    ],
    "another request may interrupt while it waits, and the question is asked again afterwards": [
        .at(.confirming, .handling, .inProgress): "…", .asks("tip", recorded: ["hold": .number(1)]): "prompt value",
        .request("r2", whenBusy: .interrupt): "resolve",
        .cancel("r2"): ["cancel resolve", "completed r2: cancelled", "prompt value"],
        .answer(.accept, "1", prompt: 1): "rejected unexpected prompt", .answer(.accept, "10 %"): "$phase",
        .the(\.answers): "tip accepted 10 %", .the(\.item?.recorded): "hold 1",
    ],
    "a question has the same ask limit as a parameter; each question is counted separately": [
        .policy { $0.limits.maximumAsks = 2 }: [], .at(.handling): "handle", .asks("tip"): "prompt value",
        .answer(.decline): "handle", .asks("tip"): "prompt value", .answer(.decline): "handle",
        .asks("other"): "prompt value", .answer(.decline): "handle", .asks("tip"): "completed r: failure",
        .the(\.error): "complex",
        .the(\.completion?.error?.message):
            "'handle' asked its question 'tip' 2 times without an answer that it can use",
    ],
    "the number of questions of one request is bounded": [
        .policy { $0.limits.maximumQuestions = 3 }: [], .at(.confirming): "confirm", .asks("q1"): "prompt value",
        .answer(.accept, "x"): "confirm", .asks("q2"): "prompt value", .answer(.accept, "x"): "confirm",
        .asks("q3"): "prompt value", .answer(.accept, "x"): "confirm", .asks("q4"): "completed r: failure",
        .the(\.completion?.error?.message): "more than 3 questions were asked for one request",
    ],
    "records and answers are bounded: too large a record ends the request, too large an answer is rejected": [
        .policy { $0.limits.maximumNoteBytes = 100 }: [], .at(.handling): "handle",
        .asks("a", recorded: ["x": .long(80)]): "prompt value",
        .answer(.accept, "much more than is left of it"): "rejected complex value", .answer(.accept, "1"): "handle",
        .asks("b", recorded: ["y": .long(20)]): "completed r: failure", .the(\.completion?.error?.field): "recorded",
    ],
    "a resolver can't ask questions: it has resolution results for that": [
        .at(.resolving): "resolve", .asks(): "completed r: failure",
    ],
    "an answer to an older question and a second outcome of the run that asked change nothing": [
        .at(.handling): "handle", .asks("a"): "prompt value",
        .worker(.success, phase: .handle, step: 3): "ignored staleOutcome", .answer(.accept, "1"): "handle",
        .the(\.answers): "a accepted 1", .answer(.accept, "2", prompt: 1): "rejected unexpected prompt",
    ],
]

private let signIn: Dialogues = [
    "any phase may ask for a sign-in, also resolve, and runs again with the answer": [
        .at(.resolving, .confirming, .handling, knowing: ["dropOff": "Airport"]): "…",
        .asks("signIn#1", .signIn(SignIn(url: "https://example.com"))): "prompt signIn",
        .the(\.prompt?.signIn?.url): "https://example.com", .the(\.prompt?.dialog): "Sign in to go on.",
        .answer(.accept, "4711"): "$phase", .the(\.answers): "signIn#1 accepted 4711",
        .known("dropOff"): "given Airport",
    ],
    "a demanded sign-in must name a person, who is the request's principal from then on, unless they decline": [
        .request(): "resolve", .asks("authentication", .signIn(SignIn(requires: .person))): "prompt signIn",
        .answer(.accept): "rejected unauthorized authtype",
        .answer(.accept, from: Principal(.serviceAccount, "agent")): "rejected unauthorized authtype",
        .answer(.decline): "resolve", .the(\.answers): "authentication declined", .the(\.item?.principal): "none",
        .or(.answer(.accept, from: .ann)): "resolve", .the(\.item?.principal): "\(Principal.ann)",
        // The session had no owner, and is theirs.
        .the(\.session.owner): "\(Principal.ann)",
        .event(.cancelled(request: nil), from: Principal(.appUser, "bob")): "rejected unauthorized authid",
    ],
    "a sign-in is on the local device if the intent demands that": [
        .request(): "resolve", .asks("authentication", .signIn(SignIn(requires: .localDevice))): "prompt signIn",
        .answer(.accept, from: .ann): "rejected unauthorized value",
        .answer(.accept, "localDevice", from: .ann): "resolve", .the(\.item?.attributes): "authentication localDevice",
    ],
    "the code of a sign-in is text of at most 4 KiB; other values of the answer are merged": [
        .request(): "resolve", .asks("signIn#1", .signIn(SignIn())): "prompt signIn",
        .answer(.accept, .long(4_097)): "rejected invalid value",
        .answer(.accept, .number(7)): "rejected invalid value", .answer(.accept): "resolve",
        .or(.answer(.accept, changing: ["dropOff": "Leeds"])): "resolve", .the(\.answers): "signIn#1 accepted",
        .known("dropOff"): "given Leeds",
    ],
    "there are ten minutes for a sign-in, or as long as the worker says": [
        .request(): "resolve", .asks("signIn#1", .signIn(SignIn())): "prompt signIn", .the(\.promptLasts): "600.0",
        .answer(.accept): "resolve", .asks("signIn#2", .signIn(SignIn(validFor: .seconds(1_800)))): "prompt signIn",
        .the(\.promptLasts): "1800.0", .timer(): "completed r: timedOut",
    ],
    "each round of a resolver has the sign-in and the recorded values, and confirm has neither": [
        .request(): "resolve", .asks("signIn#1", .signIn(SignIn()), recorded: ["token": "t"]): "prompt signIn",
        .answer(.accept): "resolve", .worker(round, phase: .resolve): "prompt value dropOff",
        .answer(.accept, "Airport"): "resolve", .the(\.answers): "signIn#1 accepted",
        .the(\.item?.recorded): "fares 3, token t", .resolver(): "confirm", .the(\.answers): "none",
        .the(\.item?.recorded): "none",
        // A new round after confirm is a new resolving.
        .correct("dropOff", "Leeds"): "resolve", .the(\.answers): "none",
    ],
]

private let promptContent: Dialogues = [
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
        .resolved(open("dropOff", .notThere)): "prompt value dropOff", .the(\.sentPrompt?.asked.rejectedValue): "moon",
        .the(\.prompt?.asked.unsupportedReason): "outsideServiceArea", .answer(.accept, "airport"): "resolve",
        .resolved(
            resolved("dropOff", "airport"),
            ResolvedParameter(name: "pin", resolution: .unsupported(reason: "tooShort", dialog: nil), isSecret: true)):
            "prompt value pin",
        .the(\.sentPrompt?.asked.rejectedValue): "none", .the(\.prompt?.asked.unsupportedReason): "tooShort",
    ],
    "a confirmation shows the values that are agreed to, also proposed ones, and if the confirmer names none": [
        .request("r", ["time": "18:45"]): "resolve", .resolved(resolved("time", "18:45")): "confirm",
        .confirmer(asking: ConfirmationRequest(parameters: [halfPastSix()])) { $0.proposed = ["time": "18:30"] }:
            "prompt confirmIntent",
        .the(\.sentPrompt?.parameters): "\(halfPastSix("18:30"))",
        .or(.confirmer(asking: .plain)): "prompt confirmIntent",
        .the(\.sentPrompt?.parameters): "\(PromptParameter(name: "time", value: "18:45"))",
    ],
    "the confirmer's name of the action counts, or else the resolver's": [
        .request(): "resolve", .resolver(asking: ConfirmationRequest(action: book)): "confirm",
        .confirmer(): "prompt confirmIntent", .the(\.sentPrompt?.action): "\(book)",
        .answer(.decline, changing: ["time": "18:45"]): "resolve",
        .resolver(asking: ConfirmationRequest(action: book)): "confirm",
        .confirmer(asking: ConfirmationRequest(action: pay)): "prompt confirmIntent",
        .the(\.sentPrompt?.action): "\(pay)",
    ],
]

private let wrongAnswers: Dialogues = [
    "of several values in an answer, the wrong ones are told and dropped, and the others stay": [
        .at(.awaitingAnswer): "…", .answer(.accept, "airport", changing: ["colour": "red", "size": "7"]): "resolve",
        .rejects("colour"): ["rejected invalid parameters.colour", "resolve"],
        .rejects("size"): ["rejected invalid parameters.size", "resolve"], .known("colour"): "none",
        .known("size"): "none", .known("dropOff"): "given airport",
    ],
    "a wrong correction leaves the value before it": [
        .request("r", ["dropOff": "airport"]): "resolve", .resolver(["dropOff": .success("airport")]): "confirm",
        .correct("dropOff", "garbage"): "resolve",
        .rejects("dropOff[0]"): ["rejected invalid parameters.dropOff[0]", "resolve"],
        .known("dropOff"): "resolved airport",
    ],
    "a wrong correction of a parameter without a value leaves the parameter without a value": [
        .request("r", ["dropOff": "airport"]): "resolve",
        .resolved(ResolvedParameter(name: "dropOff", resolution: .success("airport")), noNote): "confirm",
        .correct("note", "garbage"): "resolve", .rejects("note"): ["rejected invalid parameters.note", "resolve"],
        .known("note"): "notRequired -",
    ],
    "a wrong value beside the answer to a question of a phase, or to a confirmation, is dropped": [
        .at(.confirming, knowing: ["dropOff": "airport"]): "confirm", .asks(): "prompt value",
        .answer(.accept, "5", changing: ["colour": "red"]): "resolve",
        .rejects("colour"): ["rejected invalid parameters.colour", "resolve"], .resolver(): "confirm",
        .confirmer(asking: .plain): "prompt confirmIntent",
        .answer(.decline, changing: ["dropOff": "station", "size": "7"]): "resolve",
        .rejects("size"): ["rejected invalid parameters.size", "resolve"], .known("dropOff"): "given station",
    ],
    "a wrong value that came with the request fails the request": [
        .request("r", ["colour": "red"]): "resolve", .rejects("colour"): "completed r: failure",
    ],
    "a wrong value that was accepted since fails the request": [
        .request("r", ["dropOff": "airport"]): "resolve", .resolver(["dropOff": .missing]): "…",
        .answer(.accept, "station"): "resolve",
        .resolver(["dropOff": .success("station"), "pickup": .missing]): "prompt value pickup",
        .answer(.accept, "home"): "resolve", .rejects("dropOff"): "completed r: failure",
    ],
]

@Suite("Asking: the questions of a phase, and the content of a prompt") struct QuestionTests {
    private let talk = Talk()

    @Test(arguments: [questions, signIn, promptContent, wrongAnswers].flatMap(\.cases))
    func `as in the dialogues`(_ dialogue: Dialogue) { talk.play(dialogue) }

    @Test func `later phases, the memory and the completion have the value a phase converted an answer to`() {
        talk.play(.at(.confirming, knowing: ["dropOff": "Leeds"]))
        talk.session.active?.traits.memoryKeys = ["dropOff": "home"]
        talk.session.active?.parameters.append(ParameterState(name: "party", value: .number(2), origin: .resolved))
        talk.play([
            .asks("where", about: "dropOff"): "prompt value dropOff", .answer(.accept, "the north one"): "confirm",
            .known("dropOff"): "given the north one", .the(\.session.memory.values): "home the north one",
            .confirmer {
                $0.appliedAnswers = ["dropOff": Station.north.value, "party": .number(9), "other": .number(1)]
            }: "handle",
            .known("dropOff"): "resolved station-north", .the(\.session.memory.values): "home station-north",
            // A value that a resolver has resolved stays, and nothing is added.
            .known("party"): "resolved 2", .known("other"): "none",
            .the(\.item?.parameters.first?.value): "station-north", .handler(): "completed r: success",
            .the(\.completion?.parameters.first?.name): "dropOff",
            .the(\.completion?.parameters.first?.value): "station-north",
        ])
    }

    @Test(arguments: [ParameterState.Origin.given, .chosen, .confirmed])
    func `a phase can't change what the person has said elsewhere`(_ origin: ParameterState.Origin) {
        talk.play(.at(.confirming))
        talk.session.active?.parameters.append(ParameterState(name: "payee", value: "Mia", origin: origin))
        talk.play([
            .asks("sure", about: "note"): "prompt value note", .answer(.accept, "x"): "confirm",
            .confirmer { $0.appliedAnswers = ["payee": "Eve", "note": "y"] }: "handle",
            .known("payee"): "\(origin) Mia", .known("note"): "resolved y",
        ])
    }

    @Test(arguments: [
        "", "/sign-in", "javascript:alert(1)", "DATA:text/html,x", "file:///etc/passwd", "https://a b", "https:",
        "1http://x",
    ]) func `a URL that is not absolute, or that would run where it is shown, breaks the rules`(_ url: String) {
        #expect(SignIn(url: url).violation?.field == "signIn.url")
    }

    @Test(arguments: ["https://example.com/a?state=1", "myapp:link"])
    func `an absolute URL breaks no rule`(_ url: String) { #expect(SignIn(url: url).violation == nil) }

    @Test func `a prompt shows every parameter, in words or with the values that are possible`() throws {
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
        #expect(prompt.parameter == "pickup" && prompt.asked.title == "Pickup" && prompt.asked.declaration == anyPlace)
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

extension Step {
    fileprivate static func rejects(_ parameter: String, at line: Line = #_sourceLocation) -> Step {
        .fails(.reject, .invalid, at: line) { $0.field = "parameters.\(parameter)" }
    }
}

extension Talk {
    fileprivate var isTwoStepsLater: Bool { work?.step == (opening == .confirm ? 4 : 5) }
    fileprivate var isOutstanding: Bool { work != nil && work == session.outstandingWork.first }
}
