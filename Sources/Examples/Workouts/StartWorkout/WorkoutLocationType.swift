public import IntentKit

/// Where a workout is done (SiriKit: `INWorkoutLocationType`).
public enum WorkoutLocationType: String, AppEnum, Codable {
    case outdoor, indoor

    public static let typeDisplayName: LocalizedText = "Location"
    public static let caseDisplayRepresentations: [WorkoutLocationType: DisplayRepresentation] = [
        .outdoor: DisplayRepresentation(title: "outdoors", synonyms: ["outside", "out", "in the open"]),
        .indoor: DisplayRepresentation(title: "indoors", synonyms: ["inside", "in", "at the gym"]),
    ]
}
