import Foundation
import IntentKit
import IntentRuntime
import PipelineTestKit
import SampleDomains
import Testing

@Suite("The schemas of ride requests")
struct ParametersSchemaTests {
    private let registry: IntentRegistry
    private let description: IntentCatalogEntry

    init() throws {
        registry = try rides()
        description = try #require(registry.describe("RequestRide"))
    }

    /// One value of each type, in wire form.
    private var full: [(name: String, value: JSON)] {
        [
            (
                "pickup",
                JSON(
                    Place(
                        name: "Airport", locality: "Collinstown",
                        coordinate: Coordinate(latitude: 53.4, longitude: -6.2), identifier: "dub"
                    ))
            ),
            ("dropOff", JSON(Place(name: "Phoenix Park"))), ("partySize", JSON(6)),
            ("ride", JSON(Fleet.dublin.options[0])),
            ("scheduledTime", JSON(Date(timeIntervalSince1970: 1_772_476_200))),
            ("payment", JSON(PaymentMethod.businessAccount)),
        ]
    }

    private func object(_ members: [(name: String, value: JSON)]) -> JSON {
        .make { writer in
            writer.beginObject()
            for (name, value) in members { writer.member(named: name, value) }
            writer.endObject()
        }
    }

    private func changed(_ name: String, _ value: JSON) -> JSON {
        object(full.map { $0.name == name ? (name, value) : $0 })
    }

    @Test("accept every value in wire form", arguments: IntentCatalogEntry.SchemaUse.allCases)
    func wire(_ use: IntentCatalogEntry.SchemaUse) {
        #expect(SchemaCheck(description.parametersSchema(for: use)).problems(with: object(full)) == [])
    }

    @Test("accept requests within the ranges, and their resolved values")
    func resolved() async throws {
        let (request, resolved) = (
            SchemaCheck(description.parametersSchema()), SchemaCheck(description.parametersSchema(for: .resolved))
        )
        let known = Set(description.parameters.map(\.name))
        var count = 0
        for line in RideRequests.all.enumerated().filter({ $0.offset.isMultiple(of: 9) }).map(\.element) {
            let json = try JSON(parsing: Array(line.utf8))
            guard json.view["intent"]?.string == "RequestRide", let parameters = json.view["parameters"] else {
                continue
            }
            guard known.isSuperset(of: parameters.members.map(\.name)) else { continue }
            let states = parameters.members.map { ParameterState(name: $0.name, value: $0.value.json) }
            guard let all = try? await registry.resolve("RequestRide", states) else { continue }
            let isOutside = all.contains { parameter in
                if case .unsupported("aboveMaximum", _) = parameter.resolution { return true }
                if case .unsupported("belowMinimum", _) = parameter.resolution { return true }
                return false
            }
            #expect(request.problems(with: parameters.json).isEmpty == !isOutside, "\(line)")
            var members: [(name: String, value: JSON)] = []
            for each in all {
                if case .success(let value) = each.resolution { members.append((each.name, value)) }
            }
            #expect(
                resolved.problems(with: object(members)).filter { !$0.contains("against required") } == [], "\(line)")
            count += members.count
        }
        #expect(count > 100)
    }

    @Test("accept text for every parameter in a request, and only the wire form once resolved")
    func words() {
        let (request, resolved) = (
            SchemaCheck(description.parametersSchema()), SchemaCheck(description.parametersSchema(for: .resolved))
        )
        for name in ["dropOff", "partySize", "ride"] {
            #expect(request.problems(with: changed(name, .string("as I said"))) == [])
            #expect(resolved.problems(with: changed(name, .string("as I said"))) != [])
            #expect(request.problems(with: changed(name, .null)) == [])
            #expect(resolved.problems(with: changed(name, .null)) != [])
        }
        #expect(request.problems(with: object([])) == [])
        #expect(resolved.problems(with: object([])) != [])
    }

    @Test("refuse unsuitable JSON", arguments: IntentCatalogEntry.SchemaUse.allCases)
    func refused(_ use: IntentCatalogEntry.SchemaUse) {
        let check = SchemaCheck(description.parametersSchema(for: use))
        #expect(check.problems(with: changed("partySize", .number(7))) != [])
        #expect(check.problems(with: changed("partySize", .bool(true))) != [])
        #expect(check.problems(with: changed("dropOff", .array([]))) != [])
        #expect(check.problems(with: object(full + [("bags", .number(1))])) != [])
    }
}
