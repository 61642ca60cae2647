import ArgumentParser
import IntentModel
import IntentRuntime
import PipelineService
import Rides
import Synchronization

/// A handler that takes its time: what a fault is tried with.
@main
struct SlowHandler: WorkerProcess {
    static let configuration = workerConfiguration("slow-handler", abstract: "Books rides slowly.", topic: "intents.handle")
    static let phase = Phase.handle

    @OptionGroup var options: WorkerOptions

    @Option(help: "How long each ride takes, in seconds.")
    var seconds = 8

    static func registry(declared: [IntentDeclaration]) throws -> IntentRegistry {
        try IntentRegistry([SlowExtension()], declared: declared)
    }

    func run() async throws {
        SlowRideHandler.delay.withLock { $0 = .seconds(seconds) }
        try await runWorker(isInApp: false)
    }

    static func main() async { await runAsProgram() }
}
