import IntentKit
import PipelineTestKit
import Testing

@Suite("Seed 003: perform() asks for the values it needs")
struct AskingTests {
    @Test("a question ends the run, and the next run gets the answer")
    func nextRun() async throws {
        try await improvising { intent in
            let pots = try await intent.$pots.requestValue("How many?")
            return .result(dialog: "\(pots) of \(intent.pots ?? 0)")
        } _: { asking in
            let question = await asking.run().question
            var expected = PhaseQuestion(
                id: "value:pots#1", kind: .value, parameter: "pots", title: "Pots", dialog: "How many?")
            expected.declaration = question?.declaration
            #expect(
                question == expected && question?.declaration?.view["type"]?["schema"]?["type"]?.string == "integer")
            #expect(await asking.answer(question, .string("three")) == .responded(.success(dialog: "3 of 3")))
        }
    }

    @Test("a question without a dialog uses the parameter's prompt")
    func prompt() async throws {
        try await improvising {
            .result(dialog: "\(try await $0.$pots.requestValue())")
        } _: { asking in
            #expect(await asking.run().question?.dialog == "How many pots?")
        }
    }

    @Test("a few known values are offered as a choice")
    func fewValues() async throws {
        try await improvising {
            .result(dialog: "\((try await $0.$leaf.requestValue()).rawValue)")
        } _: { asking in
            let question = await asking.run().question
            guard case .choice(let options) = question?.kind else {
                Issue.record("\(String(describing: question))")
                return
            }
            #expect(options.map(\.id) == ["sencha", "assam", "pouchong"] && question?.dialog == "Which leaf?")
            #expect(await asking.answer(question, options[1].value) == .responded(.success(dialog: "assam")))
            #expect(await asking.answer(question, .string("green tea")) == .responded(.success(dialog: "sencha")))
        }
    }

    @Test("after an unusable answer the question is asked again under the same id")
    func unusableAnswer() async throws {
        let runs = Tally()
        try await improvising { intent in
            runs.next()
            return .result(dialog: "\(try await intent.$pots.requestValue("How many?"))")
        } _: { asking in
            let first = await asking.run().question
            var again = await asking.answer(first, .string("a lot")).question
            #expect(
                again?.id == first?.id && again?.unsupportedReason == "invalidValue"
                    && again?.dialog?.contains("a lot") == true)
            again = await asking.answer(again, .number(9)).question
            #expect(again?.id == first?.id && again?.unsupportedReason == "aboveMaximum")
            again = await asking.answer(again, .bool(true)).question
            #expect(again?.id == first?.id && again?.unsupportedReason == "invalidValue")
            again = await asking.answer(again, nil).question
            #expect(again?.id == first?.id && again?.unsupportedReason == "invalidValue")
            #expect(runs.count == 2, "code is not run on an answer that can't be read")
            #expect(await asking.answer(again, .number(2)) == .responded(.success(dialog: "2")))
        }
    }

    @Test("an unusable answer is discarded when the person then declines")
    func declinedAfterBadAnswer() async throws {
        try await improvising { intent in
            do { return .result(dialog: "\(try await intent.$pots.requestValue())") } catch is IntentDeclinedError {
                return .result(dialog: intent.pots.map { "\($0)" } ?? "none")
            }
        } _: { asking in
            let question = await asking.run().question
            for bad in [JSON.string("a lot"), .number(9), .array([])] {
                let again = await asking.answer(question, bad).question
                #expect(again?.unsupportedReason != nil)
                #expect(await asking.answer(again, isAccepted: false) == .responded(.success(dialog: "none")))
            }
        }
        try await improvising {
            .result(dialog: "\(try await $0.$table.requestValue())")
        } _: { asking in
            let question = await asking.run().question
            #expect(await asking.answer(question, isAccepted: false).failure?.disposition == .failure(.cancelled))
            let again = await asking.answer(question, .string("outside")).question
            #expect(await asking.answer(again, isAccepted: false).failure?.disposition == .failure(.cancelled))
        }
    }

    @Test("a new value can be requested for a required parameter")
    func requiredAgain() async throws {
        try await improvising { intent in
            .result(dialog: "\(try await intent.$table.requestValue("Another table?")), \(intent.table)")
        } _: { asking in
            let question = await asking.run().question
            let again = await asking.answer(question, .string("by the window")).question
            #expect(again?.id == question?.id && again?.unsupportedReason == "invalidValue")
            #expect(await asking.answer(again, .string("8")) == .responded(.success(dialog: "8, 8")))
        }
    }

    @Test("a second request for the same parameter is another question")
    func secondQuestion() async throws {
        try await improvising { intent in
            let (a, b) = (try await intent.$pots.requestValue("First?"), try await intent.$pots.requestValue("Second?"))
            return .result(dialog: "\(a) and \(b)")
        } _: { asking in
            let first = await asking.run().question
            let second = await asking.answer(first, .number(1)).question
            #expect(second?.id == "value:pots#2" && second?.dialog == "Second?")
            #expect(await asking.answer(second, .number(4)) == .responded(.success(dialog: "1 and 4")))
        }
    }

    @Test("a choice returns the author's own value")
    func choice() async throws {
        let kims = [
            Person(displayName: "Kim", customIdentifier: "p1"), Person(displayName: "Kim", customIdentifier: "p2"),
        ]
        try await improvising { intent in
            let guest = try await intent.$guest.requestDisambiguation(among: kims, dialog: "Which Kim?")
            return .result(dialog: LocalizedText(guest.customIdentifier ?? ""))
        } _: { asking in
            let question = await asking.run().question
            #expect(
                question?.id == "choice:guest#1" && question?.parameter == "guest" && question?.dialog == "Which Kim?")
            guard case .choice(let options) = question?.kind else { return }
            #expect(options.map(\.id) == ["p1", "p2"])
            #expect(await asking.answer(question, options[1].value) == .responded(.success(dialog: "p2")))
            let again = await asking.answer(question, JSON(Person(displayName: "Sam"))).question
            #expect(again?.id == question?.id && again?.unsupportedReason == "noMatch")
        }
    }

    @Test("a choice of one value is a confirmation, and a choice of none is a failure")
    func fewOptions() async throws {
        let kim = Person(displayName: "Kim")
        try await improvising { intent in
            .result(dialog: LocalizedText(try await intent.$guest.requestDisambiguation(among: [kim]).displayName))
        } _: { asking in
            let question = await asking.run().question
            #expect(question?.kind == .confirmValue(JSON(kim)))
            #expect(await asking.answer(question) == .responded(.success(dialog: "Kim")))
        }
        try await improvising { intent in
            .result(dialog: LocalizedText(try await intent.$guest.requestDisambiguation(among: []).displayName))
        } _: { asking in
            #expect(await asking.run().failure?.message.hasPrefix("there is nothing to choose 'Guest' from") == true)
        }
    }

    @Test("the confirmation of a value returns yes or no")
    func valueConfirmation() async throws {
        try await improvising { intent in
            .result(dialog: try await intent.$pots.requestConfirmation(for: 4, dialog: "Four?") ? "yes" : "no")
        } _: { asking in
            let question = await asking.run().question
            #expect(
                question?.kind == .confirmValue(.number(4)) && question?.parameter == "pots"
                    && question?.dialog == "Four?")
            #expect(await asking.answer(question) == .responded(.success(dialog: "yes")))
            #expect(await asking.answer(question, isAccepted: false) == .responded(.success(dialog: "no")))
        }
    }

    @Test("confirming one value does not confirm another")
    func otherValue() async throws {
        let runs = Tally()
        try await improvising { intent in
            .result(dialog: "\(try await intent.$pots.requestConfirmation(for: runs.next() == 1 ? 3 : 4))")
        } _: { asking in
            let first = await asking.run().question
            let second = await asking.answer(first).question
            #expect(second?.kind == .confirmValue(.number(4)) && second?.id != first?.id)
        }
    }

    @Test("the confirmation of the intent shows its summary")
    func intentConfirmation() async throws {
        try await improvising { intent in
            try await intent.requestConfirmation(dialog: "It is €12.")
            return .result(dialog: "Done")
        } _: { asking in
            let question = await asking.run().question
            var expected = PhaseQuestion(
                id: "confirmIntent#1", kind: .confirmIntent, dialog: "It is €12.", summary: "Improvise at 7")
            expected.parameters = question?.parameters ?? []
            expected.action = question?.action
            #expect(
                question == expected && question?.parameters.map(\.text) == ["7"]
                    && question?.action?.name == "continue")
            #expect(await asking.answer(question) == .responded(.success(dialog: "Done")))
        }
    }

    @Test("requestChoice returns the option that the person chose")
    func requestChoice() async throws {
        let ways = [
            IntentChoiceOption(title: "Replace it", style: .destructive), IntentChoiceOption(title: "Keep both"),
            .cancel,
        ]
        try await improvising { intent in
            .result(
                dialog: LocalizedText(
                    try await intent.requestChoice(between: ways, dialog: "There is one already.").title.original))
        } _: { asking in
            let question = await asking.run().question
            guard case .choice(let options) = question?.kind else { return }
            #expect(question?.parameter == nil && options.map(\.title) == ["Replace it", "Keep both", "Cancel"])
            #expect(await asking.answer(question, options[1].value) == .responded(.success(dialog: "Keep both")))
            #expect(await asking.answer(question, options[2].value).failure?.disposition == .failure(.cancelled))
            #expect(await asking.answer(question, .string("Burn it")).question?.unsupportedReason == "noMatch")
        }
        try await improvising { intent in
            .result(dialog: LocalizedText(try await intent.requestChoice(between: [Leaf.assam, .sencha]).rawValue))
        } _: { asking in
            let question = await asking.run().question
            #expect(await asking.answer(question, .string("sencha")) == .responded(.success(dialog: "sencha")))
        }
    }

    @Test("declining cancels the request if the code does not catch it")
    func declined() async throws {
        let scripts: [Improvised.Script] = [
            { .result(dialog: "\(try await $0.$pots.requestValue())") },
            { .result(dialog: "\(try await $0.$pots.requestDisambiguation(among: [1, 2]))") },
            { .result(dialog: "\(try await $0.requestChoice(between: [1, 2]))") },
            { intent in
                try await intent.requestConfirmation()
                return .result(dialog: "Done")
            },
        ]
        for script in scripts {
            try await improvising(script) { asking in
                let question = await asking.run().question
                #expect(await asking.answer(question, isAccepted: false).failure?.disposition == .failure(.cancelled))
            }
        }
        try await improvising { intent in
            do { try await intent.requestConfirmation() } catch is IntentDeclinedError {
                return .result(dialog: "Then not")
            }
            return .result(dialog: "Done")
        } _: { asking in
            let question = await asking.run().question
            #expect(await asking.answer(question, isAccepted: false) == .responded(.success(dialog: "Then not")))
        }
    }

    @Test("the question is asked even if the code swallows the error")
    func swallowedError() async throws {
        try await improvising { intent in
            let pots = try? await intent.$pots.requestValue()
            _ = try? await intent.$guest.requestValue()
            return .result(dialog: "\(pots ?? 0)")
        } _: { asking in
            #expect(await asking.run().question?.parameter == "pots", "the first question counts")
        }
    }
}
