import ArgumentParser
import IntentKit
import IntentRuntime
import PipelineService
import SampleDomains

@main
struct IntentHandler: WorkerProcess {
    static let configuration = workerConfiguration(
        "intent-handler", abstract: "Does what confirmed intents ask for.", topic: "intents.handle")
    static let phase = Phase.handle

    @OptionGroup var options: WorkerOptions
    @OptionGroup var callback: CallbackOptions

    @Flag(help: "Work for the app: take what handlers passed on with handleInApp, from intents.handle-in-app.")
    var inApp = false

    static func registry(declared: [IntentDeclaration]) throws -> IntentRegistry {
        try IntentRegistry(sampleExtensions, declared: declared)
    }

    func run() async throws { try await runWorker(isInApp: inApp, callback: callback) }

    static func main() async { await runAsProgram() }
}
