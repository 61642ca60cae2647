import IntentKit
import PipelineTestKit
import Testing

@testable import SampleDomains

@Suite("Resolving a ride's parameters") struct RideResolutionTests {
    private let rides = Rides()

    private func place(_ name: String) throws -> JSON {
        JSON(try #require(City.dublin.places.first { $0.name == name }))
    }

    @Test(
        "a known place is returned with its coordinates and identifier: diacritics, capitals and apostrophes don't matter",
        arguments: [
            ("the guinness brewery", "Guinness Storehouse"), ("BUSARAS", "Busáras"), ("busáras", "Busáras"),
            ("Central bus station", "Busáras"), ("hapenny bridge", "Ha'penny Bridge"),
        ])
    func knownPlace(_ words: String, _ name: String) async throws {
        #expect(try await rides.resolve("dropOff", ["dropOff": .string(words)]) == .success(place(name)))
    }

    @Test func `a ride without a pickup starts at the taxi rank`() async throws {
        #expect(try await rides.resolve("pickup", ["dropOff": "Busáras"]) == .notRequired)
        let comfort = JSON(unchecked: #"{"id":"comfort","name":"Comfort","seats":4}"#)
        let ride: [ParameterState] = try .resolved(["dropOff": place("Busáras"), "ride": comfort])
        let dialog = try await rides.confirm("RequestRide", ride).dialog
        #expect(dialog?.hasPrefix("Comfort from O'Connell Street taxi rank to Busáras for 1, about €") == true)
    }

    @Test func `a missing drop-off is asked for`() async throws {
        #expect(try await rides.resolve("dropOff", [:]) == .needsValue(dialog: "Where are you going?"))
    }

    @Test(
        "several matching places lead to a choice of enriched places",
        arguments: [
            ("Station", ["Heuston Station", "Connolly Station", "Pearse Station", "Tara Street Station"], "Dublin 8"),
            ("the airport", ["Dublin Airport Terminal 1", "Dublin Airport Terminal 2"], "Airport"),
        ])
    func several(_ words: String, _ names: [String], _ district: String) async throws {
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

    @Test func `a party is one to six people`() async throws {
        #expect(
            try await rides.resolve("partySize", ["partySize": .number(7)])
                == .unsupported(reason: "aboveMaximum", dialog: "Riders can be 1 to 6, not 7."))
    }

    @Test func `only rides with enough seats are offered`() async throws {
        let options = try await rides.resolve("ride", ["partySize": .number(2)]).options
        #expect(options.map(\.title) == ["Economy", "Comfort", "XL", "Accessible"])
        let xl = JSON(unchecked: #"{"id":"xl","name":"XL","seats":6}"#)
        #expect(try await rides.resolve("ride", ["partySize": "five"]) == .success(xl))
        #expect(
            try await rides.resolve("ride", ["partySize": .number(5), "ride": "premium"])
                == .unsupported(
                    reason: "partyTooLarge", dialog: "Comfort has 4 seats, and you are 5. Take XL."))
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

    @Test(
        "in the edit distance of words a swap counts as one edit, and the distance is limited",
        arguments: [
            ("", "", 0), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "ab", 1), ("abc", "xabc", 1),
            ("station", "staiton", 1), ("ca", "abc", 3), ("hueston", "heuston", 1), ("kitten", "sitting", 3),
            ("abcdefgh", "ijklmnop", 4),
        ])
    func editDistance(a: String, b: String, distance: Int) {
        for (a, b) in [(a, b), (b, a)] {
            let measured = SampleDomains.editDistance(Array(a.unicodeScalars), Array(b.unicodeScalars), below: 4)
            #expect(measured == distance)
        }
    }
}
