/// What a worker process serves: SiriKit's `INExtension`.
///
/// ```swift
/// struct MessageExtension: IntentExtension {
///     let intents: [any Intent.Type] = [SendMessage.self, SearchForMessages.self, SetMessageAttribute.self, StartCall.self]
///
///     func handler(for intent: any Intent) -> (any IntentHandler)? {
///         switch intent {
///         case is SendMessage,
///             is SearchForMessages,
///             is SetMessageAttribute:
///             return MyMessageHandler()
///         case is StartCall:
///             return MyCallHandler()
///         default:
///             return nil
///         }
///     }
/// }
/// ```
/// An ``AppIntent`` does itself what it says, so an extension that serves nothing else needs no `handler(for:)`.
public protocol IntentExtension: Sendable {
    /// The intents it serves. No two extensions of one process may serve the same.
    var intents: [any Intent.Type] { get }

    /// A new handler for this intent; `nil` if there is none at present, which ends the request as `unsupported`. Unless you write it: `nil`,
    /// and an ``AppIntent`` is performed by itself.
    ///
    /// Handlers keep nothing between phases: each phase may run in another process. While parameters are being resolved, required ones may
    /// still be without a value. It is also called when the registry is made, once for each intent and without any values.
    func handler(for intent: any Intent) -> (any IntentHandler)?

    /// A new handler for the app's own workers, which take over after a handler has answered `handleInApp`: SiriKit's
    /// `application(_:handlerFor:)`. Unless you write it, the same as ``handler(for:)``.
    func application(handlerFor intent: any Intent) -> (any IntentHandler)?

    /// Adds what its handlers ask for by `@Dependency`. Called once, when the registry is made.
    func provideDependencies(to manager: DependencyManager)

    /// The translations of what its intents, its values and its handlers say. Where two tables have the same, the first counts. Read once, when
    /// the registry is made.
    var localizations: [LocalizedTable] { get }
}

extension IntentExtension {
    public func handler(for intent: any Intent) -> (any IntentHandler)? { nil }
    public func application(handlerFor intent: any Intent) -> (any IntentHandler)? { handler(for: intent) }
    public func provideDependencies(to manager: DependencyManager) {}
    public var localizations: [LocalizedTable] { [] }
}
