/// The current status of an intent after it has succeeded, as reported to an observer (SiriKit: `INRideStatus` and
/// similar).
public struct IntentUpdate: Sendable, Hashable {
    /// The current phase, in the intent's own words, such as `approachingPickup`. Never empty, and never `unknown`.
    public var phase: String
    /// The way in which the intent ended, such as `canceledByService`. Required with the phase `completed`.
    public var completionStatus: String?
    /// The text for the person.
    public var dialog: String?
    /// The status by name.
    ///
    /// A text or a number with the name of a parameter, such as `rideIdentifier`, must have the parameter's value: an
    /// update with another value is about something else, and is ignored.
    public var values: [String: JSON]

    public init(phase: String, completionStatus: String? = nil, dialog: String? = nil, values: [String: JSON] = [:]) {
        self.phase = phase
        self.completionStatus = completionStatus
        self.dialog = dialog
        self.values = values
    }

    /// The last phase: no update follows it.
    public static let completed = "completed"

    /// The rule that the update breaks; `nil` if the update is valid.
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
    /// The completed fraction, from 0 to 1.
    public var fraction: Double?
    public var dialog: String?
    /// The status after the intent has succeeded, from a handler that is ``LiveUpdating``.
    public var update: IntentUpdate?

    /// Clamps the fraction to 0...1; NaN becomes `nil`.
    public init(code: ResponseCode? = nil, fraction: Double? = nil, dialog: String? = nil) {
        self.code = code
        self.fraction = fraction.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) }
        self.dialog = dialog
    }
}
