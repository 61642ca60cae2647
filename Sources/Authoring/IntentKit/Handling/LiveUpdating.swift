/// A handler that reports updates after the intent has succeeded: SiriKit's `startSendingUpdates(for:to:)`.
///
/// ```swift
/// extension GetRideStatusHandler: LiveUpdating {
///     func sendUpdates(for intent: GetRideStatus, to observer: UpdateObserver, context: Context) async throws {
///         for try await status in fleet.follow(intent.ride) {
///             observer.didUpdate(phase: status.phase, values: ["minutes": status.minutes])
///         }
///     }
/// }
/// ```
public protocol LiveUpdating<IntentType>: IntentHandling {
    /// Reports to the observer at least every 20 s, and whenever the phase changes. Returns when there is nothing more
    /// to report or the task is cancelled.
    ///
    /// If a call is silent for too long, the method may be called again in another process, so report the current
    /// status first.
    func sendUpdates(for intent: IntentType, to observer: UpdateObserver, context: Context) async throws
}

/// An observer that receives the updates of a handler.
public struct UpdateObserver: Sendable {
    private let send: @Sendable (IntentUpdate) -> Void

    public init(_ send: @escaping @Sendable (IntentUpdate) -> Void) { self.send = send }

    /// Sends an update. At most one update per second reaches the person; others are dropped, except for updates that
    /// change the phase.
    public func didUpdate(_ update: IntentUpdate) { send(update) }

    /// Sends an update with a dialog in the language of the request.
    ///
    /// - Parameters:
    ///   - phase: The current phase, in the intent's own words, such as `approachingPickup`. No update follows
    ///     ``IntentUpdate/completed``.
    ///   - completionStatus: The way in which the activity ended, such as `canceledByService`. Required with the phase
    ///     `completed`.
    ///   - values: The status by name.
    public func didUpdate(
        phase: String, completionStatus: String? = nil, dialog: LocalizedText? = nil,
        values: [String: any ParameterValue] = [:]
    ) {
        send(
            IntentUpdate(
                phase: phase, completionStatus: completionStatus, dialog: dialog?.text(in: Context.current?.locale),
                values: values.mapValues { JSON($0) }))
    }
}
