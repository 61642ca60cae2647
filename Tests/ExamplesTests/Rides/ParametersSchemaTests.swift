import Conversation
import Foundation
import IntentEvents
import IntentKit
import IntentRuntime
import PipelineTestKit
import SampleDomains
import Testing

/// The part of JSON Schema that the schemas of a ride use. An unknown keyword is an error, so that nothing passes
/// unchecked.
private struct SchemaCheck {
    let root: JSONView

    init(_ schema: JSON) { root = schema.view }

    /// The violations of the schema; empty if the value is valid.
    func problems(with value: JSON) -> [String] { problems(value.view, root, "") }

    private func problems(_ value: JSONView, _ schema: JSONView, _ path: String) -> [String] {
        schema.members.flatMap { keyword, rule in problems(value, keyword, rule, schema, path) }
    }

    private func problems(_ value: JSONView, _ keyword: String, _ rule: JSONView, _ schema: JSONView, _ path: String)
        -> [String]
    {
        func check(_ isRight: Bool) -> [String] {
            isRight ? [] : ["\(path): \(value.json) against \(keyword) \(rule.json)"]
        }
        func count(_ schemas: [JSONView]) -> Int { schemas.count { problems(value, $0, path).isEmpty } }
        switch keyword {
        case "$schema", "$defs", "title", "description", "default", "format": return []
        case "$ref":
            let name = String((rule.string ?? "").dropFirst("#/$defs/".count))
            return root["$defs"]?[name].map { problems(value, $0, path) } ?? ["\(path): no definition \(name)"]
        case "type":
            return check((rule.string.map { [$0] } ?? rule.elements.compactMap(\.string)).contains { isOf($0, value) })
        case "properties":
            return rule.members.flatMap { name, rule in value[name].map { problems($0, rule, "\(path)/\(name)") } ?? []
            }
        case "required":
            guard value.kind == .object else { return [] }
            return check(rule.elements.allSatisfy { name in name.string.map { value[$0] != nil } ?? false })
        case "additionalProperties":
            guard rule.bool == false else { return [] }
            let known = Set(schema["properties"]?.members.map(\.name) ?? [])
            return check(value.members.allSatisfy { known.contains($0.name) })
        case "anyOf": return check(count(rule.elements) >= 1)
        case "oneOf": return check(count(rule.elements) == 1)
        case "allOf": return check(count(rule.elements) == rule.elements.count)
        case "const": return check(rule.json == value.json)
        case "minimum": return check((value.double ?? .infinity) >= rule.double ?? -.infinity)
        case "maximum": return check((value.double ?? -.infinity) <= rule.double ?? .infinity)
        default: return ["\(path): unknown keyword \(keyword)"]
        }
    }

    private func isOf(_ type: String, _ value: JSONView) -> Bool {
        switch type {
        case "boolean": value.kind == .bool
        case "integer": value.kind == .number && value.double.map { $0 == $0.rounded() } ?? false
        default: value.kind.rawValue == type
        }
    }
}

@Suite("The schemas of ride requests") struct ParametersSchemaTests {
    private let registry: IntentRegistry
    private let description: IntentCatalogEntry

    init() throws {
        registry = try Rides().registry()
        description = try #require(registry.describe("RequestRide"))
    }

    /// One value of each type, in wire form.
    private let full: [(name: String, value: JSON)] = [
        (
            "pickup",
            JSON(
                Place(
                    name: "Airport", locality: "Collinstown",
                    coordinate: Coordinate(latitude: 53.4, longitude: -6.2), identifier: "dub"))
        ),
        ("dropOff", JSON(Place(name: "Phoenix Park"))), ("partySize", JSON(6)),
        ("ride", JSON(Fleet.dublin.options[0])),
        ("scheduledTime", JSON(Date(timeIntervalSince1970: 1_772_476_200))),
        ("payment", JSON(PaymentMethod.businessAccount)),
    ]

    private func problems(_ use: IntentCatalogEntry.SchemaUse, _ members: [(name: String, value: JSON)]) -> [String] {
        SchemaCheck(description.parametersSchema(for: use)).problems(
            with: .make { writer in
                writer.beginObject()
                for (name, value) in members { writer.member(named: name, value) }
                writer.endObject()
            })
    }

    /// Returns `true` if all values are accepted with another value for a parameter.
    private func accepts(_ use: IntentCatalogEntry.SchemaUse, _ name: String, _ value: JSON) -> Bool {
        problems(use, full.map { $0.name == name ? (name, value) : $0 }).isEmpty
    }

    @Test(arguments: IntentCatalogEntry.SchemaUse.allCases)
    func `accept every value in wire form`(_ use: IntentCatalogEntry.SchemaUse) {
        #expect(problems(use, full) == [])
    }

    @Test func `accept requests within the ranges, and their resolved values`() async throws {
        let known = Set(description.parameters.map(\.name))
        var count = 0
        for line in RideRequests.all.enumerated().filter({ $0.offset.isMultiple(of: 9) }).map(\.element) {
            let given = line.request.parameters.map { ($0.name, $0.value ?? .null) }
            guard line.request.intent == "RequestRide", known.isSuperset(of: given.map(\.0)),
                let all = try? await registry.resolve("RequestRide", line.request.parameters)
            else { continue }
            let isOutside = all.contains { ["aboveMaximum", "belowMinimum"].contains($0.resolution.reason) }
            #expect(problems(.request, given).isEmpty == !isOutside, "\(line)")
            let members = all.compactMap { each in each.resolution.value.map { (each.name, $0) } }
            #expect(problems(.resolved, members).filter { !$0.contains("against required") } == [], "\(line)")
            count += members.count
        }
        #expect(count > 100)
    }

    @Test(arguments: ["dropOff", "partySize", "ride"])
    func `accept text for every parameter in a request, and only the wire form once resolved`(_ name: String) {
        for value: JSON in ["as I said", .null] {
            #expect(accepts(.request, name, value) && !accepts(.resolved, name, value))
        }
        #expect(problems(.request, []) == [] && problems(.resolved, []) != [])
    }

    @Test(arguments: IntentCatalogEntry.SchemaUse.allCases)
    func `refuse unsuitable JSON`(_ use: IntentCatalogEntry.SchemaUse) {
        let unsuitable: [(String, JSON)] = [
            ("partySize", .number(7)), ("partySize", .bool(true)), ("dropOff", .array([])),
        ]
        for (name, value) in unsuitable { #expect(!accepts(use, name, value), "\(name)") }
        #expect(problems(use, full + [("bags", .number(1))]) != [])
    }
}
