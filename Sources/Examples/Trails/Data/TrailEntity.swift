import IntentKit

/// A trail: something of the author's own data that intents are about.
///
/// Events say `{"id":3,"title":"Heron Shore","location":"Larch Lake","length":{"value":8,"unit":"km"}}`. Handlers get the trail as it is
/// now: in each phase the query is asked for it again by its identifier.
struct TrailEntity: AppEntity {
    static let typeDisplayRepresentation = TypeDisplayRepresentation(name: "Trail", synonyms: ["Path"])
    static let defaultQuery = TrailQuery()

    let id: Int
    let name: String
    /// Where it begins; one of ``TrailDataManager/uniqueLocations``.
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
