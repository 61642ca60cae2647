import IntentKit
import WorkerService

/// The worker of an app that handles an intent itself, for the process tests.
@main
struct AppWorker: WorkerProgram {
    static let extensions: [any IntentExtension] = [AlarmApp()]
}
