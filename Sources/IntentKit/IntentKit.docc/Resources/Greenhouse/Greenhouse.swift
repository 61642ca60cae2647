import IntentKit
import PipelineService

@main
struct GreenhouseWorker: WorkerProgram {
    static let extensions: [any IntentExtension] = [GreenhouseExtension()]
}
