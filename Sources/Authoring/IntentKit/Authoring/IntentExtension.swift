/// The intents that a worker serves, with their handlers: SiriKit's `INExtension`.
///
/// ```swift
/// struct RideExtension: IntentExtension {
///     let city: City
///     let book: RideBook
///
///     var handlers: [any IntentHandling] {
///         RequestRideHandler(city: city)
///         GetRideStatusHandler(book: book)
///         CountSheep.self    // an AppIntent, which performs itself
///     }
/// }
/// ```
/// A handler names the intent that it handles, so nothing else has to. List in ``appHandlers`` those that the app's own workers use.
///
/// SiriKit's `handler(for:)`, which chooses a handler for each call, is there as well, for an intent that has one only at times.
public protocol IntentExtension: Sendable {
    /// The handlers of its intents, at most one for each. Created once, when the registry is; they are shared by all calls, so they keep nothing between
    /// phases, and each phase may run in another process.
    @HandlingBuilder var handlers: [any IntentHandling] { get }

    /// The handlers of the app's own workers: those take over after `handleInApp`. For an intent that is not listed here they use the one in ``handlers``. An
    /// intent that is listed here alone is one that only the app supports: the app's workers resolve, confirm and handle it.
    @HandlingBuilder var appHandlers: [any IntentHandling] { get }

    /// The intents that it serves. Defaults to those of ``handlers`` and ``appHandlers``. Two extensions of one process must not serve the same intent.
    var intents: [any Intent.Type] { get }

    /// A new handler for this intent; `nil` if there is none at present, which ends the request as `unsupported`. Asked for intents that are in ``intents``
    /// and not in ``handlers``. Defaults to `nil`; an ``AppIntent`` then performs itself.
    ///
    /// While parameters are being resolved, required parameters may still have no value. It is also called without values: when the registry is created,
    /// once for each intent, and when a worker publishes what it serves.
    func handler(for intent: any Intent) -> (any IntentHandler)?

    /// A new handler for the app's own workers: SiriKit's `application(_:handlerFor:)`. Asked for intents that are not in ``appHandlers``. Defaults to
    /// the handler of the extension's own workers.
    func application(handlerFor intent: any Intent) -> (any IntentHandler)?

    /// Adds the values that are read with `@Dependency`: by intents that perform themselves, by queries and by options providers. Called once, when the
    /// registry is created.
    func provideDependencies(to manager: AppDependencyManager)

    /// The translations for its intents, values and handlers. If two tables have the same key and language, the first one applies. Read once, when
    /// the registry is created.
    var localizations: [LocalizedTable] { get }
}

extension IntentExtension {
    public var handlers: [any IntentHandling] { [] }
    public var appHandlers: [any IntentHandling] { [] }
    public var intents: [any Intent.Type] {
        var intents: [any Intent.Type] = []
        for handler in handlers + appHandlers where !intents.contains(where: { $0 == handler.intentType }) {
            intents.append(handler.intentType)
        }
        return intents
    }

    public func handler(for intent: any Intent) -> (any IntentHandler)? { handlers.first { $0.intentType == type(of: intent) } }
    public func application(handlerFor intent: any Intent) -> (any IntentHandler)? {
        appHandlers.first { $0.intentType == type(of: intent) } ?? handler(for: intent)
    }
    public func provideDependencies(to manager: AppDependencyManager) {}
    public var localizations: [LocalizedTable] { [] }
}

extension IntentHandling {
    package var intentType: any Intent.Type { IntentType.self }
}
