import IntentKit
import SampleDomains
import SpokenValues
import WorkerService

/// The sample domains' worker: `sample-worker --phase resolve` is a resolver.
@main
struct SampleWorker: WorkerProgram {
    static let extensions: [any IntentExtension] = sampleExtensions
    static let spokenValues: (any SpokenValueReading)? = SpokenValueReader()
}
