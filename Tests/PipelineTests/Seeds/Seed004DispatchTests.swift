import Conversation
import IntentEvents
import IntentKit
import IntentRuntime
import PipelineTestKit
import Testing

private struct SendMessage: Intent {
    static let title: LocalizedText = "Send a message"
    @Parameter(title: "Recipient", requestValueDialog: "To whom?") var recipient: Person
    static let parameters = Parameters<Self>(\.$recipient)
}
private struct SearchForMessages: Intent { static let title: LocalizedText = "Search for messages" }
private struct SetMessageAttribute: Intent { static let title: LocalizedText = "Set a message's attribute" }
private struct StartCall: Intent { static let title: LocalizedText = "Start a call" }
private struct Unsupported: Intent { static let title: LocalizedText = "Nobody does this" }

private struct MyMessageHandler: IntentHandler {
    var place = "extension"

    var handlings: [any IntentHandling] {
        Handling(SendMessage.self, confirm: confirm, handle: handle) {
            Resolve(\.$recipient) { person, _ in person.map { .success($0) } ?? .needsValue() }
        }
        Handling(SearchForMessages.self, handle: handle)
        Handling(SetMessageAttribute.self, handle: handle)
    }
    func confirm(_ message: SendMessage, context: Context) async throws -> ConfirmResponse {
        switch message.recipient.displayName {
        case "Later": .handleInApp
        case "There": .continueInApp()
        default: .ready
        }
    }
    func handle(_ message: SendMessage, context: Context) async throws -> HandleResponse {
        .success(dialog: "sent by \(place)")
    }
    func handle(_ search: SearchForMessages, context: Context) async throws -> HandleResponse {
        .success(dialog: "found by \(place)")
    }
    func handle(_ change: SetMessageAttribute, context: Context) async throws -> HandleResponse {
        .success(dialog: "set by \(place)")
    }
}

private struct MyCallHandler: IntentHandling {
    func handle(_ call: StartCall, context: Context) async throws -> HandleResponse { .success(dialog: "called") }
}

private struct PhoneExtension: IntentExtension {
    let intents: [any Intent.Type] = [
        SendMessage.self, SearchForMessages.self, SetMessageAttribute.self, StartCall.self, Unsupported.self,
    ]
    let notebook = Recorder<String>()

    // The method of the article's listing.
    func handler(for intent: any Intent) -> (any IntentHandler)? {
        notebook.record("\(type(of: intent).name)")
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
        intent is SendMessage ? MyMessageHandler(place: "app") : nil
    }
}

/// Supports messages directly in the app, and calls in its extension.
private struct PhoneApp: IntentExtension {
    let intents: [any Intent.Type] = [SendMessage.self, StartCall.self]
    let notebook = Recorder<String>()

    func handler(for intent: any Intent) -> (any IntentHandler)? {
        notebook.record("extension")
        return intent is StartCall ? MyCallHandler() : nil
    }

    func application(handlerFor intent: any Intent) -> (any IntentHandler)? {
        notebook.record("app")
        return intent is SendMessage ? MyMessageHandler(place: "app") : nil
    }
}

/// An extension that numbers its handlers. Each handler records its calls.
private struct CountedExtension: IntentExtension {
    struct Call: Sendable {
        var handler: Int
        var phase: String
    }

    let intents: [any Intent.Type] = [SendMessage.self]
    let created = Recorder<Int>()
    let called = Recorder<Call>()

    func handler(for intent: any Intent) -> (any IntentHandler)? {
        created.record(0)
        return CountedHandler(number: created.all.count - 1, called: called)
    }
}

private struct CountedHandler: IntentHandling {
    let number: Int
    let called: Recorder<CountedExtension.Call>

    var resolution: some Resolution<SendMessage> {
        Resolve(\.$recipient) { [called, number] person, _ in
            called.record(.init(handler: number, phase: "resolve"))
            return person.map { .success($0) } ?? .needsValue()
        }
    }
    func confirm(_ message: SendMessage, context: Context) async throws -> ConfirmResponse {
        called.record(.init(handler: number, phase: "confirm"))
        return .ready
    }
    func handle(_ message: SendMessage, context: Context) async throws -> HandleResponse {
        called.record(.init(handler: number, phase: "handle"))
        return .success
    }
}

@Suite("Seed 004: intents are dispatched to handlers")
struct Seed004DispatchTests {
    private let phone = PhoneExtension()

    private func dialog(_ intent: any Intent.Type, _ parameters: KeyValuePairs<String, String> = [:]) async throws
        -> String?
    {
        let talk = try await Dialogue(phone)
        try await talk.request(intent, parameters)
        return try talk.last()?.dialog
    }

    @Test("a request needs a handler for its intent: a handler for another intent is found when the process starts")
    func conforms() throws {
        struct Wrong: IntentExtension {
            let intents: [any Intent.Type] = [StartCall.self]
            func handler(for intent: any Intent) -> (any IntentHandler)? { MyMessageHandler() }
        }
        #expect { try Wrong().registry() } throws: { ($0 as? IntentRegistryError)?.code == .handlerMismatched }
    }

