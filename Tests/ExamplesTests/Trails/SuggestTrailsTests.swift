import IntentEvents
import IntentKit
import IntentRuntime
import PipelineTestKit
import Testing

@testable import SampleDomains

@Suite("Suggesting trails, as in Apple's article") struct SuggestTrailsTests {
    private let trails = Trails()
    private let locations = ["Bellhaven", "Larch Lake", "Port Anselm", "Saltmarsh"]

    private func suggested(_ parameters: KeyValuePairs<String, JSON>) async throws -> [String] {
        try await trails.handle("SuggestTrails", .resolved(parameters)).items.map(\.title)
    }

    private func find(_ parameter: String, _ said: String) async throws -> ParameterResolution {
        try await trails.resolve(parameter, of: "SuggestTrails", [.said(parameter, said)])
    }

    @Test func `a required value is asked for with its few options, and an optional one is not`() async throws {
        let parameters = try await trails.registry().resolve("SuggestTrails")
        #expect(parameters.filter { !$0.resolution.options.isEmpty }.map(\.name) == ["activity"])
        #expect(parameters.first { $0.name == "location" }?.resolution == .notRequired)
    }

    @Test
    func `a location must be one of the options that the provider lists, sorted and without duplicates`() async throws {
        #expect(try await find("location", "PORT ANSELM") == .success("Port Anselm"))
        let elsewhere = try await find("location", "Dublin")
        #expect(elsewhere.options.map(\.title) == locations && elsewhere.dialog?.contains("Dublin") == true)
    }

    @Test(arguments: [("20", "20 km"), ("twenty", "20 km"), ("5 miles", "5 mi")])
    func `a radius can be given in any unit, or in none`(_ said: String, _ meant: String) async throws {
        let radius = JSON(try #require(Measurement<UnitLength>(text: meant)))
        #expect(try await find("searchRadius", said) == .success(radius))
    }

    @Test func `trails within the radius are suggested, the nearest first`() async throws {
        func near(_ activity: JSON, _ kilometers: Double) async throws -> [String] {
            let radius = JSON(.kilometers(kilometers) as Measurement)
            return try await suggested(["activity": activity, "location": "Bellhaven", "searchRadius": radius])
        }
        #expect(try await near("hiking", 13) == ["Mount Bell", "Bell Brook", "Heron Shore", "Quarry Steps"])
        #expect(try await near("jogging", 1) == ["Bell Brook"])
    }

    @Test func `trails of a collection are suggested, limited to those that are near`() async throws {
        let (lakeside, other) = (JSON(TrailCollection.samples[0]), JSON(TrailCollection.samples[2]))
        let biking = try await trails.handle(
            "SuggestTrails", .resolved(["activity": "biking", "trailCollection": lakeside]))
        #expect(biking.items.map(\.title) == ["Heron Shore", "Larch Lake Loop"])
        #expect(biking.values["value"]?.view.elements.count == 2)
        let both = try await suggested(["activity": "hiking", "location": "Saltmarsh", "trailCollection": other])
        #expect(both == ["Dune Ridge"])
    }

    @Test func `without a matching trail the response is a failure with the domain's code`() async throws {
        let parameters: [ParameterState] = .resolved(["activity": "biking", "location": "Saltmarsh"])
        let response = try await trails.handle("SuggestTrails", parameters)
        #expect(response == .failure("failureNoMatchingTrail", dialog: "I know no trail for Biking there."))
    }

    @Test
    func `an optional location is asked for if it is needed, and the run continues with the answer`() async throws {
        let talk = try await trails.ask(for: "SuggestTrails", ["activity": "a run"], answering: "larch lake")
        let results = try talk.results
        #expect(results.count == 2 && results[0].dialog == "Where would you like to go?")
        #expect(results.map(\.titles) == [locations, ["Heron Shore", "Larch Lake Loop", "Bell Brook"]])
    }

    @Test func `the catalogue has every intent with its summary`() throws {
        let registry = try trails.registry()
        let intents = ["BookTrailGuide", "GetTrailInfo", "StartTrailActivity", "SuggestTrails"]
        #expect(registry.intents.sorted() == intents)
        let text = try #require(registry.describe("SuggestTrails")).text
        #expect(
            text.contains("Ride a bike within") && text.contains("Suggest ${activity} trails from ${trailCollection}"))
    }
}

@Suite("Finding a trail") struct TrailQueryTests {
    private let heronShore = JSON(TrailEntity.samples[2])

    private func find(_ said: JSON) async throws -> ParameterResolution {
        try await Trails().resolve("trail", of: "GetTrailInfo", [ParameterState(name: "trail", value: said)])
    }

    @Test(
        arguments: [
            .number(3), "heron shore", "Heron",
            JSON(
                unchecked:
                    #"{"where":[{"property":"location","is":"contains","value":"lake"}],"sort":["length"],"limit":1}"#),
        ] as [JSON])
    func `by its identifier, its name, a part of its name, or its properties`(_ said: JSON) async throws {
        #expect(try await find(said) == .success(heronShore))
    }

    @Test func `by a property in any unit`() async throws {
        let long = JSON(unchecked: #"{"where":[{"property":"length","is":"greaterThan","value":"10 miles"}]}"#)
        #expect(try await find(long) == .success(JSON(TrailEntity.samples[5])))
    }

    @Test func `by a name or place, which may lead to a choice`() async throws {
        let options = try await find("larch lake").options
        #expect(options.map(\.title) == ["Heron Shore", "Larch Lake Loop"])
        #expect(options.map(\.subtitle) == ["Larch Lake, 8 km", "Larch Lake, 15 km"])
    }

    @Test(arguments: ["the Matterhorn", .number(99)] as [JSON])
    func `without a match`(_ said: JSON) async throws {
        #expect(try await find(said).reason == "noMatch")
    }

    @Test func `a trail that was deleted later is a failure`() async throws {
        var trails = TrailDataManager()
        trails.trails.removeAll { $0.id == 3 }
        let outcome = try await Trails(trails).registry().perform(
            .handle, "GetTrailInfo", .resolved(["trail": heronShore]))
        #expect(outcome.failure?.disposition == .failure("failureEntityNotFound"))
    }
}
