package import IntentKit

/// An activity on a trail.
package enum ActivityStyle: String, AppEnum {
    case biking, hiking, jogging

    package static let typeDisplayRepresentation: TypeDisplayRepresentation = "Activity"
    package static let caseDisplayRepresentations: [ActivityStyle: DisplayRepresentation] = [
        .biking: DisplayRepresentation(title: "Biking", synonyms: ["cycling"]), .hiking: "Hiking", .jogging: "Jogging",
    ]
}

/// The intent of Apple's article "Adding parameters to an app intent", with its parameter summary.
package struct SuggestedTrails: AppIntent {
    package static let title: LocalizedText = "Suggest Trails"
    package static let description: LocalizedText? = "Suggests trails for an activity."
    package static let confirmation: ConfirmationPolicy = .always

    @Parameter(title: "Activity", description: "What to do there.") package var activity: ActivityStyle
    @Parameter(title: "Location") package var location: Place?
    @Parameter(
        title: "Search Radius",
        .inclusiveRange(Measurement(value: 1, unit: .kilometers)...Measurement(value: 50, unit: .kilometers)))
    package var searchRadius: Measurement<UnitLength>?
    @Parameter(title: "Trail Collection") package var trailCollection: String?

    package static let parameters = Parameters<Self>(\.$activity, \.$location, \.$searchRadius, \.$trailCollection)

    // The summary of the article.
    package static var parameterSummary: some ParameterSummary {
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

    package init() {}

    package func perform() async throws -> some IntentResult { .result() }
}
