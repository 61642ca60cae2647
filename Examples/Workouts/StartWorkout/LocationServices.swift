public import IntentKit

/// The availability of location services, which record the route of a workout. In an app, Core Location reports it.
public struct LocationServices: Sendable {
    private let isRunning: Bool

    public init(isRunning: Bool = true) { self.isRunning = isRunning }

    /// `true` if the services run and the person has not switched them off: the request's attribute `locationServices`
    /// is not `off`.
    public func areEnabled(for context: Context) -> Bool {
        isRunning && context.attributes["locationServices"] != .string("off")
    }
}
