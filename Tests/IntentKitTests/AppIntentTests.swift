import IntentKit
import PipelineTestKit
import Testing

private struct Meadow: Sendable { var sheep = 12 }

private struct CountSheep: AppIntent {
    static let title: LocalizedText = "Count sheep"
    @Parameter(title: "Until", .inclusiveRange(1...1000)) var limit: Int
    @Dependency(default: Meadow()) var meadow: Meadow
    static let parameters = Parameters<Self>(\.$limit)

    func perform() async throws -> some IntentResult & ReturnsValue<Int> & ProvidesDialog {
        let count = min(meadow.sheep, limit)
        return .result(value: count, dialog: "\(count) sheep for \(context.session)")
    }
}

private struct Quiet: AppIntent {
    static let title: LocalizedText = "Quiet"
    func perform() async throws -> some IntentResult { .result() }
}

private struct Listing: AppIntent {
    static let title: LocalizedText = "List leaves"
    func perform() async throws -> some IntentResult & ReturnsItems & ProvidesDialog {
        .result(items: [Leaf.assam, .sencha], dialog: "Two leaves")
    }
}

private struct Leading: AppIntent {
    static let title: LocalizedText = "Lead on"
    @Parameter(title: "Leaf") var leaf: Leaf
    static let parameters = Parameters<Self>(\.$leaf)
    func perform() async throws -> some IntentResult & OpensIntent {
        var next = OrderTea()
        next.leaf = leaf
        next.guest = Person(displayName: "Kim")
        return .result(opensIntent: next)
    }
}

private struct LeadingFurther: AppIntent {
    static let title: LocalizedText = "Lead on, with everything"
    func perform() async throws -> some IntentResult & ReturnsValue<String> & OpensIntent & ProvidesDialog {
        .result(value: "v", opensIntent: Quiet(), dialog: "d")
    }
}

private struct Guarded: AppIntent {
    static let title: LocalizedText = "Open the gate"
    static let authenticationPolicy = IntentAuthenticationPolicy.requiresLocalDeviceAuthentication
    @Parameter(title: "Gate") var gate: String?
    static let parameters = Parameters<Self>(\.$gate)
    func perform() async throws -> some IntentResult { .result() }
}

private struct LessGuarded: AppIntent {
    static let title: LocalizedText = "Look at the gate"
    static let authenticationPolicy = IntentAuthenticationPolicy.requiresAuthentication
    func perform() async throws -> some IntentResult { .result() }
}

@Suite("An AppIntent performs itself")
struct AppIntentTests {
    @Test("an AppIntent needs no handler")
    func noHandler() async throws {
        let limit = [ParameterState.given("limit", "5")]
        #expect(
            try await SelfPerformingExtension(CountSheep.self).registry().perform(.confirm, "CountSheep", limit)
                == .responded(.ready))
        let outcome = try await SelfPerformingExtension(CountSheep.self).registry().perform(
            .handle, "CountSheep", limit)
        #expect(outcome == .responded(.success(dialog: "5 sheep for s", values: ["value": .number(5)])))
    }

    @Test("its parameters are resolved by their declarations")
    func resolved() async throws {
        let outcome = try await SelfPerformingExtension(CountSheep.self).registry().perform(
            .resolve, "CountSheep", [.given("limit", "5000")])
        guard case .resolved(let all, _, _, _) = outcome, case .unsupported("aboveMaximum", _) = all[0].resolution
        else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test("it also performs itself in the app")
    func inApp() async throws {
        #expect(
            try await SelfPerformingExtension(Quiet.self).registry().perform(.handle, "Quiet", isInApp: true)
                == .responded(.success))
    }

    @Test("a handler takes precedence over perform()")
    func handlerTakesPrecedence() async throws {
        struct Handler: IntentHandling {
            func handle(_ intent: Quiet, context: Context) async throws -> HandleResponse {
                .success(dialog: "Handled")
            }
        }
        struct Server: IntentExtension {
            let intents: [any Intent.Type] = [Quiet.self]
            func handler(for intent: any Intent) -> (any IntentHandler)? { Handler() }
        }
        #expect(try await Server().registry().perform(.handle, "Quiet") == .responded(.success(dialog: "Handled")))
    }

    @Test("a test can call perform() without a pipeline")
    func withoutPipeline() async throws {
        var intent = CountSheep()
        intent.limit = 3
        #expect(try await intent.perform().value == 3)
    }

    @Test("its result carries a value, items, a dialog and the next intent")
    func result() async throws {
        #expect(
            try await SelfPerformingExtension(Quiet.self).registry().perform(.handle, "Quiet") == .responded(.success))
        let items = try await SelfPerformingExtension(Listing.self).registry().perform(.handle, "Listing").response
        #expect(items?.items.map(\.id) == ["assam", "sencha"] && items?.items.map(\.title) == ["Assam", "Sencha"])
        #expect(items?.items.first?.subtitle == "Strong" && items?.dialog == "Two leaves")
        let all = try await SelfPerformingExtension(LeadingFurther.self).registry().perform(.handle, "LeadingFurther")
            .response
        #expect(
            all?.values == ["value": .string("v")] && all?.dialog == "d"
                && all?.opensIntent == OpenedIntent(intent: "Quiet"))
    }

    @Test("the intent that it opens carries the set values and no defaults")
    func nextIntent() async throws {
        let response = try await SelfPerformingExtension(Leading.self).registry().perform(
            .handle, "Leading", [.given("leaf", "assam")]
        )
        .response
        let parameters: [String: JSON] = ["leaf": .string("assam"), "guest": JSON(Person(displayName: "Kim"))]
        #expect(response?.opensIntent == OpenedIntent(intent: "OrderTea", parameters: parameters))
    }

    @Test("a handler's response can carry items and the next intent too")
    func handlerResponse() async throws {
        let handler = OrderTeaHandler(handles: { _, _ in .success(items: [Leaf.assam], opensIntent: Plain()) })
        let response = try #require(try await Teahouse(order: handler).perform(.handle, order).response)
        #expect(response.items.map(\.id) == ["assam"] && response.opensIntent?.intent == "Nod")
    }
}

