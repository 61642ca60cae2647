import Synchronization

/// The reason why running work is cancelled.
public enum CancellationReason: String, Sendable, Hashable, CaseIterable {
    /// The person has cancelled the request.
    case person
    /// Another request has replaced this one.
    case replaced
    /// The phase exceeded its timeout.
    case timeout
    /// The request's own deadline has passed.
    case deadline
    /// The request has ended in another way.
    case ended
    /// An operator has ended the whole session.
    case sessionEnded
    /// The worker process is shutting down.
    case shutdown
}

/// The cancellation of a task's work, with the reason and the time that is left to clean up. Swift's own task
/// cancellation has neither.
///
/// The code that runs handlers binds ``current`` around the call, and cancels this object before the task.
public final class IntentCancellation: Sendable {
    @TaskLocal public static var current: IntentCancellation?

    private let state = Mutex<(reason: CancellationReason, until: Int64?)?>(nil)

    public init() {}

    /// Cancels the work. Only the first call has an effect.
    ///
    /// - Parameter until: The time at which the pipeline stops waiting for an outcome, in milliseconds since 1970.
    public func cancel(_ reason: CancellationReason, until: Int64? = nil) {
        state.withLock { state in
            if state == nil { state = (reason, until) }
        }
    }

    public var reason: CancellationReason? { state.withLock { $0?.reason } }
    public var until: Int64? { state.withLock { $0?.until } }
}
