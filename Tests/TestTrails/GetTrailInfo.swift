package import IntentKit

/// Describes a trail after the person has agreed.
package struct GetTrailInfo: AppIntent {
    package static let title: LocalizedText = "Get trail information"
    package static let confirmation: ConfirmationPolicy = .always

    @Parameter(title: "Trail", description: "The trail to get information on.")
    package var trail: TrailEntity

    package static let parameters = Parameters<Self>(\.$trail)
    package static var parameterSummary: some ParameterSummary {
        Summary("Get information on \(\.$trail)")
    }

    package init() {}

    package func perform() async throws -> some IntentResult & ProvidesDialog {
        .result(dialog: "\(trail.name): \(trail.length) km")
    }
}
