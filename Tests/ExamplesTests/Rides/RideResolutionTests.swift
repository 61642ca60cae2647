import Foundation
import IntentKit
import PipelineTestKit
import Testing

@testable import SampleDomains

/// 1 March 2027, 12:00 UTC.
let noon = Date(timeIntervalSince1970: 1_803_902_400)

/// The rides domain with its own book, at noon.
struct Rides: DomainFixture {
    let served: RideExtension

    init(_ store: SampleStore = SampleStore(), at time: Date = noon) { self.init(RideClock(now: { time }), store) }

    init(_ clock: RideClock, _ store: SampleStore = SampleStore()) {
        served = RideExtension(book: RideBook(store: store), clock: clock)
    }

    /// Returns the result for one parameter of a ride request.
    func resolve(_ name: String, _ parameters: KeyValuePairs<String, JSON>) async throws -> ParameterResolution {
        try await resolve(name, of: "RequestRide", parameters.map { ParameterState(name: $0, value: $1) })
    }

    /// Confirms or handles an intent about a booked ride.
    func respond(
        _ phase: Phase, _ intent: String, _ ride: JSON, _ others: KeyValuePairs<String, JSON> = [:],
        key: Identifier = "s/r"
    ) async throws -> IntentResponse {
        try await respond(
            phase, intent, [ParameterState].resolved(["rideIdentifier": ride]) + [ParameterState].resolved(others),
            key: key)
    }

    /// Returns the values of a ride's status.
    func status(of id: JSON) async throws -> [String: JSON] { try await respond(.handle, "GetRideStatus", id).values }

    /// Returns the number of a ride in this phase. The phase of a sample ride follows from its number.
    static func ride(in phase: String) async throws -> JSON {
        for key in 0..<64 {
            let number = JSON(RideIdentifier(idempotencyKey: "ride-\(key)"))
            if try await Rides().status(of: number)["phase"] == .string(phase) { return number }
        }
        throw NoSuchRide()
    }

    struct NoSuchRide: Error {}
}

@Suite("Resolving a ride's parameters") struct RideResolutionTests {
    private let rides = Rides()

