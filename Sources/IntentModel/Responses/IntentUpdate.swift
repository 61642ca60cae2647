/// How things stand after an intent has succeeded: SiriKit's `INRideStatus` and its like, as an observer is told of it.
public struct IntentUpdate: Sendable, Hashable {
    /// What is going on, in the intent's own words, such as `approachingPickup`. Never empty, and never `unknown`.
    public var phase: String
    /// How it ended; has to be there with the phase `completed`, such as `canceledByService`.
    public var completionStatus: String?
    /// What the person is told.
    public var dialog: String?
    /// The status by name.
    ///
    /// A text or a number with the name of a parameter, such as `rideIdentifier`, has the parameter's value: an update with another one is about
    /// something else, and is ignored.
    public var values: [String: JSON]

    public init(phase: String, completionStatus: String? = nil, dialog: String? = nil, values: [String: JSON] = [:]) {
        self.phase = phase
        self.completionStatus = completionStatus
        self.dialog = dialog
        self.values = values
    }

    /// The last phase: nothing comes after it.
    public static let completed = "completed"

    /// What is wrong with it; `nil` if nothing is.
    public var violation: String? {
        if phase.isEmpty || phase == "unknown" { return "an update has a phase, and it is not 'unknown'" }
        if phase == Self.completed, completionStatus?.isEmpty ?? true {
            return "an update with the phase 'completed' has a completion status"
        }
        return nil
    }
}

/// How far a phase is, told while it runs.
public struct IntentProgress: Sendable, Hashable {
    public var code: ResponseCode?
    /// 0 to 1.
    public var fraction: Double?
    public var dialog: String?
    /// How things stand after it has succeeded, from a handler that is ``LiveUpdating``.
    public var update: IntentUpdate?

    /// Brings the fraction inside 0 to 1; one that is not a number is left out.
    public init(code: ResponseCode? = nil, fraction: Double? = nil, dialog: String? = nil) {
        self.code = code
        self.fraction = fraction.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) }
        self.dialog = dialog
    }
}
