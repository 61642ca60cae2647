/// What a worker process serves: SiriKit's `INExtension`.
///
/// ```swift
/// struct RideExtension: IntentExtension {
///     let intents: [any Intent.Type] = [RequestRide.self, CancelRide.self]
///
///     func handler(for intent: any Intent) -> (any IntentHandling)? {
///         switch intent {
///         case is RequestRide: RequestRideHandler()
///         case is CancelRide: CancelRideHandler()
///         default: nil
///         }
///     }
/// }
/// ```
public protocol IntentExtension: Sendable {
    /// The intents it serves. No two extensions of one process may serve the same.
    var intents: [any Intent.Type] { get }

    /// A new handler for this intent. Handlers keep nothing between phases: each phase may run in another process.
    ///
    /// While parameters are being resolved, required ones may still be without a value.
    func handler(for intent: any Intent) -> (any IntentHandling)?

    /// A new handler for the app's own workers, which take over after a handler has answered `handleInApp`: SiriKit's
    /// `application(_:handlerFor:)`. Unless you write it, the same as ``handler(for:)``.
    func application(handlerFor intent: any Intent) -> (any IntentHandling)?

    /// Adds what its handlers ask for by `@Dependency`. Called once, when the registry is made.
    func provideDependencies(to manager: DependencyManager)

    /// The translations of what its intents, its values and its handlers say. Where two tables have the same, the first counts. Read once, when
    /// the registry is made.
    var localizations: [LocalizedTable] { get }
}

extension IntentExtension {
    public func application(handlerFor intent: any Intent) -> (any IntentHandling)? { handler(for: intent) }
    public func provideDependencies(to manager: DependencyManager) {}
    public var localizations: [LocalizedTable] { [] }
}
