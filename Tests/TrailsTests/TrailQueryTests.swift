import IntentKit
import IntentModel
import SampleData
import Testing

@testable import Trails

@Suite("A trail is found by what is known of it")
struct TrailQueryTests {
    private func find(_ said: JSON) async throws -> ParameterResolution {
        try await registry().resolve("trail", of: "GetTrailInfo", ["trail": said])
    }

    private func filter(_ text: String) async throws -> ParameterResolution { try await find(JSON(parsing: Array(text.utf8))) }
    private let heronShore = JSON(TrailEntity.samples[2])

    @Test("by its identifier, its name, or what only its name has in it", arguments: [.number(3), "heron shore", "Heron"] as [JSON])
    func one(_ said: JSON) async throws {
        #expect(try await find(said) == .success(heronShore))
    }

    @Test("by name or place, which may be a choice")
    func choice() async throws {
        guard case .disambiguation(let options, _) = try await find("larch lake") else { throw Unexpected() }
        #expect(options.map(\.title) == ["Heron Shore", "Larch Lake Loop"])
        #expect(options.map(\.subtitle) == ["Larch Lake, 8 km", "Larch Lake, 15 km"])
    }

    @Test("by its properties, in whatever unit")
    func properties() async throws {
        let long = #"{"where":[{"property":"length","is":"greaterThan","value":"10 miles"}]}"#
        #expect(try await filter(long) == .success(JSON(TrailEntity.samples[5])))
        let atTheLake = #"{"where":[{"property":"location","is":"contains","value":"lake"}],"sort":["length"],"limit":1}"#
        #expect(try await filter(atTheLake) == .success(heronShore))
    }

    @Test("or not at all")
    func none() async throws {
        guard case .unsupported("noMatch", _) = try await find("the Matterhorn") else { throw Unexpected() }
        guard case .unsupported("noMatch", _) = try await find(.number(99)) else { throw Unexpected() }
    }

    @Test("and one that has gone since is a failure, not a guess")
    func gone() async throws {
        var trails = TrailDataManager()
        trails.trails.removeAll { $0.id == 3 }
        let outcome = try await registry(SampleStore(), trails).run(.handle, "GetTrailInfo", ["trail": heronShore])
        guard case .failed(let failure) = outcome else { throw Unexpected() }
        #expect(failure.disposition == .failure("failureEntityNotFound"))
    }
}
