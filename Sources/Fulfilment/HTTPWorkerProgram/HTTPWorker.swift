package import HTTPFulfilment
package import IntentKit
package import PipelineService
import SpokenValues
import WorkerService

/// The worker that serves only definition files, fulfilled over HTTP. It is a program of its own, because the HTTP client
/// is the largest part of a build.
package struct HTTPWorker: PipelineWorker {
    package static let program = PipelineProgram.httpWorker
    package typealias Source = HTTPDefinitions
    package static let extensions: [any IntentExtension] = []
    package static let spokenValues: (any SpokenValueReading)? = SpokenValueReader()
}

extension HTTPWorker {
    /// Runs the worker, or `intents try`, which calls a service as the worker does.
    package static func run(_ arguments: [String]) async -> Never {
        guard arguments.first == "try" else { await WorkerCommand<Self>.runAsProgram(arguments) }
        await TrialCommand<Self>.runAsProgram(Array(arguments.dropFirst()))
    }
}
