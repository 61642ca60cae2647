import Synchronization

/// Why running work is called off.
public enum CancellationReason: String, Sendable, Hashable, CaseIterable {
    /// The person has taken the request back.
    case person
    /// Another request has taken its place.
    case replaced
    /// The phase took longer than it may.
    case timeout
    /// The request's own deadline has passed.
    case deadline
    /// The request has ended in another way.
    case ended
    /// The whole session is ended from outside, by an operator.
    case sessionEnded
    /// The process that works on it ends.
    case shutdown
}

/// Whether the work of this task has been called off, why, and how much time there is to clean up: what a task's own cancellation does not say.
///
/// Whoever runs handlers binds ``current`` around the call, and cancels this before the task.
public final class IntentCancellation: Sendable {
    @TaskLocal public static var current: IntentCancellation?

    private let state = Mutex<(reason: CancellationReason, until: Int64?)?>(nil)

    public init() {}

    /// Only the first call counts.
    ///
    /// - Parameter until: when an answer is no longer waited for; milliseconds since 1970.
    public func cancel(_ reason: CancellationReason, until: Int64? = nil) {
        state.withLock { state in
            if state == nil { state = (reason, until) }
        }
    }

    public var reason: CancellationReason? { state.withLock { $0?.reason } }
    public var until: Int64? { state.withLock { $0?.until } }
}
