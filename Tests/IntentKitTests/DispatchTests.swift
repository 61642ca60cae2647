import IntentKit
import IntentRuntime
import PipelineTestKit
import Testing

// The example of seed 004: one handler for three intents, and another handler for one.

struct SendMessage: Intent {
    static let title: LocalizedText = "Send a message"
    @Parameter(title: "Recipient", requestValueDialog: "To whom?") var recipient: Person
    @Parameter(title: "Content") var content: String?
    static let parameters = Parameters<Self>(\.$recipient, \.$content)
}

struct SearchForMessages: Intent { static let title: LocalizedText = "Search for messages" }
struct SetMessageAttribute: Intent { static let title: LocalizedText = "Set a message's attribute" }
struct StartCall: Intent {
    static let title: LocalizedText = "Call"
    static let continueInAppAtConfirm = ContinueInAppAtConfirm.isFailure
}
struct Unserved: Intent { static let title: LocalizedText = "Nobody does this" }

struct MyMessageHandler: IntentHandler {
    var handlings: [any IntentHandling] {
        Handling(SendMessage.self, confirm: confirm, handle: handle) {
            Resolve(\.$recipient) { person, _ in
                guard let person else { return .needsValue() }
                return person.displayName == "Nobody" ? .unsupported(reason: "noAccount") : .success(person)
            }
        }
        Handling(SearchForMessages.self, handle: handle)
        Handling(SetMessageAttribute.self, handle: handle)
    }

    func confirm(_ message: SendMessage, context: Context) async throws -> ConfirmResponse { .ready(dialog: "Send?") }
    func handle(_ message: SendMessage, context: Context) async throws -> HandleResponse { .success(dialog: "Sent") }
    func handle(_ search: SearchForMessages, context: Context) async throws -> HandleResponse {
        .success(dialog: "Found")
    }
    func handle(_ change: SetMessageAttribute, context: Context) async throws -> HandleResponse {
        .success(dialog: "Set")
    }
}

struct MyCallHandler: IntentHandling {
    var answer = HandleResponse.success
    func confirm(_ call: StartCall, context: Context) async throws -> ConfirmResponse { .continueInApp() }
    func handle(_ call: StartCall, context: Context) async throws -> HandleResponse { answer }
}

struct PhoneExtension: IntentExtension {
    let intents: [any Intent.Type] = [
        SendMessage.self, SearchForMessages.self, SetMessageAttribute.self, StartCall.self, Unserved.self,
    ]

    func handler(for intent: any Intent) -> (any IntentHandler)? {
        switch intent {
        case is SendMessage,
            is SearchForMessages,
            is SetMessageAttribute:
            return MyMessageHandler()
        case is StartCall:
            return MyCallHandler()
        default:
            return nil
        }
    }

    func application(handlerFor intent: any Intent) -> (any IntentHandler)? {
        intent is StartCall ? MyCallHandler(answer: .success(dialog: "In the app")) : nil
    }
}

@Suite("Seed 004: intents are dispatched to handlers by their type")
struct DispatchTests {
    private func perform(_ phase: Phase, _ intent: String, isInApp: Bool = false) async throws -> PhaseOutcome {
        let parameters: [ParameterState] = intent == "SendMessage" ? [.given("recipient", "Kim")] : []
        return try await PhoneExtension().registry().perform(phase, intent, parameters, isInApp: isInApp)
    }

    @Test("one handler type serves three intents")
    func threeIntents() async throws {
        #expect(try await perform(.handle, "SendMessage") == .responded(.success(dialog: "Sent")))
        #expect(try await perform(.handle, "SearchForMessages") == .responded(.success(dialog: "Found")))
        #expect(try await perform(.handle, "SetMessageAttribute") == .responded(.success(dialog: "Set")))
    }

    @Test("another handler type serves one intent")
    func oneIntent() async throws {
        #expect(try await perform(.handle, "StartCall") == .responded(.success))
    }

