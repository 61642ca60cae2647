import IntentKit
import IntentModel
import PipelineTestKit
import Testing

@testable import SampleDomains

@Suite("Finding a trail")
struct TrailQueryTests {
    private func find(_ said: JSON) async throws -> ParameterResolution {
        try await registry().resolve("trail", of: "GetTrailInfo", [ParameterState(name: "trail", value: said)])
            .resolution
    }

    private func filter(_ text: String) async throws -> ParameterResolution {
        try await find(JSON(parsing: Array(text.utf8)))
    }
    private let heronShore = JSON(TrailEntity.samples[2])

    @Test(
        "by its identifier, its name, or a part of its name", arguments: [.number(3), "heron shore", "Heron"] as [JSON])
    func one(_ said: JSON) async throws {
        #expect(try await find(said) == .success(heronShore))
    }

    @Test("by a name or place, which may lead to a choice")
    func choice() async throws {
        let options = try await find("larch lake").options
        #expect(options.map(\.title) == ["Heron Shore", "Larch Lake Loop"])
        #expect(options.map(\.subtitle) == ["Larch Lake, 8 km", "Larch Lake, 15 km"])
    }

    @Test("by its properties, in any unit")
    func properties() async throws {
        let long = #"{"where":[{"property":"length","is":"greaterThan","value":"10 miles"}]}"#
        #expect(try await filter(long) == .success(JSON(TrailEntity.samples[5])))
        let atTheLake =
            #"{"where":[{"property":"location","is":"contains","value":"lake"}],"sort":["length"],"limit":1}"#
        #expect(try await filter(atTheLake) == .success(heronShore))
    }

    @Test("without a match")
    func none() async throws {
        #expect(try await find("the Matterhorn").reason == "noMatch")
        #expect(try await find(.number(99)).reason == "noMatch")
    }

    @Test("a trail that was deleted later is a failure")
    func gone() async throws {
        var trails = TrailDataManager()
        trails.trails.removeAll { $0.id == 3 }
        let outcome = try await registry(SampleStore(), trails).perform(
            .handle, "GetTrailInfo", .resolved(["trail": heronShore]))
        #expect(outcome.failure?.disposition == .failure("failureEntityNotFound"))
    }
}
