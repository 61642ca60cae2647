import Foundation
import IntentKit
import IntentRuntime
import PipelineTestKit
import SampleDomains
import TestTrails
import Testing

@Suite("The catalogue describes what a process serves") struct CatalogTests {
    private let registry: IntentRegistry

    init() throws {
        let table = try LocalizedTable([
            "Activity": ["nl": "Activiteit"], "Biking": ["nl": "Fietsen"],
            "Suggest Trails": ["nl": "Paden voorstellen"],
            "Pick a bike ride from ${trailCollection}": ["nl": "Kies een fietstocht uit ${trailCollection}"],
        ])
        registry = try IntentRegistry(
            [Teahouse(), ConfirmationAsker<SuggestedTrails>(localizations: [table])],
            dependencies: AppDependencyManager())
    }

    @Test func `the catalogue lists every intent in order, with its phases and its confirmation policy`() {
        #expect(registry.catalog.map(\.name) == ["OrderTea", "Nod", "SuggestedTrails"])
        #expect(registry.describe("Sleep") == nil)
        #expect(registry.catalog.map(\.confirmation) == [.depends, .never, .always])
        let all: [Phase] = [.resolve, .confirm, .handle]
        #expect(registry.catalog.map(\.phases) == [all, [.confirm, .handle], all])
    }

    @Test func `a parameter's entry has everything from its declaration`() throws {
        let tea = try #require(registry.describe("OrderTea")).parameters
        #expect(tea.map(\.name) == ["leaf", "pots", "cup", "guest", "note"])
        #expect(tea.map(\.type.name) == ["Leaf", "Int", "Cup", "Person", "String"])
        #expect(tea.map(\.isRequired) == [true, true, true, false, false])
        #expect(tea[0].prompts.map { "\($0.name): \($0.value)" } == ["value: Which leaf?"])
        let range = try #require(tea[1].range)
        #expect(range.minimum == 1 && range.maximum == 4 && range.text == "1 to 4")
        #expect(tea[1].defaultValue?.value == 1 && tea[1].defaultValue?.text == "1")
        #expect(tea[2].options == .provided(by: "CupOptions") && tea[4].options == .any)
        let leaves = if case .known(let all) = tea[0].options { all } else { [ParameterCatalogEntry.Option]() }
        #expect(leaves.map(\.id) == ["sencha", "assam", "pouchong"] && leaves.map(\.subtitle) == [nil, "Strong", nil])
    }

    @Test func `entries are in the reader's language`() throws {
        let dutch = try #require(registry.describe("SuggestedTrails", in: "nl-NL"))
        #expect(dutch.title == "Paden voorstellen" && dutch.parameters[0].title == "Activiteit")
        #expect(dutch.text.contains("Kies een fietstocht uit ${trailCollection}"))
        #expect(dutch.text.contains("biking (Fietsen, cycling)"))
    }

    @Test func `a parameter of an author's own type prints with the type's name and its range`() throws {
        struct Stroll: Intent {
            static let title: LocalizedText = "Stroll"
            @Parameter(title: "Radius", .inclusiveRange(Kilometres(1)...Kilometres(50))) var radius: Kilometres?
            static let parameters = Parameters<Self>(\.$radius)
        }
        let text = try ConfirmationAsker<Stroll>().registry().describe("Stroll")?.text
        let lines = "(Kilometres, optional)\n      type: a value of type Kilometres\n      range: 1 km to 50 km\n"
        #expect(text?.contains(lines) == true)
    }
}

@Suite("An intent's parameters have a JSON Schema") struct ParametersSchemaTests {
    private func schema(_ server: any IntentExtension) throws -> JSONView {
        try #require(try server.registry().describe(server.intents[0].name)).parametersSchema(for: .resolved).view
    }

    /// The rules for each property.
    private func rules(_ schema: JSONView) -> [JSONView] {
        schema["properties"]?.members.compactMap { $0.value["allOf"]?.elements.first } ?? []
    }

    private enum Big {
        enum Size: String, AppEnum {
            case large
            static let typeDisplayRepresentation: TypeDisplayRepresentation = "Size"
            static let caseDisplayRepresentations: [Self: DisplayRepresentation] = [:]
        }
    }

    private enum Small {
        enum Size: String, AppEnum {
            case little
            static let typeDisplayRepresentation: TypeDisplayRepresentation = "Size"
            static let caseDisplayRepresentations: [Self: DisplayRepresentation] = [:]
        }
    }

    private struct Sizes: Intent {
        static let title: LocalizedText = "Sizes"
        @Parameter(title: "A") var a: Big.Size
        @Parameter(title: "B") var b: Small.Size
        @Parameter(title: "C") var c: Big.Size?
        static let parameters = Parameters<Self>(\.$a, \.$b, \.$c)
    }

