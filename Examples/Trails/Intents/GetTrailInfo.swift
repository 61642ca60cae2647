import IntentKit

/// Describes a trail: the first example in Apple's article "Adding parameters to an app intent".
struct GetTrailInfo: AppIntent {
    static let title: LocalizedText = "Get Trail Info"
    static let description: LocalizedText? = "Tells how long a trail is and what it is like today."

    @Parameter(title: "Trail", description: "The trail to get information on.")
    var trail: TrailEntity

    @Dependency private var diary: TrailDiary

    static let parameters = Parameters<Self>(\.$trail)

    static var parameterSummary: some ParameterSummary {
        Summary("Get information on \(\.$trail)")
    }

    func perform() async throws -> some IntentResult & ReturnsValue<TrailEntity> & ProvidesDialog {
        var dialog: LocalizedText = """
            \(trail) starts in \(trail.location), is \(trail.length) long and good for \(trail.activities). Conditions today: \
            \(trail.conditions.rawValue).
            """
        if let last = try diary.lastActivity(on: trail, of: context.session) {
            let addition: LocalizedText = "You were there last for \(last.style)."
            dialog = "\(dialog) \(addition)"
        }
        return .result(value: trail, dialog: dialog)
    }
}

extension GetTrailInfo {
    init(_ trail: TrailEntity) {
        self.trail = trail
    }
}
