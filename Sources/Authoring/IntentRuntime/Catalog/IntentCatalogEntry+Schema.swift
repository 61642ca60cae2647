public import IntentKit

extension IntentCatalogEntry {
    /// The use of the schema from ``parametersSchema(for:)``.
    public enum SchemaUse: String, Sendable, Hashable, CaseIterable {
        /// The parameters of a request. Every parameter may be left out or `null`, because the person is asked for it.
        /// Every parameter may be text, because resolvers convert it. The schema has no range, because the person is
        /// told about a value outside the range and asked again.
        case request
        /// The parameters of confirm and handle: every required parameter, in wire form.
        case resolved
    }

    /// A JSON Schema (2020-12) of the intent's `parameters`, with one definition for each type.
    ///
    /// Ranges of numbers are `minimum` and `maximum`; other ranges are in the description, because JSON Schema has no
    /// order for other types.
    public func parametersSchema(for use: SchemaUse = .request) -> JSON {
        let types = TypeDefinitions(parameters.map(\.type))
        return .make { writer in
            writer.beginObject()
            writer.member("$schema", "https://json-schema.org/draft/2020-12/schema")
            writer.member("title", title)
            writer.member("description", ifPresent: description)
            writer.member("type", "object")
            writer.name("properties")
            writer.beginObject()
            for parameter in parameters {
                writer.member(named: parameter.name, parameter.schema(for: use, type: types.name(of: parameter.type)))
            }
            writer.endObject()
            let required = use == .resolved ? parameters.filter(\.isRequired) : []
            if !required.isEmpty { writer.member("required", .array(required.map { .string($0.name) })) }
            writer.member("additionalProperties", false)
            if !types.all.isEmpty { writer.member("$defs", types.json) }
            writer.endObject()
        }
    }
}

extension ParameterCatalogEntry {
    fileprivate func schema(for use: IntentCatalogEntry.SchemaUse, type name: String) -> JSON {
        let value = JSON.make { writer in
            writer.beginObject()
            writer.member("$ref", "#/$defs/\(name)")
            if let bounds, isList { writer.member("items", .object(bounds)) }
            if let bounds, !isList { for (name, bound) in bounds { writer.member(named: name, bound) } }
            if let size {
                writer.member("minItems", size.lowerBound)
                if size.upperBound < .max { writer.member("maxItems", size.upperBound) }
            }
            writer.endObject()
        }
        return .make { writer in
            writer.beginObject()
            writer.member("title", title)
            writer.member("description", ifPresent: words)
            switch use {
            case .request:
                let words = JSON.object(["type": .string("string"), "description": .string("What the person said.")])
                writer.member("anyOf", .array([value, words, .object(["type": .string("null")])]))
            case .resolved: writer.member("allOf", .array([value]))
            }
            if let value = defaultValue?.value { writer.member("default", value) }
            writer.endObject()
        }
    }

    private var isList: Bool { type.schema.view["type"]?.string == "array" }

    private var bounds: KeyValuePairs<String, JSON>? {
        guard let range, range.minimum.view.kind == .number else { return nil }
        return ["minimum": range.minimum, "maximum": range.maximum]
    }

    /// The description, with the range unless it is a range of numbers.
    private var words: String? {
        guard let range, range.minimum.view.kind != .number else { return description }
        return [description, range.text].compactMap(\.self).joined(separator: " ")
    }
}

/// Unique names for types. The names are valid in a JSON Pointer in a URI.
private struct TypeDefinitions {
    private(set) var all: [(name: String, type: ParameterCatalogEntry.TypeDescription)] = []

    init(_ types: [ParameterCatalogEntry.TypeDescription]) {
        for type in types where !all.contains(where: { $0.type == type }) {
            let plain = String(
                type.name.filter { $0 != ">" }.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "." })
            var name = plain
            var number = 2
            while all.contains(where: { $0.name == name }) {
                name = "\(plain).\(number)"
                number += 1
            }
            all.append((name, type))
        }
    }

    func name(of type: ParameterCatalogEntry.TypeDescription) -> String { all.first { $0.type == type }?.name ?? "" }

    var json: JSON {
        .make { writer in
            writer.beginObject()
            for (name, type) in all { writer.member(named: name, Self.described(type)) }
            writer.endObject()
        }
    }

    /// The type's schema, with the type's description if the schema has none of its own.
    private static func described(_ type: ParameterCatalogEntry.TypeDescription) -> JSON {
        let schema = type.schema.view
        guard schema.kind == .object, schema["description"] == nil else { return type.schema }
        return .make { writer in
            writer.beginObject()
            writer.member("description", type.description)
            for (name, value) in schema.members { writer.member(named: name, value.json) }
            writer.endObject()
        }
    }
}
