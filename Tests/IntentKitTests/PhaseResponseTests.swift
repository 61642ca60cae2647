import IntentKit
import IntentRuntime
import PipelineTestKit
import Testing

@Suite("A response of confirm or handle") struct PhaseResponseTests {
    private struct Brewed: ResponseValues {
        var pots: Int
        var leaf: Leaf
        var note: String?
    }

    private func handled(_ reply: HandleResponse, locale: String? = nil) async throws -> PhaseOutcome {
        try await Teahouse(order: OrderTeaHandler(handles: { _, _ in reply })).perform(.handle, order, locale: locale)
    }

    @Test func `the properties of a type become the response's values, except those that are nil`() async throws {
        let outcome = try await handled(.success(values: ["cup": "c1"]).returning(Brewed(pots: 2, leaf: .assam)))
        #expect(outcome.response?.values == ["cup": "c1", "pots": 2, "leaf": "assam"])
    }

    @Test func `a property that is of no parameter type fails with its name`() async throws {
        struct Wrong: ResponseValues { var clock = ContinuousClock() }
        let failure = try await handled(.success.returning(Wrong())).failure
        #expect(failure?.message == "Wrong.clock is a ContinuousClock, which is not a parameter type")
    }

    @Test func `the values of a response are read back as their type`() throws {
        let response = HandleResponse.success(values: ["leaf": Leaf.assam]).returning(Brewed(pots: 2, leaf: .sencha))
        #expect(response.values(as: Brewed.self)?.leaf == .sencha)
        #expect(response.value(Leaf.self, named: "leaf") == .assam && response.value(Leaf.self, named: "cup") == nil)
    }

    @Test func `dialogs, also composed ones, are in the language of the request`() async throws {
        let tea = LocalizedText("Tea", translations: ["nl": "Thee"])
        let soon = LocalizedText("soon", translations: ["nl": "zo meteen"])
        let response = try await handled(.success(dialog: "\(tea) \(soon)").supporting(tea), locale: "nl").response
        #expect(response?.dialog == "Thee zo meteen" && response?.supportingDialog == "Thee")
    }

    @Test func `a thrown response ends the phase`() async throws {
        @Sendable func check() throws(FailureResponse) { throw .failure("failureNoTea", dialog: "No tea is left.") }
        let handler = OrderTeaHandler(confirms: { _, _ in
            try check()
            return .ready
        })
        let response = try await Teahouse(order: handler).respond(.confirm, order)
        #expect(response == IntentResponse("failureNoTea", dialog: "No tea is left."))
    }

    @Test func `a question of a resolution has a text to read beside what is said aloud`() async throws {
        let handler = OrderTeaHandler(guest: { _, _ in .needsValue("For whom shall I make it?").supporting("Guest") })
        let guest = try await Teahouse(order: handler).resolve("guest", order)
        #expect(guest.resolution == .needsValue(dialog: "For whom shall I make it?"))
        #expect(guest.supportingDialog == "Guest")
    }

    @Test func `a response that is valid for no time is a mistake`() async throws {
        func confirm(_ duration: Duration) async throws -> PhaseOutcome {
            let handler = OrderTeaHandler(confirms: { _, _ in .ready(dialog: "€12", validFor: duration) })
            return try await Teahouse(order: handler).perform(.confirm, order)
        }
        #expect(try await confirm(.zero).failure?.reason == .unexpected)
        #expect(try await confirm(.seconds(60)).response?.validFor == .seconds(60))
    }
}

@Suite("Errors determine the response to a request") struct IntentErrorTests {
    private struct OutOfTea: CustomAppIntentErrorConvertible {
        var intentResponse: FailureResponse { .failure("failureOutOfTea", dialog: "There is no tea left.") }
    }

    private func handle(throwing error: any Error) async throws -> IntentResponse {
        try await Teahouse(order: OrderTeaHandler(handles: { _, _ in throw error })).respond(.handle, order)
    }

    @Test func `an error that requires an action by the person launches the app`() async throws {
        for error in AppIntentError.UserActionRequired.allCases {
            let response = try await handle(throwing: error)
            #expect(response.code.requiresAppLaunch)
        }
        let signin = try await handle(throwing: AppIntentError.UserActionRequired.signin)
        #expect(signin.code == .failureRequiringInAppAuthentication)
        let permission = try await handle(throwing: AppIntentError.PermissionRequired.localNetwork)
        #expect(permission.code == .failureAppConfigurationRequired)
        #expect(permission.dialog == "The app needs permission first: local network.")
    }

    @Test func `an unrecoverable error has a code, and an author's own error a code and a dialog`() async throws {
        let notFound = try await handle(throwing: AppIntentError.Unrecoverable.entityNotFound)
        #expect(notFound == .failure("failureEntityNotFound"))
        #expect(try await handle(throwing: AppIntentError.Unrecoverable.unknown) == .failure())
        let own = try await handle(throwing: OutOfTea())
        #expect(own == .failure("failureOutOfTea", dialog: "There is no tea left."))
    }

    @Test func `an error in a resolution fails with its code`() async throws {
        func resolve(throwing error: any Error) async throws -> IntentFailure {
            try await Teahouse(order: OrderTeaHandler(guest: { _, _ in throw error })).failure(.resolve, order)
        }
        let signin = try await resolve(throwing: AppIntentError.UserActionRequired.signin)
        #expect(signin.disposition == .failure(.failureRequiringInAppAuthentication))
        #expect(signin.activity?.activityType == "OrderTea")
        #expect(try await resolve(throwing: OutOfTea()).message == "There is no tea left.")
    }
}

