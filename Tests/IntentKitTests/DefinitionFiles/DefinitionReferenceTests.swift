import Foundation
import IntentModel
import Testing

@testable import IntentFiles

/// The page of the keys of definition files: `GOLDEN=write` writes it again.
@Suite("The reference of definition files") struct DefinitionReferenceTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../docs/reference/definition-files.md")

    @Test func `the page is generated from the JSON Schema`() throws {
        let text = try DefinitionReference().markdown
        if ProcessInfo.processInfo.environment["GOLDEN"] == "write" {
            return try Data(text.utf8).write(to: Self.page)
        }
        #expect(try String(contentsOf: Self.page, encoding: .utf8) == text)
    }

    @Test(arguments: DefinitionKeys.allCases)
    func `every key of the reader has a row with its meaning`(_ kind: DefinitionKeys) throws {
        let rows = try DefinitionReference().rows(of: kind)
        #expect(rows.map(\.key) == kind.keys)
        for row in rows { #expect(!row.value.isEmpty && row.meaning.count > 5, "\(kind).\(row.key)") }
    }
}

/// The keys of definition files, their values and their meaning, in the words of the JSON Schema.
private struct DefinitionReference {
    private let definitions: [String: JSONView]

    init() throws {
        let members = try DefinitionSchema.json().view["$defs"]?.members ?? []
        definitions = Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value) })
    }

    var markdown: String {
        var lines = [
            "# Definition files", "",
            "<!-- Generated from the JSON Schema: GOLDEN=write swift test --filter DefinitionReferenceTests -->", "",
            """
            The keys of `*.intents.yaml` and `*.intents.json`. [The guide](../../Sources/Authoring/IntentKit/IntentKit.docc/Articles/DefinitionFiles.md) \
            begins with an example. A *text* is a text or one for each language: `{en: Seats, nl: Plaatsen}`; the first is shown for other languages. A \
            *duration* is `200ms`, `5s`, `2m`, `1h`, or `PT5S`. A *type* is one of \(types), the name of an enumeration or an entity of the file, or \
            a list such as `[string]`.
            """,
        ]
        for kind in DefinitionKeys.allCases {
            lines += ["", "## \(kind.rawValue)", ""]
            if let text = definitions[kind.rawValue]?["description"]?.string { lines += [text, ""] }
            lines += ["| key | value | meaning |", "|---|---|---|"]
            lines += rows(of: kind).map { "| `\($0.key)` | \($0.value) | \($0.meaning) |" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    func rows(of kind: DefinitionKeys) -> [(key: String, value: String, meaning: String)] {
        let definition = definitions[kind.rawValue]
        let required = (definition?["required"]?.elements ?? []).compactMap(\.string)
        return kind.keys.compactMap { key in
            guard let member = definition?["properties"]?[key] else { return nil }
            var meaning = [required.contains(key) ? "Required." : "", description(of: member)]
            if let value = member["default"] { meaning.append("Defaults to \(Self.code(value)).") }
            let text = meaning.filter { !$0.isEmpty }.joined(separator: " ").replacing("|", with: "\\|")
            return (key, words(of: member), text)
        }
    }

    /// The names of types, as the schema lists them.
    private var types: String {
        let text = definitions["typeName"]?["anyOf"]?.elements.first?["description"]?.string ?? ""
        return text.split(separator: ", ").dropLast().map { "`\($0)`" }.joined(separator: ", ")
    }

    private func description(of member: JSONView) -> String {
        member["description"]?.string ?? target(of: member)?.view["description"]?.string ?? ""
    }

    private func target(of member: JSONView) -> (name: String, view: JSONView)? {
        guard let name = member["$ref"]?.string?.split(separator: "/").last.map(String.init) else { return nil }
        return definitions[name].map { (name, $0) }
    }

    private func words(of value: JSONView) -> String {
        if let (name, view) = target(of: value) {
            if DefinitionKeys(rawValue: name) != nil { return "[\(name)](#\(name.lowercased()))" }
            switch name {
            case "text", "duration", "type": return name
            case "typeName": return "type"
            case "scalar", "word": return "text, number or Boolean"
            case "options": return "list of values or of [option](#option), or texts or [option](#option) by id"
            case "when": return "parameter, or parameter: value, list of values or [comparison](#comparison)"
            default: return words(of: view)
            }
        }
        if let constant = value["const"] { return Self.code(constant) }
        if let choices = value["enum"]?.elements { return choices.map(Self.code).joined(separator: ", ") }
        if let forms = value["anyOf"]?.elements {
            var found: [String] = []
            for form in forms.map({ words(of: $0) }) where !found.contains(form) {
                found.append(form == "list of \(found.last ?? "")" ? "a list of them" : form)
            }
            return found.joined(separator: ", or ")
        }
        switch value["type"]?.string {
        case "array": return value["items"].map { "list of \(words(of: $0))" } ?? "list"
        case "object":
            let by = value["properties"]?.members.map(\.name) ?? []
            if !by.isEmpty { return "mapping with \(by.map { "`\($0)`" }.joined(separator: ", "))" }
            return value["additionalProperties"].map { "by name: \(words(of: $0))" } ?? "mapping"
        case "integer", "number": return "number\(bounds(of: value))"
        case "string": return "text"
        case "boolean": return "`true` or `false`"
        default: return value["type"] == nil ? "any value" : "text, number or Boolean"
        }
    }

    private func bounds(of value: JSONView) -> String {
        guard let least = value["minimum"], let most = value["maximum"] else { return "" }
        return ", \(least.json) to \(most.json)"
    }

    private static func code(_ value: JSONView) -> String {
        let texts = value.elements.compactMap(\.string)
        return texts.isEmpty ? "`\(value.string ?? value.json.description)`" : "`[\(texts.joined(separator: ", "))]`"
    }
}
