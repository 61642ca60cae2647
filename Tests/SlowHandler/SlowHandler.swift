import ArgumentParser
import IntentKit
import SampleDomains
import Synchronization
import WorkerService

/// A slow handler, for the fault tests.
@main
struct SlowHandler: WorkerProgram {
    typealias Source = Slowness
    static let extensions: [any IntentExtension] = [SlowExtension()]
}

/// How slow the handler is.
struct Slowness: IntentSource {
    @Option(help: "How long each ride takes, in seconds.")
    var seconds = 8

    func open(_ environment: WorkerEnvironment) -> (any OpenIntentSource)? {
        SlowRideHandler.delay.withLock { $0 = .seconds(seconds) }
        return nil
    }
}
