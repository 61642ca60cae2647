public import IntentKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Cancels a booked ride (SiriKit: `INCancelRideIntent`).
public struct CancelRide: Intent {
    public static let title: LocalizedText = "Cancel my ride"
    public static let confirmation: ConfirmationPolicy = .always
    public static let confirmationActionName = ConfirmationActionName.custom(
        acceptLabel: "Cancel the ride", denyLabel: "Keep it", destructive: true)

    @Parameter(
        title: "Ride number", default: .first(.attribute("lastRide"), .remembered),
        requestValueDialog: "What is the number of your ride?",
        .memory(.person(as: "lastRide")))
    public var rideIdentifier: RideIdentifier

    public static let parameters = Parameters<Self>(\.$rideIdentifier)
    public static var parameterSummary: some ParameterSummary { Summary("Cancel ride \(\.$rideIdentifier)") }

    public init() {}
}

/// Cancels a ride.
///
/// A ride that is booked for later can be cancelled free of charge until half an hour before the pickup. A ride for now
/// can be cancelled free of charge until the driver sets off; each offer is valid for two minutes. Later, cancelling
/// costs a fee.
struct CancelRideHandler: IntentHandling {
    let fleet: Fleet
    let book: RideBook
    let clock: RideClock

    func confirm(_ cancel: CancelRide, context: Context) async throws -> ConfirmResponse {
        let status = try RideStatus(cancel.rideIdentifier, in: book.of(context), at: clock.now())
        if status.completionStatus == .canceledByUser {
            return .failure(dialog: "Ride \(status.ride) has been cancelled already.")
        }
        guard status.phase == .confirmed || status.phase == .approachingPickup else {
            return .failure(dialog: "That ride has begun and can't be cancelled.")
        }
        let fee = fleet.cancellationFee
        guard let threshold = threshold(status), threshold > clock.now() else {
            return .ready(dialog: "Cancelling now costs \(fee). Cancel it?", values: ["cancellationFee": fee])
        }
        // Agreement to a free cancellation is not agreement to a fee. After the threshold the person is asked again,
        // with the fee.
        let rest = Duration.milliseconds(Int64((threshold.timeIntervalSince(clock.now()) * 1000).rounded(.up)))
        return .ready(
            dialog: "Your ride can still be cancelled free of charge. Cancel it?",
            values: ["cancellationFee": fee, "cancellationFeeThreshold": threshold], validFor: min(rest, .seconds(3600))
        )
    }

    func handle(_ cancel: CancelRide, context: Context) async throws -> HandleResponse {
        let status = try RideStatus(cancel.rideIdentifier, in: book.of(context), at: clock.now())
        let isFree = threshold(status).map { $0 > clock.now() } ?? false
        let key = context.idempotencyKey
        let own = RideBook.Cancellation(
            feeMinorUnits: isFree ? 0 : fleet.cancellationFee.minorUnits, idempotencyKey: key)
        let cancellation = try book.of(context).cancel(cancel.rideIdentifier, own)
        guard cancellation.idempotencyKey == key else {
            return .failure(dialog: "Ride \(cancel.rideIdentifier) has been cancelled already.")
        }
        let fee = CurrencyAmount(
            minorUnits: cancellation.feeMinorUnits, currencyCode: fleet.cancellationFee.currencyCode)
        return .success(
            dialog: "Ride \(cancel.rideIdentifier) is cancelled.",
            values: ["rideIdentifier": cancel.rideIdentifier, "cancellationFee": fee])
    }

    /// The time from which cancelling costs a fee; `nil` if it already does (SiriKit: `cancellationFeeThreshold`).
    private func threshold(_ status: RideStatus) -> Date? {
        if let time = status.scheduledPickupTime { return time.addingTimeInterval(-30 * 60) }
        return status.phase == .confirmed ? clock.now().addingTimeInterval(2 * 60) : nil
    }
}
