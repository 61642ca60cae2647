import IntentKit
import IntentModel
import PipelineTestKit
import TestTrails
import Testing

@Suite("An entity is found by its query") struct EntityTests {
    private let trails = TrailEntity.samples
    private let bell: JSON = ["id": 1, "title": "Mount Bell", "region": "North"]
    private let gone: JSON = ["id": 77, "title": "Old Mill"]

    @Test(arguments: [["id": 1, "title": "an old name"], ["id": 1], "1", 1, "Mount Bell", "MÓUNT bell"] as [JSON])
    func `a single match is a success with the whole entity`(_ said: JSON) async throws {
        #expect(try await trailhead().resolve("trail", said: said) == .success(bell))
    }

    @Test func `an exact identifier takes precedence over a title`() async throws {
        var store = TrailDataManager()
        store.trails.append(TrailEntity(id: 9, name: "1"))
        #expect(try await trailhead(store).resolve("trail", said: "1") == .success(bell))
        #expect(store.lookups.all == ["ids [1]"])
    }

    @Test func `an exact title takes precedence over other matches`() async throws {
        #expect(try await trailhead().resolve("trail", said: "bell brook") == .success(JSON(trails[1])))
        #expect(try await trailhead().resolve("trail", said: "green river") == .success(JSON(trails[2])))
    }

    @Test func `several matches are offered as a choice`() async throws {
        let options = try await trailhead().resolve("trail", said: "lake loop").options
        #expect(options.map(\.id) == ["4", "5"] && options.map(\.title) == ["Lake Loop", "Lake Loop"])
        #expect(options.map(\.subtitle) == [nil, "South"])
        #expect(options.map(\.value) == [JSON(trails[3]), JSON(trails[4])])
    }

    @Test func `no match is unsupported, and the dialog names what was not found`() async throws {
        var store = TrailDataManager()
        store.trails.removeLast(3)
        let found = try await trailhead(store).resolve("trail", said: "the moon")
        #expect(found == .unsupported(reason: "noMatch", dialog: "Trail can't be 'the moon'."))
    }

    @Test func `an entity that was deleted after it was chosen is asked for again`() async throws {
        let found = try await trailhead().resolve("trail", said: gone, .chosen)
        #expect(found == .unsupported(reason: "noMatch", dialog: "Trail: 'Old Mill' is no longer there."))
    }

    @Test(arguments: [Phase.confirm, .handle])
    func `an entity that was deleted after resolve fails confirm and handle`(phase: Phase) async throws {
        let failure = try await trailhead().failure(phase, [.given("trail", gone, .resolved)])
        #expect(failure.disposition == .failure(.entityNotFound))
        #expect(failure.message.contains("entityNotFound") && failure.field == "parameters.trail")
        #expect(!failure.message.contains("Old Mill"))
    }

    @Test func `the handler gets the entity's current state`() async throws {
        var store = TrailDataManager()
        store.trails[0].length = 13
        let response = try await trailhead(store).respond(.handle, [.given("trail", bell, .resolved)])
        #expect(response.dialog == "Mount Bell, 13 km")
    }

    @Test func `a second round looks the entity up by its identifier without a search`() async throws {
        let store = TrailDataManager()
        let server = trailhead(store)
        let json = try #require(try await server.resolve("trail", said: "mount bell").value)
        #expect(store.lookups.count("search") == 1)
        #expect(try await server.resolve("trail", said: json, .resolved) == .success(json))
        #expect(store.lookups.count("search") == 1)
    }

    @Test func `the identifiers of a list are looked up in one call`() async throws {
        let store = TrailDataManager()
        let list: JSON = [["id": 3, "title": "x"], "4", ["id": 1], ["id": 3]]
        let found = try await trailhead(store).resolve("detours", .given(["detours": list, "trail": 2]))
        #expect(found.resolution == .success(JSON([trails[2], trails[3], trails[0], trails[2]])))
        #expect(store.lookups.all == ["ids [2]", "ids [3, 4, 1]"])
    }

    @Test func `suggestions are offered where no value was given, in their sections`() async throws {
        func resolve(_ name: String = "trail", suggesting trails: [TrailEntity]) async throws -> ParameterResolution {
            var store = TrailDataManager()
            store.suggested = trails
            return try await trailhead(store).resolve(name, said: nil)
        }
        let offered = try await resolve(suggesting: [trails[1], trails[3]])
        #expect(offered.options.map(\.id) == ["2", "4"] && offered.dialog == "Which trail?")
        #expect(offered.options.map(\.subtitle) == ["North", nil])
        #expect(offered.options.map(\.section) == ["Near", "Near"])
        let only = ParameterResolution.confirmationRequired(JSON(trails[1]), dialog: "Trail: \(trails[1].name)?")
        #expect(try await resolve(suggesting: [trails[1]]) == only)
        let six = trails + [TrailEntity(id: 6, name: "Six")]
        #expect(try await resolve(suggesting: six).options.count == 6)
        #expect(try await resolve("detours", suggesting: six) == .notRequired)
    }

    @Test(arguments: [4, 44, true] as [JSON])
    func `an attribute can give the default entity`(_ home: JSON) async throws {
        let found = try await trailhead().resolve("home", said: nil, attributes: ["home": home])
        #expect(found == (home == 4 ? .success(JSON(trails[3])) : .notRequired))
    }

    @Test(arguments: [true, [1], ["name": "Mount Bell"]] as [JSON])
    func `JSON that does not identify an entity is rejected`(_ json: JSON) async throws {
        let failure = try await trailhead().failure(.resolve, [.given("trail", json)])
        #expect(failure.kind == "reject invalid at parameters.trail")
    }

