import IntentKit
import PipelineTestKit
import Testing

@Suite("The body of once runs once, even if the phase runs again") struct OnceTests {
    private struct Fare: Codable, Sendable { var cents: Int }
    private struct Broken: Error {}

    @Test func `an effect before a question is not repeated after the answer`() async throws {
        let quotes = Tally()
        try await improvising { intent in
            let fare = try await intent.context.once("fare") { Fare(cents: 1200 * quotes.next()) }
            try await intent.requestConfirmation(dialog: "\(fare.cents)")
            return .result(dialog: "paid \(fare.cents)")
        } _: { asking in
            let question = await asking.run().question
            #expect(question?.recorded == ["fare": ["cents": 1200]] && question?.dialog == "1200")
            #expect(await asking.answer(question, .accept) == .responded(.success(dialog: "paid 1200")))
            #expect(quotes.count == 1)
        }
    }

    @Test func `an effect before a thrown question is not repeated after the answer`() async throws {
        let quotes = Tally()
        try await improvising { intent in
            let fare = try await intent.context.once("fare") { 1200 * quotes.next() }
            guard let pots = intent.pots else { throw intent.$pots.needsValueError("How many at \(fare)?") }
            return .result(dialog: "\(pots) for \(fare)")
        } _: { asking in
            let question = await asking.run().question
            #expect(question?.recorded == ["fare": 1200] && question?.line == "value:pots!1 How many at 1200?")
            #expect(await asking.answer(question, .say(3)).line == "success 3 for 1200" && quotes.count == 1)
        }
    }

    @Test func `a retry keeps the recorded results`() async throws {
        let (notes, tries) = (Tally(), Tally())
        try await improvising { intent in
            let number = try await intent.context.once("number") { notes.next() }
            try await intent.context.once("note") { _ = notes.next() }
            if tries.next() < 3 { throw Broken() }
            return .result(dialog: "\(number)")
        } _: { asking in
            let failure = await asking.run().failure
            #expect(failure?.recorded == ["number": 1, "note": true])
            #expect(failure?.disposition == .retry(after: .seconds(1)))
            #expect(await asking.run().failure?.recorded == failure?.recorded)
            #expect(await asking.run() == .responded(.success(dialog: "1")) && notes.count == 2)
        }
    }

    @Test func `parameter values are recorded in their wire form`() async throws {
        let kim = Person(displayName: "Kim", customIdentifier: "p1")
        try await improvising { intent in
            let guest = try await intent.context.once("guest") { kim }
            let leaf = try await intent.context.once("leaf") { Leaf.assam }
            let text = try await intent.context.once("text") { "3" }
            let list = try await intent.context.once("list") { ["a": [1, 2]] }
            let nothing = try await intent.context.once("nothing") { String?.none }
            try await intent.requestConfirmation()
            return .result(dialog: "\(guest.customIdentifier ?? "") \(leaf.rawValue) \(text) \(list) \(nothing ?? "-")")
        } _: { asking in
            let question = await asking.run().question
            #expect(question?.recorded["guest"] == JSON(kim))
            #expect(question?.recorded["leaf"] == "assam" && question?.recorded["text"] == "3")
            #expect(await asking.answer(question, .accept).line == #"success p1 assam 3 ["a": [1, 2]] -"#)
        }
    }

    @Test func `a failed effect is not recorded`() async throws {
        try await improvising { intent in
            try await intent.context.once("effect") { throw Broken() }
            return .result(dialog: "")
        } _: { asking in
            #expect(await asking.run().failure?.recorded == [:])
        }
    }

    @Test func `a name can be used once in a run`() async throws {
        let lines = try await improvise { intent in
            try await intent.context.once("a") {}
            try? await intent.context.once("a") {}
            return .result(dialog: "")
        }
        #expect(lines[0].hasSuffix(#": once("a"): the name is used twice in one run; each effect needs its own"#))
    }

