public import Intents

/// Where the car is (SiriKit: `INGetRideStatusIntent`).
public struct GetRideStatus: Intent {
    public static let title: LocalizedText = "Where is my ride?"

    @Parameter(
        title: "Ride number", prompt: "What is the number of your ride?", default: .first(.attribute("lastRide"), .remembered),
        memory: .session(as: "lastRide"))
    public var rideIdentifier: RideIdentifier

    public static let parameters = Parameters<Self>(\.$rideIdentifier)
    public static var parameterSummary: some ParameterSummary { Summary("Where is ride \(\.$rideIdentifier)?") }

    public init() {}
}

struct GetRideStatusHandler: IntentHandling {
    @Dependency var fleet: Fleet
    @Dependency var book: RideBook

    func handle(_ intent: GetRideStatus, context: Context) async throws -> IntentResponse {
        let status = try RideStatus(intent.rideIdentifier, in: book.of(context))
        let dialog = status.dialog(driver: fleet.driver(for: intent.rideIdentifier))
        return .success(dialog: context.text(dialog), values: status.values)
    }
}
