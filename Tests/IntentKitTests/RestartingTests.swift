import IntentKit
import PipelineTestKit
import Testing

@Suite("Seed 003: code throws a request for a value, and runs again from the start")
struct RestartingTests {
    @Test("the example of Apple's article works")
    func article() async throws {
        try await improvising { intent in
            guard let pots = intent.pots else { throw intent.$pots.requestValue("How many would you like?") }
            return .result(dialog: "\(pots)")
        } _: { asking in
            let question = await asking.run().question
            #expect(
                question?.parameter == "pots" && question?.kind == .value
                    && question?.dialog == "How many would you like?")
            #expect(await asking.answer(question, .string("three")) == .responded(.success(dialog: "3")))
        }
    }

    @Test("each thrown request is a new question")
    func newQuestion() async throws {
        try await improvising { intent in
            guard let pots = intent.pots else { throw intent.$pots.needsValueError() }
            guard pots % 2 == 0 else { throw intent.$pots.needsValueError("\(pots) is odd. How many?") }
            return .result(dialog: "\(pots)")
        } _: { asking in
            let first = await asking.run().question
            #expect(first?.dialog == "How many pots?")
            let second = await asking.answer(first, .number(3)).question
            #expect(second?.id != first?.id && second?.dialog == "3 is odd. How many?")
            let bad = await asking.answer(second, .number(7)).question
            #expect(bad?.id == second?.id && bad?.unsupportedReason == "aboveMaximum")
            #expect(await asking.answer(bad, .number(4)) == .responded(.success(dialog: "4")))
        }
    }

    @Test("declining ends the request")
    func declined() async throws {
        try await improvising {
            throw $0.$pots.needsValueError()
        } _: { asking in
            let question = await asking.run().question
            #expect(await asking.answer(question, isAccepted: false).failure?.disposition == .failure(.cancelled))
        }
    }

    @Test("the option that the person chooses becomes the value")
    func disambiguation() async throws {
        try await improvising { intent in
            guard let leaf = intent.leaf else {
                throw intent.$leaf.needsDisambiguationError(among: [.assam, .pouchong], dialog: "Assam or Bāozhǒng?")
            }
            return .result(dialog: "\(leaf.rawValue)")
        } _: { asking in
            let question = await asking.run().question
            guard case .choice(let options) = question?.kind else { return }
            #expect(options.map(\.id) == ["assam", "pouchong"])
            #expect(await asking.answer(question, options[1].value) == .responded(.success(dialog: "pouchong")))
        }
    }

    @Test("a value is confirmed once")
    func confirmation() async throws {
        try await improvising { intent in
            guard intent.$pots.isConfirmed(4) else {
                throw intent.$pots.needsConfirmationError(for: 4, dialog: "Four?")
            }
            return .result(dialog: "\(intent.pots ?? 0)")
        } _: { asking in
            let question = await asking.run().question
            #expect(question?.kind == .confirmValue(.number(4)))
            #expect(await asking.answer(question) == .responded(.success(dialog: "4")))
            #expect(await asking.answer(question, isAccepted: false).failure?.disposition == .failure(.cancelled))
        }
        try await improvising {
            throw $0.$pots.needsConfirmationError(for: 4)
        } _: { asking in
            let question = await asking.run().question
            #expect(await asking.answer(question).failure?.message.contains("isConfirmed") == true)
        }
    }

    @Test("the app is opened after the person accepts")
    func foreground() async throws {
        try await improvising { intent in
            try await intent.continueInForeground("Go on in the app?")
            return .result(dialog: "never")
        } _: { asking in
            let question = await asking.run().question
            #expect(question?.kind == .confirmIntent && question?.dialog == "Go on in the app?")
            let activity = UserActivity(activityType: "Improvised", userInfo: ["table": .number(7)])
            #expect(await asking.answer(question) == .responded(.continueInApp(activity, dialog: "Go on in the app?")))
            #expect(await asking.answer(question, isAccepted: false).failure?.disposition == .failure(.cancelled))
        }
        try await improvising {
            throw $0.needsToContinueInForegroundError(alwaysConfirm: false)
        } _: { asking in
            #expect(await asking.run().response?.code == .continueInApp)
        }
        try await improvising {
            throw $0.needsToContinueInForegroundError("There?")
        } _: { asking in
            let question = await asking.run().question
            #expect(question?.dialog == "There?")
            #expect(await asking.answer(question).response?.code == .continueInApp)
        }
    }
}

private struct Immediate: AppIntent {
    static let title: LocalizedText = "Immediate"
    static let supportedModes: IntentModes = .foreground
    func perform() async throws -> some IntentResult & ProvidesDialog { .result(dialog: "performed") }
}

private struct Deferred: AppIntent {
    static let title: LocalizedText = "Deferred"
    static let supportedModes: IntentModes = [.background, .foreground(.deferred)]
    func perform() async throws -> some IntentResult & ReturnsValue<Int> { .result(value: 3) }
}

private struct Homebound: AppIntent {
    static let title: LocalizedText = "Homebound"
    func perform() async throws -> some IntentResult {
        try await continueInForeground()
        return .result()
    }
}

@Suite("An AppIntent's modes: in the background or in the app")
struct IntentModesTests {
    @Test("an immediate foreground mode leaves the intent to the app")
    func immediate() async throws {
        let response = try await SelfPerformingExtension(Immediate.self).registry().perform(.handle, "Immediate")
            .response
        #expect(response == .continueInApp(UserActivity(activityType: "Immediate")))
        let inApp = try await SelfPerformingExtension(Immediate.self).registry().perform(
            .handle, "Immediate", isInApp: true)
        #expect(inApp.response?.dialog == "performed")
    }

    @Test("a deferred foreground mode performs the intent before the app opens")
    func deferred() async throws {
        let response = try await SelfPerformingExtension(Deferred.self).registry().perform(.handle, "Deferred").response
        #expect(
            response?.code == .continueInApp && response?.values == ["value": .number(3)]
                && response?.userActivity != nil)
    }

    @Test("an intent without foreground mode can't continue in the app")
    func unsupported() async throws {
        let failure = try await SelfPerformingExtension(Homebound.self).registry().perform(.handle, "Homebound").failure
        #expect(
            failure?.message
                == "Homebound can't continue in the foreground: add .foreground(.dynamic) to its supportedModes")
    }
}
