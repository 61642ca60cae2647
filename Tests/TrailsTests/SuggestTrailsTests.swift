import IntentEvents
import IntentKit
import Testing

@testable import Trails

@Suite("Trails are suggested as the article has it")
struct SuggestTrailsTests {
    private func suggest(_ parameters: KeyValuePairs<String, JSON>) async throws -> IntentResponse {
        try await registry().respond("SuggestTrails", parameters)
    }

    private func names(_ response: IntentResponse) -> [String] { response.items.map(\.title) }
    private let lakeside = JSON(TrailCollection.samples[0])

    @Test("what is required is asked for, with the few values it can have; what is optional is not")
    func required() async throws {
        let all = try await registry().run(.resolve, "SuggestTrails", [:])
        guard case .resolved(let parameters) = all else { throw Unexpected() }
        let open = parameters.filter { if case .disambiguation = $0.resolution { true } else { false } }
        #expect(open.map(\.name) == ["activity"])
        #expect(parameters.first { $0.name == "location" }?.resolution == .notRequired)
    }

    @Test("a value may be one of those that are known when it is asked for, and no other")
    func restricted() async throws {
        #expect(try await registry().resolve("location", of: "SuggestTrails", ["location": "PORT ANSELM"]) == .success("Port Anselm"))
        guard
            case .disambiguation(let options, let dialog) = try await registry().resolve(
                "location", of: "SuggestTrails", ["location": "Dublin"])
        else { throw Unexpected() }
        #expect(options.map(\.title) == ["Bellhaven", "Larch Lake", "Port Anselm", "Saltmarsh"])
        #expect(dialog?.contains("Dublin") == true)
    }

    @Test("the locations are in order, each once")
    func locations() async throws {
        let dependencies = DependencyManager()
        dependencies.add(TrailDataManager())
        let locations = try await dependencies { try await LocationOptionsProvider().results() }
        #expect(locations == ["Bellhaven", "Larch Lake", "Port Anselm", "Saltmarsh"])
    }

    @Test("a radius is said in any unit, or none", arguments: [("20", "20 km"), ("twenty", "20 km"), ("5 miles", "5 mi")])
    func radius(_ said: String, _ meant: String) async throws {
        let radius = try await registry().resolve("searchRadius", of: "SuggestTrails", ["searchRadius": .string(said)])
        #expect(radius == .success(JSON(try #require(Measurement<UnitLength>(text: meant)))))
    }

    @Test("the nearest come first, within the radius")
    func near() async throws {
        let response = try await suggest([
            "activity": "hiking", "location": "Bellhaven", "searchRadius": JSON(.kilometers(13) as Measurement),
        ])
        #expect(names(response) == ["Mount Bell", "Bell Brook", "Heron Shore", "Quarry Steps"])
        #expect(response.values["value"]?.view.elements.count == 4)
        let closer = try await suggest([
            "activity": "jogging", "location": "Bellhaven", "searchRadius": JSON(.kilometers(1) as Measurement),
        ])
        #expect(names(closer) == ["Bell Brook"])
    }

    @Test("from a collection, and from the part of it that is near")
    func collection() async throws {
        #expect(names(try await suggest(["activity": "biking", "trailCollection": lakeside])) == ["Heron Shore", "Larch Lake Loop"])
        let both = try await registry().respond(
            "SuggestTrails", ["activity": "hiking", "location": "Saltmarsh", "trailCollection": JSON(TrailCollection.samples[2])])
        #expect(names(both) == ["Dune Ridge"])
    }

    @Test("when there is none, the person is told so, with a code of the domain")
    func none() async throws {
        let response = try await suggest(["activity": "biking", "location": "Saltmarsh"])
        #expect(response.code == "failureNoMatchingTrail" && response.dialog == "I know no trail for Biking there.")
    }

    @Test("what is optional is asked for where there is nothing else to go by, and that is where it goes on")
    func asks() async throws {
        let said = try await Walker(registry()).ask(for: "SuggestTrails", ["activity": "a run"], answering: ["larch lake"])
        #expect(said.map(\.words) == ["Where would you like to go?", said.last?.words])
        #expect(said.first?.offered == ["Bellhaven", "Larch Lake", "Port Anselm", "Saltmarsh"])
        #expect(said.last?.offered == ["Heron Shore", "Larch Lake Loop", "Bell Brook"])
    }
}
