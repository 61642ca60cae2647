public import IntentKit

/// Whether the way of a workout can be recorded: what Core Location says of itself in an app.
public struct LocationServices: Sendable {
    private let isRunning: Bool

    public init(isRunning: Bool = true) { self.isRunning = isRunning }

    /// They run, and the person has not switched them off: the session's attribute `locationServices` is not `off`.
    public func areEnabled(for context: Context) -> Bool {
        isRunning && context.attributes["locationServices"] != .string("off")
    }
}
