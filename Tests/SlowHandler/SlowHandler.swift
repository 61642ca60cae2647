import ArgumentParser
import IntentKit
import Rides
import Synchronization
import WorkerService

/// A handler that takes its time: what a fault is tried with.
@main
struct SlowHandler: WorkerProgram {
    typealias Source = Slowness
    static let extensions: [any IntentExtension] = [SlowExtension()]
}

/// How slow it is; no source of intents.
struct Slowness: IntentSource {
    @Option(help: "How long each ride takes, in seconds.")
    var seconds = 8

    func open(_ environment: WorkerEnvironment) -> (any OpenIntentSource)? {
        SlowRideHandler.delay.withLock { $0 = .seconds(seconds) }
        return nil
    }
}
