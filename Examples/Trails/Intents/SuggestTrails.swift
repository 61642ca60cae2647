import IntentKit

/// Suggests trails. Shows required and optional parameters, options that are known only at run time, and a summary for
/// each case.
struct SuggestTrails: AppIntent {
    static let title: LocalizedText = "Suggest Trails"
    static let description: LocalizedText? = "Suggests trails for an activity, near a place or from a collection."

    @Parameter(title: "Activity", description: "What to do there.", requestValueDialog: "What would you like to do?")
    var activity: ActivityStyle

    @Parameter(title: "Location", description: "Where to look for trails.", optionsProvider: LocationOptionsProvider())
    var location: String?

    @Parameter(
        title: "Search Radius", description: "How far from the location; a number alone is kilometres.",
        .inclusiveRange(.kilometers(1)...(.kilometers(100))),
        converters: { MeasurementFromDouble(unit: UnitLength.kilometers) })
    var searchRadius: Measurement<UnitLength>? = .kilometers(15)

    @Parameter(title: "Trail Collection", description: "Whose trails to pick from.")
    var trailCollection: TrailCollection?

    @Dependency private var trailManager: TrailDataManager

    static let parameters = Parameters<Self>(\.$activity, \.$location, \.$searchRadius, \.$trailCollection)

    // The summary of Apple's article "Adding parameters to an app intent".
    static var parameterSummary: some ParameterSummary {
        Switch(\.$activity) {
            Case(.biking) {
                When(\.$location, .hasAnyValue) {
                    Summary("Ride a bike within \(\.$searchRadius) of \(\.$location)")
                } otherwise: {
                    When(\.$trailCollection, .hasAnyValue) {
                        Summary("Pick a bike ride from \(\.$trailCollection)")
                    } otherwise: {
                        Summary("Suggest bike rides from \(\.$trailCollection) or near \(\.$location)")
                    }
                }
            }
            DefaultCase() {
                When(\.$location, .hasAnyValue) {
                    Summary("Suggest \(\.$activity) trails within \(\.$searchRadius) of \(\.$location)")
                } otherwise: {
                    When(\.$trailCollection, .hasAnyValue) {
                        Summary("Suggest \(\.$activity) trails from \(\.$trailCollection)")
                    } otherwise: {
                        Summary("Suggest \(\.$activity) trails from \(\.$trailCollection) or near \(\.$location)")
                    }
                }
            }
        }
    }

    func perform() async throws -> some IntentResult & ReturnsValue<[TrailEntity]> & ReturnsItems & ProvidesDialog {
        let fitting = try await candidates().filter { $0.activities.contains(activity) }
        if fitting.isEmpty { throw TrailError.noMatchingTrail(activity) }
        return .result(value: fitting, items: fitting, dialog: "For \(activity) I suggest \(fitting).")
    }

    private func candidates() async throws -> [TrailEntity] {
        let picked = trailCollection.map { trailManager.trails(with: $0.trails) }
        if location == nil, let picked { return picked }
        // Location and collection are optional, so resolve has asked for neither. At least one is needed.
        let place =
            if let location { location } else { try await $location.requestValue("Where would you like to go?") }
        let near = trailManager.trails(within: searchRadius ?? .kilometers(15), of: place)
        return picked.map { picked in near.filter { picked.contains($0) } } ?? near
    }
}

extension Measurement<UnitLength> {
    static func kilometers(_ value: Double) -> Self { Self(value: value, unit: .kilometers) }
}

/// The places where trails begin.
struct LocationOptionsProvider: DynamicOptionsProvider {
    @Dependency
    private var trailManager: TrailDataManager

    func results() async throws -> [String] {
        // Case and accents do not affect the order.
        trailManager.uniqueLocations.sorted { TextFolding.fold($0) < TextFolding.fold($1) }
    }
}
