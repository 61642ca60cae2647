import IntentKit

/// Finds trails by identifier, by what a person said, by property, and all of them.
struct TrailQuery: EnumerableEntityQuery, EntityStringQuery, EntityPropertyQuery {
    @Dependency private var trailManager: TrailDataManager

    func allEntities() async throws -> [TrailEntity] { trailManager.trails }

    func entities(for identifiers: [TrailEntity.ID]) async throws -> [TrailEntity] { trailManager.trails(with: identifiers) }

    func entities(matching string: String) async throws -> [TrailEntity] { trailManager.trails(matching: string) }

    var properties: QueryProperties<TrailEntity> {
        QueryProperties(
            QueryProperty("name", \.name), QueryProperty("location", \.location), QueryProperty("length", \.length))
    }
}

/// Finds collections by identifier. What it suggests, in sections, is also what text is looked for in.
struct TrailCollectionQuery: EntityQuery {
    @Dependency private var trailManager: TrailDataManager

    func entities(for identifiers: [TrailCollection.ID]) async throws -> [TrailCollection] {
        trailManager.collections.filter { identifiers.contains($0.id) }
    }

    func results() async throws -> ItemCollection<TrailCollection> {
        ItemCollection(sections: [
            ItemSection("Featured", items: trailManager.featuredCollections), ItemSection("More", items: trailManager.otherCollections),
        ])
    }
}
