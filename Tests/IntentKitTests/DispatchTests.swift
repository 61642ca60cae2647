import IntentKit
import IntentRuntime
import PipelineTestKit
import Testing

// The example of seed 004: one handler for three intents, and another handler for one.

private struct SendMessage: Intent {
    static let title: LocalizedText = "Send a message"
    @Parameter(title: "Recipient", requestValueDialog: "To whom?") var recipient: Person
    @Parameter(title: "Content") var content: String?
    static let parameters = Parameters<Self>(\.$recipient, \.$content)
}

private struct SearchForMessages: Intent { static let title: LocalizedText = "Search for messages" }
private struct SetMessageAttribute: Intent { static let title: LocalizedText = "Set a message's attribute" }
private struct StartCall: Intent {
    static let title: LocalizedText = "Call"
    static let continueInAppAtConfirm = ContinueInAppAtConfirm.isFailure
}
private struct Unserved: Intent { static let title: LocalizedText = "Nobody does this" }

private struct MyMessageHandler: IntentHandler {
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
    func handle(_: SearchForMessages, context: Context) async throws -> HandleResponse { .success(dialog: "Found") }
    func handle(_: SetMessageAttribute, context: Context) async throws -> HandleResponse { .success(dialog: "Set") }
}

private struct MyCallHandler: IntentHandling {
    var answer = HandleResponse.success
    func confirm(_ call: StartCall, context: Context) async throws -> ConfirmResponse { .continueInApp() }
    func handle(_ call: StartCall, context: Context) async throws -> HandleResponse { answer }
}

private struct PhoneExtension: IntentExtension {
    let intents: [any Intent.Type] = [
        SendMessage.self, SearchForMessages.self, SetMessageAttribute.self, StartCall.self, Unserved.self,
    ]

    func handler(for intent: any Intent) -> (any IntentHandler)? {
        switch intent {
        case is SendMessage, is SearchForMessages, is SetMessageAttribute: MyMessageHandler()
        case is StartCall: MyCallHandler()
        default: nil
        }
    }

    func application(handlerFor intent: any Intent) -> (any IntentHandler)? {
        intent is StartCall ? MyCallHandler(answer: .success(dialog: "In the app")) : nil
    }
}

@Suite("Seed 004: intents are dispatched to handlers by their type") struct DispatchTests {
    private func perform(_ phase: Phase, _ intent: String, isInApp: Bool = false) async throws -> PhaseOutcome {
        let parameters: [ParameterState] = intent == "SendMessage" ? [.given("recipient", "Kim")] : []
        return try await PhoneExtension().registry().perform(phase, intent, parameters, isInApp: isInApp)
    }

    @Test(arguments: [
        (Phase.handle, "SendMessage", IntentResponse.success(dialog: "Sent")),
        (.handle, "SearchForMessages", .success(dialog: "Found")),
        (.handle, "SetMessageAttribute", .success(dialog: "Set")), (.handle, "StartCall", .success),
        (.confirm, "SendMessage", .ready(dialog: "Send?")), (.confirm, "SearchForMessages", .ready),
    ])
    func `a handler serves several intents`(_ phase: Phase, _ intent: String, _ response: IntentResponse) async throws {
        #expect(try await perform(phase, intent) == .responded(response))
    }

    @Test func `each intent of a handler has its own resolution`() async throws {
        let all = try await PhoneExtension().resolve([.given("recipient", "Nobody")])
        #expect(all.map(\.resolution) == [.unsupported(reason: "noAccount", dialog: nil), .notRequired])
    }

    @Test(arguments: Phase.allCases)
    func `an intent without a handler ends as unsupported`(_ phase: Phase) async throws {
        let message = "PhoneExtension has no handler for 'Unserved' at present"
        let failure = IntentFailure(.reject, reason: .unsupported, message: message)
        #expect(try await perform(phase, "Unserved") == .failed(failure))
    }

    @Test func `the app has its own handlers`() async throws {
        #expect(try await perform(.handle, "StartCall", isInApp: true) == .responded(.success(dialog: "In the app")))
        #expect(try await perform(.handle, "SendMessage", isInApp: true).failure?.kind == "reject unsupported")
    }

