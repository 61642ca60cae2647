/// The current status of an intent after it has succeeded, as reported to an observer: SiriKit's `INRideStatus` and the like.
public struct IntentUpdate: Sendable, Hashable {
    /// The current phase, in the intent's own words, such as `approachingPickup`. Never empty, and never `unknown`.
    public var phase: String
    /// How it ended, such as `canceledByService`. Required with the phase `completed`.
    public var completionStatus: String?
    /// What the person is told.
    public var dialog: String?
    /// The status by name.
    /// The status by name.
    ///
    /// A text or a number with the name of a parameter, such as `rideIdentifier`, has to have the parameter's value: an update with another value is
    /// about something else, and is ignored.
    public var values: [String: JSON]

    public init(phase: String, completionStatus: String? = nil, dialog: String? = nil, values: [String: JSON] = [:]) {
        self.phase = phase
        self.completionStatus = completionStatus
        self.dialog = dialog
        self.values = values
    }

    /// The last phase: no update follows it.
    public static let completed = "completed"

    /// What is wrong with the update; `nil` if it is valid.
    public var violation: String? {
        if phase.isEmpty || phase == "unknown" { return "an update has a phase, and it is not 'unknown'" }
        if phase == Self.completed, completionStatus?.isEmpty ?? true {
            return "an update with the phase 'completed' has a completion status"
        }
        return nil
    }
}

/// The progress of a phase, reported while it runs.
public struct IntentProgress: Sendable, Hashable {
    public var code: ResponseCode?
    /// 0 to 1.
    public var fraction: Double?
    public var dialog: String?
    /// The status after the intent has succeeded, from a handler that is ``LiveUpdating``.
    public var update: IntentUpdate?

    /// Clamps the fraction to 0...1; NaN is left out.
    public init(code: ResponseCode? = nil, fraction: Double? = nil, dialog: String? = nil) {
        self.code = code
        self.fraction = fraction.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) }
        self.dialog = dialog
    }
}
