import IntentKit

/// Books a ride for later. Runs in the app's own workers, which write the book.
struct ScheduledRideHandler: IntentHandling {
    @Dependency var book: RideBook

    func handle(_ ride: RequestRide, context: Context) async throws -> IntentResponse {
        guard let time = ride.scheduledTime else {
            return .failure(dialog: context.text("There is no time to book the ride for."))
        }
        let identifier = RideIdentifier(idempotencyKey: context.idempotencyKey)
        try book.of(context).schedule(identifier, at: time)
        return .success(
            dialog: context.text("Your \(ride.ride.name) to \(ride.dropOff.name) is booked for \(time) as \(identifier)."),
            values: ["rideIdentifier": identifier, "scheduledTime": time])
    }
}
