import IntentKit

/// Stores the start of an activity. Asks from within `perform()` for values that turn out to be needed.
struct StartTrailActivity: AppIntent {
    static let title: LocalizedText = "Start Trail Activity"
    static let description: LocalizedText? = "Notes that you set off on a trail."

    @Parameter(title: "Trail", requestValueDialog: "Which trail are you on?")
    var trail: TrailEntity

    @Parameter(title: "Activity")
    var activity: ActivityStyle?

    @Dependency private var diary: TrailDiary

    static let parameters = Parameters<Self>(\.$trail, \.$activity)

    static var parameterSummary: some ParameterSummary {
        When(\.$activity, .hasAnyValue) {
            Summary("Start \(\.$activity) on \(\.$trail)")
        } otherwise: {
            Summary("Set off on \(\.$trail)")
        }
    }

    func perform() async throws -> some IntentResult & ReturnsValue<ActivityStyle> & ProvidesDialog {
        // Each question ends this run. After the answer, perform() runs again from its start, and the same question
        // returns the answer at once. All questions therefore come before any side effect.
        let style = try await styleToStart()
        if trail.conditions != .good {
            try await requestConfirmation(dialog: "\(trail) is \(trail.conditions.rawValue) today. Start all the same?")
        }
        try diary.start(style, on: trail, of: context.session, idempotencyKey: context.idempotencyKey)
        return .result(value: style, dialog: "\(style) on \(trail): off you go.")
    }

    /// The given activity if it fits the trail, or the trail's only activity if none was given. Otherwise the person
    /// chooses.
    private func styleToStart() async throws -> ActivityStyle {
        if let activity, trail.activities.contains(activity) { return activity }
        if let only = trail.activities.first, trail.activities.count == 1, activity == nil { return only }
        return try await $activity.requestDisambiguation(
            among: trail.activities, dialog: "What would you like to do on \(trail)?")
    }
}
