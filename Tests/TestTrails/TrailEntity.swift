package import IntentKit
package import PipelineTestKit

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

/// The trails that queries find, and a record of the queries.
package struct TrailDataManager: Sendable {
    package var trails: [TrailEntity]
    package var suggested: [TrailEntity] = []
    package var uniqueLocations: Set<String>
    /// The identifiers and texts that were looked up.
    package let lookups = Recorder<String>()

    package init(trails: [TrailEntity] = TrailEntity.samples, uniqueLocations: Set<String> = ["Oulu", "Bonn", "Cork"]) {
        (self.trails, self.uniqueLocations) = (trails, uniqueLocations)
    }

    package static let provide: @Sendable (AppDependencyManager) -> Void = { $0.add(TrailDataManager()) }
}

/// The article's options provider.
package struct LocationOptionsProvider: DynamicOptionsProvider {
    @Dependency
    private var trailManager: TrailDataManager

    package init() {}

    package func results() async throws -> [String] {
        // Get a list of locations and return it sorted for display.
        trailManager.uniqueLocations.sorted()
    }
}
