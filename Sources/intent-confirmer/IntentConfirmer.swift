import ArgumentParser
import IntentKit
import IntentRuntime
import PipelineService
import SampleDomains

@main
struct IntentConfirmer: WorkerProcess {
    static let configuration = workerConfiguration(
        "intent-confirmer", abstract: "Checks that resolved intents can be handled.", topic: "intents.confirm")
    static let phase = Phase.confirm

    @OptionGroup var options: WorkerOptions

    static func registry(declared: [IntentDeclaration]) throws -> IntentRegistry {
        try IntentRegistry(sampleExtensions, declared: declared)
    }

    static func main() async { await runAsProgram() }
}
