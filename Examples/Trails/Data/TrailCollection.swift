import IntentKit

/// A named selection of trails.
struct TrailCollection: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Trail Collection"
    static let defaultQuery = TrailCollectionQuery()

    let id: String
    let name: LocalizedText
    let trails: [TrailEntity.ID]

    var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(title: name, subtitle: "\(trails.count) trails")
    }
}
