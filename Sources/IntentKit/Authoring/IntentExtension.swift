/// The intents that a worker serves, with their handlers: SiriKit's `INExtension`.
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
/// An ``AppIntent`` performs itself, so an extension that serves nothing else needs no `handler(for:)`.
public protocol IntentExtension: Sendable {
    /// The intents that it serves. Two extensions of one process must not serve the same intent.
    var intents: [any Intent.Type] { get }

    /// A new handler for this intent; `nil` if there is none at present, which ends the request as `unsupported`. Defaults to `nil`; an ``AppIntent``
    /// then performs itself.
    ///
    /// Handlers keep nothing between phases: each phase may run in another process. While parameters are being resolved, required parameters may
    /// still have no value. It is also called without values: when the registry is created, once for each intent, and when a worker publishes what it
    /// serves.
    func handler(for intent: any Intent) -> (any IntentHandler)?

    /// A new handler for the app's own workers: SiriKit's `application(_:handlerFor:)`. Defaults to ``handler(for:)``.
    ///
    /// The app's workers take over after `handleInApp`. They also resolve, confirm and handle each intent that only the app supports: one for which this returns a
    /// handler and ``handler(for:)`` returns `nil`.
    func application(handlerFor intent: any Intent) -> (any IntentHandler)?

    /// Adds the values that its handlers read with `@Dependency`. Called once, when the registry is created.
    func provideDependencies(to manager: AppDependencyManager)

    /// The translations for its intents, values and handlers. If two tables have the same key and language, the first one applies. Read once, when
    /// the registry is created.
    var localizations: [LocalizedTable] { get }
}

extension IntentExtension {
    public func handler(for intent: any Intent) -> (any IntentHandler)? { nil }
    public func application(handlerFor intent: any Intent) -> (any IntentHandler)? { handler(for: intent) }
    public func provideDependencies(to manager: AppDependencyManager) {}
    public var localizations: [LocalizedTable] { [] }
}
