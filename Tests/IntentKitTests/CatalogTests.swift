import IntentKit
import IntentRuntime
import PipelineTestKit
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

    @Test func `it lists every intent in the registry's order, with its phases and its confirmation policy`() {
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
        guard case .known(let leaves) = tea[0].options else { throw NoLeaves() }
        #expect(leaves.map(\.id) == ["sencha", "assam", "pouchong"] && leaves[1].subtitle == "Strong")
    }

    private struct NoLeaves: Error {}

    @Test func `entries are in the reader's language`() throws {
        let dutch = try #require(registry.describe("SuggestedTrails", in: "nl-NL"))
        #expect(dutch.title == "Paden voorstellen" && dutch.parameters[0].title == "Activiteit")
        #expect(dutch.text.contains("Kies een fietstocht uit ${trailCollection}"))
        #expect(dutch.text.contains("biking (Fietsen, cycling)"))
    }

    @Test func `an entry prints as a page`() throws {
        let page = """
            SuggestedTrails: Suggest Trails
              Suggests trails for an activity.
              phases: resolve, confirm, handle
              confirmation: always
              summary:
                if activity is Biking:
                  if location has a value:
                    Ride a bike within ${searchRadius} of ${location}
                  otherwise:
                    if trailCollection has a value:
                      Pick a bike ride from ${trailCollection}
                    otherwise:
                      Suggest bike rides from ${trailCollection} or near ${location}
                otherwise:
                  if location has a value:
                    Suggest ${activity} trails within ${searchRadius} of ${location}
                  otherwise:
                    if trailCollection has a value:
                      Suggest ${activity} trails from ${trailCollection}
                    otherwise:
                      Suggest ${activity} trails from ${trailCollection} or near ${location}
              parameters:
                activity: Activity (ActivityStyle, required)
                  What to do there.
                  type: one of 'biking', 'hiking', 'jogging'
                  options: biking (Biking, cycling), hiking (Hiking), jogging (Jogging)
                location: Location (Place, optional)
                  type: a place: its name, or an object with 'name' and, if known, 'latitude' and 'longitude'
                searchRadius: Search Radius (Measurement<UnitLength>, optional)
                  type: a length with its unit, such as '2 mm' or '2 cm'
                  range: 1 km to 50 km
                trailCollection: Trail Collection (String, optional)
                  type: text

            """
        #expect(registry.describe("SuggestedTrails")?.text == page)
        #expect(registry.describe("Nod")?.text.hasSuffix("  parameters: none\n") == true)
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

    @Test func `an entry prints as JSON`() throws {
        let entry = try #require(registry.describe("OrderTea")).json
        let json = entry.view
        #expect(json["name"]?.string == "OrderTea" && json["confirmation"]?.string == "depends")
        #expect(json["summary"]?["parameter"]?.string == "guest")
        #expect(json["summary"]?["cases"]?.elements.first?["is"]?.string == "hasAnyValue")
        #expect(json["summary"]?["otherwise"]?["cases"]?.elements.first?["operands"]?.json == [1])
        let parameters = json["parameters"]?.elements ?? []
        #expect(parameters.map { $0["required"]?.bool } == [true, true, true, false, false])
        let leaves = parameters[0]["options"]?["known"]?.elements.map { $0["id"]?.string }
        #expect(leaves == ["sencha", "assam", "pouchong"])
        #expect(parameters[2]["options"]?["provider"]?.string == "CupOptions")
        #expect(parameters[0]["prompts"]?["value"]?.string == "Which leaf?")
        // The indented description is valid JSON with the same parameters.
        let indented = try JSON(parsing: Array(entry.indented.utf8))
        #expect(indented.view["parameters"]?.elements.count == 5)
    }
}

@Suite("An intent's parameters have a JSON Schema") struct ParametersSchemaTests {
    private typealias Use = IntentCatalogEntry.SchemaUse

    private func schema(_ server: any IntentExtension = Teahouse(), for use: Use = .resolved) throws -> JSONView {
        let name = server.intents[0].name
        return try #require(try server.registry().describe(name)).parametersSchema(for: use).view
    }

    /// The definitions to which the properties refer.
    private func references(_ schema: JSONView) -> [String?] {
        schema["properties"]?.members.map { $0.value["allOf"]?.elements.first?["$ref"]?.string } ?? []
    }

    /// The rules for a property beside its type.
    private func rules(_ name: String, _ schema: JSONView) -> JSONView? {
        schema["properties"]?[name]?["allOf"]?.elements.first
    }

    @Test func `the schema has a definition for each type and allows no other properties`() throws {
        let schema = try schema()
        #expect(schema["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
        #expect(schema["properties"]?.members.map(\.name) == ["leaf", "pots", "cup", "guest", "note"])
        #expect(schema["$defs"]?.members.map(\.name) == ["Leaf", "Int", "Cup", "Person", "String"])
        #expect(schema["additionalProperties"]?.bool == false)
        #expect(references(schema).first == "#/$defs/Leaf")
    }

    @Test
    func `required parameters are required once resolved; in a request every parameter can be text or null`() throws {
        #expect(try schema()["required"]?.json == ["leaf", "pots", "cup"])
        let request = try schema(for: .request)
        #expect(request["required"] == nil)
        let properties = request["properties"]?.members ?? []
        #expect(properties.count == 5)
        for property in properties {
            let types = property.value["anyOf"]?.elements.map { $0["type"]?.string }
            #expect(types?.count == 3 && types?.suffix(2) == ["string", "null"], "\(property.name)")
        }
    }

    @Test func `ranges of numbers and defaults are included`() throws {
        let schema = try schema()
        let pots = rules("pots", schema)
        #expect(pots?["minimum"]?.int == 1 && pots?["maximum"]?.int == 4)
        #expect(schema["properties"]?["pots"]?["default"]?.int == 1)
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
        let schema = try schema(ConfirmationAsker<Draw>())
        let numbers = rules("numbers", schema)
        #expect(numbers?["minItems"]?.int == 1 && numbers?["maxItems"]?.int == 3)
        #expect(numbers?["items"]?["minimum"]?.int == 1 && numbers?["items"]?["maximum"]?.int == 9)
        let guesses = rules("guesses", schema)
        #expect(guesses?["minItems"]?.int == 2 && guesses?["maxItems"] == nil)
    }

    @Test func `types with the same name get separate definitions`() throws {
        let schema = try schema(ConfirmationAsker<Sizes>())
        #expect(schema["$defs"]?.members.map(\.name) == ["Size", "Size.2"])
        #expect(references(schema) == ["#/$defs/Size", "#/$defs/Size.2", "#/$defs/Size"])
    }
}
