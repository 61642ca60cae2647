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
            let violation = Value.jsonSchema.view.violation(by: try JSONView(parsing: Array(json.utf8)))
            #expect(violation == nil, "\(json)", sourceLocation: sourceLocation)
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
    /// The first keyword of this schema that a value violates; `nil` if the value is valid. Supports the keywords that
    /// the schemas of types use.
    func violation(by value: JSONView) -> String? {
        func holds(_ keyword: String, _ rule: JSONView) -> Bool {
            switch (keyword, value.kind) {
            case ("type", .number): rule.string == "number" || rule.string == "integer" && value.wholeNumber != nil
            case ("type", .bool): rule.string == "boolean"
            case ("type", let kind): rule.string == "\(kind)"
            case ("minimum", .number): value.double! >= rule.double!
            case ("maximum", .number): value.double! <= rule.double!
            case ("maxLength", .string): value.string!.unicodeScalars.count <= rule.int!
            case ("pattern", .string): (try? Regex(rule.string!)).map { value.string!.contains($0) } == true
            case ("const", _): rule.json == value.json
            case ("enum", _): rule.elements.contains { $0.json == value.json }
            case ("required", _): rule.elements.allSatisfy { value[$0.string!] != nil }
            case ("properties", _): value.members.allSatisfy { rule[$0.name].map($0.value.isValid(in:)) == true }
            case ("items", _): value.elements.allSatisfy { $0.isValid(in: rule) }
            case ("oneOf", _): rule.elements.count { value.isValid(in: $0) } == 1
            case ("anyOf", _): rule.elements.contains { value.isValid(in: $0) }
            default: true
            }
        }
        return members.first { !holds($0.name, $0.value) }?.name
    }

    private func isValid(in schema: JSONView) -> Bool { schema.violation(by: self) == nil }
}
