import IntentKit

/// The places to look for trails at.
struct LocationOptionsProvider: DynamicOptionsProvider {
    @Dependency
    private var trailManager: TrailDataManager

    func results() async throws -> [String] {
        // Sorted as people sort: case and accents don't matter.
        trailManager.uniqueLocations.sorted { TextFolding.fold($0) < TextFolding.fold($1) }
    }
}
