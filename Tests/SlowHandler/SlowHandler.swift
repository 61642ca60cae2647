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

/// An extension whose rides always succeed, after a delay.
struct SlowExtension: IntentExtension {
    var handlers: [any IntentHandling] { SlowRideHandler() }

    func provideDependencies(to manager: AppDependencyManager) { RideExtension().provideDependencies(to: manager) }
}

struct SlowRideHandler: IntentHandling {
    /// The time to handle a ride. Set it once, before the first ride.
    static let delay = Mutex(Duration.seconds(8))

    func handle(_ ride: RequestRide, context: Context) async throws -> HandleResponse {
        try await ContinuousClock().sleep(for: Self.delay.withLock { $0 })
        return .success(dialog: "Your ride to \(ride.dropOff.name) is booked.")
    }
}
