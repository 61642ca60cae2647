import IntentKit
import IntentRuntime
import PipelineTestKit
import SampleDomains
import Testing

/// Performs one phase of a ride request.
func perform(
    _ phase: Phase, _ parameters: KeyValuePairs<String, JSON>, attributes: [String: JSON] = [:], isInApp: Bool = false,
    report: @escaping @Sendable (IntentProgress) -> Void = { _ in }
) async throws -> PhaseOutcome {
    let states = parameters.map { ParameterState(name: $0.key, value: $0.value) }
    return try await rides().perform(
        phase, "RequestRide", states, idempotencyKey: "r-1", isInApp: isInApp, attributes: attributes, report: report)
}

@Suite("Resolving a ride's parameters")
struct RideResolutionTests {
    private func resolve(_ name: String, _ parameters: KeyValuePairs<String, JSON>) async throws -> ParameterResolution?
    {
        guard case .resolved(let all, _, _, _) = try await perform(.resolve, parameters) else { return nil }
        return all.first { $0.name == name }?.resolution
    }

    private func place(_ name: String) -> Place? { City.dublin.places.first { $0.name == name } }

    @Test("a known place is returned with its coordinates and identifier")
    func knownPlace() async throws {
        let resolution = try await resolve("dropOff", ["dropOff": .string("the guinness brewery")])
        #expect(try resolution == .success(JSON(#require(place("Guinness Storehouse")))))
    }

    @Test("diacritics, capitals and apostrophes don't matter")
    func spelling() async throws {
        for words in ["BUSARAS", "busáras", "Central bus station"] {
            #expect(
                try await resolve("dropOff", ["dropOff": .string(words)]) == .success(JSON(#require(place("Busáras")))))
        }
        let bridge = try #require(place("Ha'penny Bridge"))
        #expect(try await resolve("dropOff", ["dropOff": .string("hapenny bridge")]) == .success(JSON(bridge)))
    }

    @Test("a ride without a pickup starts at the taxi rank")
    func noPickup() async throws {
        #expect(try await resolve("pickup", ["dropOff": .string("Busáras")]) == .notRequired)
        let ride: KeyValuePairs<String, JSON> = try ["dropOff": JSON(#require(place("Busáras"))), "ride": comfort]
        let response = try await perform(.confirm, ride).response
        #expect(
            response?.dialog?.hasPrefix("Comfort from O'Connell Street taxi rank to Busáras for 1, about €") == true)
    }

    @Test("a missing drop-off is asked for")
    func noDropOff() async throws {
        #expect(try await resolve("dropOff", [:]) == .needsValue(dialog: "Where are you going?"))
    }

    @Test("several matching stations lead to a choice of enriched places")
    func stations() async throws {
        guard case .disambiguation(let options, _) = try await resolve("dropOff", ["dropOff": .string("Station")])
        else {
            Issue.record("no choice")
            return
        }
        #expect(options.map(\.id) == ["heuston", "connolly", "pearse", "tara-street"])
        #expect(options[0].subtitle == "Dublin 8")
        #expect(try options[1].value == JSON(#require(place("Connolly Station"))))
    }

    @Test("the airport leads to a choice of its two terminals")
    func airport() async throws {
        guard case .disambiguation(let options, _) = try await resolve("pickup", ["pickup": .string("the airport")])
        else {
            Issue.record("no choice")
            return
        }
        #expect(options.map(\.title) == ["Dublin Airport Terminal 1", "Dublin Airport Terminal 2"])
    }

    @Test("a misspelt place is confirmed")
    func misspelt() async throws {
        let heuston = try #require(place("Heuston Station"))
        let expected = ParameterResolution.confirmationRequired(JSON(heuston), dialog: "Did you mean Heuston Station?")
        #expect(try await resolve("dropOff", ["dropOff": .string("Hueston Station")]) == expected)
    }

    @Test("a place outside the city is unsupported, by name and by coordinate")
    func outside() async throws {
        for (name, value) in [("Galway", JSON.string("Galway")), ("Somewhere", JSON(try #require(corkQuay)))] {
            guard case .unsupported("outsideServiceArea", let dialog) = try await resolve("dropOff", ["dropOff": value])
            else {
                Issue.record("\(name) is outside")
                continue
            }
            #expect(dialog?.contains("Dublin") == true)
        }
    }

    private var corkQuay: Place? {
        Coordinate(latitude: 51.8985, longitude: -8.4756).map { Place(name: "Somewhere", coordinate: $0) }
    }

    @Test("a drop-off at the pickup is unsupported")
    func samePlace() async throws {
        let both: KeyValuePairs<String, JSON> = ["pickup": .string("Trinity"), "dropOff": .string("Trinity College")]
        guard case .unsupported("sameAsPickup", _) = try await resolve("dropOff", both) else {
            Issue.record("there already")
            return
        }
    }

    @Test("a party is one to six people")
    func party() async throws {
        #expect(
            try await resolve("partySize", ["partySize": .number(7)])
                == .unsupported(reason: "aboveMaximum", dialog: "Riders can be 1 to 6, not 7."))
    }

    @Test("only rides with enough seats are offered")
    func seats() async throws {
        guard case .disambiguation(let options, _) = try await resolve("ride", ["partySize": .number(2)]) else {
            Issue.record("no choice")
            return
        }
        #expect(options.map(\.title) == ["Economy", "Comfort", "XL", "Accessible"])
        let xl = JSON(unchecked: #"{"id":"xl","name":"XL","seats":6}"#)
        #expect(try await resolve("ride", ["partySize": .string("five")]) == .success(xl))
        let tooSmall = ParameterResolution.unsupported(
            reason: "partyTooLarge", dialog: "Comfort has 4 seats, and you are 5. Take XL.")
        #expect(try await resolve("ride", ["partySize": .number(5), "ride": .string("premium")]) == tooSmall)
    }
}

let comfort = JSON(unchecked: #"{"id":"comfort","name":"Comfort","seats":4}"#)