    @Test("a handler resolves the intent's parameters and returns how it was handled")
    func methods() async throws {
        #expect(try await phone.resolve("recipient", of: SendMessage.self) == .needsValue(dialog: "To whom?"))
        let parameters = [ParameterState.said("recipient", "Kim")]
        #expect(
            try await phone.perform(.handle, SendMessage.self, parameters).response
                == .success(dialog: "sent by extension"))
    }

    @Test("the extension is asked for the handler of each intent")
    func fromTheExtension() async throws {
        let talk = try await Dialogue(phone)
        let before = phone.notebook.all.count
        try await talk.request(SearchForMessages.self)
        #expect(Set(phone.notebook.all.dropFirst(before)) == ["SearchForMessages"])
    }

    @Test("an app that supports an intent directly is asked for the handler, and resolves, confirms and handles it")
    func inTheApp() async throws {
        let app = PhoneApp()
        let talk = try await Dialogue(app)
        let before = app.notebook.all.count
        try await talk.request(SendMessage.self)
        try await talk.say("Kim")
        #expect(try talk.lines() == ["prompt value recipient", "completed success success"])
        #expect(try talk.last()?.dialog == "sent by app")
        for (phase, count) in [(Phase.resolve, 2), (.confirm, 1), (.handle, 1)] {
            #expect(try talk.work(phase, inApp: true).count == count && talk.work(phase).isEmpty, "\(phase)")
        }
        #expect(
            app.notebook.all.dropFirst(before) == ["app", "app", "app", "app"], "only the app is asked for handlers")
    }

    @Test("an app's other intents stay with its extension")
    func besideTheApp() async throws {
        let talk = try await Dialogue(PhoneApp())
        try await talk.request(StartCall.self)
        #expect(try talk.last()?.dialog == "called")
        #expect(try Phase.allCases.allSatisfy { try talk.work($0, inApp: true).isEmpty })
    }

    @Test("an intent that the app does not support has no handler there, even if the extension has one")
    func notInTheApp() async throws {
        #expect(try await phone.perform(.handle, StartCall.self, isInApp: true).failure?.reason == .unsupported)
    }

    @Test("every phase gets a valid new handler")
    func newHandler() async throws {
        let counted = CountedExtension()
        let talk = try await Dialogue(counted)
        let before = counted.created.all.count
        try await talk.request(SendMessage.self, ["recipient": "Kim"])
        try await talk.request(SendMessage.self, ["recipient": "Lou"], id: "second")
        #expect(try talk.completions().map(\.said) == ["completed success success", "completed success success"])
        let called = counted.called.all
        #expect(called.map(\.phase) == ["resolve", "confirm", "handle", "resolve", "confirm", "handle"])
        // Each call has its own handler, which was created for the call.
        #expect(Set(called.map(\.handler)).count == 6 && called.allSatisfy { $0.handler >= before }, "\(called)")
    }

    // MARK: The listing: handler(for:)

    @Test("MyMessageHandler handles three intents")
    func threeIntents() async throws {
        #expect(try await dialog(SendMessage.self, ["recipient": "Kim"]) == "sent by extension")
        #expect(try await dialog(SearchForMessages.self) == "found by extension")
        #expect(try await dialog(SetMessageAttribute.self) == "set by extension")
    }

    @Test("MyCallHandler handles one")
    func oneIntent() async throws {
        #expect(try await dialog(StartCall.self) == "called")
    }

    @Test("nil ends the request as unsupported")
    func noHandler() async throws {
        let talk = try await Dialogue(phone)
        try await talk.request(Unsupported.self)
        #expect(try talk.lines() == ["completed unsupported noHandlerProvidedForIntent"])
    }

    @Test("handler(for:) is not called with intents that the extension does not list")
    func notListed() async throws {
        let talk = try await Dialogue(phone)
        try await talk.request(RequestRide.self, ["dropOffLocation": "Airport"])
        #expect(try talk.lines() == ["completed unsupported noHandlerProvidedForIntent"])
        #expect(!phone.notebook.all.contains("RequestRide"))
    }

    @Test("an intent is supported in one place only: a second one is found when the process starts")
    func claimedTwice() {
        #expect {
            try IntentRegistry([PhoneExtension(), PhoneExtension()], dependencies: AppDependencyManager())
        } throws: {
            ($0 as? IntentRegistryError)?.code == .intentServedTwice
        }
    }

    // MARK: From the extension to the app

    @Test("handleInApp at confirm sends the intent to the app for the final step")
    func handleInApp() async throws {
        let talk = try await Dialogue(phone)
        try await talk.request(SendMessage.self, ["recipient": "Later"])
        #expect(try talk.lines() == ["offer background", "completed success success"])
        #expect(try talk.last()?.dialog == "sent by app" && talk.work(.handle).isEmpty)
    }

    @Test("continueInApp at confirm sends the person to the app, which handles the intent")
    func continueInApp() async throws {
        let talk = try await Dialogue(phone)
        try await talk.request(SendMessage.self, ["recipient": "There"])
        let offer = try #require(try talk.last())
        #expect(
            offer.said == "offer foreground"
                && offer.data["activity"]?["interaction"]?["intent"]?.string == "SendMessage")
        let handoff = try #require(offer.offeredHandoff)
        try await talk.send(.handoffClaimed(handoff: Identifier(handoff.text), claimant: "phone"))
        try await talk.send(.handoffCompleted(handoff: Identifier(handoff.text), claimant: "phone", response: .success))
        #expect(try talk.lines().last == "completed success success" && talk.work(.handle).isEmpty)
    }
}
