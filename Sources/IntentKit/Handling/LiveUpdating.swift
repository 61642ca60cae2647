/// A handler that can go on telling how things stand once it has succeeded: SiriKit's `startSendingUpdates(for:to:)`.
///
/// ```swift
/// extension GetRideStatusHandler: LiveUpdating {
///     func sendUpdates(for intent: GetRideStatus, to observer: UpdateObserver, context: Context) async throws {
///         for try await status in fleet.follow(intent.ride) {
///             observer.didUpdate(IntentUpdate(phase: status.phase, values: ["minutes": .number(status.minutes)]))
///         }
///     }
/// }
/// ```
public protocol LiveUpdating<IntentType>: IntentHandling {
    /// Tells the observer at least every 20 s, and whenever the phase changes, until there is nothing more to tell, or the task is cancelled.
    ///
    /// It may be called again, in another process, if this one falls silent: begin with how things stand now.
    func sendUpdates(for intent: IntentType, to observer: UpdateObserver, context: Context) async throws
}

/// Who is told how things stand.
public struct UpdateObserver: Sendable {
    private let send: @Sendable (IntentUpdate) -> Void

    public init(_ send: @escaping @Sendable (IntentUpdate) -> Void) { self.send = send }

    /// One update a second goes on to the person; what comes faster is left out, unless the phase is another.
    public func didUpdate(_ update: IntentUpdate) { send(update) }
}