    @Test func `a recorded result of another type, or that is not JSON, fails with its name`() async throws {
        try await improvising { intent in
            .result(dialog: "\(try await intent.context.once("fare") { Fare(cents: 1) }.cents)")
        } _: { asking in
            asking.context.recorded = ["fare": "12 euros"]
            let message = #"once("fare"): the result of an earlier run is not a Fare"#
            #expect(await asking.run().line == "failure deprecated: \(message)")
        }
        let lines = try await improvise { intent in
            .result(dialog: "\(try await intent.context.once("ratio") { ["x": Double.nan] })")
        }
        #expect(lines[0].contains("can't be written as JSON"))
    }
}

@Suite("Handlers can ask questions, except where no answer can follow") struct AskingPlacesTests {
    private func lines(
        _ handler: OrderTeaHandler, _ phase: Phase = .handle, _ replies: Reply...
    ) async throws -> [String] {
        var asking = try Asking(Teahouse(order: handler), phase, order)
        return await asking.lines(replies)
    }

    @Test func `a handler asks through its intent`() async throws {
        let handler = OrderTeaHandler(handles: { order, context in
            let note = try await order.$note.requestValue("Anything else?")
            try await context.requestConfirmation(dialog: "\(note)")
            return .success(dialog: "\(note)")
        })
        #expect(
            try await lines(handler, .handle, .say("no sugar"), .accept)
                == ["value:note#1 Anything else?", "confirmIntent#1 no sugar", "success no sugar"])
        var asking = try Asking(Teahouse(order: handler), .handle, order)
        let first = await asking.run().question
        #expect(first?.parameter == "note")
        #expect(await asking.answer(first, .say("no sugar")).question?.summary?.hasSuffix("no sugar") == true)
    }

    @Test func `confirm can ask too`() async throws {
        let handler = OrderTeaHandler(confirms: { order, _ in
            try await order.$pots.requestConfirmation(for: 1) ? .ready : .failure()
        })
        #expect(try await lines(handler, .confirm, .accept) == ["confirm:pots#1 1 Pots: 1?", "ready"])
    }

    @Test func `an answer is checked against the options, and the option's value is returned`() async throws {
        let handler = OrderTeaHandler(handles: { order, _ in
            .success(dialog: LocalizedText(try await order.$cup.requestValue().id))
        })
        let (mug, third) = (JSON(Cup(id: "c9", title: "Mug")), JSON(Cup(id: "c3", title: "?")))
        let question = "value:cup#1 [c1, c2, c3]"
        let expected = ["\(question) Which cup?", "\(question) Cup can't be 'Mug'. Which cup? (noMatch)", "success c3"]
        #expect(try await lines(handler, .handle, .say(mug), .say(third)) == expected)
    }

    @Test func `a resolution that asks fails: it must return a resolution result`() async throws {
        let asks: [@Sendable (OrderTea) async throws -> Void] = [
            { _ = try await $0.$note.requestValue() }, { _ = try? await $0.$note.requestValue() },
            { throw $0.$note.needsValueError() },
        ]
        for ask in asks {
            let handler = OrderTeaHandler(guest: { _, order in
                try await ask(order)
                return .notRequired()
            })
            let failure = try await Teahouse(order: handler).failure(.resolve)
            #expect(failure.disposition == .failure(.failure) && failure.message.contains("return a resolution result"))
        }
    }

    @Test func `asking outside a phase fails`() async throws {
        var intent = Improvised()
        intent.table = 1
        await #expect(throws: IntentFailure.self) { _ = try await intent.$pots.requestValue() }
        await #expect(throws: IntentFailure.self) { try await intent.requestConfirmation() }
        await #expect(throws: IntentFailure.self) { try await intent.continueInForeground() }
    }

    @Test func `a question about another intent's parameter names no parameter of this intent`() async throws {
        let handler = OrderTeaHandler(handles: { _, _ in
            .success(dialog: "\(try await Improvised().$pots.requestValue())")
        })
        let question = try await Teahouse(order: handler).perform(.handle, order).question
        #expect(question?.parameter == nil && question?.title == "Pots")
    }
}
