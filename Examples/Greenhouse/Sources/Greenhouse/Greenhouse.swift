import IntentKit
import WorkerService

@main
struct GreenhouseWorker: WorkerProgram {
    static let extensions: [any IntentExtension] = [GreenhouseExtension()]
}
