package import IntentKit

/// An activity on a trail.
package enum ActivityStyle: String, AppEnum {
    case biking, hiking, jogging

    package static let typeDisplayRepresentation: TypeDisplayRepresentation = "Activity"
    package static let caseDisplayRepresentations: [ActivityStyle: DisplayRepresentation] = [
        .biking: DisplayRepresentation(title: "Biking", synonyms: ["cycling"]), .hiking: "Hiking", .jogging: "Jogging",
    ]
}
