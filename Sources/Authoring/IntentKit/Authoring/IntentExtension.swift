/// A set of intents that a worker serves, with their handlers: SiriKit's `INExtension`.
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
/// A handler declares the intent that it handles, so the list needs no further mapping. List the handlers for the app's
/// own workers in ``appHandlers``.
///
/// Implement SiriKit's ``handler(for:)``, which chooses a handler for each call, for an intent that has a handler only
/// at times.
public protocol IntentExtension: Sendable {
    /// The handlers of the extension's intents, at most one for each intent. Created once, with the registry, and
    /// shared by all calls. A handler must not store state between phases, because each phase may run in another
    /// process.
    @HandlingBuilder var handlers: [any IntentHandling] { get }

    /// The handlers of the app's own workers, which serve an intent after `handleInApp`. For an intent that is not
    /// listed here, the app's workers use the handler in ``handlers``. An intent that is listed only here is supported
    /// only by the app: the app's workers resolve, confirm and handle the intent.
    @HandlingBuilder var appHandlers: [any IntentHandling] { get }

    /// The intents that the extension serves. Defaults to the intents of ``handlers`` and ``appHandlers``. Two
    /// extensions of one process must not serve the same intent.
    var intents: [any Intent.Type] { get }

    /// Returns a handler for this intent; `nil` if none is available at present, which ends the request as
    /// `unsupported`. Called for intents that are in ``intents`` and not in ``handlers``. Returns `nil` by default; an
    /// ``AppIntent`` then performs itself.
    ///
    /// While parameters are being resolved, required parameters may still have no value. The method is also called with
    /// an intent without values: for each intent when the registry is created, and when a worker publishes its intents.
    func handler(for intent: any Intent) -> (any IntentHandler)?

    /// Returns a handler for the app's own workers: SiriKit's `application(_:handlerFor:)`. Called for intents that are
    /// neither in ``appHandlers`` nor in ``handlers``. Returns the handler of the extension's own workers by default.
    func application(handlerFor intent: any Intent) -> (any IntentHandler)?

    /// Adds the dependencies that intents, queries and options providers read with `@Dependency`. Called once, when the
    /// registry is created.
    func provideDependencies(to manager: AppDependencyManager)

    /// The translations for the extension's intents, values and handlers. If two tables have the same key and language,
    /// the first table applies. Read once, when the registry is created.
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

    public func handler(for intent: any Intent) -> (any IntentHandler)? {
        handlers.first { $0.intentType == type(of: intent) }
    }
    public func application(handlerFor intent: any Intent) -> (any IntentHandler)? {
        appHandlers.first { $0.intentType == type(of: intent) } ?? handler(for: intent)
    }
    public func provideDependencies(to manager: AppDependencyManager) {}
    public var localizations: [LocalizedTable] { [] }
}

extension IntentHandling {
    package var intentType: any Intent.Type { IntentType.self }
}
