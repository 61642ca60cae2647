import IntentKit
import IntentModel
import PipelineTestKit
import TestTrails
import Testing

@Suite("An entity is found by its query")
struct EntityTests {
    private let bell = JSON(unchecked: #"{"id":1,"title":"Mount Bell","region":"North"}"#)

    private func said(_ json: String, _ store: TrailDataManager = TrailDataManager()) async throws -> ResolvedParameter
    {
        try await trailhead(store).resolve("trail", [.given("trail", json: json)])
    }

    @Test(
        "a single match is a success with the whole entity",
        arguments: [#"{"id":1,"title":"an old name"}"#, #"{"id":1}"#, #""1""#, "1", #""Mount Bell""#, #""MÓUNT bell""#])
    func oneMatch(json: String) async throws {
        #expect(try await said(json).resolution == .success(bell))
    }

    @Test("an exact identifier takes precedence over a title")
    func identifierFirst() async throws {
        var store = TrailDataManager()
        store.trails.append(TrailEntity(id: 9, name: "1"))
        #expect(try await said(#""1""#, store).resolution == .success(bell))
        #expect(store.lookups.all == ["ids [1]"])
    }

    @Test("an exact title takes precedence over other matches")
    func titleFirst() async throws {
        #expect(try await said(#""bell brook""#).resolution == .success(JSON(TrailEntity.samples[1])))
        #expect(try await said(#""green river""#).resolution == .success(JSON(TrailEntity.samples[2])))
    }

    @Test("several matches are offered as a choice")
    func severalMatches() async throws {
        let found = try await said(#""lake loop""#)
        #expect(found.resolution.options.map(\.id) == ["4", "5"])
        #expect(found.resolution.options.map(\.title) == ["Lake Loop", "Lake Loop"])
        #expect(found.resolution.options.map(\.subtitle) == [nil, "South"])
        #expect(found.resolution.options.map(\.value) == [JSON(TrailEntity.samples[3]), JSON(TrailEntity.samples[4])])
    }

    @Test("no match is unsupported, and the dialog names what was not found")
    func noMatch() async throws {
        var store = TrailDataManager()
        store.trails.removeLast(3)
        let found = try await said(#""the moon""#, store)
        #expect(found.resolution == .unsupported(reason: "noMatch", dialog: "Trail can't be 'the moon'."))
    }

    @Test("an entity that was deleted after it was chosen is asked for again")
    func vanished() async throws {
        let gone = ParameterState.given("trail", json: #"{"id":77,"title":"Old Mill"}"#, .chosen)
        let found = try await trailhead().resolve("trail", [gone])
        #expect(found.resolution == .unsupported(reason: "noMatch", dialog: "Trail: 'Old Mill' is no longer there."))
    }

    @Test("an entity that was deleted after resolve fails confirm and handle", arguments: [Phase.confirm, .handle])
    func vanishedLater(phase: Phase) async throws {
        let failure = try await trailhead().failure(
            phase, [.given("trail", json: #"{"id":77,"title":"Old Mill"}"#, .resolved)])
        #expect(failure.disposition == .failure(.entityNotFound))
        #expect(failure.message.contains("entityNotFound") && failure.field == "parameters.trail")
        #expect(!failure.message.contains("Old Mill"))
    }

    @Test("the handler gets the entity's current state")
    func current() async throws {
        var store = TrailDataManager()
        store.trails[0].length = 13
        let outcome = try await trailhead(store).perform(.handle, [.given("trail", json: bell.description, .resolved)])
        #expect(outcome.response?.dialog == "Mount Bell, 13 km")
    }

    @Test("a second round looks the entity up by its identifier without a search")
    func secondRound() async throws {
        let store = TrailDataManager()
        let server = trailhead(store)
        guard case .success(let json) = try await server.resolve("trail", [.given("trail", "mount bell")]).resolution
        else { return }
        #expect(store.lookups.count("search") == 1)
        let again = try await server.resolve("trail", [ParameterState(name: "trail", value: json, origin: .resolved)])
        #expect(again.resolution == .success(json))
        #expect(store.lookups.count("search") == 1)
    }

    @Test("the identifiers of a list are looked up in one call")
    func oneCall() async throws {
        let store = TrailDataManager()
        let list = #"[{"id":3,"title":"x"},"4",{"id":1},{"id":3}]"#
        let found = try await trailhead(store).resolve(
            "detours", [.given("detours", json: list), .given("trail", json: "2")])
        #expect(
            found.resolution
                == .success(
                    JSON([
                        TrailEntity.samples[2], TrailEntity.samples[3], TrailEntity.samples[0], TrailEntity.samples[2],
                    ])))
        #expect(store.lookups.all == ["ids [2]", "ids [3, 4, 1]"])
    }

    @Test("suggestions are offered where no value was given, in their sections")
    func suggestions() async throws {
        var store = TrailDataManager()
        store.suggested = [TrailEntity.samples[1], TrailEntity.samples[3]]
        let offered = try await trailhead(store).resolve("trail", [])
        #expect(offered.resolution.options.map(\.id) == ["2", "4"] && offered.resolution.dialog == "Which trail?")
        #expect(offered.resolution.options.map(\.subtitle) == ["North", nil])
        #expect(offered.resolution.options.map(\.section) == ["Near", "Near"])
        store.suggested = [TrailEntity.samples[1]]
        #expect(
            try await trailhead(store).resolve("trail", []).resolution
                == .confirmationRequired(JSON(TrailEntity.samples[1]), dialog: nil))
        store.suggested = TrailEntity.samples + [TrailEntity(id: 6, name: "Six")]
        #expect(try await trailhead(store).resolve("trail", []).resolution.options.count == 6)
        #expect(try await trailhead(store).resolve("detours", []).resolution == .notRequired)
    }

    @Test("an attribute can give the default entity")
    func attributeDefault() async throws {
        #expect(
            try await trailhead().resolve("home", [], attributes: ["home": JSON(unchecked: "4")]).resolution
                == .success(JSON(TrailEntity.samples[3]))
        )
        #expect(
            try await trailhead().resolve("home", [], attributes: ["home": JSON(unchecked: "44")]).resolution
                == .notRequired)
        #expect(
            try await trailhead().resolve("home", [], attributes: ["home": JSON(unchecked: "true")]).resolution
                == .notRequired)
    }

    @Test("JSON that does not identify an entity is rejected", arguments: ["true", "[1]", #"{"name":"Mount Bell"}"#])
    func unsuitableJSON(json: String) async throws {
        let failure = try await trailhead().failure(.resolve, [.given("trail", json: json)])
        #expect(failure.disposition == .reject && failure.reason == .invalid && failure.field == "parameters.trail")
    }

    @Test("an entity's schema describes its wire form")
    func schema() {
        let schema =
            #"{"type":"object","properties":{"id":{"type":"number"},"title":{"type":"string"}},"required":["id"]}"#
        #expect(TrailEntity.jsonSchema.description == schema)
    }
}
