public import IntentKit

/// Reports the status of a ride (SiriKit: `INGetRideStatusIntent`).
public struct GetRideStatus: Intent {
    public static let title: LocalizedText = "Where is my ride?"

    @Parameter(
        title: "Ride number", default: .first(.attribute("lastRide"), .remembered),
        requestValueDialog: "What is the number of your ride?",
        .memory(.person(as: "lastRide")))
    public var rideIdentifier: RideIdentifier

    public static let parameters = Parameters<Self>(\.$rideIdentifier)
    public static var parameterSummary: some ParameterSummary { Summary("Where is ride \(\.$rideIdentifier)?") }

    public init() {}
}

struct GetRideStatusHandler: IntentHandling {
    let fleet: Fleet
    let book: RideBook
    let clock: RideClock

    func handle(_ intent: GetRideStatus, context: Context) async throws -> HandleResponse {
        let status = try RideStatus(intent.rideIdentifier, in: book.of(context), at: clock.now())
        return .success(dialog: status.dialog(driver: fleet.driver(for: status.ride)), values: status.values)
    }
}

extension GetRideStatusHandler: LiveUpdating {
    /// Sends the ride's status until it is completed (SiriKit: `startSendingUpdates(for:to:)`).
    func sendUpdates(for intent: GetRideStatus, to observer: UpdateObserver, context: Context) async throws {
        let book = book.of(context)
        // The start is stored in the book and not in this process, so that a worker that takes over continues from the
        // ride's current phase.
        try book.follow(intent.rideIdentifier, since: clock.now())
        while true {
            let status = try RideStatus(intent.rideIdentifier, in: book, at: clock.now())
            observer.didUpdate(
                phase: status.phase.rawValue, completionStatus: status.completionStatus?.rawValue,
                dialog: status.dialog(driver: fleet.driver(for: status.ride)), values: status.values)
            if status.phase == .completed { return }
            try await clock.waitForNextUpdate()
        }
    }
}
