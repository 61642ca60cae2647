import IntentModel
import Testing

@testable import HTTPFulfilment

@Suite("An intent with a deferred outcome")
struct LaterTests {
    private static func settings() -> HTTPFulfilmentClientConfiguration {
        var settings = HTTPFulfilmentClientConfiguration()
        settings.callbackURL = { "https://intents.example.com/v1/answers/\($0)" }
        return settings
    }

    @Test(
        "is in progress: status 202 with or without a reply, or the code inProgress",
        arguments: [
            (LoopbackServer.Reply.answer(202, [:], ""), String?.none),
            (.answer(202, [:], #"{"code":"inProgress","dialog":"Asking"}"#), "Asking"),
            (.ok(#"{"code":"inProgress","dialog":"Asking"}"#), "Asking"),
        ])
    func inProgress(_ reply: LoopbackServer.Reply, _ dialog: String?) async throws {
        try await fulfilling(client: Self.settings(), reply: { _, _ in reply }) { fulfilment, server in
            let response = try await fulfilment.handle(call(.handle, replyTo: "token"))
            #expect(response == IntentResponse(.inProgress, dialog: dialog))
            #expect(
                server.requests.first?.text.contains(
                    #""callback":{"url":"https://intents.example.com/v1/answers/token"}"#) == true)
        }
    }

    @Test("gets no callback at confirm, which can't be in progress")
    func confirm() async throws {
        try await fulfilling(client: Self.settings(), reply: { _, _ in .answer(202, [:], "") }) { fulfilment, server in
            let failure = try await failure { try await fulfilment.confirm(call(.confirm, replyTo: "token")) }
            #expect(failure?.disposition == .failure(.failure) && failure?.message.contains("only handle") == true)
            #expect(server.requests.first?.text.contains("callback") == false)
        }
    }

    @Test("fails without a callback, and explains how to set one up")
    func noCallback() async throws {
        try await fulfilling(reply: { _, _ in .answer(202, [:], "") }) { fulfilment, _ in
            let failure = try await failure { try await fulfilment.handle(call(.handle, replyTo: "token")) }
            #expect(failure?.message.contains("--callback-url") == true)
        }
    }
}
