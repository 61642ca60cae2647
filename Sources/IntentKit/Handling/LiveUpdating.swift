/// A handler that can report updates after it has succeeded: SiriKit's `startSendingUpdates(for:to:)`.
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
    /// Reports to the observer at least every 20 s, and whenever the phase changes, until there is nothing more to report, or the task is cancelled.
    ///
    /// It may be called again, in another process, if this one is silent for too long: report the current status first.
    func sendUpdates(for intent: IntentType, to observer: UpdateObserver, context: Context) async throws
}

/// Receives the updates of a handler.
public struct UpdateObserver: Sendable {
    private let send: @Sendable (IntentUpdate) -> Void

    public init(_ send: @escaping @Sendable (IntentUpdate) -> Void) { self.send = send }

    /// At most one update per second is sent to the person; others are dropped, except those that change the phase.
    public func didUpdate(_ update: IntentUpdate) { send(update) }
}
