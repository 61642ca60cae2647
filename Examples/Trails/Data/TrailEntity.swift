import IntentKit

/// A trail: an entity from the author's own data.
///
/// Events contain a trail as `{"id":3,"title":"Heron Shore","location":"Larch Lake","length":{"value":8,"unit":"km"}}`.
/// Handlers get the current trail, because each phase queries the trail by its identifier.
struct TrailEntity: AppEntity {
    static let typeDisplayRepresentation = TypeDisplayRepresentation(name: "Trail", synonyms: ["Path"])
    static let defaultQuery = TrailQuery()

    let id: Int
    let name: String
    /// The place where the trail begins; one of ``TrailDataManager/uniqueLocations``.
    let location: String
    let length: Measurement<UnitLength>
    let activities: [ActivityStyle]
    var conditions = Conditions.good

    enum Conditions: String { case good, muddy, icy }

    var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(title: LocalizedText(name), subtitle: "\(location), \(length)")
    }

    func encodeMembers(to writer: inout JSONWriter) {
        writer.member("location", location)
        writer.member("length", JSON(length))
    }
}

/// An activity on a trail.
enum ActivityStyle: String, AppEnum, Codable {
    case biking, hiking, jogging

    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Activity"
    static let caseDisplayRepresentations: [ActivityStyle: DisplayRepresentation] = [
        .biking: DisplayRepresentation(title: "Biking", synonyms: ["bike", "cycling"]),
        .hiking: DisplayRepresentation(title: "Hiking", synonyms: ["hike", "walking", "a walk"]),
        .jogging: DisplayRepresentation(title: "Jogging", synonyms: ["jog", "running", "a run"]),
    ]
}