@Suite("An intent's authentication policy")
struct AuthenticationTests {
    private func perform(
        _ phase: Phase, _ type: any Intent.Type, _ principal: Principal?, stated: String? = nil,
        answers: [PhaseAnswer] = []
    ) async throws -> PhaseOutcome {
        let attributes: [String: JSON] = stated.map { ["authentication": .string($0)] } ?? [:]
        return try await SelfPerformingExtension(type).registry().perform(
            phase, type.name, type == Guarded.self ? [.given("gate", "north")] : [], attributes: attributes,
            principal: principal,
            answers: answers)
    }

    @Test("a person who is not authenticated is asked to sign in, in every phase", arguments: Phase.allCases)
    func unauthenticated(_ phase: Phase) async throws {
        for (principal, stated) in [
            (nil, nil), (nil, "localDevice"), (Principal(.serviceAccount, "agent"), "localDevice"),
        ] {
            let outcome = try await perform(phase, Guarded.self, principal, stated: stated)
            #expect(
                outcome == .asked(PhaseQuestion(id: "authentication", kind: .signIn(SignIn(requires: .localDevice)))))
        }
        let elsewhere = try await perform(phase, Guarded.self, Self.ann, stated: "authenticated")
        #expect(elsewhere == .asked(PhaseQuestion(id: "authentication", kind: .signIn(SignIn(requires: .localDevice)))))
        let less = try await perform(phase, LessGuarded.self, nil, stated: "localDevice")
        #expect(less == .asked(PhaseQuestion(id: "authentication", kind: .signIn(SignIn(requires: .person)))))
    }

    @Test("one who does not sign in is sent to the app", arguments: Phase.allCases)
    func declined(_ phase: Phase) async throws {
        let declined = [PhaseAnswer(question: "authentication", isAccepted: false)]
        for principal in [nil, Principal(.serviceAccount, "agent")] {
            let failure = try await perform(phase, Guarded.self, principal, answers: declined).failure
            #expect(
                failure?.disposition == .failure("failureRequiringInAppAuthentication")
                    && failure?.reason == .unauthorized)
            #expect(failure?.activity == UserActivity(activityType: "Guarded", userInfo: ["gate": .string("north")]))
            #expect(failure?.field == "authtype")
        }
        let elsewhere = try await perform(phase, Guarded.self, Self.ann, stated: "authenticated", answers: declined)
            .failure
        #expect(elsewhere?.reason == .unauthorized && elsewhere?.field == "attributes.authentication")
    }

    @Test("an authenticated person is enough if the intent does not require the local device")
    func devices() async throws {
        #expect(try await perform(.handle, LessGuarded.self, Self.ann) == .responded(.success))
        #expect(try await perform(.handle, LessGuarded.self, Principal(.user, "ann")) == .responded(.success))
        #expect(try await perform(.handle, Guarded.self, Self.ann, stated: "localDevice") == .responded(.success))
    }

    private static let ann = Principal(.appUser, "ann")

    @Test("no code of the handler runs before authentication")
    func noHandlerCode() async throws {
        struct Server: IntentExtension {
            let intents: [any Intent.Type] = [Guarded.self]
            func handler(for intent: any Intent) -> (any IntentHandler)? {
                #expect((intent as? Guarded)?.gate == nil, "only called when the registry is made")
                return nil
            }
        }
        let outcome = try await Server().registry().perform(.handle, "Guarded", [.given("gate", "north")])
        #expect(outcome == .asked(PhaseQuestion(id: "authentication", kind: .signIn(SignIn(requires: .localDevice)))))
    }
}