    @Test func `an intent declares what continueInApp means at confirm`() async throws {
        let app = IntentResponse.failure(.failureRequiringAppLaunch)
        #expect(try await perform(.confirm, "StartCall") == .responded(app))
        let handler = OrderTeaHandler(confirms: { _, _ in .continueInApp(UserActivity(activityType: "tea")) })
        let response = try await Teahouse(order: handler).respond(.confirm, order)
        #expect(response == .continueInApp(UserActivity(activityType: "tea")))
    }
}

@Suite("Dispatch mistakes are found when the process starts, or reported clearly") struct DispatchMistakeTests {
    private struct Twice: IntentHandler {
        var handlings: [any IntentHandling] {
            PlainHandler()
            PlainHandler()
        }
    }

    @Test func `a handler of another intent, and one that lists an intent twice, is an error at the start`() {
        expectMistake(
            .handlerMismatched, "PlainHandler was returned for 'StartCall' but handles Plain",
            in: Serving(intents: [StartCall.self]))
        expectMistake(
            .handlerMismatched, "but handles SendMessage, SearchForMessages, SetMessageAttribute",
            in: Serving(intents: [StartCall.self]) { _ in MyMessageHandler() })
        expectMistake(
            .handlerMismatched, "Twice lists 'Nod' twice among its handlings",
            in: Serving(intents: [Plain.self]) { _ in Twice() })
    }

    @Test func `a wrong handler that is returned later fails the request with its name`() async throws {
        let server = Serving(intents: [SendMessage.self]) { intent in
            if (intent as? SendMessage)?.content == nil { MyMessageHandler() } else { MyCallHandler() }
        }
        let failure = try await server.failure(.handle, .given(["recipient": "Kim", "content": "Hi"]))
        let message = "MyCallHandler was returned for 'SendMessage' but handles StartCall"
        #expect(failure == IntentFailure(.failure(.failure), reason: .internal, message: message))
    }
}

@Suite("An extension lists its handlers") struct ListedHandlersTests {
    private struct Kettle: IntentExtension {
        var isOn = true
        var isTwice = false
        var made = Recorder<String>()

        var handlers: [any IntentHandling] {
            make()
            if isOn { Boil.self }
            if isTwice { OrderTeaHandler() }
        }

        var appHandlers: [any IntentHandling] {
            serving(Brew.self, handle: { _ in .success(dialog: "Brewed in the app") }).handler
            OrderTeaHandler(handles: { _, context in .success(dialog: context.isInApp ? "by the app" : nil) })
        }

        func provideDependencies(to manager: AppDependencyManager) {
            manager.add(Cupboard(cups: [Cup(id: "c1", title: "Glass")]))
        }

        private func make() -> any IntentHandling {
            made.record("made")
            return OrderTeaHandler()
        }
    }

    private struct Boil: AppIntent {
        static let title: LocalizedText = "Boil"
        func perform() async throws -> some IntentResult & ProvidesDialog { .result(dialog: "Water is on") }
    }

    private struct Brew: Intent { static let title: LocalizedText = "Brew" }

    @Test func `an extension's intents are those of its handlers, in order, each once`() throws {
        #expect(try Kettle().registry().intents == ["OrderTea", "Boil", "Brew"])
        #expect(try Kettle(isOn: false).registry().intents == ["OrderTea", "Brew"])
    }

    @Test func `a handler is created once, and handles its intent in a worker and in the app`() async throws {
        let kettle = Kettle()
        let registry = try kettle.registry()
        let before = kettle.made.all.count
        for _ in 1...3 { #expect(try await registry.respond(.handle, "OrderTea", order) == .success) }
        #expect(kettle.made.all.count == before)
        #expect(try await registry.respond(.handle, "OrderTea", order, isInApp: true).dialog == "by the app")
        #expect(try await registry.respond(.handle, "Boil").dialog == "Water is on")
        #expect(try await registry.respond(.handle, "Boil", isInApp: true).dialog == "Water is on")
    }

    @Test func `an intent that only the app's handlers handle runs in the app`() async throws {
        let registry = try Kettle().registry()
        #expect(registry.intentsOfTheApp == ["Brew"])
        #expect(try await registry.respond(.handle, "Brew", isInApp: true).dialog == "Brewed in the app")
        let failure = await registry.perform(.handle, "Brew").failure
        #expect(failure?.message == "Kettle has no handler for 'Brew' at present")
    }

    @Test func `two handlers of one intent are a mistake that is found at the start`() {
        expectMistake(
            .handlerMismatched, "Kettle lists two handlers for 'OrderTea' in its handlers", in: Kettle(isTwice: true))
    }
}
