import IntentKit
import PipelineTestKit
import TestTrails
import Testing

/// The end of a request whose question the person has declined.
private let cancelled = "cancelled unexpected: the person said no"

private let potsCancelled = "cancelled unexpected: the person gave no answer for 'pots'"

@Suite("Seed 003: perform() asks for the values it needs") struct AskingTests {
    @Test func `a question ends the run, and the next run gets the answer`() async throws {
        try await improvising { intent in
            let pots = try await intent.$pots.requestValue("How many?")
            return .result(dialog: "\(pots) of \(intent.pots ?? 0)")
        } _: { asking in
            let question = await asking.run().question
            var expected = PhaseQuestion(
                id: "value:pots#1", kind: .value, parameter: "pots", title: "Pots", dialog: "How many?")
            expected.declaration = question?.declaration
            (expected.summary, expected.parameters) = ("Improvise at 7", question?.parameters ?? [])
            #expect(question == expected)
            #expect(question?.declaration?.view["type"]?["schema"]?["type"]?.string == "integer")
            #expect(await asking.answer(question, .say("three")) == .responded(.success(dialog: "3 of 3")))
        }
    }

    @Test func `a question without a dialog has the parameter's prompt and offers known values`() async throws {
        let pots: Improvised.Script = { .result(dialog: "\(try await $0.$pots.requestValue())") }
        #expect(try await improvise(script: pots) == ["value:pots#1 How many pots?"])
        let script: Improvised.Script = { .result(dialog: "\((try await $0.$leaf.requestValue()).rawValue)") }
        let question = "value:leaf#1 [sencha, assam, pouchong] Which leaf?"
        #expect(try await improvise(.say("assam"), script: script) == [question, "success assam"])
        #expect(try await improvise(.say("green tea"), script: script) == [question, "success sencha"])
    }

    @Test func `after an unusable answer the question is asked again under the same id`() async throws {
        let runs = Tally()
        let lines = try await improvise(.say("a lot"), .say(9), .say(true), .accept, .say(2)) { intent in
            runs.next()
            return .result(dialog: "\(try await intent.$pots.requestValue("How many?"))")
        }
        #expect(
            lines == [
                "value:pots#1 How many?", "value:pots#1 'a lot' is not a whole number. (invalidValue)",
                "value:pots#1 Pots can be 1 to 4, not 9. (aboveMaximum)", "value:pots#1 (invalidValue)",
                "value:pots#1 How many? (invalidValue)", "success 2",
            ])
        #expect(runs.count == 3, "code is not run on an answer that can't be read")
    }

    @Test(arguments: ["a lot", 9, []] as [JSON])
    func `an unusable answer is discarded when the person then declines`(_ bad: JSON) async throws {
        let lines = try await improvise(.say(bad), .decline) { intent in
            do { return .result(dialog: "\(try await intent.$pots.requestValue())") } catch is IntentDeclinedError {
                return .result(dialog: intent.pots.map { "\($0)" } ?? "none")
            }
        }
        #expect(lines[1].hasSuffix(")") && lines.last == "success none", "the reason of the bad answer comes last")
    }

    @Test func `a new value can be requested for a required parameter`() async throws {
        let script: Improvised.Script = { intent in
            .result(dialog: "\(try await intent.$table.requestValue("Another table?")), \(intent.table)")
        }
        let question = "value:table#1 Another table?"
        let again = "value:table#1 'outside' is not a whole number. (invalidValue)"
        let none = "cancelled unexpected: the person gave no answer for 'table'"
        #expect(try await improvise(.say("outside"), .say("8"), script: script) == [question, again, "success 8, 8"])
        #expect(try await improvise(.decline, script: script) == [question, none])
        #expect(try await improvise(.say("outside"), .decline, script: script) == [question, again, none])
    }

    @Test func `a second request for the same parameter is another question`() async throws {
        let lines = try await improvise(.say(1), .say(4)) { intent in
            let (a, b) = (try await intent.$pots.requestValue("First?"), try await intent.$pots.requestValue("Second?"))
            return .result(dialog: "\(a) and \(b)")
        }
        #expect(lines == ["value:pots#1 First?", "value:pots#2 Second?", "success 1 and 4"])
    }

    @Test func `a choice returns the author's own value`() async throws {
        let kims = ["p1", "p2"].map { Person(displayName: "Kim", customIdentifier: $0) }
        let script: Improvised.Script = { intent in
            let guest = try await intent.$guest.requestDisambiguation(among: kims, dialog: "Which Kim?")
            return .result(dialog: LocalizedText(guest.customIdentifier ?? ""))
        }
        let question = "choice:guest#1 [p1, p2] Which Kim?"
        #expect(try await improvise(.say(JSON(kims[1])), script: script) == [question, "success p2"])
        let sam = JSON(Person(displayName: "Sam"))
        #expect(try await improvise(.say(sam), script: script) == [question, question + " (noMatch)"])
        try await improvising(script) { #expect(await $0.run().question?.parameter == "guest") }
    }

    @Test func `a choice of one value is a confirmation, and a choice of none is a failure`() async throws {
        let lines = try await improvise(.accept) { intent in
            let kim = Person(displayName: "Kim")
            return .result(
                dialog: LocalizedText(try await intent.$guest.requestDisambiguation(among: [kim]).displayName))
        }
        #expect(lines == [#"choice:guest#1 {"name":"Kim"} Guest: Kim?"#, "success Kim"])
        let none = try await improvise { intent in
            .result(dialog: LocalizedText(try await intent.$guest.requestDisambiguation(among: []).displayName))
        }
        #expect(none[0].hasPrefix("failure unexpected: there is nothing to choose 'Guest' from"))
    }

    @Test(arguments: [(Reply.accept, "yes"), (.decline, "no")])
    func `the confirmation of a value returns yes or no`(_ reply: Reply, _ answer: String) async throws {
        let lines = try await improvise(reply) { intent in
            .result(dialog: try await intent.$pots.requestConfirmation(for: 4, dialog: "Four?") ? "yes" : "no")
        }
        #expect(lines == ["confirm:pots#1 4 Four?", "success \(answer)"])
    }

    @Test func `confirming one value does not confirm another`() async throws {
        let runs = Tally()
        try await improvising { intent in
            .result(dialog: "\(try await intent.$pots.requestConfirmation(for: runs.next() == 1 ? 3 : 4))")
        } _: { asking in
            let first = await asking.run().question
            let second = await asking.answer(first, .accept).question
            #expect(second?.kind == .confirmValue(4) && second?.id != first?.id)
        }
    }

    @Test func `the confirmation of the intent shows its summary`() async throws {
        try await improvising { intent in
            try await intent.requestConfirmation(dialog: "It is €12.")
            return .result(dialog: "Done")
        } _: { asking in
            let question = await asking.run().question
            var expected = PhaseQuestion(
                id: "confirmIntent#1", kind: .confirmIntent, dialog: "It is €12.", summary: "Improvise at 7")
            expected.parameters = question?.parameters ?? []
            expected.action = question?.action
            #expect(question == expected && question?.parameters.map(\.text) == ["7"])
            #expect(question?.action?.name == "continue")
            #expect(await asking.answer(question, .accept) == .responded(.success(dialog: "Done")))
        }
    }

    @Test func `requestChoice returns the option that the person chose`() async throws {
        let script: Improvised.Script = { intent in
            let ways: [IntentChoiceOption] = [
                .init(title: "Replace it", style: .destructive), .init(title: "Keep both"), .cancel,
            ]
            let way = try await intent.requestChoice(between: ways, dialog: "There is one already.")
            return .result(dialog: LocalizedText(way.title.original))
        }
        let question = "choice#1 [1, 2, 3] There is one already."
        #expect(try await improvise(.say("Keep both"), script: script) == [question, "success Keep both"])
        #expect(try await improvise(.say("Cancel"), script: script) == [question, cancelled])
        #expect(try await improvise(.say("Burn it"), script: script) == [question, question + " (noMatch)"])
        try await improvising(script) { asking in
            let question = await asking.run().question
            #expect(question?.parameter == nil)
            #expect(question?.options.map(\.title) == ["Replace it", "Keep both", "Cancel"])
        }
        let lines = try await improvise(.say("sencha")) { intent in
            .result(dialog: LocalizedText(try await intent.requestChoice(between: [Leaf.assam, .sencha]).rawValue))
        }
        #expect(lines == ["choice#1 [assam, sencha]", "success sencha"])
    }

    private static let requests: [Improvised.Script] = [
        { .result(dialog: "\(try await $0.$pots.requestValue())") },
        { .result(dialog: "\(try await $0.$pots.requestDisambiguation(among: [1, 2]))") },
        { .result(dialog: "\(try await $0.requestChoice(between: [1, 2]))") },
        { intent in
            try await intent.requestConfirmation()
            return .result(dialog: "Done")
        },
    ]

    @Test func `declining cancels the request unless the code catches the error`() async throws {
        let ends = [potsCancelled, potsCancelled, cancelled, cancelled]
        for (ask, end) in zip(Self.requests, ends) { #expect(try await improvise(.decline, script: ask).last == end) }
        let lines = try await improvise(.decline) { intent in
            do { try await intent.requestConfirmation() } catch is IntentDeclinedError {
                return .result(dialog: "Then not")
            }
            return .result(dialog: "Done")
        }
        #expect(lines.last == "success Then not")
    }

    @Test func `the question is asked even if the code swallows the error: the first question counts`() async throws {
        let lines = try await improvise { intent in
            let pots = try? await intent.$pots.requestValue()
            _ = try? await intent.$guest.requestValue()
            return .result(dialog: "\(pots ?? 0)")
        }
        #expect(lines == ["value:pots#1 How many pots?"])
    }
}

@Suite("Seed 003: code throws a request for a value, and runs again from the start") struct RestartingTests {
    @Test func `the example of Apple's article works, and declining ends the request`() async throws {
        let script: Improvised.Script = { intent in
            guard let pots = intent.pots else { throw intent.$pots.requestValue("How many would you like?") }
            return .result(dialog: "\(pots)")
        }
        let question = "value:pots!1 How many would you like?"
        #expect(try await improvise(.say("three"), script: script) == [question, "success 3"])
        #expect(try await improvise(.decline, script: script) == [question, potsCancelled])
    }

    @Test func `each thrown request is a new question`() async throws {
        let lines = try await improvise(.say(3), .say(7), .say(4)) { intent in
            guard let pots = intent.pots else { throw intent.$pots.needsValueError() }
            guard pots % 2 == 0 else { throw intent.$pots.needsValueError("\(pots) is odd. How many?") }
            return .result(dialog: "\(pots)")
        }
        #expect(
            lines == [
                "value:pots!1 How many pots?", "value:pots!2 3 is odd. How many?",
                "value:pots!2 Pots can be 1 to 4, not 7. (aboveMaximum)", "success 4",
            ])
    }

    @Test func `the option that the person chooses becomes the value`() async throws {
        let lines = try await improvise(.say("pouchong")) { intent in
            guard let leaf = intent.leaf else {
                throw intent.$leaf.needsDisambiguationError(among: [.assam, .pouchong], dialog: "Assam or Bāozhǒng?")
            }
            return .result(dialog: "\(leaf.rawValue)")
        }
        #expect(lines == ["choice:leaf!1 [assam, pouchong] Assam or Bāozhǒng?", "success pouchong"])
    }

    @Test func `a value is confirmed once`() async throws {
        let script: Improvised.Script = { intent in
            guard intent.$pots.isConfirmed(4) else { throw intent.$pots.needsConfirmationError(for: 4, dialog: "4?") }
            return .result(dialog: "\(intent.pots ?? 0)")
        }
        #expect(try await improvise(.accept, script: script) == ["confirm:pots!1 4 4?", "success 4"])
        #expect(try await improvise(.decline, script: script).last == potsCancelled)
        let forgetful = try await improvise(.accept) { throw $0.$pots.needsConfirmationError(for: 4) }
        #expect(forgetful.last?.contains("isConfirmed") == true)
    }

    @Test func `the app is opened after the person accepts`() async throws {
        let script: Improvised.Script = { intent in
            try await intent.continueInForeground("Go on in the app?")
            return .result(dialog: "never")
        }
        let question = "foreground#1 intent Go on in the app?"
        let app = "continueInApp Go on in the app?"
        #expect(try await improvise(.accept, script: script) == [question, app])
        #expect(try await improvise(.decline, script: script) == [question, cancelled])
        let unasked = try await improvise { throw $0.needsToContinueInForegroundError(alwaysConfirm: false) }
        #expect(unasked == ["continueInApp"])
        let thrown = try await improvise(.accept) { throw $0.needsToContinueInForegroundError("There?") }
        #expect(thrown == ["foreground!1 intent There?", "continueInApp There?"])
    }
}

