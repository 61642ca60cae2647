import IntentKit
import SampleDomains
import Synchronization

/// Rides that always succeed, after a delay.
struct SlowExtension: IntentExtension {
    var handlers: [any IntentHandling] { SlowRideHandler() }

    func provideDependencies(to manager: AppDependencyManager) { RideExtension().provideDependencies(to: manager) }
}

struct SlowRideHandler: IntentHandling {
    /// How long handling a ride takes; set once, before the first one.
    static let delay = Mutex(Duration.seconds(8))

    func handle(_ ride: RequestRide, context: Context) async throws -> HandleResponse {
        try await ContinuousClock().sleep(for: Self.delay.withLock { $0 })
        return .success(dialog: "Your ride to \(ride.dropOff.name) is booked.")
    }
}