    @Test func `an entity's schema describes its wire form`() {
        let schema =
            #"{"type":"object","properties":{"id":{"type":"number"},"title":{"type":"string"}},"required":["id"]}"#
        #expect(TrailEntity.jsonSchema.description == schema)
    }
}

private struct TheFirst: UniqueAppEntityQuery {
    func uniqueEntity() async throws -> TrailEntity { TrailEntity.samples[0] }
}

private struct Plan: Intent {
    static let title: LocalizedText = "Plan"
    @Parameter(title: "Trails", optionsProvider: AllTrailsQuery()) var trails: [TrailEntity]?
    @Parameter(title: "First", optionsProvider: TheFirst()) var first: TrailEntity
    @Parameter(title: "One", optionsProvider: AllTrailsQuery()) var one: TrailEntity?
    static let parameters = Parameters<Self>(\.$trails, \.$first, \.$one)
}

@Suite("Queries find entities by property, or list all of them") struct EntityQueryTests {
    private let server = serving(Plan.self, provide: TrailDataManager.provide)
    private let trails = TrailEntity.samples

    @Test(arguments: [
        (#""where":[{"property":"name","is":"equalTo","value":"Lake Loop"}]"#, [4, 5]),
        (#""where":[{"property":"name","value":"Lake Loop"}]"#, [4, 5]),
        (#""where":[{"property":"name","is":"notEqualTo","value":"Lake Loop"}]"#, [1, 2, 3]),
        (#""where":[{"property":"name","is":"contains","value":"BELL"}]"#, [1, 2]),
        (#""where":[{"property":"name","is":"hasPrefix","value":"rio"}]"#, [3]),
        (#""where":[{"property":"name","is":"hasSuffix","value":"brook"}]"#, [2]),
        (#""where":[{"property":"length","is":"lessThan","value":5}]"#, [2]),
        (#""where":[{"property":"length","is":"lessThanOrEqualTo","value":5}]"#, [2, 4]),
        (#""where":[{"property":"length","is":"greaterThan","value":8}]"#, [1]),
        (#""where":[{"property":"length","is":"greaterThanOrEqualTo","value":"eight"}]"#, [1, 3]),
        (#""where":[{"property":"length","is":"between","value":[5,8]}]"#, [3, 4, 5]),
        (#""where":[{"property":"region","is":"notEqualTo","value":"North"}]"#, [3, 4, 5]),
        (#""where":[{"property":"region","value":"South"},{"property":"length","is":"lessThan","value":8}]"#, [5]),
        (
            #""where":[{"property":"region","value":"South"},{"property":"length","is":"lessThan","value":4}],"mode":"or""#,
            [2, 3, 5]
        ), (#""where":[],"sort":[{"property":"length","order":"descending"}],"limit":2"#, [1, 3]),
        (#""where":[],"sort":"length""#, [2, 4, 5, 3, 1]),
        (#""where":[],"sort":["name",{"property":"length","order":"descending"}]"#, [2, 5, 4, 1, 3]),
        (#""where":[],"sort":"region""#, [1, 2, 3, 5, 4]),
    ])
    func `a filter finds entities by their properties, and sorts them`(filter: String, ids: [Int]) async throws {
        let found = try await server.resolve("trails", said: JSON(unchecked: "{\(filter)}")).value
        #expect(found?.view.elements.compactMap { $0["id"]?.int } == ids)
    }

    @Test(arguments: [
        (#"{"where":3}"#, "where"), (#"{"where":[{"property":"height","value":3}]}"#, "where[0].property"),
        (#"{"where":[{"property":"length","is":"contains","value":3}]}"#, "where[0].is"),
        (#"{"where":[{"property":"length","is":"about","value":3}]}"#, "where[0].is"),
        (#"{"where":[{"property":"length","is":"lessThan","value":true}]}"#, "where[0].value"),
        (#"{"where":[{"property":"length","is":"between","value":[3]}]}"#, "where[0].value"),
        (#"{"where":[{"property":"length","is":"lessThan"}]}"#, "where[0].value"),
        (#"{"where":[],"mode":"xor"}"#, "mode"), (#"{"where":[],"limit":0}"#, "limit"),
        (#"{"where":[],"sort":["height"]}"#, "sort[0].property"),
        (#"{"where":[],"sort":{"property":"name","order":"up"}}"#, "sort.order"),
    ])
    func `an unreadable filter is rejected with the field at fault`(filter: String, field: String) async throws {
        let failure = try await server.failure(.resolve, [.given("trails", JSON(unchecked: filter))])
        #expect(failure.kind == "reject invalid at parameters.trails.\(field)")
    }

    @Test func `a filter for one entity leads to success, a choice or no match, and for many to no match`() async throws
    {
        func named(_ name: JSON, _ parameter: String = "one") async throws -> ParameterResolution {
            try await server.resolve(parameter, said: ["where": [["property": "name", "value": name]]])
        }
        #expect(try await named("Bell Brook") == .success(JSON(trails[1])))
        #expect(try await named("Lake Loop").options.map(\.id) == ["4", "5"])
        #expect(try await named("Moon").reason == "noMatch")
        #expect(try await named("Moon", "trails").reason == "noMatch")
    }

    @Test func `an enumerable query searches text among all entities`() async throws {
        #expect(try await server.resolve("one", said: "green river") == .success(JSON(trails[2])))
        #expect(try await server.resolve("one", said: "bell").options.map(\.id) == ["1", "2"])
        #expect(try await server.resolve("one", said: "el").reason == "noMatch")
        #expect(try await server.resolve("one", said: "3") == .success(JSON(trails[2])))
    }

    @Test func `the only entity of a unique query is used without asking`() async throws {
        #expect(try await server.resolve("first", said: nil) == .success(JSON(trails[0])))
    }
}
