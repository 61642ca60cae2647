import IntentModel

/// The part of JSON Schema that the schemas of parameters use. An unknown keyword is an error, so that nothing passes
/// unchecked.
struct SchemaCheck {
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
        case "$schema", "$id", "$defs", "title", "description", "default", "examples", "format", "contentEncoding",
            "contentMediaType":
            return []
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
        case "enum": return check(rule.elements.contains { $0.json == value.json })
        case "const": return check(rule.json == value.json)
        case "minimum": return check((value.double ?? .infinity) >= rule.double ?? -.infinity)
        case "maximum": return check((value.double ?? -.infinity) <= rule.double ?? .infinity)
        case "items": return value.elements.enumerated().flatMap { problems($1, rule, "\(path)/\($0)") }
        case "minLength": return check(value.string.map { $0.unicodeScalars.count >= rule.int ?? 0 } ?? true)
        case "maxLength": return check(value.string.map { $0.unicodeScalars.count <= rule.int ?? .max } ?? true)
        case "pattern": return check(value.string.map { text in matches(text, rule.string ?? "") } ?? true)
        case "dependentRequired":
            return check(
                rule.members.allSatisfy { name, needed in
                    value[name] == nil || needed.elements.allSatisfy { $0.string.map { value[$0] != nil } ?? false }
                })
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

    private func matches(_ text: String, _ pattern: String) -> Bool {
        guard let expression = try? Regex(pattern) else { return false }
        return text.contains(expression)
    }
}
