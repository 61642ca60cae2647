import IntentKit

/// What people do on a trail.
enum ActivityStyle: String, AppEnum, Codable {
    case biking, hiking, jogging

    static let typeDisplayName: LocalizedText = "Activity"
    static let caseDisplayRepresentations: [ActivityStyle: DisplayRepresentation] = [
        .biking: DisplayRepresentation(title: "Biking", synonyms: ["bike", "cycling"]),
        .hiking: DisplayRepresentation(title: "Hiking", synonyms: ["hike", "walking", "a walk"]),
        .jogging: DisplayRepresentation(title: "Jogging", synonyms: ["jog", "running", "a run"]),
    ]
}
