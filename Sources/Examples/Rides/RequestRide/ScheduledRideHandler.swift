import Intents

/// Books a ride for later. Runs with the app's own workers, where the book is kept.
struct ScheduledRideHandler: IntentHandling {
    func handle(_ ride: RequestRide, context: Context) async throws -> IntentResponse {
        guard let time = ride.scheduledTime else {
            return .failure(dialog: "There is no time to book the ride for.")
        }
        let identifier = RideIdentifier(idempotencyKey: context.idempotencyKey)
        return .success(
            dialog: "Your \(ride.ride.name) to \(ride.dropOff.name) is booked for \(time.displayText) as \(identifier.displayText).",
            values: ["rideIdentifier": identifier, "scheduledTime": time])
    }
}
