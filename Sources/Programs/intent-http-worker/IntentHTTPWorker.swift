import HTTPFulfilment
import IntentKit
import SpokenValues
import WorkerService

/// A worker that serves only definition files, fulfilled over HTTP.
@main
struct IntentHTTPWorker: WorkerProgram {
    typealias Source = HTTPDefinitions
    static let extensions: [any IntentExtension] = []
    static let spokenValues: (any SpokenValueReading)? = SpokenValueReader()
}
