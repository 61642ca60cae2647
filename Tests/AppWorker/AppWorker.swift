import IntentKit
import WorkerService

/// The worker of an app that supports an intent directly, for the process tests.
@main
struct AppWorker: WorkerProgram {
    static let extensions: [any IntentExtension] = [AlarmApp()]
}
