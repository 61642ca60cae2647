import IntentKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A reason why a kind of ride can't be chosen.
enum RideUnsupportedReason: String, UnsupportedReason {
    case partyTooLarge, timeHasPassed
}

struct RequestRideHandler: IntentHandling {
    let city: City
    let fleet: Fleet

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
                let dialog: LocalizedText =
                    "\(option.name) has \(option.seats) seats, and you are \(party). Take \(others)."
                return .unsupported(reason: RideUnsupportedReason.partyTooLarge, dialog: dialog)
            }
            if fitting.count == 1 { return .success(fitting[0]) }
            return .disambiguation(fitting, dialog: "Which ride would you like?")
        }
        Resolve(\.$scheduledTime) { time, _, context in
            guard let time else { return .notRequired() }
            // "Now" has no seconds, and the answer took a moment.
            if let now = context.now, time.addingTimeInterval(300) < now {
                let dialog: LocalizedText = "\(time) has passed. When should the ride be?"
                return .unsupported(reason: RideUnsupportedReason.timeHasPassed, dialog: dialog)
            }
            return .success(time)
        }
    }

    func confirm(_ ride: RequestRide, context: Context) async throws -> ConfirmResponse {
        try check(ride, context)
        if ride.ride.id == "accessible" { return bookInApp(ride, context) }
        guard let quote = quote(for: ride) else { return outOfCars(ride, context) }
        let start = ride.pickup ?? city.stand
        let dialog: LocalizedText =
            "\(ride.ride.name) from \(start.name) to \(ride.dropOff.name) for \(ride.partySize), about \(quote.fare)."
        let arrival: LocalizedText =
            ride.scheduledTime.map { "It comes \($0)." } ?? "It can be there in \(quote.minutesToPickup) minutes."
        return .ready(
            dialog: "\(dialog) \(arrival)", values: ["fare": quote.fare, "minutesToPickup": quote.minutesToPickup])
    }

    func handle(_ ride: RequestRide, context: Context) async throws -> HandleResponse {
        try check(ride, context)
        if ride.ride.id == "accessible" { return bookInApp(ride, context) }
        guard let quote = quote(for: ride) else { return outOfCars(ride, context) }
        if ride.scheduledTime != nil { return .handleInApp(dialog: "I'm putting it in the book.") }
        if quote.isFromElsewhere {
            context.report(
                fraction: 0.5, dialog: "The nearest \(ride.ride.name) is in \(quote.carFrom). I'm asking its driver.")
        }
        let identifier = RideIdentifier(idempotencyKey: context.idempotencyKey)
        return .success(
            dialog:
                "\(fleet.driver(for: identifier)) will be there in \(quote.minutesToPickup) minutes. Your ride is \(identifier).",
            values: ["rideIdentifier": identifier, "fare": quote.fare, "minutesToPickup": quote.minutesToPickup]
        ).remembering(identifier, as: "lastRide", for: .person)
    }

    /// Checks the conditions of the ride that don't depend on a free car.
    private func check(_ ride: RequestRide, _ context: Context) throws(FailureResponse) {
        try fleet.check(from: ride.pickup ?? city.stand, to: ride.dropOff, in: city, context)
        if ride.payment == .businessAccount, context.attributes["businessAccount"] != .string("verified") {
            throw .failure(
                .failureRequiringAppLaunchMustVerifyCredentials, dialog: "Sign in to your business account first.")
        }
        if let time = ride.scheduledTime, time > fleet.bookableUntil {
            throw .failure(
                .failureRequiringAppLaunchRideScheduledTooFar,
                dialog: "Rides can be booked until \(fleet.bookableUntil).")
        }
    }

    private func quote(for ride: RequestRide) -> Quote? {
        let start = ride.pickup ?? city.stand
        guard let district = city.district(of: start) else { return nil }
        return fleet.quote(ride.ride, from: start, in: district, to: ride.dropOff)
    }

    private func outOfCars<Phase>(_ ride: RequestRide, _ context: Context) -> PhaseResponse<Phase> {
        .failure(dialog: "No \(ride.ride.name) is free near \((ride.pickup ?? city.stand).name).")
    }

    /// Continues in the app, which asks for the details of the wheelchair.
    private func bookInApp<Phase>(_ ride: RequestRide, _ context: Context) -> PhaseResponse<Phase> {
        var activity = UserActivity(activityType: "ie.example.rides.book-accessible", title: "Book an accessible ride")
        activity.userInfo = ["dropOff": JSON(ride.dropOff), "partySize": .number(ride.partySize)]
        if let pickup = ride.pickup { activity.userInfo["pickup"] = JSON(pickup) }
        return .continueInApp(activity, dialog: "Tell the driver about the chair in the app.")
    }
}

/// Books a ride for later. Runs in the app's own workers, which write the book.
struct ScheduledRideHandler: IntentHandling {
    let book: RideBook

    func handle(_ ride: RequestRide, context: Context) async throws -> HandleResponse {
        guard let time = ride.scheduledTime else {
            return .failure(dialog: "There is no time to book the ride for.")
        }
        let identifier = RideIdentifier(idempotencyKey: context.idempotencyKey)
        try book.of(context).schedule(identifier, at: time)
        return .success(
            dialog: "Your \(ride.ride.name) to \(ride.dropOff.name) is booked for \(time) as \(identifier).",
            values: ["rideIdentifier": identifier, "scheduledTime": time]
        ).remembering(identifier, as: "lastRide", for: .person)
    }
}
