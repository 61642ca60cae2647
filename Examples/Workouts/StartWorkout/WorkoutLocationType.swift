public import IntentKit

/// The location of a workout, outdoors or indoors (SiriKit: `INWorkoutLocationType`).
public enum WorkoutLocationType: String, AppEnum, Codable {
    case outdoor, indoor

    public static let typeDisplayRepresentation: TypeDisplayRepresentation = "Location"
    public static let caseDisplayRepresentations: [WorkoutLocationType: DisplayRepresentation] = [
        .outdoor: DisplayRepresentation(title: "outdoors", synonyms: ["outside", "out", "in the open"]),
        .indoor: DisplayRepresentation(title: "indoors", synonyms: ["inside", "in", "at the gym"]),
    ]
}

/// A reason why a workout can't take place where the person wants it.
enum StartWorkoutLocationTypeUnsupportedReason: String, UnsupportedReason {
    case indoorUnsupported, outdoorUnsupported

    init(_ location: WorkoutLocationType) {
        switch location {
        case .indoor: self = .indoorUnsupported
        case .outdoor: self = .outdoorUnsupported
        }
    }
}
