import IntentKit
import IntentRuntime
import PipelineTestKit

// The domain of the article "Adding parameters to an app intent".

enum ActivityStyle: String, AppEnum {
    case biking, hiking, jogging
    static let typeDisplayName: LocalizedText = "Activity"
    static let caseDisplayRepresentations: [ActivityStyle: DisplayRepresentation] = [
        .biking: "Biking", .hiking: "Hiking", .jogging: "Jogging",
    ]
}

struct Kilometres: ParameterValue, Comparable {
    var count: Int
    init(_ count: Int) { self.count = count }
    static var jsonKind: JSONView.Kind { .number }
    init?(json: JSONView) {
        guard let count = json.int else { return nil }
        self.init(count)
    }
    func encode(to writer: inout JSONWriter) { writer.number(count) }
    var displayText: String { "\(count) km" }
    func displayText(in locale: String?) -> String { locale == "ru" ? "\(count) км" : displayText }
    static func < (a: Self, b: Self) -> Bool { a.count < b.count }
}

struct SuggestedTrails: Intent {
    static let title: LocalizedText = "Suggest Trails"
    static let description: LocalizedText? = "Suggests trails for an activity."

    @Parameter(title: "Activity", description: "What to do there.") var activity: ActivityStyle
    @Parameter(title: "Location") var location: Place?
    @Parameter(title: "Search Radius", range: Kilometres(1)...Kilometres(50)) var searchRadius: Kilometres?
    @Parameter(title: "Trail Collection") var trailCollection: String?

    static let parameters = Parameters<Self>(\.$activity, \.$location, \.$searchRadius, \.$trailCollection)

    // As in the article.
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
}

extension SuggestedTrails {
    init(_ activity: ActivityStyle? = nil, near location: String? = nil, within kilometres: Int? = nil, from collection: String? = nil) {
        $activity.value = activity
        $location.value = location.map { Place(name: $0) }
        $searchRadius.value = kilometres.map { Kilometres($0) }
        $trailCollection.value = collection
    }
}

/// Serves one intent whose handler only requires a confirmation, which shows the summary.
struct ConfirmationAsker<Subject: Intent>: IntentExtension, IntentHandling {
    var tables: [LocalizedTable] = []
    var intents: [any Intent.Type] { [Subject.self] }
    var localizations: [LocalizedTable] { tables }
    func handler(for intent: any Intent) -> (any IntentHandler)? { self }
    func confirm(_ intent: Subject, context: Context) async throws -> IntentResponse { .userConfirmationRequired() }
    func handle(_ intent: Subject, context: Context) async throws -> IntentResponse { .success }

    /// The intent's summary in the confirmation.
    func summary(_ values: KeyValuePairs<String, any ParameterValue> = [:], locale: String? = nil) async throws -> String? {
        var states: [ParameterState] = []
        for (name, value) in values { states.append(ParameterState(name: name, value: JSON(value), origin: .resolved)) }
        return try await registry().perform(.confirm, Subject.name, states, locale: locale).confirmation?.summary
    }
}
