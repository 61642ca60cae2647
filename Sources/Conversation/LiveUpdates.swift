public import IntentModel

/// A request that has succeeded, and whose handler can tell how things go on.
public struct LiveUpdates: Sendable, Hashable {
    /// As it was, but for its parameters.
    public var request: IntentRequest
    public var parameters: [ParameterState]
    public var isInApp: Bool
    /// Somebody wants to hear.
    public var isOpen = false
    /// Somebody wanted to hear, and no longer does: after a crash the worker is told so again.
    public var isStopped = false
    /// The step of the work that is given out.
    public var step: Int
    /// How often it was given out anew since the last update.
    public var restarts = 0
    /// The phase last told, and when.
    public var phase: String?
    public var told: Instant?
    /// When silence has lasted too long.
    public var silentAt: Instant
    /// When it ends in any case.
    public var ends: Instant

    public init(request: IntentRequest, parameters: [ParameterState], isInApp: Bool, step: Int, silentAt: Instant, ends: Instant) {
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
    /// Somebody does not want to hear more.
    case stopped
    /// The handler has told all there is to tell.
    case completed
    /// The handler told what breaks the rules, or failed.
    case invalid
    /// Nobody could be made to go on telling.
    case silent
    /// It went on for as long as it may.
    case expired
}
