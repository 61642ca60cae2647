import IntentKit
import Testing

/// The wire form of a type: the JSON that the type writes, other JSON that it reads, people's words for its values, and
/// the JSON that it rejects.
struct WireForm<Value: ParameterValue> {
    /// Values with the JSON that they are written as. The JSON is read back, and is valid in the type's schema.
    var written: [(Value, String)]
    /// Other JSON that clients may send.
    var read: [(String, Value)] = []
    /// People's words, with the values that they mean.
    var said: [(String, Value)] = []
    /// JSON, including strings, that the type rejects.
    var refused: [String] = []
    /// The text of a value in a sentence.
    var shown: [(Value, String)] = []

    func holds(sourceLocation: SourceLocation = #_sourceLocation) throws {
        for (value, json) in written {
            #expect(JSON(value).description == json, sourceLocation: sourceLocation)
            let violations = Value.jsonSchema.view.violations(by: try JSONView(parsing: Array(json.utf8)))
            #expect(violations == [], "\(json)", sourceLocation: sourceLocation)
        }
        for (json, value) in written.map({ ($1, $0) }) + read {
            #expect(try Self.reading(json) == value, "\(json)", sourceLocation: sourceLocation)
        }
        for (text, value) in said { #expect(Value(text: text) == value, "\(text)", sourceLocation: sourceLocation) }
        for json in refused { #expect(try Self.reading(json) == nil, "\(json)", sourceLocation: sourceLocation) }
        for (value, text) in shown { #expect(value.displayText == text, sourceLocation: sourceLocation) }
    }

    /// Reads JSON by the type alone: a string is read as text, and other JSON only if it is of the type's kind.
    static func reading(_ json: String) throws -> Value? {
        let view = try JSONView(parsing: Array(json.utf8))
        if view.kind == .string { return view.string.flatMap { Value(text: $0) } }
        return view.kind == Value.jsonKind ? Value(json: view) : nil
    }
}

extension JSONView {
    /// The keywords of this schema that a value violates. An unknown keyword is violated, so that nothing passes unchecked.
    ///
    /// - Parameters:
    ///   - isOpen: `true` if objects may have members that no schema describes.
    ///   - root: The schema with the definitions that others refer to; this schema by default.
    func violations(by value: JSONView, isOpen: Bool = false, root: JSONView? = nil) -> [String] {
        let root = root ?? self
        func isValid(_ value: JSONView, _ schema: JSONView) -> Bool {
            schema.violations(by: value, isOpen: isOpen, root: root).isEmpty
        }
        func holds(_ keyword: String, _ rule: JSONView) -> Bool {
            switch (keyword, value.kind) {
            case ("type", .number): rule.string == "number" || rule.string == "integer" && value.wholeNumber != nil
            case ("type", .bool): rule.string == "boolean"
            case ("type", let kind): rule.string == "\(kind)"
            case ("minimum", .number): value.double! >= rule.double!
            case ("maximum", .number): value.double! <= rule.double!
            case ("maxLength", .string): value.string!.unicodeScalars.count <= rule.int!
            case ("minProperties", .object): value.members.count >= rule.int!
            case ("pattern", .string): (try? Regex(rule.string!)).map { value.string!.contains($0) } == true
            case ("const", _): rule.json == value.json
            case ("enum", _): rule.elements.contains { $0.json == value.json }
            case ("required", .object): rule.elements.allSatisfy { value[$0.string!] != nil }
            case ("properties", _):
                value.members.allSatisfy { name, value in rule[name].map { isValid(value, $0) } ?? isOpen }
            case ("additionalProperties", .object): value.members.allSatisfy { self["properties"]?[$0.name] != nil }
            case ("items", _): value.elements.allSatisfy { isValid($0, rule) }
            case ("oneOf", _): rule.elements.count { isValid(value, $0) } == 1
            case ("anyOf", _): rule.elements.contains { isValid(value, $0) }
            case ("allOf", _): rule.elements.allSatisfy { isValid(value, $0) }
            case ("$ref", _):
                root["$defs"]?[String(rule.string!.dropFirst("#/$defs/".count))].map { isValid(value, $0) } == true
            default: Self.otherKeywords.contains(keyword)
            }
        }
        return members.filter { !holds($0.name, $0.value) }.map(\.name)
    }

    /// Keywords that only describe a value, or constrain values of another kind.
    private static let otherKeywords: Set = [
        "$schema", "$defs", "title", "description", "default", "format", "contentEncoding", "uniqueItems", "minimum",
        "maximum", "maxLength", "minProperties", "pattern", "required", "additionalProperties",
    ]
}