    @Test("each intent of a handler has its own resolution and confirm")
    func ownPhases() async throws {
        #expect(try await perform(.confirm, "SendMessage") == .responded(.ready(dialog: "Send?")))
        #expect(try await perform(.confirm, "SearchForMessages") == .responded(.ready))
        let outcome = try await PhoneExtension().registry().perform(
            .resolve, "SendMessage", [.given("recipient", "Nobody")])
        guard case .resolved(let all, _, _, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(all[0].resolution == .unsupported(reason: "noAccount", dialog: nil))
        #expect(all[1].resolution == .notRequired)
    }

    @Test("an intent without a handler ends as unsupported")
    func noHandler() async throws {
        let message = "PhoneExtension has no handler for 'Unserved' at present"
        let expected = PhaseOutcome.failed(IntentFailure(.reject, reason: .unsupported, message: message))
        for phase in Phase.allCases { #expect(try await perform(phase, "Unserved") == expected) }
    }

    @Test("the app has its own handlers")
    func app() async throws {
        #expect(try await perform(.handle, "StartCall", isInApp: true) == .responded(.success(dialog: "In the app")))
        guard case .failed(let failure) = try await perform(.handle, "SendMessage", isInApp: true) else {
            Issue.record("the app has no handler for messages")
            return
        }
        #expect(failure.reason == .unsupported)
    }

    @Test("an intent declares what continueInApp means at confirm")
    func continueInApp() async throws {
        let activity = UserActivity(activityType: "StartCall")
        #expect(
            try await perform(.confirm, "StartCall")
                == .responded(.failure(.failureRequiringAppLaunch, activity: activity)))
        let handler = OrderTeaHandler(confirms: { _, _ in .continueInApp(UserActivity(activityType: "tea")) })
        let outcome = try await Teahouse(order: handler).perform(.confirm, order)
        #expect(outcome == .responded(.continueInApp(UserActivity(activityType: "tea"))))
    }

    @Test("the extension can leave the intent to the app", arguments: [Phase.confirm, .handle])
    func leftToApp(at phase: Phase) async throws {
        for response in [ResponseCode.continueInApp, .handleInApp].map({
            IntentResponse($0, userActivity: UserActivity(activityType: "t"))
        }
        ) {
            let handler = OrderTeaHandler(
                confirms: { _, _ in ConfirmResponse(response) }, handles: { _, _ in HandleResponse(response) })
            #expect(try await Teahouse(order: handler).perform(phase, order) == .responded(response))
        }
    }
}

@Suite("Dispatch mistakes are found when the process starts, or reported clearly")
struct DispatchMistakeTests {
    private struct Serving: IntentExtension {
        var intents: [any Intent.Type]
        var handler: @Sendable (any Intent) -> (any IntentHandler)?
        func handler(for intent: any Intent) -> (any IntentHandler)? { handler(intent) }
    }

    private struct Twice: IntentHandler {
        var handlings: [any IntentHandling] {
            PlainHandler()
            PlainHandler()
        }
    }

    private func error(_ server: any IntentExtension) -> IntentRegistryError? {
        do {
            _ = try IntentRegistry([server], dependencies: AppDependencyManager())
            return nil
        } catch {
            return error
        }
    }

    @Test("a handler of another intent is an error at the start")
    func otherIntent() {
        let found = error(Serving(intents: [StartCall.self]) { _ in PlainHandler() })
        #expect(found?.code == .handlerMismatched)
        #expect(found?.message == "PlainHandler was returned for 'StartCall' but handles Plain")
        let several = error(Serving(intents: [StartCall.self]) { _ in MyMessageHandler() })
        #expect(several?.message.hasSuffix("but handles SendMessage, SearchForMessages, SetMessageAttribute") == true)
    }

    @Test("a handler that lists an intent twice is an error at the start")
    func listedTwice() {
        let found = error(Serving(intents: [Plain.self]) { _ in Twice() })
        #expect(found?.code == .handlerMismatched && found?.message == "Twice lists 'Nod' twice among its handlings")
    }

    @Test("a wrong handler that is returned later fails the request with its name")
    func returnedLater() async throws {
        let server = Serving(intents: [SendMessage.self]) { intent in
            if (intent as? SendMessage)?.content == nil { MyMessageHandler() } else { MyCallHandler() }
        }
        let outcome = try await server.registry().perform(
            .handle, "SendMessage", [.given("recipient", "Kim"), .given("content", "Hi")])
        let message = "MyCallHandler was returned for 'SendMessage' but handles StartCall"
        #expect(outcome == .failed(IntentFailure(.failure(.failure), reason: .internal, message: message)))
    }

    @Test("an intent that is served twice is an error")
    func claimedTwice() {
        let handler: @Sendable (any Intent) -> (any IntentHandler)? = { _ in PlainHandler() }
        #expect(error(Serving(intents: [Plain.self, Plain.self], handler: handler))?.code == .intentServedTwice)
    }
}
