import DefinitionService
import IntentKit
import SampleDomains
import SpokenValues
import WorkerService

/// The sample domains' worker that also serves definition files, fulfilled over HTTP.
@main
struct IntentHTTPWorker: WorkerProgram {
    typealias Source = HTTPDefinitions
    static let extensions: [any IntentExtension] = sampleExtensions
    static let spokenValues: (any SpokenValueReading)? = SpokenValueReader()
}
