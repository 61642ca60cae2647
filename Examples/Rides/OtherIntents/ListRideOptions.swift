public import IntentKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Lists the available rides with their fares (SiriKit: `INListRideOptionsIntent`).
///
/// The list is valid until its `expirationDate`; after that, clients request a new list. ``RequestRide`` gets only the
/// name of the ride that the person picks, and makes a new quote.
public struct ListRideOptions: Intent {
    public static let title: LocalizedText = "List rides"

    @Parameter(title: "Pickup", requestValueDialog: "Where should the driver meet you?")
    public var pickup: Place?

    @Parameter(title: "Drop-off", requestValueDialog: "Where are you going?")
    public var dropOff: Place

    public static let parameters = Parameters<Self>(\.$pickup, \.$dropOff)
    public static var parameterSummary: some ParameterSummary {
        When(\.$pickup, .hasAnyValue) {
            Summary("Rides from \(\.$pickup) to \(\.$dropOff)")
        } otherwise: {
            Summary("Rides to \(\.$dropOff)")
        }
    }

    public init() {}
}

struct ListRideOptionsHandler: IntentHandling {
    let city: City
    let fleet: Fleet
    let clock: RideClock

    var resolution: some Resolution<ListRideOptions> {
        Resolve(\.$pickup) { place, _, context in
            guard let place else { return .notRequired() }
            return city.resolve(place, context)
        }
        Resolve(\.$dropOff, after: \.$pickup) { place, list, context in
            guard let place else { return .needsValue() }
            return city.resolve(place, notAt: list.$pickup.value, context)
        }
    }

    func handle(_ list: ListRideOptions, context: Context) async throws -> HandleResponse {
        let start = list.pickup ?? city.stand
        try fleet.check(from: start, to: list.dropOff, in: city, context)
        let options = fleet.options.compactMap { option in
            city.district(of: start).flatMap { fleet.quote(option, from: start, in: $0, to: list.dropOff) }.map {
                ListedRide(option, $0)
            }
        }
        guard let soonest = options.map(\.minutesToPickup).min() else {
            return .failure(dialog: "No car is free near \(start.name).")
        }
        return .success(
            dialog:
                "There are \(options.count) kinds of ride to \(list.dropOff.name), the first in \(soonest) minutes.",
            values: [
                "expirationDate": clock.now().addingTimeInterval(5 * 60), "paymentMethods": PaymentMethod.allCases,
            ],
            items: options)
    }
}