@Suite("A test can call a single phase of registered intents") struct PhaseCallTests {
    private let registry: IntentRegistry

    init() throws { registry = try Teahouse().registry() }

    private func message(_ call: () async throws -> some Sendable) async -> String? {
        await #expect(throws: UnexpectedOutcome.self) { _ = try await call() }?.description
    }

    @Test func `an unexpected outcome is an error that says what came instead, or what was asked`() async throws {
        #expect(
            await message { try await registry.resolve("leef", of: "OrderTea") }
                == "'OrderTea' has no parameter 'leef'; it has leaf, pots, cup, guest, note")
        #expect(
            await message { try await registry.resolve("OrderTea", [.said("milk", "yes")]) }
                == "resolve of 'OrderTea' failed (invalid): OrderTea has no parameter 'milk'; "
                + "it has leaf, pots, cup, guest, note (at parameters.milk)")
        #expect(
            await message { try await registry.respond(.resolve, "Nod") }
                == "resolve of 'Nod' has no response, only resolutions: call resolve(_:_:) instead")
        let asking: Improvised.Script = { intent in
            _ = try await intent.$leaf.requestValue("Which?")
            return .result(dialog: "")
        }
        let improvised = try SelfPerformingExtension(Improvised.self).registry()
        await Improvised.$script.withValue(asking) {
            #expect(
                await message { try await improvised.respond(.handle, "Improvised", [.said("table", "7")]) }
                    == "handle of 'Improvised' asks the person (question 'value:leaf#1', “Which?”); "
                    + "pass a value, or test it with a TestConversation")
        }
    }
}

private struct Delivery: Intent {
    static let title: LocalizedText = "Where is my parcel?"
    static let effect: IntentEffect = .atMostOnce
    @Parameter(title: "Parcel") var parcel: String
    static let parameters = Parameters<Self>(\.$parcel)
}

private struct Parcels: IntentHandling, LiveUpdating {
    struct Lost: Error {}
    var updates: @Sendable (Delivery, UpdateObserver, Context) async throws -> Void

    func handle(_ delivery: Delivery, context: Context) async throws -> HandleResponse { .success }
    func sendUpdates(for delivery: Delivery, to observer: UpdateObserver, context: Context) async throws {
        try await updates(delivery, observer, context)
    }
}

@Suite("A handler sends live updates") struct LiveUpdatingTests {
    private func follow(
        _ handler: some IntentHandling<Delivery>, parcel: JSON? = "P-1", isUpdating: Bool = true
    ) async throws -> (outcome: PhaseOutcome, updates: [IntentUpdate]) {
        let updates = Recorder<IntentUpdate>()
        var context = InvocationContext(session: "s", request: "r")
        context.memory = ["city": "Cork"]
        var invocation = IntentInvocation(
            phase: .handle, intent: "Delivery", parameters: parcel.map { [.given("parcel", $0, .resolved)] } ?? [],
            context: context)
        invocation.isUpdating = isUpdating
        let outcome = try await SingleHandlerExtension(handler: handler).registry().perform(invocation) { progress in
            if let update = progress.update { updates.record(update) }
        }
        return (outcome, updates.all)
    }

    @Test func `sendUpdates gets the same intent as handle, and ends with success`() async throws {
        let (outcome, updates) = try await follow(
            Parcels { delivery, observer, _ in
                observer.didUpdate(IntentUpdate(phase: "ongoing", dialog: "\(delivery.parcel) is on its way"))
                observer.didUpdate(IntentUpdate(phase: "completed", completionStatus: "completed"))
            })
        #expect(outcome == .responded(.success))
        #expect(updates.map(\.phase) == ["ongoing", "completed"] && updates.first?.dialog == "P-1 is on its way")
    }

    @Test func `only a handler with live updates offers updates`() async throws {
        let offering = try await follow(Parcels { _, _, _ in }, isUpdating: false).outcome.response
        let quiet = try await follow(serving(Delivery.self).handler, isUpdating: false).outcome.response
        #expect(offering?.offersUpdates == true && quiet?.offersUpdates == false)
    }

    @Test func `a handler without live updates rejects a request for updates`() async throws {
        let failure = try await follow(serving(Delivery.self).handler).outcome.failure
        #expect(failure?.disposition == .reject && failure?.reason == .unsupported)
        #expect(failure?.message == "the handler of 'Delivery' does not report updates after success")
    }

    @Test func `an intent without its required values sends no updates`() async throws {
        let eager = Parcels { _, observer, _ in observer.didUpdate(IntentUpdate(phase: "ongoing")) }
        let (outcome, updates) = try await follow(eager, parcel: nil)
        #expect(outcome.failure?.field == "parameters.parcel" && updates.isEmpty)
    }

    @Test func `an error is retried even for an at-most-once intent: updates are not its effect`() async throws {
        let failure = try await follow(Parcels { _, _, _ in throw Parcels.Lost() }).outcome.failure
        #expect(failure?.disposition == .retry(after: .seconds(1)) && failure?.reason == .internal)
        #expect(failure?.message == "the updates of Delivery threw Lost")
    }

    @Test func `a question from sendUpdates is reported as a question`() async throws {
        let asking = Parcels { delivery, _, _ in _ = try await delivery.$parcel.requestValue("Which?") }
        #expect(try await follow(asking).outcome.question != nil)
    }
}
