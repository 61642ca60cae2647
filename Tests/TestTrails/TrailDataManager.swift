package import IntentKit
package import PipelineTestKit

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
