import IntentKit

/// Notes that somebody sets off. Asks in the midst of `perform()` for what it finds it needs.
struct StartTrailActivity: AppIntent {
    static let title: LocalizedText = "Start Trail Activity"
    static let description: LocalizedText? = "Notes that you set off on a trail."

    @Parameter(title: "Trail", prompt: "Which trail are you on?")
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
        // Each of these ends the run; when the person has answered, perform() runs again from here and gets the answer at once. So all
        // questions come before anything is done.
        let style = try await styleToStart()
        if trail.conditions != .good {
            try await requestConfirmation(dialog: context.text("\(trail) is \(trail.conditions.rawValue) today. Start all the same?"))
        }
        try diary.start(style, on: trail, of: context.session, idempotencyKey: context.idempotencyKey)
        return .result(value: style, dialog: context.text("\(style) on \(trail): off you go."))
    }

    /// What was said if the trail is for it, or the only thing it is for; else the person chooses.
    private func styleToStart() async throws -> ActivityStyle {
        if let activity, trail.activities.contains(activity) { return activity }
        if let only = trail.activities.first, trail.activities.count == 1, activity == nil { return only }
        return try await $activity.requestDisambiguation(
            among: trail.activities, dialog: context.text("What would you like to do on \(trail)?"))
    }
}
