import IntentKit
import PipelineTestKit
import Testing

@Suite("The body of once runs once, even if the phase runs again")
struct OnceTests {
    private struct Fare: Codable, Sendable { var cents: Int }

    @Test("an effect before a question is not repeated after the answer")
    func beforeQuestion() async throws {
        let quotes = Tally()
        try await improvising { intent in
            let fare = try await intent.context.once("fare") { Fare(cents: 1200 * quotes.next()) }
            try await intent.requestConfirmation(dialog: "\(fare.cents)")
            return .result(dialog: "paid \(fare.cents)")
        } _: { asking in
            let question = await asking.run().question
            #expect(question?.recorded == ["fare": JSON(unchecked: #"{"cents":1200}"#)] && question?.dialog == "1200")
            #expect(await asking.answer(question) == .responded(.success(dialog: "paid 1200")))
            #expect(quotes.count == 1)
        }
    }

    @Test("a retry keeps the recorded results")
    func retry() async throws {
        struct Broken: Error {}
        let (notes, tries) = (Tally(), Tally())
        try await improvising { intent in
            let number = try await intent.context.once("number") { notes.next() }
            try await intent.context.once("note") { _ = notes.next() }
            if tries.next() < 3 { throw Broken() }
            return .result(dialog: "\(number)")
        } _: { asking in
            let failure = await asking.run().failure
            #expect(failure?.recorded == ["number": .number(1), "note": .bool(true)])
            #expect(failure?.disposition == .retry(after: .seconds(1)))
            #expect(await asking.run().failure?.recorded == failure?.recorded)
            #expect(await asking.run() == .responded(.success(dialog: "1")))
            #expect(notes.count == 2)
        }
    }

    @Test("parameter values are recorded in their wire form")
    func wireForm() async throws {
        try await improvising { intent in
            let kim = try await intent.context.once("guest") { Person(displayName: "Kim", customIdentifier: "p1") }
            let leaf = try await intent.context.once("leaf") { Leaf.assam }
            let text = try await intent.context.once("text") { "3" }
            let list = try await intent.context.once("list") { ["a": [1, 2]] }
            let nothing = try await intent.context.once("nothing") { String?.none }
            try await intent.requestConfirmation()
            return .result(dialog: "\(kim.customIdentifier ?? "") \(leaf.rawValue) \(text) \(list) \(nothing ?? "-")")
        } _: { asking in
            let question = await asking.run().question
            #expect(question?.recorded["guest"] == JSON(Person(displayName: "Kim", customIdentifier: "p1")))
            #expect(question?.recorded["leaf"] == .string("assam") && question?.recorded["text"] == .string("3"))
            #expect(await asking.answer(question) == .responded(.success(dialog: #"p1 assam 3 ["a": [1, 2]] -"#)))
        }
    }

    @Test("a failed effect is not recorded")
    func failed() async throws {
        struct Broken: Error {}
        try await improvising { intent in
            try await intent.context.once("effect") { throw Broken() }
            return .result(dialog: "")
        } _: { asking in
            #expect(await asking.run().failure?.recorded == [:])
        }
    }

    @Test("a name can be used once in a run")
    func names() async throws {
        try await improvising { intent in
            try await intent.context.once("a") {}
            try? await intent.context.once("a") {}
            return .result(dialog: "")
        } _: { asking in
            let failure = await asking.run().failure
            #expect(failure?.message == #"once("a"): the name is used twice in one run; each effect needs its own"#)
        }
    }

    @Test("a recorded result of another type is an error with its name")
    func otherType() async throws {
        try await improvising { intent in
            .result(dialog: "\(try await intent.context.once("fare") { Fare(cents: 1) }.cents)")
        } _: { asking in
            asking.context.recorded = ["fare": .string("12 euros")]
            let failure = await asking.run().failure
            #expect(
                failure?.reason == .deprecated
                    && failure?.message == #"once("fare"): the result of an earlier run is not a Fare"#)
        }
        try await improvising { intent in
            .result(dialog: "\(try await intent.context.once("ratio") { ["x": Double.nan] })")
        } _: { asking in
            #expect(await asking.run().failure?.message.contains("can't be written as JSON") == true)
        }
    }
}

