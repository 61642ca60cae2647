public import IntentModel

/// A request that has succeeded, and whose handler can report how things go on.
public struct LiveUpdates: Sendable, Hashable {
    /// The request without its parameters.
    public var request: IntentRequest
    public var parameters: [ParameterState]
    public var isInApp: Bool
    /// The updates are running.
    public var isOpen = false
    /// The updates were stopped. After a crash the worker is told so again.
    public var isStopped = false
    /// The step of the dispatched work.
    public var step: Int
    /// The ticket of that work; `nil` if none was dispatched, or by an earlier version.
    public var ticket: Ticket?
    /// How often it was dispatched again since the last update.
    public var restarts = 0
    /// The phase last reported, and when.
    public var phase: String?
    public var told: Instant?
    /// When silence has lasted too long.
    public var silentAt: Instant
    /// When it ends in any case.
    public var ends: Instant

    public init(
        request: IntentRequest, parameters: [ParameterState], isInApp: Bool, step: Int, silentAt: Instant, ends: Instant
    ) {
        self.request = request
        self.parameters = parameters
        self.isInApp = isInApp
        self.step = step
        self.silentAt = silentAt
        self.ends = ends
    }
}

/// Why no more updates come.
public enum UpdatesEnd: String, Sendable, Hashable, CaseIterable {
    /// They were stopped from outside.
    case stopped
    /// The handler has finished.
    case completed
    /// The handler reported something that breaks the rules, or failed.
    case invalid
    /// No worker could be found that keeps reporting.
    case silent
    /// The maximum time is over.
    case expired
}
