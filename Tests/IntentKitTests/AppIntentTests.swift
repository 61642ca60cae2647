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

@Suite("An AppIntent performs itself") struct AppIntentTests {
    private func handle(_ intent: any Intent.Type, isInApp: Bool = false) async throws -> IntentResponse {
        try await SelfPerformingExtension(intent).respond(.handle, isInApp: isInApp)
    }

    @Test func `an AppIntent needs no handler, and its parameters are resolved by their declarations`() async throws {
        let server = SelfPerformingExtension(CountSheep.self)
        #expect(try await server.perform(.confirm, [.given("limit", "5")]) == .responded(.ready))
        let outcome = try await server.perform(.handle, [.given("limit", "5")])
        #expect(outcome == .responded(.success(dialog: "5 sheep for s", values: ["value": 5])))
        #expect(try await server.resolve("limit", said: "5000").reason == "aboveMaximum")
    }

    @Test func `an AppIntent performs itself in the app too`() async throws {
        #expect(try await handle(Quiet.self, isInApp: true) == .success)
    }

    @Test func `a handler takes precedence over perform()`() async throws {
        let server = serving(Quiet.self, handle: { _ in .success(dialog: "Handled") })
        #expect(try await server.respond(.handle) == .success(dialog: "Handled"))
    }

    @Test func `a test can call perform() without a pipeline`() async throws {
        var intent = CountSheep()
        intent.limit = 3
        #expect(try await intent.perform().value == 3)
    }

    @Test func `an AppIntent's result carries a value, items, a dialog and the next intent`() async throws {
        #expect(try await handle(Quiet.self) == .success)
        let list = try await handle(Listing.self)
        #expect(list.items.map(\.id) == ["assam", "sencha"] && list.items.map(\.title) == ["Assam", "Sencha"])
        #expect(list.items.first?.subtitle == "Strong" && list.dialog == "Two leaves")
        let all = try await handle(LeadingFurther.self)
        #expect(all.values == ["value": "v"] && all.dialog == "d" && all.opensIntent == OpenedIntent(intent: "Quiet"))
    }

    @Test func `an opened intent carries the values that were set and no defaults`() async throws {
        let response = try await SelfPerformingExtension(Leading.self).respond(.handle, [.given("leaf", "assam")])
        let parameters: [String: JSON] = ["leaf": "assam", "guest": JSON(Person(displayName: "Kim"))]
        #expect(response.opensIntent == OpenedIntent(intent: "OrderTea", parameters: parameters))
    }

    @Test func `a handler's response can carry items and the next intent too`() async throws {
        let handler = OrderTeaHandler(handles: { _, _ in .success(items: [Leaf.assam], opensIntent: Plain()) })
        let response = try await Teahouse(order: handler).respond(.handle, order)
        #expect(response.items.map(\.id) == ["assam"] && response.opensIntent?.intent == "Nod")
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

@Suite("An AppIntent's modes: in the background or in the app") struct IntentModesTests {
    @Test func `an immediate foreground mode leaves the intent to the app`() async throws {
        let server = SelfPerformingExtension(Immediate.self)
        #expect(try await server.respond(.handle) == .continueInApp())
        #expect(try await server.respond(.handle, isInApp: true).dialog == "performed")
    }

    @Test func `a deferred foreground mode performs the intent before the app opens`() async throws {
        let response = try await SelfPerformingExtension(Deferred.self).respond(.handle)
        #expect(response.code == .continueInApp && response.values == ["value": 3])
    }

    @Test func `an intent without foreground mode can't continue in the app`() async throws {
        let failure = try await SelfPerformingExtension(Homebound.self).failure(.handle)
        let message = "Homebound can't continue in the foreground: add .foreground(.dynamic) to its supportedModes"
        #expect(failure.message == message)
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

@Suite("An intent's authentication policy") struct AuthenticationTests {
    private static let ann = Principal(.appUser, "ann")
    private static let agent = Principal(.serviceAccount, "agent")

    private func perform(
        _ phase: Phase, _ type: any Intent.Type, _ principal: Principal?, stated: JSON? = nil,
        answers: [PhaseAnswer] = []
    ) async throws -> PhaseOutcome {
        try await SelfPerformingExtension(type).perform(
            phase, type == Guarded.self ? [.given("gate", "north")] : [],
            attributes: stated.map { ["authentication": $0] } ?? [:], principal: principal, answers: answers)
    }

    private func signIn(_ requirement: SignIn.Requirement) -> PhaseOutcome {
        .asked(PhaseQuestion(id: "authentication", kind: .signIn(SignIn(requires: requirement))))
    }

    @Test(arguments: Phase.allCases)
    func `a person who is not authenticated is asked to sign in, in every phase`(_ phase: Phase) async throws {
        let claims: [(Principal?, JSON?)] = [
            (nil, nil), (nil, "localDevice"), (Self.agent, "localDevice"), (Self.ann, "authenticated"),
        ]
        for (principal, stated) in claims {
            #expect(try await perform(phase, Guarded.self, principal, stated: stated) == signIn(.localDevice))
        }
        #expect(try await perform(phase, LessGuarded.self, nil, stated: "localDevice") == signIn(.person))
    }

    @Test(arguments: Phase.allCases)
    func `a person who does not sign in is sent to the app`(_ phase: Phase) async throws {
        let declined = [PhaseAnswer(question: "authentication", isAccepted: false)]
        for principal in [nil, Self.agent] {
            let failure = try await perform(phase, Guarded.self, principal, answers: declined).failure
            #expect(failure?.kind == "failureRequiringInAppAuthentication unauthorized at authtype")
            // The coordinator has confirm's activity for later phases.
            let activity = UserActivity(activityType: "Guarded", userInfo: ["gate": "north"])
            #expect(failure?.activity == (phase == .resolve ? activity : nil))
        }
        let elsewhere = try await perform(phase, Guarded.self, Self.ann, stated: "authenticated", answers: declined)
        #expect(elsewhere.failure?.reason == .unauthorized && elsewhere.failure?.field == "attributes.authentication")
    }

    @Test func `an authenticated person is enough if the intent does not require the local device`() async throws {
        #expect(try await perform(.handle, LessGuarded.self, Self.ann) == .responded(.success))
        #expect(try await perform(.handle, LessGuarded.self, Principal(.user, "ann")) == .responded(.success))
        #expect(try await perform(.handle, Guarded.self, Self.ann, stated: "localDevice") == .responded(.success))
    }

    @Test func `no code of the handler runs before authentication`() async throws {
        let server = Serving(intents: [Guarded.self]) { intent in
            #expect((intent as? Guarded)?.gate == nil, "only called when the registry is made")
            return nil
        }
        #expect(try await server.perform(.handle, [.given("gate", "north")]) == signIn(.localDevice))
    }
}
