package import IntentKit
package import PipelineService
import SampleDomains
import SpokenValues
import WorkerService

/// The sample domains' worker: `sample-worker --phase resolve` is a resolver.
package struct SampleWorker: PipelineWorker {
    package static let program = PipelineProgram.sampleWorker
    package static let extensions: [any IntentExtension] = sampleExtensions
    package static let spokenValues: (any SpokenValueReading)? = SpokenValueReader()
}
