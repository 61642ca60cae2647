package import IntentKit
import PipelineTestKit

/// Finds trails by identifier, by text or by property, and suggests some.
package struct TrailQuery: EntityStringQuery, EntityPropertyQuery {
    @Dependency private var manager: TrailDataManager

    package init() {}

    package func entities(for identifiers: [Int]) async throws -> [TrailEntity] {
        manager.lookups.record("ids \(identifiers)")
        return manager.trails.filter { identifiers.contains($0.id) }
    }
    package func entities(matching string: String) async throws -> [TrailEntity] {
        manager.lookups.record("search \(string)")
        return manager.trails.filter {
            TextFolding.fold($0.name).contains(TextFolding.fold(string)) || !$0.synonyms.isEmpty
        }
    }
    package func results() async throws -> ItemCollection<TrailEntity> {
        ItemCollection(sections: [IntentItemSection("Near", items: manager.suggested)])
    }

    package let properties = TrailEntity.queryProperties
    package func entities(
        matching comparators: [EntityComparison<TrailEntity>], mode: ComparatorMode,
        sortedBy: [EntityQuerySort<TrailEntity>], limit: Int?
    ) async throws -> [TrailEntity] {
        try await AllTrailsQuery().entities(matching: comparators, mode: mode, sortedBy: sortedBy, limit: limit)
    }
}

/// Lists all trails; filters and texts are applied to the list.
package struct AllTrailsQuery: EnumerableEntityQuery, EntityPropertyQuery {
    @Dependency private var manager: TrailDataManager

    package init() {}

    package func allEntities() async throws -> [TrailEntity] { manager.trails }
    package let properties = TrailEntity.queryProperties
}

extension TrailEntity {
    fileprivate static var queryProperties: QueryProperties<TrailEntity> {
        QueryProperties(
            EntityQueryProperty("name", \.name), EntityQueryProperty("length", \.length),
            EntityQueryProperty("region", \.region))
    }
}
