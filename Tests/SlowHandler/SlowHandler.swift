import ArgumentParser
import IntentKit
import SampleDomains
import Synchronization
import WorkerService

/// A worker with a slow handler, for the fault tests.
@main
struct SlowHandler: WorkerProgram {
    typealias Source = Slowness
    static let extensions: [any IntentExtension] = [SlowExtension()]
}

/// The source of the handler's delay.
struct Slowness: IntentSource {
    @Option(help: "How long each ride takes, in seconds.")
    var seconds = 8

    func open(_ environment: WorkerEnvironment) -> (any OpenIntentSource)? {
        SlowRideHandler.delay.withLock { $0 = .seconds(seconds) }
        return nil
    }
}
