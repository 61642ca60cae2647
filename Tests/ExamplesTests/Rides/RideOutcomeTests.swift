import IntentKit
import IntentModel
import PipelineTestKit
import SampleDomains
import Testing

@Suite("A resolved ride is confirmed and handled")
struct RideOutcomeTests {
    private func place(_ identifier: String) throws -> JSON { JSON(try #require(City.dublin.place(identifier))) }

    private func option(_ id: String) throws -> JSON { JSON(try #require(Fleet.dublin.options.first { $0.id == id })) }

    private func response(
        _ phase: Phase, from pickup: String, to dropOff: String, ride: String = "economy", party: Int = 1,
        time: String? = nil,
        payment: String = "card", attributes: [String: JSON] = [:], isInApp: Bool = false,
        progress: Recorder<IntentProgress> = Recorder()
    ) async throws -> (IntentResponse, ConfirmationRequest?) {
        let outcome = try await perform(
            phase,
            [
                "pickup": place(pickup), "dropOff": place(dropOff), "ride": option(ride), "partySize": .number(party),
                "scheduledTime": time.map { .string($0) } ?? .null, "payment": .string(payment),
            ], attributes: attributes, isInApp: isInApp, report: { progress.record($0) })
        guard let response = outcome.response else { throw UnexpectedOutcome(outcome, of: phase, "RequestRide") }
        return (response, outcome.confirmation)
    }

    @Test("the fare is confirmed before the booking")
    func fare() async throws {
        let (response, request) = try await response(
            .confirm, from: "heuston", to: "airport-t1", ride: "comfort", party: 2)
        #expect(response.code == .ready)
        // A straight line of 9.59 km is 12.5 km by road and takes 31 minutes: 5.00 + 1.65 × 12.47 + 0.45 × 31.2.
        #expect(response.values["fare"] == JSON(unchecked: #"{"amount":"39.60","currencyCode":"EUR"}"#))
        #expect(request?.summary == "Comfort from Heuston Station to Dublin Airport Terminal 1 for 2")
        #expect(request?.dialog == response.dialog)
    }

    @Test("a short ride costs the minimum fare")
    func minimumFare() async throws {
        let (response, _) = try await response(.confirm, from: "spire", to: "gpo")
        #expect(response.values["fare"] == JSON(unchecked: #"{"amount":"8.00","currencyCode":"EUR"}"#))
    }

    @Test("a ride that is handled again has the same number")
    func repeated() async throws {
        let (first, _) = try await response(.handle, from: "heuston", to: "trinity")
        let (again, _) = try await response(.handle, from: "heuston", to: "trinity")
        #expect(first.code == .success)
        #expect(first == again)
        #expect(
            first.values["rideIdentifier"]?.view.string.flatMap { RideIdentifier(text: $0) }
                == RideIdentifier(idempotencyKey: "r-1"))
    }

    @Test("progress is reported for a car from the next district")
    func nextDistrict() async throws {
        let progress = Recorder<IntentProgress>()
        let (handled, _) = try await response(
            .handle, from: "dalkey", to: "trinity", ride: "comfort", progress: progress)
        #expect(handled.code == .success)
        let dialog = "The nearest Comfort is in Dún Laoghaire. I'm asking its driver."
        #expect(progress.all == [IntentProgress(code: .inProgress, fraction: 0.5, dialog: dialog)])
    }

    @Test("a ride without a car nearby fails before the person is asked")
    func noCar() async throws {
        let (response, request) = try await response(.confirm, from: "dalkey", to: "trinity", ride: "xl", party: 6)
        #expect(response.code == .failure)
        #expect(response.dialog == "No XL is free near Dalkey Castle.")
        #expect(request == nil)
    }

    @Test("an accessible car is booked in the app")
    func accessible() async throws {
        let (response, _) = try await response(.confirm, from: "heuston", to: "trinity", ride: "accessible")
        #expect(response.code == .continueInApp)
        #expect(response.userActivity?.activityType == "ie.example.rides.book-accessible")
        #expect(try response.userActivity?.userInfo["dropOff"] == place("trinity"))
    }

    @Test("a ride for later is handled by the app")
    func scheduled() async throws {
        let time = "2027-03-17T12:30:00Z"
        let (handled, _) = try await response(.handle, from: "heuston", to: "trinity", time: time)
        #expect(handled.code == .handleInApp)
        #expect(handled.userActivity?.activityType == "RequestRide")
        #expect(handled.userActivity?.userInfo["scheduledTime"] == .string(time))
        let (inApp, _) = try await response(.handle, from: "heuston", to: "trinity", time: time, isInApp: true)
        #expect(inApp.code == .success)
        #expect(inApp.dialog?.contains("2027-03-17 12:30 UTC") == true)
    }

    @Test("failures that need the app have SiriKit's codes")
    func failureCodes() async throws {
        let business = try await response(.confirm, from: "heuston", to: "trinity", payment: "businessAccount").0
        #expect(business.code == .failureRequiringAppLaunchMustVerifyCredentials)
        #expect(business.userActivity?.activityType == "RequestRide")
        let verified = try await response(
            .confirm, from: "heuston", to: "trinity", payment: "businessAccount",
            attributes: ["businessAccount": .string("verified")]
        ).0
        #expect(verified.code == .ready)
        let island = try await response(.confirm, from: "heuston", to: "bull-island").0
        #expect(island.code == .failureRequiringAppLaunchNoServiceInArea)
        let park = try await response(.confirm, from: "zoo", to: "trinity").0
        #expect(park.code == .failureRequiringAppLaunchServiceTemporarilyUnavailable)
        let unpaid = try await response(
            .confirm, from: "heuston", to: "trinity", attributes: ["unpaidRide": .string("x")]
        ).0
        #expect(unpaid.code == .failureRequiringAppLaunchPreviousRideNeedsCompletion)
        let late = try await response(.confirm, from: "heuston", to: "trinity", time: "2027-07-01T00:00:00Z").0
        #expect(late.code == .failureRequiringAppLaunchRideScheduledTooFar)
    }

    @Test("the map has at least 60 places inside the city and 15 outside")
    func places() throws {
        let inside = City.dublin.places.filter { $0.coordinate.map { City.dublin.contains($0) } == true }
        #expect(inside.count >= 60)
        #expect(City.dublin.places.count - inside.count >= 15)
        for place in inside { #expect(City.dublin.find(place.name) == .exactly(place), "\(place.name)") }
    }
}
