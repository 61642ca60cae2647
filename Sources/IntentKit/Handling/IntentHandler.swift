/// What an extension returns for an intent: SiriKit's `handler(for:)` returns `Any`, App Intents has no handlers.
///
/// A type that handles one intent conforms to ``IntentHandling``. One that handles several lists them, each with the methods that do it:
///
/// ```swift
/// struct MyMessageHandler: IntentHandler {
///     @Dependency var mailbox: Mailbox
///
///     var handlings: [any IntentHandling] {
///         Handling(SendMessage.self, confirm: confirm, handle: handle) {
///             Resolve(\.$recipient) { person, message in … }
///         }
///         Handling(SearchForMessages.self, handle: handle)
///         Handling(SetMessageAttribute.self, handle: handle)
///     }
///
///     func confirm(_ message: SendMessage, context: Context) async throws -> IntentResponse { … }
///     func handle(_ message: SendMessage, context: Context) async throws -> IntentResponse { … }
///     func handle(_ search: SearchForMessages, context: Context) async throws -> IntentResponse { … }
///     func handle(_ change: SetMessageAttribute, context: Context) async throws -> IntentResponse { … }
/// }
/// ```
/// A Swift type conforms to a protocol only once, so it can't be an ``IntentHandling`` of three intents; the list says what the three
/// conformances say in SiriKit. Overloaded methods are told apart by the intent's type.
public protocol IntentHandler: Sendable {
    /// One entry for each intent that it handles. An ``IntentHandling`` has one: itself.
    @HandlingBuilder var handlings: [any IntentHandling] { get }
}

/// Collects the entries of ``IntentHandler/handlings``.
@resultBuilder
public enum HandlingBuilder {
    public static func buildExpression(_ handling: any IntentHandling) -> [any IntentHandling] { [handling] }
    public static func buildExpression(_ handlings: [any IntentHandling]) -> [any IntentHandling] { handlings }
    public static func buildBlock(_ handlings: [any IntentHandling]...) -> [any IntentHandling] { handlings.flatMap { $0 } }
}
