import IntentKit
import PipelineTestKit
import TestTrails
import Testing

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

private struct PlanHandler: IntentHandling {
    func handle(_ plan: Plan, context: Context) async throws -> HandleResponse { .success }
}

@Suite("Queries find entities by property, or list all of them")
struct EntityQueryTests {
    private let server = SingleHandlerExtension(handler: PlanHandler()) { $0.add(TrailDataManager()) }

    private func found(_ filter: String) async throws -> [Int] {
        let resolution = try await server.resolve("trails", [.given("trails", json: filter)]).resolution
        guard case .success(let json) = resolution else { return [] }
        return json.view.elements.compactMap { $0["id"]?.int }
    }

    @Test(
        "a filter finds entities by their properties",
        arguments: [
            (#"{"where":[{"property":"name","is":"equalTo","value":"Lake Loop"}]}"#, [4, 5]),
            (#"{"where":[{"property":"name","value":"Lake Loop"}]}"#, [4, 5]),
            (#"{"where":[{"property":"name","is":"notEqualTo","value":"Lake Loop"}]}"#, [1, 2, 3]),
            (#"{"where":[{"property":"name","is":"contains","value":"BELL"}]}"#, [1, 2]),
            (#"{"where":[{"property":"name","is":"hasPrefix","value":"rio"}]}"#, [3]),
            (#"{"where":[{"property":"name","is":"hasSuffix","value":"brook"}]}"#, [2]),
            (#"{"where":[{"property":"length","is":"lessThan","value":5}]}"#, [2]),
            (#"{"where":[{"property":"length","is":"lessThanOrEqualTo","value":5}]}"#, [2, 4]),
            (#"{"where":[{"property":"length","is":"greaterThan","value":8}]}"#, [1]),
            (#"{"where":[{"property":"length","is":"greaterThanOrEqualTo","value":"eight"}]}"#, [1, 3]),
            (#"{"where":[{"property":"length","is":"between","value":[5,8]}]}"#, [3, 4, 5]),
            (#"{"where":[{"property":"region","is":"notEqualTo","value":"North"}]}"#, [3, 4, 5]),
            (
                #"{"where":[{"property":"region","value":"South"},{"property":"length","is":"lessThan","value":8}]}"#,
                [5]
            ),
            (
                #"{"where":[{"property":"region","value":"South"},{"property":"length","is":"lessThan","value":4}],"mode":"or"}"#,
                [2, 3, 5]
            ),
            (#"{"where":[],"sort":[{"property":"length","order":"descending"}],"limit":2}"#, [1, 3]),
            (#"{"where":[],"sort":"length"}"#, [2, 4, 5, 3, 1]),
            (#"{"where":[],"sort":["name",{"property":"length","order":"descending"}]}"#, [2, 5, 4, 1, 3]),
            (#"{"where":[],"sort":"region"}"#, [1, 2, 3, 5, 4]),
        ])
    func byProperty(filter: String, ids: [Int]) async throws {
        #expect(try await found(filter) == ids)
    }

    @Test(
        "an unreadable filter is rejected with the field at fault",
        arguments: [
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
    func unreadableFilter(filter: String, field: String) async throws {
        let failure = try await server.failure(.resolve, [.given("trails", json: filter)])
        #expect(
            failure.disposition == .reject && failure.reason == .invalid
                && failure.field == "parameters.trails.\(field)")
    }

    @Test("a filter for one entity leads to success, a choice or no match")
    func oneEntity() async throws {
        func one(_ name: String) async throws -> ResolvedParameter {
            try await server.resolve(
                "one", [.given("one", json: #"{"where":[{"property":"name","value":"\#(name)"}]}"#)])
        }
        #expect(try await one("Bell Brook").resolution == .success(JSON(TrailEntity.samples[1])))
        #expect(try await one("Lake Loop").resolution.options.map(\.id) == ["4", "5"])
        #expect(try await one("Moon").resolution.reason == "noMatch")
    }

    @Test("a filter that finds nothing is no match")
    func nothingFound() async throws {
        let found = try await server.resolve(
            "trails", [.given("trails", json: #"{"where":[{"property":"name","value":"Moon"}]}"#)])
        #expect(found.resolution.reason == "noMatch")
    }

    @Test("an enumerable query searches text among all entities")
    func enumerable() async throws {
        func one(_ words: String) async throws -> ResolvedParameter {
            try await server.resolve("one", [.given("one", words)])
        }
        #expect(try await one("green river").resolution == .success(JSON(TrailEntity.samples[2])))
        #expect(try await one("bell").resolution.options.map(\.id) == ["1", "2"])
        #expect(try await one("el").resolution.reason == "noMatch")
        #expect(try await one("3").resolution == .success(JSON(TrailEntity.samples[2])))
    }

    @Test("the only entity of a unique query is used without asking")
    func onlyOne() async throws {
        #expect(try await server.resolve("first", []).resolution == .success(JSON(TrailEntity.samples[0])))
    }
}