@Suite("Handlers can ask questions, except where no answer can follow")
struct AskingPlacesTests {
    private func order(_ handler: OrderTeaHandler) throws -> Asking {
        try Asking(Teahouse(order: handler), "OrderTea", IntentKitTests.order)
    }

    @Test("a handler asks through its intent")
    func handler() async throws {
        var asking = try order(
            OrderTeaHandler(handles: { order, context in
                let note = try await order.$note.requestValue("Anything else?")
                try await context.requestConfirmation(dialog: "\(note)")
                return .success(dialog: "\(note)")
            }))
        let first = await asking.run().question
        #expect(first?.parameter == "note" && first?.dialog == "Anything else?")
        let second = await asking.answer(first, .string("no sugar")).question
        #expect(
            second?.kind == .confirmIntent && second?.dialog == "no sugar"
                && second?.summary?.hasSuffix("no sugar") == true)
        #expect(await asking.answer(second) == .responded(.success(dialog: "no sugar")))
    }

    @Test("confirm can ask too")
    func confirm() async throws {
        var asking = try order(
            OrderTeaHandler(confirms: { order, context in
                try await order.$pots.requestConfirmation(for: 1) ? .ready : .failure()
            }))
        asking.phase = .confirm
        let question = await asking.run().question
        #expect(question?.kind == .confirmValue(.number(1)))
        #expect(await asking.answer(question) == .responded(.ready))
    }

    @Test("an answer is checked against the options, and the option's value is returned")
    func options() async throws {
        var asking = try order(
            OrderTeaHandler(handles: { order, _ in
                .success(dialog: LocalizedText(try await order.$cup.requestValue().id))
            }))
        let question = await asking.run().question
        guard case .choice(let options) = question?.kind else {
            Issue.record("\(String(describing: question))")
            return
        }
        #expect(options.map(\.id) == ["c1", "c2", "c3"])
        let again = await asking.answer(question, JSON(Cup(id: "c9", title: "Mug"))).question
        #expect(again?.id == question?.id)
        #expect(await asking.answer(again, JSON(Cup(id: "c3", title: "?"))) == .responded(.success(dialog: "c3")))
    }

    @Test("a resolution that asks fails: it must return a resolution result")
    func resolution() async throws {
        let asks: [@Sendable (OrderTea) async throws -> Void] = [
            { _ = try await $0.$note.requestValue() }, { _ = try? await $0.$note.requestValue() },
            { throw $0.$note.needsValueError() },
        ]
        for ask in asks {
            let handler = OrderTeaHandler(guest: { _, order in
                try await ask(order)
                return .notRequired()
            })
            let failure = try await Teahouse(order: handler).perform(.resolve, []).failure
            #expect(
                failure?.disposition == .failure(.failure)
                    && failure?.message.contains("return a resolution result") == true)
        }
    }

    @Test("asking outside a phase fails")
    func outside() async throws {
        var intent = Improvised()
        intent.table = 1
        await #expect(throws: IntentFailure.self) { _ = try await intent.$pots.requestValue() }
        await #expect(throws: IntentFailure.self) { try await intent.requestConfirmation() }
        await #expect(throws: IntentFailure.self) { try await intent.continueInForeground() }
    }

    @Test("a question about another intent's parameter names no parameter of this intent")
    func otherIntent() async throws {
        var asking = try order(
            OrderTeaHandler(handles: { _, _ in .success(dialog: "\(try await Improvised().$pots.requestValue())") }))
        let question = await asking.run().question
        #expect(question?.parameter == nil && question?.title == "Pots")
    }
}
