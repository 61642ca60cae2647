public import Intents

/// Calls a booked ride off (SiriKit: `INCancelRideIntent`).
public struct CancelRide: Intent {
    public static let title: LocalizedText = "Cancel my ride"
    public static let confirmation: ConfirmationPolicy = .always

    @Parameter(title: "Ride number", prompt: "What is the number of your ride?")
    public var rideIdentifier: RideIdentifier

    public static let parameters = Parameters<Self>(\.$rideIdentifier)
    public static var parameterSummary: some ParameterSummary { Summary("Cancel ride \(\.$rideIdentifier)") }

    public init() {}
}

struct CancelRideHandler: IntentHandling {
    @Dependency var fleet: Fleet

    var resolution: some Resolution<CancelRide> {
        Resolve(\.$rideIdentifier) { identifier, _, context in knownRide(identifier, context) }
    }

    func confirm(_ cancel: CancelRide, context: Context) async throws -> IntentResponse {
        switch RidePhase(of: cancel.rideIdentifier) {
        case .confirmed: .ready(dialog: "Your ride can still be cancelled free of charge. Cancel it?")
        case .approachingPickup: .ready(dialog: "Cancelling now costs \(fee.displayText). Cancel it?", values: ["cancellationFee": fee])
        case .ongoing, .completed: .failure(dialog: "That ride has begun and can't be cancelled.")
        }
    }

    func handle(_ cancel: CancelRide, context: Context) async throws -> IntentResponse {
        .success(dialog: "Ride \(cancel.rideIdentifier.displayText) is cancelled.", values: ["rideIdentifier": cancel.rideIdentifier])
    }

    private var fee: CurrencyAmount { fleet.cancellationFee }
}
