import Foundation
import IntentModel
import Testing

@testable import IntentFiles

@Suite("The JSON Schema of the format") struct SchemaTests {
    private func definitions() throws -> [(name: String, value: JSONView)] {
        try DefinitionSchema.json().view["$defs"]?.members ?? []
    }

    @Test(arguments: DefinitionKeys.allCases)
    func `has every key that the reader knows, and no other`(_ kind: DefinitionKeys) throws {
        let definition = try #require(try definitions().first { $0.name == kind.rawValue }).value
        #expect(definition["properties"]?.members.map(\.name).sorted() == kind.keys.sorted())
        #expect(definition["additionalProperties"]?.bool == false)
    }

    @Test func `describes only the kinds of mapping that the reader knows`() throws {
        let objects = try definitions().filter { $0.value["properties"] != nil }.map(\.name)
        #expect(objects.sorted() == DefinitionKeys.allCases.map(\.rawValue).sorted())
    }

    @Test func `has no key that the sample lacks`() throws {
        let words = try Golden.text("restaurant.intents.yaml").split { !$0.isLetter && !$0.isNumber }.map(String.init)
        let spelled: Set = [
            "lessThan", "lessThanOrEqualTo", "greaterThanOrEqualTo", "equalTo", "notEqualTo", "oneOf", "noneOf",
        ]
        #expect(Set(DefinitionKeys.allCases.flatMap(\.keys)).subtracting(words).subtracting(spelled).isEmpty)
    }

    private static let hasValidator: Bool =
        run(["python3", "-c", "import jsonschema; jsonschema.Draft202012Validator"], input: "") == 0

    @Test(
        .enabled(if: hasValidator, "python3 with jsonschema is not on this machine"),
        arguments: [("restaurant", true), ("parameters", false), ("fulfilment", false), ("top", false)])
    func `accepts the sample, and refuses files with unknown keys or types`(_ name: String, _ isValid: Bool) throws {
        let file = "\(name).intents.yaml"
        let root = try DefinitionParser.parse(try Golden.bytes(file), file: file)
        let json = Field(node: root, path: [], mark: root.mark, findings: Findings(file)).json
        let input = JSON.array([try DefinitionSchema.json(), json]).description
        let program =
            "import json,sys,jsonschema\ns,d=json.load(sys.stdin)\njsonschema.Draft202012Validator(s).validate(d)"
        #expect((Self.run(["python3", "-c", program], input: input) == 0) == isValid)
    }

    private static func run(_ arguments: [String], input: String) -> Int32? {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("schema-\(UUID().uuidString)")
        guard (try? Data(input.utf8).write(to: file)) != nil else { return nil }
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardInput = try? FileHandle(forReadingFrom: file)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        process.waitUntilExit()
        return process.terminationStatus
    }
}
