import IntentKit
import PipelineTestKit

/// An intent for whole conversations.
struct Errand: Intent {
    static let title: LocalizedText = "Run an errand"
    @Parameter(title: "Who", requestValueDialog: "Who?") var who: Person
    static let parameters = Parameters<Self>(\.$who)
}

/// A handler whose parts a test can replace.
struct ErrandHandler: IntentHandling {
    var confirms: @Sendable (Errand, Context) async throws -> ConfirmResponse = { _, _ in .ready }
    var handles: @Sendable (Errand, Context) async throws -> HandleResponse = { _, _ in .success }

    func confirm(_ errand: Errand, context: Context) async throws -> ConfirmResponse {
        try await confirms(errand, context)
    }
    func handle(_ errand: Errand, context: Context) async throws -> HandleResponse {
        try await handles(errand, context)
    }
}

extension TestConversation {
    /// Starts a conversation about an errand, for Kim by default.
    static func errand(
        _ handler: ErrandHandler, _ said: KeyValuePairs<String, String> = ["who": "Kim"]
    ) async throws -> TestConversation {
        try await TestConversation(about: handler, said)
    }
}
