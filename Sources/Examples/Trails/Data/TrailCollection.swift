import IntentKit

/// Trails that somebody picked out and gave a name.
struct TrailCollection: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Trail Collection"
    static let defaultQuery = TrailCollectionQuery()

    let id: String
    let name: LocalizedText
    let trails: [TrailEntity.ID]

    var displayRepresentation: DisplayRepresentation { DisplayRepresentation(title: name, subtitle: "\(trails.count) trails") }
}
