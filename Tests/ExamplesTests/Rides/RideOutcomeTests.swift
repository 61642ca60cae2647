import Foundation
import IntentKit
import PipelineTestKit
import SampleDomains
import Testing

@Suite("A resolved ride is confirmed and handled") struct RideOutcomeTests {
    private let rides = Rides()

    private func place(_ identifier: String) throws -> JSON { JSON(try #require(City.dublin.place(identifier))) }

    /// A resolved ride, from Heuston to Trinity College by default.
    private func ride(
        from pickup: String = "heuston", to dropOff: String = "trinity", by ride: String = "economy", party: Int = 1,
        at time: String? = nil, payment: String = "card"
    ) throws -> [ParameterState] {
        let option = try #require(Fleet.dublin.options.first { $0.id == ride })
        return try .resolved([
            "pickup": place(pickup), "dropOff": place(dropOff), "ride": JSON(option), "partySize": .number(party),
            "scheduledTime": time.map { .string($0) } ?? .null, "payment": .string(payment),
        ])
    }

    private func perform(
        _ phase: Phase, _ ride: [ParameterState], report: @escaping @Sendable (IntentProgress) -> Void = { _ in }
    ) async throws -> PhaseOutcome { try await rides.registry().perform(phase, "RequestRide", ride, report: report) }

    @Test func `the fare is confirmed before the booking`() async throws {
        let outcome = try await perform(.confirm, ride(to: "airport-t1", by: "comfort", party: 2))
        let (response, request) = (try #require(outcome.response), outcome.confirmation)
        #expect(response.code == .ready)
        // A straight line of 9.59 km is 12.5 km by road and takes 31 minutes: 5.00 + 1.65 × 12.47 + 0.45 × 31.2.
        #expect(response.values["fare"] == JSON(unchecked: #"{"amount":"39.60","currencyCode":"EUR"}"#))
        #expect(request?.summary == "Comfort from Heuston Station to Dublin Airport Terminal 1 for 2")
        #expect(request?.dialog == response.dialog)
    }

    @Test func `a short ride costs the minimum fare`() async throws {
        let response = try await rides.confirm("RequestRide", ride(from: "spire", to: "gpo"))
        #expect(response.values["fare"] == JSON(unchecked: #"{"amount":"8.00","currencyCode":"EUR"}"#))
    }

    @Test func `a ride that is handled again has the same number`() async throws {
        let first = try await rides.handle("RequestRide", ride(), key: "r-1")
        #expect(try await rides.handle("RequestRide", ride(), key: "r-1") == first && first.code == .success)
        #expect(first.values["rideIdentifier"] == JSON(RideIdentifier(idempotencyKey: "r-1")))
    }

    @Test func `progress is reported for a car from the next district`() async throws {
        let progress = Recorder<IntentProgress>()
        let outcome = try await perform(.handle, ride(from: "dalkey", by: "comfort")) { progress.record($0) }
        #expect(outcome.response?.code == .success)
        let dialog = "The nearest Comfort is in Dún Laoghaire. I'm asking its driver."
        #expect(progress.all == [IntentProgress(code: .inProgress, fraction: 0.5, dialog: dialog)])
    }

    @Test func `a ride without a car nearby fails before the person is asked`() async throws {
        let outcome = try await perform(.confirm, ride(from: "dalkey", by: "xl", party: 6))
        #expect(outcome.response == .failure(dialog: "No XL is free near Dalkey Castle."))
        #expect(outcome.confirmation == nil)
    }

    @Test func `an accessible car is booked in the app`() async throws {
        let response = try await rides.confirm("RequestRide", ride(by: "accessible"))
        #expect(response.code == .continueInApp)
        #expect(response.userActivity?.activityType == "ie.example.rides.book-accessible")
        #expect(try response.userActivity?.userInfo["dropOff"] == place("trinity"))
    }

    @Test func `a ride for later is handled by the app`() async throws {
        let later = try ride(at: "2027-03-17T12:30:00Z")
        let handled = try await rides.handle("RequestRide", later)
        #expect(handled.code == .handleInApp)
        let inApp = try await rides.handle("RequestRide", later, isInApp: true)
        #expect(inApp.code == .success && inApp.dialog?.contains("2027-03-17 12:30 UTC") == true)
    }

    @Test func `failures that need the app have SiriKit's codes`() async throws {
        func code(_ ride: [ParameterState], _ attributes: [String: JSON] = [:]) async throws -> ResponseCode {
            try await rides.confirm("RequestRide", ride, attributes: attributes).code
        }
        let business = try ride(payment: "businessAccount")
        #expect(try await code(business) == .failureRequiringAppLaunchMustVerifyCredentials)
        #expect(try await code(business, ["businessAccount": "verified"]) == .ready)
        #expect(try await code(ride(to: "bull-island")) == .failureRequiringAppLaunchNoServiceInArea)
        #expect(try await code(ride(from: "zoo")) == .failureRequiringAppLaunchServiceTemporarilyUnavailable)
        #expect(try await code(ride(), ["unpaidRide": "x"]) == .failureRequiringAppLaunchPreviousRideNeedsCompletion)
        #expect(try await code(ride(at: "2027-07-01T00:00:00Z")) == .failureRequiringAppLaunchRideScheduledTooFar)
    }
}

@Suite("Available rides are listed") struct ListRideOptionsTests {
    private let rides = Rides()

    private func list(to dropOff: String = "trinity", from pickup: String = "heuston", locale: String? = nil)
        async throws -> IntentResponse
    {
        let places: [ParameterState] = .resolved([
            "pickup": JSON(try #require(City.dublin.place(pickup))),
            "dropOff": JSON(try #require(City.dublin.place(dropOff))),
        ])
        return try await rides.respond(.handle, "ListRideOptions", places, locale: locale)
    }

    @Test func `with the fare and wait of each, valid for five minutes`() async throws {
        let response = try await list()
        #expect(response.code == .success && !response.items.isEmpty)
        for item in response.items.map(\.value.view) {
            #expect(item["fare"]?["currencyCode"]?.string == "EUR" && item["minutesToPickup"]?.int ?? 0 > 0)
        }
        #expect(response.values["expirationDate"] == JSON(noon.addingTimeInterval(300)))
        let methods = response.values["paymentMethods"]?.view.elements.compactMap(\.string)
        #expect(methods == ["card", "cash", "businessAccount"])
    }

    @Test func `with unique names, because an answer contains only the name`() async throws {
        let items = try await list().items
        #expect(Set(items.map(\.title)).count == items.count)
        for item in items {
            let ride = try await rides.resolve("ride", ["ride": .string(item.id)]).value
            #expect(ride?.view["name"]?.string == item.title)
        }
    }

    @Test func `only if a car is near`() async throws {
        #expect(try await list(from: "dalkey").items.map(\.title).contains("XL") == false)
    }

    @Test func `not where a ride is refused`() async throws {
        #expect(try await list(to: "bull-island").code == .failureRequiringAppLaunchNoServiceInArea)
    }

    @Test func `in the person's language`() async throws {
        let response = try await list(locale: "nl-NL")
        #expect(response.dialog?.hasPrefix("Er zijn ") == true)
        #expect(response.items.first?.subtitle?.hasSuffix("minuten") == true)
    }
}

@Suite("A booked ride can be asked about, cancelled and rated") struct BookedRideTests {
    private let store = SampleStore()
    private let fee = JSON(Fleet.dublin.cancellationFee)

    private func respond(
        _ phase: Phase, _ intent: String, _ ride: JSON, _ others: KeyValuePairs<String, JSON> = [:],
        key: Identifier = "s/r", after seconds: TimeInterval = 0
    ) async throws -> IntentResponse {
        try await Rides(store, at: noon.addingTimeInterval(seconds)).respond(phase, intent, ride, others, key: key)
    }

    @Test func `a ride's number can be said aloud, and a mistake in it is detected`() {
        let identifier = RideIdentifier(idempotencyKey: "ride-0")
        let spoken = identifier.displayText.lowercased().replacing("-", with: " ")
        #expect(RideIdentifier(text: spoken) == identifier)
        let last = identifier.displayText.last == "0" ? "1" : "0"
        #expect(RideIdentifier(text: identifier.displayText.dropLast() + last) == nil)
        #expect(RideIdentifier(text: "") == nil)
    }

    @Test func `a ride's status is reported without a question`() async throws {
        let ride = try await Rides.ride(in: "ongoing")
        let asked = try await Rides().registry().perform(.confirm, "GetRideStatus", .resolved(["rideIdentifier": ride]))
        #expect(asked.response?.code == .ready && asked.confirmation == nil)
        #expect(try await Rides().status(of: ride)["phase"] == "ongoing")
    }

    @Test func `cancelling is confirmed, and refused once the ride has begun`() async throws {
        for (phase, code) in [
            ("confirmed", ResponseCode.ready), ("approachingPickup", .ready), ("ongoing", .failure),
            ("completed", .failure),
        ] {
            let outcome = try await Rides().registry().perform(
                .confirm, "CancelRide", .resolved(["rideIdentifier": Rides.ride(in: phase)]))
            #expect(outcome.response?.code == code && (outcome.confirmation != nil) == (code == .ready))
        }
    }

    @Test func `cancelling is free of charge before the driver sets off, while the response is valid`() async throws {
        let response = try await respond(.confirm, "CancelRide", Rides.ride(in: "confirmed"))
        #expect(response.code == .ready && response.values["cancellationFee"] == fee)
        #expect(response.values["cancellationFeeThreshold"] == JSON(noon.addingTimeInterval(120)))
        #expect(response.validFor == .seconds(120))
    }

    @Test func `cancelling has an announced fee when the car is near`() async throws {
        let ride = try await Rides.ride(in: "approachingPickup")
        let confirmed = try await respond(.confirm, "CancelRide", ride)
        #expect(confirmed.code == .ready && confirmed.values["cancellationFee"] == fee)
        #expect(confirmed.values["cancellationFeeThreshold"] == nil && confirmed.validFor == nil)
        #expect(confirmed.dialog == "Cancelling now costs \(Fleet.dublin.cancellationFee.displayText). Cancel it?")
        #expect(try await respond(.handle, "CancelRide", ride).values["cancellationFee"] == fee)
    }

    @Test func `a ride is cancelled once: repeating handle changes nothing, and another request fails`() async throws {
        let ride = try await Rides.ride(in: "confirmed")
        let first = try await respond(.handle, "CancelRide", ride)
        // The repetition comes when cancelling is no longer free.
        #expect(try await respond(.handle, "CancelRide", ride, after: 600) == first)
        for phase in [Phase.confirm, .handle] {
            #expect(try await respond(phase, "CancelRide", ride, key: "other", after: 600).code == .failure)
        }
        let status = try await respond(.handle, "GetRideStatus", ride, after: 600).values
        #expect(status["phase"] == "completed" && status["completionStatus"] == "canceledByUser")
    }

    @Test func `cancelling is free of charge until half an hour before a scheduled ride`() async throws {
        let time = noon.addingTimeInterval(2 * 3600)
        let booked = try await Rides(store).handle(
            "RequestRide",
            .resolved([
                "dropOff": JSON(#require(City.dublin.place("trinity"))), "ride": JSON(Fleet.dublin.options[0]),
                "partySize": .number(1), "scheduledTime": JSON(time), "payment": "card",
            ]), isInApp: true)
        let ride = try #require(booked.values["rideIdentifier"])
        let status = try await respond(.handle, "GetRideStatus", ride).values
        #expect(status["phase"] == "confirmed" && status["scheduledPickupTime"] == JSON(time))
        let early = try await respond(.confirm, "CancelRide", ride)
        #expect(early.values["cancellationFeeThreshold"] == JSON(time.addingTimeInterval(-1800)))
        #expect(early.validFor == .seconds(3600))
        let late = try await respond(.confirm, "CancelRide", ride, after: 2 * 3600 - 60)
        #expect(late.code == .ready && late.values["cancellationFeeThreshold"] == nil)
    }

    @Test func `a completed ride is rated once, with or without a tip, and its status shows it`() async throws {
        let ride = try await Rides.ride(in: "completed")
        let tip = CurrencyAmount(minorUnits: 3_00, currencyCode: "EUR")
        let feedback: KeyValuePairs<String, JSON> = ["rating": .number(5), "tip": JSON(tip)]
        #expect(try await Rides(store).status(of: ride)["completionStatus"] == "completedWithOutstandingFeedback")
        #expect(try await respond(.confirm, "SendRideFeedback", ride, feedback).code == .ready)
        let first = try await respond(.handle, "SendRideFeedback", ride, feedback)
        #expect(first.code == .success && first.dialog?.hasSuffix("gets your €3.00.") == true)
        #expect(try await respond(.handle, "SendRideFeedback", ride, feedback) == first)
        #expect(try await Rides(store).status(of: ride)["completionStatus"] == "completed")
        for phase in [Phase.confirm, .handle] {
            #expect(try await respond(phase, "SendRideFeedback", ride, feedback, key: "other").code == .failure)
        }
    }

    @Test(arguments: ["confirmed", "approachingPickup", "ongoing"])
    func `a ride is not rated before it is completed`(_ phase: String) async throws {
        let rated = try await respond(.confirm, "SendRideFeedback", Rides.ride(in: phase), ["rating": .number(1)])
        #expect(rated.code == .failure)
    }
}
