import ArgumentParser
import IntentKit
import IntentRuntime
import PipelineService
import SampleDomains

@main
struct IntentResolver: WorkerProcess {
    static let configuration = workerConfiguration(
        "intent-resolver", abstract: "Checks the parameters of intents and asks for what is missing.", topic: "intents.resolve")
    static let phase = Phase.resolve

    @OptionGroup var options: WorkerOptions

    static func registry(declared: [IntentDeclaration]) throws -> IntentRegistry {
        try IntentRegistry(sampleExtensions, declared: declared)
    }

    static func main() async { await runAsProgram() }
}
