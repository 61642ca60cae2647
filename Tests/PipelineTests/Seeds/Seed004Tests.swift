import Conversation
import IntentEvents
import IntentKit
import PipelineTestKit
import Testing

private struct SendMessage: Intent {
    static let title: LocalizedText = "Send a message"
    @Parameter(title: "Recipient", requestValueDialog: "To whom?") var recipient: Person
    static let parameters = Parameters<Self>(\.$recipient)
}
private struct StartCall: Intent { static let title: LocalizedText = "Start a call" }
private struct Unsupported: Intent { static let title: LocalizedText = "Nobody does this" }

/// A handler that records its calls.
private struct MyMessageHandler: IntentHandling {
    var place = "extension"
    var record: @Sendable (Phase) -> Void = { _ in }

    var resolution: some Resolution<SendMessage> {
        Resolve(\.$recipient) { person, _ in
            record(.resolve)
            return person.map { .success($0) } ?? .needsValue()
        }
    }
    func confirm(_ message: SendMessage, context: Context) async throws -> ConfirmResponse {
        record(.confirm)
        return .ready
    }
    func handle(_ message: SendMessage, context: Context) async throws -> HandleResponse {
        record(.handle)
        return .success(dialog: "sent by \(place)")
    }
}

private struct MyCallHandler: IntentHandling {
    func handle(_ call: StartCall, context: Context) async throws -> HandleResponse { .success(dialog: "called") }
}

/// An extension, and its app, which both send messages. Records which of them is asked for a handler, and the calls of
/// the extension's message handlers, each with its number.
private struct PhoneExtension: IntentExtension {
    let intents: [any Intent.Type] = [SendMessage.self, StartCall.self, Unsupported.self]
    /// `true` if messages are sent only by the app.
    var sendsInApp = false
    let asked = Recorder<String>()
    let called = Recorder<String>()

    // The method of the article's listing.
    func handler(for intent: any Intent) -> (any IntentHandler)? {
        asked.record("\(type(of: intent).name)")
        switch intent {
        case is SendMessage where sendsInApp:
            return nil
        case is SendMessage:
            let number = asked.all.count
            return MyMessageHandler { [called] in called.record("\(number) \($0)") }

        case is StartCall:
            return MyCallHandler()
        default:
            return nil
        }
    }

    func application(handlerFor intent: any Intent) -> (any IntentHandler)? {
        asked.record("app \(type(of: intent).name)")
        return intent is SendMessage ? MyMessageHandler(place: "app") : nil
    }
}

@Suite("Seed 004: intents are dispatched to handlers") struct Seed004Tests {
    private func requested(
        _ intent: any Intent.Type, _ said: KeyValuePairs<String, String> = [:], of phone: PhoneExtension? = nil
    ) async throws -> TestConversation {
        var talk = try await TestConversation(with: [phone ?? PhoneExtension()])
        try await talk.request(intent, said)
        return talk
    }

    @Test("an app that supports an intent directly is asked for the handler, and resolves, confirms and handles it")
    func inTheApp() async throws {
        let phone = PhoneExtension(sendsInApp: true)
        var talk = try await TestConversation(with: [phone])
        let before = phone.asked.all.count
        try await talk.request(SendMessage.self)
        try await talk.answer("Kim")
        #expect(try talk.lines == ["asks recipient: To whom?", "success success: sent by app"])
        for (phase, count) in [(Phase.resolve, 2), (.confirm, 1), (.handle, 1)] {
            let work = try [true, false].map { try talk.dispatched(phase, inApp: $0).count }
            #expect(work == [count, 0], "\(phase)")
        }
        #expect(
            phone.asked.all.dropFirst(before) == Array(repeating: "app SendMessage", count: 4)[...],
            "only the app is asked for handlers")
    }

    @Test func `an app's other intents stay with its extension`() async throws {
        let talk = try await requested(StartCall.self, of: PhoneExtension(sendsInApp: true))
        #expect(try talk.lines == ["success success: called"])
        #expect(try Phase.allCases.allSatisfy { try talk.dispatched($0, inApp: true).isEmpty })
    }

    @Test func `every phase gets a valid new handler`() async throws {
        let phone = PhoneExtension()
        var talk = try await requested(SendMessage.self, ["recipient": "Kim"], of: phone)
        try await talk.request(SendMessage.self, ["recipient": "Lou"])
        #expect(try talk.steps == ["completed success success", "completed success success"])
        let called = phone.called.all.map { $0.split(separator: " ") }
        #expect(called.map { $0[1] } == ["resolve", "confirm", "handle", "resolve", "confirm", "handle"])
        #expect(Set(called.map { $0[0] }).count == 6, "each call has its own handler, which was created for the call")
    }

    @Test
    func `an intent without a handler, and one that the extension does not list, end as unsupported`() async throws {
        let phone = PhoneExtension()
        for intent: any Intent.Type in [Unsupported.self, RequestRide.self] {
            let talk = try await requested(intent, of: phone)
            #expect(try talk.steps == ["completed unsupported noHandlerProvidedForIntent"])
        }
        #expect(!phone.asked.all.contains("RequestRide"))
    }
}
