import IntentEvents
import IntentKit
import PipelineTestKit
import Testing

@testable import SampleDomains

@Suite("Suggesting trails, as in Apple's article")
struct SuggestTrailsTests {
    private func suggest(_ parameters: KeyValuePairs<String, JSON>) async throws -> IntentResponse {
        try await registry().respond(.handle, "SuggestTrails", .resolved(parameters))
    }

    private func found(_ parameter: String, _ said: String) async throws -> ParameterResolution {
        try await registry().resolve(parameter, of: "SuggestTrails", [.said(parameter, said)]).resolution
    }

    private func names(_ response: IntentResponse) -> [String] { response.items.map(\.title) }
    private let lakeside = JSON(TrailCollection.samples[0])

    @Test("a required value is asked for with its few options, and an optional one is not")
    func required() async throws {
        let parameters = try await registry().resolve("SuggestTrails")
        let open = parameters.filter { if case .disambiguation = $0.resolution { true } else { false } }
        #expect(open.map(\.name) == ["activity"])
        #expect(parameters.first { $0.name == "location" }?.resolution == .notRequired)
    }

    @Test("a location must be one of the options that the provider lists")
    func restricted() async throws {
        #expect(try await found("location", "PORT ANSELM") == .success("Port Anselm"))
        let elsewhere = try await found("location", "Dublin")
        #expect(elsewhere.options.map(\.title) == ["Bellhaven", "Larch Lake", "Port Anselm", "Saltmarsh"])
        #expect(elsewhere.dialog?.contains("Dublin") == true)
    }

    @Test("the locations are sorted, without duplicates")
    func locations() async throws {
        let dependencies = AppDependencyManager()
        dependencies.add(TrailDataManager())
        let locations = try await dependencies { try await LocationOptionsProvider().results() }
        #expect(locations == ["Bellhaven", "Larch Lake", "Port Anselm", "Saltmarsh"])
    }

    @Test(
        "a radius can be given in any unit, or in none",
        arguments: [("20", "20 km"), ("twenty", "20 km"), ("5 miles", "5 mi")])
    func radius(_ said: String, _ meant: String) async throws {
        let radius = try await found("searchRadius", said)
        #expect(radius == .success(JSON(try #require(Measurement<UnitLength>(text: meant)))))
    }

    @Test("trails within the radius are suggested, the nearest first")
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

    @Test("trails of a collection are suggested, limited to those that are near")
    func collection() async throws {
        #expect(
            names(try await suggest(["activity": "biking", "trailCollection": lakeside])) == [
                "Heron Shore", "Larch Lake Loop",
            ])
        let both = try await suggest([
            "activity": "hiking", "location": "Saltmarsh", "trailCollection": JSON(TrailCollection.samples[2]),
        ])
        #expect(names(both) == ["Dune Ridge"])
    }

    @Test("without a matching trail the response is a failure with the domain's code")
    func none() async throws {
        let response = try await suggest(["activity": "biking", "location": "Saltmarsh"])
        #expect(response.code == "failureNoMatchingTrail" && response.dialog == "I know no trail for Biking there.")
    }

    @Test("an optional location is asked for if it is needed, and the run continues with the answer")
    func asks() async throws {
        let said = try await Walker(registry()).ask(
            for: "SuggestTrails", ["activity": "a run"], answering: ["larch lake"])
        #expect(said.map(\.words) == ["Where would you like to go?", said.last?.words])
        #expect(said.first?.offered == ["Bellhaven", "Larch Lake", "Port Anselm", "Saltmarsh"])
        #expect(said.last?.offered == ["Heron Shore", "Larch Lake Loop", "Bell Brook"])
    }
}