    private func place(_ name: String) throws -> JSON {
        JSON(try #require(City.dublin.places.first { $0.name == name }))
    }

    @Test(arguments: [
        ("the guinness brewery", "Guinness Storehouse"), ("BUSARAS", "Busáras"), ("busáras", "Busáras"),
        ("Central bus station", "Busáras"), ("hapenny bridge", "Ha'penny Bridge"),
    ])
    func `a known place is found in any spelling`(_ words: String, _ name: String) async throws {
        #expect(try await rides.resolve("dropOff", ["dropOff": .string(words)]) == .success(place(name)))
    }

    @Test func `a ride without a pickup starts at the taxi rank`() async throws {
        #expect(try await rides.resolve("pickup", ["dropOff": "Busáras"]) == .notRequired)
        let comfort = JSON(unchecked: #"{"id":"comfort","name":"Comfort","seats":4}"#)
        let ride: [ParameterState] = try .resolved(["dropOff": place("Busáras"), "ride": comfort])
        let dialog = try await rides.confirm("RequestRide", ride).dialog
        #expect(dialog?.hasPrefix("Comfort from O'Connell Street taxi rank to Busáras for 1, about €") == true)
    }

    @Test(arguments: [
        ("Station", ["Heuston Station", "Connolly Station", "Pearse Station", "Tara Street Station"], "Dublin 8"),
        ("the airport", ["Dublin Airport Terminal 1", "Dublin Airport Terminal 2"], "Airport"),
    ])
    func `several matching places lead to a choice of enriched places`(
        _ words: String, _ names: [String], _ district: String
    ) async throws {
        let options = try await rides.resolve("pickup", ["pickup": .string(words)]).options
        #expect(try options.map(\.title) == names && options.map(\.value) == names.map { try place($0) })
        #expect(options.map(\.id) == options.map { $0.value.view["identifier"]?.string })
        #expect(options.first?.subtitle == district)
    }

    @Test func `a misspelt place is confirmed`() async throws {
        #expect(
            try await rides.resolve("dropOff", ["dropOff": "Hueston Station"])
                == .confirmationRequired(place("Heuston Station"), dialog: "Did you mean Heuston Station?"))
    }

    @Test func `a place outside the city is unsupported, by name and by coordinate`() async throws {
        let cork = try #require(Coordinate(latitude: 51.8985, longitude: -8.4756))
        for value in ["Galway", JSON(Place(name: "Somewhere", coordinate: cork))] {
            let resolution = try await rides.resolve("dropOff", ["dropOff": value])
            #expect(resolution.reason == "outsideServiceArea" && resolution.dialog?.contains("Dublin") == true)
        }
    }

    @Test func `a drop-off at the pickup is unsupported`() async throws {
        let resolution = try await rides.resolve("dropOff", ["pickup": "Trinity", "dropOff": "Trinity College"])
        #expect(resolution.reason == "sameAsPickup")
    }

    @Test func `only rides with enough seats are offered`() async throws {
        let options = try await rides.resolve("ride", ["partySize": .number(2)]).options
        #expect(options.map(\.title) == ["Economy", "Comfort", "XL", "Accessible"])
        let xl = JSON(unchecked: #"{"id":"xl","name":"XL","seats":6}"#)
        #expect(try await rides.resolve("ride", ["partySize": "five"]) == .success(xl))
        #expect(
            try await rides.resolve("ride", ["partySize": .number(5), "ride": "premium"])
                == .unsupported(reason: "partyTooLarge", dialog: "Comfort has 4 seats, and you are 5. Take XL."))
    }

    @Test(arguments: [
        ("5 USD", "currencyUnsupported"), ("0 EUR", "belowMinimum"), ("50.01 EUR", "aboveMaximum"), ("50 EUR", nil),
        ("2.50 EUR", nil),
    ])
    func `a tip must be in the city's currency and within bounds`(_ said: String, _ reason: String?) async throws {
        let resolution = try await rides.resolve("tip", of: "SendRideFeedback", [.said("tip", said)])
        #expect(resolution.reason == reason && resolution.dialog?.isEmpty == (reason == nil ? nil : false))
    }

    @Test func `the session remembers the last ride`() async throws {
        let ride = JSON(RideIdentifier(idempotencyKey: "ride-0"))
        func resolve(_ attributes: [String: JSON]) async throws -> ParameterResolution {
            try await rides.resolve("rideIdentifier", of: "GetRideStatus", [], attributes: attributes)
        }
        #expect(try await resolve(["lastRide": ride]) == .success(ride))
        #expect(try await resolve([:]) == .needsValue(dialog: "What is the number of your ride?"))
    }

    @Test func `the map has at least 60 places inside the city and 15 outside`() {
        let inside = City.dublin.places.filter { $0.coordinate.map { City.dublin.contains($0) } == true }
        #expect(inside.count >= 60 && City.dublin.places.count - inside.count >= 15)
        for place in inside { #expect(City.dublin.find(place.name) == .exactly(place), "\(place.name)") }
    }

    @Test(arguments: [
        ("", "", 0), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "ab", 1), ("abc", "xabc", 1),
        ("station", "staiton", 1), ("ca", "abc", 3), ("hueston", "heuston", 1), ("kitten", "sitting", 3),
        ("abcdefgh", "ijklmnop", 4),
    ])
    func `the edit distance of words counts a swap as one edit and is limited`(a: String, b: String, distance: Int) {
        for (a, b) in [(a, b), (b, a)] {
            let measured = SampleDomains.editDistance(Array(a.unicodeScalars), Array(b.unicodeScalars), below: 4)
            #expect(measured == distance)
        }
    }
}
