import IntentKit
import SampleDomains
import SpokenValues
import WorkerService

/// The sample domains' worker: `intent-worker --phase resolve` is a resolver.
@main
struct IntentWorkerProgram: WorkerProgram {
    static let extensions: [any IntentExtension] = sampleExtensions
    static let spokenValues: (any SpokenValueReading)? = SpokenValueReader()
}