    private struct Draw: Intent {
        static let title: LocalizedText = "Draw lots"
        @Parameter(title: "Numbers", size: .between(1...3), .inclusiveRange(1...9)) var numbers: [Int]
        @Parameter(title: "Guesses", size: .atLeast(2)) var guesses: [Int]?
        static let parameters = Parameters<Self>(\.$numbers, \.$guesses)
    }

    @Test func `a list's size and the range of its values are included`() throws {
        let rules = rules(try schema(ConfirmationAsker<Draw>()))
        #expect(rules.map { $0["minItems"]?.int } == [1, 2] && rules.map { $0["maxItems"]?.int } == [3, nil])
        #expect(rules[0]["items"]?["minimum"]?.int == 1 && rules[0]["items"]?["maximum"]?.int == 9)
    }

    @Test func `types with the same name get separate definitions`() throws {
        let schema = try schema(ConfirmationAsker<Sizes>())
        #expect(schema["$defs"]?.members.map(\.name) == ["Size", "Size.2"])
        #expect(rules(schema).map { $0["$ref"]?.string } == ["#/$defs/Size", "#/$defs/Size.2", "#/$defs/Size"])
    }
}

@Suite("The schemas of ride requests") struct RideSchemaTests {
    private let registry: IntentRegistry
    private let description: IntentCatalogEntry

    init() throws {
        registry = try RideExtension().registry()
        description = try #require(registry.describe("RequestRide"))
    }

    /// One value of each type, in wire form.
    private let full: [(String, JSON)] = [
        ("pickup", ["name": "Airport", "locality": "A", "latitude": 53.4, "longitude": -6.2, "identifier": "dub"]),
        ("dropOff", ["name": "Phoenix Park"]), ("partySize", 6), ("ride", JSON(Fleet.dublin.options[0])),
        ("scheduledTime", "2026-03-02T18:30:00Z"), ("payment", "businessAccount"),
    ]

    private func violations(_ use: IntentCatalogEntry.SchemaUse, _ members: [(String, JSON)]) -> [String] {
        description.parametersSchema(for: use).view.violations(by: JSON(members).view, isOpen: true)
    }

    /// Returns `true` if all values are accepted with another value for a parameter.
    private func accepts(_ use: IntentCatalogEntry.SchemaUse, _ name: String, _ value: JSON) -> Bool {
        violations(use, full.map { $0.0 == name ? (name, value) : $0 }).isEmpty
    }

    @Test(arguments: IntentCatalogEntry.SchemaUse.allCases)
    func `accept every value in wire form, and refuse unsuitable JSON`(_ use: IntentCatalogEntry.SchemaUse) {
        #expect(violations(use, full) == [] && violations(use, full + [("bags", 1)]) != [])
        let unsuitable: [(String, JSON)] = [("partySize", 7), ("partySize", true), ("dropOff", [])]
        for (name, value) in unsuitable { #expect(!accepts(use, name, value), "\(name)") }
    }

    @Test func `accept requests within the ranges, and their resolved values`() async throws {
        let root = (0..<3).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let file = root.appending(path: "Examples/Rides/Resources/requests.jsonl")
        let known = Set(description.parameters.map(\.name))
        var count = 0
        for (number, line) in try String(contentsOf: file, encoding: .utf8).split(separator: "\n").enumerated() {
            let request = try JSONView(parsing: Array(line.utf8))
            let given = request["parameters"]?.members.map { ($0.name, $0.value.json) } ?? []
            guard number.isMultiple(of: 9), request["intent"]?.string == "RequestRide",
                known.isSuperset(of: given.map(\.0)),
                let all = try? await registry.resolve("RequestRide", given.map { .given($0.0, $0.1) })
            else { continue }
            let isOutside = all.contains { ["aboveMaximum", "belowMinimum"].contains($0.resolution.reason) }
            #expect(violations(.request, given).isEmpty == !isOutside, "\(line)")
            let members = all.compactMap { each in each.resolution.value.map { (each.name, $0) } }
            #expect(violations(.resolved, members).filter { $0 != "required" } == [], "\(line)")
            count += members.count
        }
        #expect(count > 100)
    }

    @Test(arguments: ["dropOff", "partySize", "ride"])
    func `accept text for every parameter in a request, and only the wire form once resolved`(_ name: String) {
        for value: JSON in ["so", .null] { #expect(accepts(.request, name, value) && !accepts(.resolved, name, value)) }
        #expect(violations(.request, []) == [] && violations(.resolved, []) != [])
    }
}
