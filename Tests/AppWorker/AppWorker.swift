import IntentKit
import WorkerService

/// The worker of an app that handles an intent itself, for the process tests.
@main
struct AppWorker: WorkerProgram {
    static let extensions: [any IntentExtension] = [AlarmApp()]
}

struct SetAlarm: Intent {
    static let title: LocalizedText = "Set an alarm"
    static let confirmation: ConfirmationPolicy = .always

    @Parameter(title: "Hour", requestValueDialog: "At what hour?", .inclusiveRange(0...23)) var hour: Int

    static let parameters = Parameters<Self>(\.$hour)
    static var parameterSummary: some ParameterSummary { Summary("Wake me at \(\.$hour)") }
}

/// An extension whose only handler is the app's.
struct AlarmApp: IntentExtension {
    let intents: [any Intent.Type] = [SetAlarm.self]

    func handler(for intent: any Intent) -> (any IntentHandler)? { nil }
    func application(handlerFor intent: any Intent) -> (any IntentHandler)? {
        intent is SetAlarm ? SetAlarmHandler() : nil
    }
}

struct SetAlarmHandler: IntentHandling {
    func handle(_ alarm: SetAlarm, context: Context) async throws -> HandleResponse {
        guard context.isInApp else { return .failure() }
        return .success(dialog: "The app wakes you at \(alarm.hour).")
    }
}
