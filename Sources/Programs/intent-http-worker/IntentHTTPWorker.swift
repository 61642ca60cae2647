import HTTPFulfilment
import IntentKit
import SpokenValues
import WorkerService

/// The worker of definition files, fulfilled over HTTP. It serves nothing else.
@main
struct IntentHTTPWorker: WorkerProgram {
    typealias Source = HTTPDefinitions
    static let extensions: [any IntentExtension] = []
    static let spokenValues: (any SpokenValueReading)? = SpokenValueReader()
}
