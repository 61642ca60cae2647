import Intents

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

struct RequestRideHandler: IntentHandling {
    @Dependency var city: City
    @Dependency var fleet: Fleet

    var resolution: some Resolution<RequestRide> {
        Resolve(\.$pickup) { place, _ in
            guard let place else { return .notRequired() }  // then it starts from the city's stand
            return city.resolve(place)
        }
        Resolve(\.$dropOff) { place, ride in
            guard let place else { return .needsValue() }
            return city.resolve(place, notAt: ride.$pickup.value)
        }
        Resolve(\.$ride) { option, ride in
            let party = ride.$partySize.value ?? 1
            let fitting = fleet.options(for: party)
            if let option, option.seats >= party { return .success(option) }
            if let option {
                let others = fitting.map(\.name).joined(separator: " or ")
                let dialog = "\(option.name) has \(option.seats) seats, and you are \(party). Take \(others)."
                return .unsupported(reason: "partyTooLarge", dialog: dialog)
            }
            if fitting.count == 1 { return .success(fitting[0]) }
            return .disambiguation(fitting, dialog: "Which ride would you like?")
        }
    }

    func confirm(_ ride: RequestRide, context: Context) async throws -> IntentResponse {
        if let refusal = refusal(of: ride, context) { return refusal }
        if ride.ride.id == "accessible" { return bookInApp(ride) }
        guard let quote = quote(for: ride) else { return outOfCars(ride) }
        let start = ride.pickup ?? city.stand
        var dialog = "\(ride.ride.name) from \(start.name) to \(ride.dropOff.name) for \(ride.partySize), about \(quote.fare.displayText)."
        if ride.scheduledTime == nil { dialog += " It can be there in \(quote.minutesToPickup) minutes." }
        return .ready(dialog: dialog, values: ["fare": quote.fare, "minutesToPickup": quote.minutesToPickup])
    }

    func handle(_ ride: RequestRide, context: Context) async throws -> IntentResponse {
        if let refusal = refusal(of: ride, context) { return refusal }
        if ride.ride.id == "accessible" { return bookInApp(ride) }
        guard let quote = quote(for: ride) else { return outOfCars(ride) }
        if ride.scheduledTime != nil { return .handleInApp(dialog: "I'm putting it in the book.") }
        if quote.isFromElsewhere {
            context.report(fraction: 0.5, dialog: "The nearest \(ride.ride.name) is in \(quote.carFrom). I'm asking its driver.")
        }
        let identifier = RideIdentifier(idempotencyKey: context.idempotencyKey)
        let dialog =
            "\(fleet.driver(for: identifier)) will be there in \(quote.minutesToPickup) minutes. Your ride is \(identifier.displayText)."
        return .success(
            dialog: dialog, values: ["rideIdentifier": identifier, "fare": quote.fare, "minutesToPickup": quote.minutesToPickup])
    }

    /// What stands in the way of the ride, whoever drives it.
    private func refusal(of ride: RequestRide, _ context: Context) -> IntentResponse? {
        if context.attributes["unpaidRide"] != nil {
            let dialog = "Your last ride has not been paid yet."
            return .failure(.failureRequiringAppLaunchPreviousRideNeedsCompletion, dialog: dialog)
        }
        if ride.payment == .businessAccount, context.attributes["businessAccount"] != .string("verified") {
            return .failure(.failureRequiringAppLaunchMustVerifyCredentials, dialog: "Sign in to your business account first.")
        }
        for place in [ride.pickup ?? city.stand, ride.dropOff] {
            guard let district = city.district(of: place), fleet.serves(district) else {
                return .failure(.failureRequiringAppLaunchNoServiceInArea, dialog: "No car goes to \(place.name).")
            }
            if let closure = fleet.closure(of: district) {
                return .failure(.failureRequiringAppLaunchServiceTemporarilyUnavailable, dialog: closure)
            }
        }
        if let time = ride.scheduledTime, time > fleet.bookableUntil {
            let dialog = "Rides can be booked until \(fleet.bookableUntil.displayText)."
            return .failure(.failureRequiringAppLaunchRideScheduledTooFar, dialog: dialog)
        }
        return nil
    }

    private func quote(for ride: RequestRide) -> Quote? {
        let start = ride.pickup ?? city.stand
        guard let district = city.district(of: start) else { return nil }
        return fleet.quote(ride.ride, from: start, in: district, to: ride.dropOff)
    }

    private func outOfCars(_ ride: RequestRide) -> IntentResponse {
        .failure(dialog: "No \(ride.ride.name) is free near \((ride.pickup ?? city.stand).name).")
    }

    /// The app asks what a driver has to know about the chair.
    private func bookInApp(_ ride: RequestRide) -> IntentResponse {
        var activity = UserActivity(activityType: "ie.example.rides.book-accessible", title: "Book an accessible ride")
        activity.userInfo = ["dropOff": JSON(ride.dropOff), "partySize": .number(ride.partySize)]
        if let pickup = ride.pickup { activity.userInfo["pickup"] = JSON(pickup) }
        return .continueInApp(activity, dialog: "Tell the driver about the chair in the app.")
    }
}
