import IntentKit

/// Finds trails by identifier, text or property, and lists all of them.
struct TrailQuery: EnumerableEntityQuery, EntityStringQuery, EntityPropertyQuery {
    @Dependency private var trailManager: TrailDataManager

    func allEntities() async throws -> [TrailEntity] { trailManager.trails }

    func entities(for identifiers: [TrailEntity.ID]) async throws -> [TrailEntity] {
        trailManager.trails(with: identifiers)
    }

    func entities(matching string: String) async throws -> [TrailEntity] { trailManager.trails(matching: string) }

    var properties: QueryProperties<TrailEntity> {
        QueryProperties(
            EntityQueryProperty("name", \.name), EntityQueryProperty("location", \.location),
            EntityQueryProperty("length", \.length))
    }
}

/// Finds collections by identifier and suggests them in sections. Text is matched against the suggestions.
struct TrailCollectionQuery: EntityQuery {
    @Dependency private var trailManager: TrailDataManager

    func entities(for identifiers: [TrailCollection.ID]) async throws -> [TrailCollection] {
        trailManager.collections.filter { identifiers.contains($0.id) }
    }

    func results() async throws -> ItemCollection<TrailCollection> {
        ItemCollection(sections: [
            IntentItemSection("Featured", items: trailManager.featuredCollections),
            IntentItemSection("More", items: trailManager.otherCollections),
        ])
    }
}