private struct Hike: Intent {
    static let title: LocalizedText = "Hike"
    @Parameter(title: "Trail") var trail: TrailEntity?
    @Parameter(title: "People") var people: Int?
    static let parameters = Parameters<Self>(\.$trail, \.$people)
}

private struct HikeHandler: IntentHandling {
    func confirm(_ hike: Hike, context: Context) async throws -> ConfirmResponse {
        .ready(dialog: "\(try await hike.$trail.requestValue().id)")
    }
    func handle(_ hike: Hike, context: Context) async throws -> HandleResponse {
        .success(dialog: "\(hike.trail?.id ?? 0)")
    }
}

@Suite("Later phases keep the answers of earlier ones") struct LaterPhaseTests {
    private let server = SingleHandlerExtension(handler: HikeHandler(), provide: TrailDataManager.provide)

    @Test func `later phases read an answer as the asking phase did, whose response reports the value`() async throws {
        var asking = try Asking(server, .confirm)
        let question = await asking.run().question
        #expect(question?.parameter == "trail" && asking.taken.isEmpty)
        #expect(await asking.answer(question, .say("Mount Bell")) == .responded(.ready(dialog: "1")))
        #expect(asking.taken.keys.sorted() == ["trail"] && asking.taken["trail"]?.view["id"]?.int == 1)
        // The coordinator stores the answer, and another phase begins without answers.
        var later = asking
        later.phase = .handle
        later.context.answers = []
        #expect(await later.run() == .responded(.success(dialog: "1")))
        // An answer that equals the value is not reported again.
        _ = await asking.answer(question, .say(asking.taken["trail"]))
        #expect(asking.taken.isEmpty)
    }
}
