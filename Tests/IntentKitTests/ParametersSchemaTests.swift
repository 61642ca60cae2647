import IntentKit
import IntentRuntime
import PipelineTestKit
import Testing

@Suite("An intent's parameters have a JSON Schema")
struct ParametersSchemaTests {
    private let tea: IntentCatalogEntry

    init() throws {
        tea = try #require(try IntentRegistry([Teahouse()], dependencies: AppDependencyManager()).describe("OrderTea"))
    }

    @Test("the schema has a definition for each type and allows no other properties")
    func definitions() {
        let schema = tea.parametersSchema(for: .resolved).view
        #expect(schema["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
        #expect(schema["properties"]?.members.map(\.name) == ["leaf", "pots", "cup", "guest", "note"])
        #expect(schema["$defs"]?.members.map(\.name) == ["Leaf", "Int", "Cup", "Person", "String"])
        #expect(schema["additionalProperties"]?.bool == false)
        #expect(schema["properties"]?["leaf"]?["allOf"]?.elements.first?["$ref"]?.string == "#/$defs/Leaf")
    }

    @Test("required parameters are required once resolved, and not in a request")
    func required() {
        #expect(
            tea.parametersSchema(for: .resolved).view["required"]?.elements.map(\.string) == ["leaf", "pots", "cup"])
        #expect(tea.parametersSchema(for: .request).view["required"] == nil)
    }

    @Test("in a request every parameter can be text or null")
    func words() {
        let schema = tea.parametersSchema().view
        for property in schema["properties"]?.members ?? [] {
            let ways = property.value["anyOf"]?.elements ?? []
            #expect(
                ways.count == 3 && ways[1]["type"]?.string == "string" && ways[2]["type"]?.string == "null",
                "\(property.name)")
        }
    }

    @Test("ranges of numbers and defaults are included")
    func range() {
        let pots = tea.parametersSchema(for: .resolved).view["properties"]?["pots"]
        #expect(
            pots?["allOf"]?.elements.first?["minimum"]?.int == 1 && pots?["allOf"]?.elements.first?["maximum"]?.int == 4
        )
        #expect(pots?["default"]?.int == 1)
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

    @Test("a list's size and the range of its values are included")
    func list() throws {
        let schema = try #require(try ConfirmationAsker<Draw>().registry().describe("Draw")).parametersSchema(
            for: .resolved
        ).view
        let numbers = schema["properties"]?["numbers"]?["allOf"]?.elements.first
        #expect(numbers?["minItems"]?.int == 1 && numbers?["maxItems"]?.int == 3)
        #expect(numbers?["items"]?["minimum"]?.int == 1 && numbers?["items"]?["maximum"]?.int == 9)
        let guesses = schema["properties"]?["guesses"]?["allOf"]?.elements.first
        #expect(guesses?["minItems"]?.int == 2 && guesses?["maxItems"] == nil)
    }

    @Test("types with the same name get separate definitions")
    func sameName() throws {
        let schema = try #require(try ConfirmationAsker<Sizes>().registry().describe("Sizes")).parametersSchema(
            for: .resolved
        ).view
        #expect(schema["$defs"]?.members.map(\.name) == ["Size", "Size.2"])
        let names = schema["properties"]?.members.map { $0.value["allOf"]?.elements.first?["$ref"]?.string }
        #expect(names == ["#/$defs/Size", "#/$defs/Size.2", "#/$defs/Size"])
    }
}
