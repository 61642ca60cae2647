import IntentKit

// The article's example domain, at its smallest.

struct TrailEntity: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Trail"
    static let defaultQuery = TrailQuery()

    let id: Int
    let name: String
    var length = 5.0
    var synonyms: [LocalizedText] = []
    var displayRepresentation: DisplayRepresentation { DisplayRepresentation(title: LocalizedText(name), synonyms: synonyms) }

    static let bell = TrailEntity(id: 1, name: "Mount Bell", length: 12, synonyms: ["my usual trail"])
    static let loops = [TrailEntity(id: 2, name: "Lake Loop"), TrailEntity(id: 3, name: "Lake Loop", length: 7)]
}

struct TrailQuery: EnumerableEntityQuery, EntityPropertyQuery {
    @Dependency var trailManager: TrailDataManager
    func allEntities() async throws -> [TrailEntity] { trailManager.trails }
    let properties = QueryProperties<TrailEntity>(QueryProperty("name", \.name), QueryProperty("length", \.length))
}

struct TrailDataManager: Sendable {
    var trails = [TrailEntity.bell] + TrailEntity.loops
    var uniqueLocations: Set<String> = ["Oulu", "Bonn", "Cork"]

    static let provide: @Sendable (DependencyManager) -> Void = { $0.add(TrailDataManager()) }
}

enum ActivityStyle: String, AppEnum {
    case biking, hiking, jogging
    static let typeDisplayName: LocalizedText = "Activity"
    static let caseDisplayRepresentations: [Self: DisplayRepresentation] = [
        .biking: DisplayRepresentation(title: "Biking", synonyms: ["cycling"]), .hiking: "Hiking", .jogging: "Jogging",
    ]
}

struct GetTrailInfo: AppIntent {
    static let title: LocalizedText = "Get trail information"
    static let confirmation: ConfirmationPolicy = .always

    @Parameter(title: "Trail", description: "The trail to get information on.")
    var trail: TrailEntity

    static let parameters = Parameters<Self>(\.$trail)
    static var parameterSummary: some ParameterSummary {
        Summary("Get information on \(\.$trail)")
    }

    func perform() async throws -> some IntentResult & ProvidesDialog { .result(dialog: "\(trail.name): \(trail.length) km") }
}

struct LocationOptionsProvider: DynamicOptionsProvider {
    @Dependency
    private var trailManager: TrailDataManager

    func results() async throws -> [String] {
        // Get a list of locations and return it sorted for display.
        trailManager.uniqueLocations.sorted()
    }
}
