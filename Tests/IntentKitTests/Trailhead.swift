import IntentKit
import PipelineTestKit

// A second domain for the tests: trails, which are entities.

struct Trail: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Trail"
    static let defaultQuery = TrailQuery()

    let id: Int
    var name: String
    var length = 5.0
    var region: String?
    var synonyms: [LocalizedText] = []

    var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(title: LocalizedText(name), subtitle: region.map { LocalizedText($0) }, synonyms: synonyms)
    }
    func encodeMembers(to writer: inout JSONWriter) { writer.member("region", ifPresent: region) }
}

struct TrailStore: Sendable {
    var trails = Trail.all
    var suggested: [Trail] = []
    var tally = Recorder<String>()
}

extension Trail {
    static let all = [
        Trail(id: 1, name: "Mount Bell", length: 12.5, region: "North"),
        Trail(id: 2, name: "Bell Brook", length: 3, region: "North"),
        Trail(id: 3, name: "Río Verde", length: 8, region: "South", synonyms: ["Green River"]),
        Trail(id: 4, name: "Lake Loop", length: 5),
        Trail(id: 5, name: "Lake Loop", length: 7, region: "South"),
    ]
}

struct TrailQuery: EntityStringQuery, EntityPropertyQuery {
    @Dependency var store: TrailStore

    func entities(for identifiers: [Int]) async throws -> [Trail] {
        store.tally.record("ids \(identifiers)")
        return store.trails.filter { identifiers.contains($0.id) }
    }
    func entities(matching string: String) async throws -> [Trail] {
        store.tally.record("search \(string)")
        return store.trails.filter { TextFolding.fold($0.name).contains(TextFolding.fold(string)) || !$0.synonyms.isEmpty }
    }
    func results() async throws -> ItemCollection<Trail> {
        ItemCollection(sections: [ItemSection("Near", items: store.suggested)])
    }

    let properties = QueryProperties<Trail>(
        QueryProperty("name", \.name), QueryProperty("length", \.length), QueryProperty("region", \.region))
    func entities(
        matching comparators: [EntityComparison<Trail>], mode: ComparatorMode, sortedBy: [EntityQuerySort<Trail>], limit: Int?
    ) async throws -> [Trail] {
        try await AllTrails().entities(matching: comparators, mode: mode, sortedBy: sortedBy, limit: limit)
    }
}

struct AllTrails: EnumerableEntityQuery, EntityPropertyQuery {
    @Dependency var store: TrailStore

    func allEntities() async throws -> [Trail] { store.trails }
    let properties = QueryProperties<Trail>(
        QueryProperty("name", \.name), QueryProperty("length", \.length), QueryProperty("region", \.region))
}

struct TheFirst: UniqueAppEntityQuery {
    func uniqueEntity() async throws -> Trail { Trail.all[0] }
}

struct Walk: Intent {
    static let title: LocalizedText = "Walk"
    static let confirmation: ConfirmationPolicy = .always

    @Parameter(title: "Trail", prompt: "Which trail?") var trail: Trail
    @Parameter(title: "Detours") var detours: [Trail]?
    @Parameter(title: "Home", default: .attribute("home")) var home: Trail?

    static let parameters = Parameters<Self>(\.$trail, \.$detours, \.$home)
    static var parameterSummary: some ParameterSummary { Summary("Walk \(\.$trail)") }
}

struct WalkHandler: IntentHandling {
    func handle(_ walk: Walk, context: Context) async throws -> IntentResponse {
        .success(dialog: "\(walk.trail.name), \(walk.trail.length) km", values: ["detours": walk.detours ?? []])
    }
}

func trailhead(_ store: TrailStore = TrailStore()) -> SingleHandlerExtension<WalkHandler> {
    SingleHandlerExtension(handler: WalkHandler()) { manager in manager.add(store) }
}
