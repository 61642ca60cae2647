import IntentKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Why a kind of ride can't be chosen.
enum RideUnsupportedReason: String, UnsupportedReason {
    case partyTooLarge
}

struct RequestRideHandler: IntentHandling {
    @Dependency var city: City
    @Dependency var fleet: Fleet

    var resolution: some Resolution<RequestRide> {
        Resolve(\.$pickup) { place, _, context in
            guard let place else { return .notRequired() }  // the ride starts at the city's taxi rank
            return city.resolve(place, context)
        }
        Resolve(\.$dropOff) { place, ride, context in
            guard let place else { return .needsValue() }
            return city.resolve(place, notAt: ride.$pickup.value, context)
        }
        Resolve(\.$ride) { option, ride, context in
            let party = ride.$partySize.value ?? 1
            let fitting = fleet.options(for: party)
            if let option, option.seats >= party { return .success(option) }
            if let option {
                let others = fitting.map(\.name).joined(separator: context.text(" or "))
                let dialog: LocalizedText = "\(option.name) has \(option.seats) seats, and you are \(party). Take \(others)."
                return .unsupported(reason: RideUnsupportedReason.partyTooLarge, dialog: dialog)
            }
            if fitting.count == 1 { return .success(fitting[0]) }
            return .disambiguation(fitting, dialog: context.text("Which ride would you like?"))
        }
    }

    func confirm(_ ride: RequestRide, context: Context) async throws -> IntentResponse {
        if let refusal = refusal(of: ride, context) { return refusal }
        if ride.ride.id == "accessible" { return bookInApp(ride, context) }
        guard let quote = quote(for: ride) else { return outOfCars(ride, context) }
        let start = ride.pickup ?? city.stand
        var dialog = context.text(
            "\(ride.ride.name) from \(start.name) to \(ride.dropOff.name) for \(ride.partySize), about \(quote.fare).")
        if ride.scheduledTime == nil { dialog += " " + context.text("It can be there in \(quote.minutesToPickup) minutes.") }
        return .ready(dialog: dialog, values: ["fare": quote.fare, "minutesToPickup": quote.minutesToPickup])
    }

    func handle(_ ride: RequestRide, context: Context) async throws -> IntentResponse {
        if let refusal = refusal(of: ride, context) { return refusal }
        if ride.ride.id == "accessible" { return bookInApp(ride, context) }
        guard let quote = quote(for: ride) else { return outOfCars(ride, context) }
        if ride.scheduledTime != nil { return .handleInApp(dialog: context.text("I'm putting it in the book.")) }
        if quote.isFromElsewhere {
            let dialog = context.text("The nearest \(ride.ride.name) is in \(quote.carFrom). I'm asking its driver.")
            context.report(fraction: 0.5, dialog: dialog)
        }
        let identifier = RideIdentifier(idempotencyKey: context.idempotencyKey)
        let dialog = context.text(
            "\(fleet.driver(for: identifier)) will be there in \(quote.minutesToPickup) minutes. Your ride is \(identifier).")
        return .success(
            dialog: dialog, values: ["rideIdentifier": identifier, "fare": quote.fare, "minutesToPickup": quote.minutesToPickup])
    }

    /// The reason why the ride is not possible with any car; `nil` if it is.
    private func refusal(of ride: RequestRide, _ context: Context) -> IntentResponse? {
        if let refusal = fleet.refusal(from: ride.pickup ?? city.stand, to: ride.dropOff, in: city, context) { return refusal }
        if ride.payment == .businessAccount, context.attributes["businessAccount"] != .string("verified") {
            let dialog = context.text("Sign in to your business account first.")
            return .failure(.failureRequiringAppLaunchMustVerifyCredentials, dialog: dialog)
        }
        if let time = ride.scheduledTime, time > fleet.bookableUntil {
            let dialog = context.text("Rides can be booked until \(fleet.bookableUntil).")
            return .failure(.failureRequiringAppLaunchRideScheduledTooFar, dialog: dialog)
        }
        return nil
    }

    private func quote(for ride: RequestRide) -> Quote? {
        let start = ride.pickup ?? city.stand
        guard let district = city.district(of: start) else { return nil }
        return fleet.quote(ride.ride, from: start, in: district, to: ride.dropOff)
    }

    private func outOfCars(_ ride: RequestRide, _ context: Context) -> IntentResponse {
        .failure(dialog: context.text("No \(ride.ride.name) is free near \((ride.pickup ?? city.stand).name)."))
    }

    /// The app asks for the details of the wheelchair.
    private func bookInApp(_ ride: RequestRide, _ context: Context) -> IntentResponse {
        var activity = UserActivity(activityType: "ie.example.rides.book-accessible", title: "Book an accessible ride")
        activity.userInfo = ["dropOff": JSON(ride.dropOff), "partySize": .number(ride.partySize)]
        if let pickup = ride.pickup { activity.userInfo["pickup"] = JSON(pickup) }
        return .continueInApp(activity, dialog: context.text("Tell the driver about the chair in the app."))
    }
}

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
