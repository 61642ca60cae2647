import Foundation
import IntentKit

/// The intent that ``BindingBench`` binds: six parameters of common types.
struct BenchRide: Intent {
    static let title: LocalizedText = "Request a ride"

    @Parameter(title: "Pickup") var pickup: Place?
    @Parameter(title: "Drop-off") var dropOff: Place
    @Parameter(title: "Riders", .inclusiveRange(1...6)) var partySize: Int
    @Parameter(title: "Ride") var ride: Kind
    @Parameter(title: "Time") var time: Date
    @Parameter(title: "Tip") var tip: CurrencyAmount?

    static let parameters = Parameters<Self>(\.$pickup, \.$dropOff, \.$partySize, \.$ride, \.$time, \.$tip)
    static var parameterCount: Int { 6 }

    enum Kind: String, AppEnum {
        case economy, comfort, van
        static let typeDisplayRepresentation: TypeDisplayRepresentation = "Ride"
        static let caseDisplayRepresentations: [Kind: DisplayRepresentation] = [
            .economy: "Economy", .comfort: "Comfort", .van: "Van",
        ]
    }
}

struct BenchRideHandler: IntentHandling {
    func handle(_ ride: BenchRide, context: Context) async throws -> HandleResponse { .success }
}

struct BenchRideExtension: IntentExtension {
    let intents: [any Intent.Type] = [BenchRide.self]
    func handler(for intent: any Intent) -> (any IntentHandler)? { BenchRideHandler() }
}
