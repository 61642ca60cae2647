public import IntentKit

/// Whether the route of a workout can be recorded, as Core Location reports it in an app.
public struct LocationServices: Sendable {
    private let isRunning: Bool

    public init(isRunning: Bool = true) { self.isRunning = isRunning }

    /// Whether they run and the person has not switched them off: the session's attribute `locationServices` is not `off`.
    public func areEnabled(for context: Context) -> Bool {
        isRunning && context.attributes["locationServices"] != .string("off")
    }
}
