package import IntentKit

/// A trail, the entity that tests look up.
package struct TrailEntity: AppEntity {
    package static let typeDisplayRepresentation: TypeDisplayRepresentation = "Trail"
    package static let defaultQuery = TrailQuery()

    package let id: Int
    package var name: String
    package var length: Double
    package var region: String?
    package var synonyms: [LocalizedText]

    package init(id: Int, name: String, length: Double = 5, region: String? = nil, synonyms: [LocalizedText] = []) {
        (self.id, self.name, self.length, self.region, self.synonyms) = (id, name, length, region, synonyms)
    }

    package var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(
            title: LocalizedText(name), subtitle: region.map { LocalizedText($0) }, synonyms: synonyms)
    }
    package func encodeMembers(to writer: inout JSONWriter) { writer.member("region", ifPresent: region) }
}

extension TrailEntity {
    /// The sample trails. The last two have the same name.
    package static let samples = [
        TrailEntity(id: 1, name: "Mount Bell", length: 12, region: "North"),
        TrailEntity(id: 2, name: "Bell Brook", length: 3, region: "North"),
        TrailEntity(id: 3, name: "Río Verde", length: 8, region: "South", synonyms: ["Green River"]),
        TrailEntity(id: 4, name: "Lake Loop", length: 5),
        TrailEntity(id: 5, name: "Lake Loop", length: 7, region: "South"),
    ]
}
