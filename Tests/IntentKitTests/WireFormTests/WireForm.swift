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
            #expect(try Self.reading(json) == value, "\(json)", sourceLocation: sourceLocation)
            let complaint = Value.jsonSchema.view.complaint(about: try JSONView(parsing: Array(json.utf8)))
            #expect(complaint == nil, "\(json)", sourceLocation: sourceLocation)
        }
        for (json, value) in read {
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
    /// The first violation of this schema by a value; `nil` if the value is valid. Supports the keywords that the
    /// schemas of types use.
    func complaint(about value: JSONView) -> String? {
        if let type = self["type"]?.string {
            let names: [JSONView.Kind: [String]] = [
                .bool: ["boolean"], .number: value.wholeNumber == nil ? ["number"] : ["number", "integer"],
                .string: ["string"],
                .array: ["array"], .object: ["object"], .null: ["null"],
            ]
            guard names[value.kind]?.contains(type) == true else { return "not of type \(type)" }
        }
        if let minimum = self["minimum"]?.double, let number = value.double, number < minimum {
            return "less than \(minimum)"
        }
        if let maximum = self["maximum"]?.double, let number = value.double, number > maximum {
            return "more than \(maximum)"
        }
        if let length = self["maxLength"]?.int, let text = value.string, text.unicodeScalars.count > length {
            return "too long"
        }
        if let pattern = self["pattern"]?.string, let text = value.string {
            guard let regex = try? Regex(pattern), text.contains(regex) else {
                return "'\(text)' is not like \(pattern)"
            }
        }
        if let constant = self["const"], constant.json != value.json { return "not \(constant.json)" }
        if let allowed = self["enum"], !allowed.elements.contains(where: { $0.json == value.json }) {
            return "not in \(allowed.json)"
        }
        if let required = self["required"] {
            for name in required.elements.compactMap(\.string) where value[name] == nil { return "without \(name)" }
        }
        if let properties = self["properties"] {
            for (name, member) in value.members {
                guard let schema = properties[name] else { return "an unknown member \(name)" }
                if let complaint = schema.complaint(about: member) { return "\(name): \(complaint)" }
            }
        }
        if let items = self["items"] {
            for element in value.elements { if let complaint = items.complaint(about: element) { return complaint } }
        }
        if let one = self["oneOf"], one.elements.filter({ $0.complaint(about: value) == nil }).count != 1 {
            return "not one of them"
        }
        if let any = self["anyOf"], !any.elements.contains(where: { $0.complaint(about: value) == nil }) {
            return "none of them"
        }
        return nil
    }
}
