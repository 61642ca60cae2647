import HTTPFulfilment
import IntentKit
import SpokenValues
import WorkerService

/// A worker that serves only definition files, fulfilled over HTTP. It is a program of its own, because the HTTP client is
/// the largest part of a build.
@main
struct IntentHTTPWorker: WorkerProgram {
    typealias Source = HTTPDefinitions
    static let extensions: [any IntentExtension] = []
    static let spokenValues: (any SpokenValueReading)? = SpokenValueReader()
}
