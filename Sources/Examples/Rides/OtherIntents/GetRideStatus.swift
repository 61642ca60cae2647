public import Intents

/// Where the car is (SiriKit: `INGetRideStatusIntent`).
public struct GetRideStatus: Intent {
    public static let title: LocalizedText = "Where is my ride?"

    @Parameter(title: "Ride number", prompt: "What is the number of your ride?")
    public var rideIdentifier: RideIdentifier

    public static let parameters = Parameters<Self>(\.$rideIdentifier)
    public static var parameterSummary: some ParameterSummary { Summary("Where is ride \(\.$rideIdentifier)?") }

    public init() {}
}

struct GetRideStatusHandler: IntentHandling {
    @Dependency var fleet: Fleet

    var resolution: some Resolution<GetRideStatus> {
        Resolve(\.$rideIdentifier) { identifier, _, context in knownRide(identifier, context) }
    }

    func handle(_ status: GetRideStatus, context: Context) async throws -> IntentResponse {
        let phase = RidePhase(of: status.rideIdentifier)
        let dialog = phase.dialog(driver: fleet.driver(for: status.rideIdentifier))
        return .success(dialog: dialog, values: ["phase": phase.rawValue, "rideIdentifier": status.rideIdentifier])
    }
}

/// The ride that was named, else the last one of this session, if the session remembers it.
func knownRide(_ named: RideIdentifier?, _ context: Context) -> ResolutionResult<RideIdentifier> {
    let remembered = context.attributes["lastRide"]?.view.string.flatMap { RideIdentifier(text: $0) }
    return (named ?? remembered).map { .success($0) } ?? .needsValue()
}

/// How far a ride is (SiriKit: `INRidePhase`). The sample keeps no rides: the number itself says.
enum RidePhase: String {
    case confirmed, approachingPickup, ongoing, completed

    init(of ride: RideIdentifier) {
        self = [.confirmed, .approachingPickup, .ongoing, .completed][Int(ride.number >> 8 & 3)]
    }

    func dialog(driver: String) -> String {
        switch self {
        case .confirmed: "\(driver) has your ride and sets off soon."
        case .approachingPickup: "\(driver) is around the corner."
        case .ongoing: "You are on your way with \(driver)."
        case .completed: "\(driver) has brought you there. Thank you for riding with us."
        }
    }
}
