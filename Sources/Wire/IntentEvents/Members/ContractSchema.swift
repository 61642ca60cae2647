public import IntentModel

/// A JSON Schema, of the keywords that mean the same in the drafts 07 (which AsyncAPI has) and 2020-12. A reference names a shape of
/// the contract.
public struct ContractSchema: Sendable, Hashable {
    public var json: JSON

    init(_ keywords: KeyValuePairs<String, JSON>) { json = .object(keywords) }

    /// Where a reference leads in a schema that stands alone.
    package static let definitions = "#/$defs/"

    // MARK: Values

    /// Any value.
    package static let any = ContractSchema([:])
    package var takesAnyValue: Bool { self == .any }
    package static let boolean = ContractSchema(["type": .string("boolean")])
    /// A flag that is only there if it is set.
    package static let flag = ContractSchema(["const": .bool(true)])
    package static let text = ContractSchema(["type": .string("string")])
    /// A text that is not empty.
    package static let someText = text.with(["minLength": .number(1)])
    /// RFC 3339. Only a date's validity within its month is not checked.
    package static let time = ContractSchema([
        "type": .string("string"), "format": .string("date-time"),
        "pattern": .string(
            #"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$"#
        ),
    ])
    /// A map by name of any values.
    package static let values = map(of: .any)
    package static let texts = list(of: .text)

    package static func constant(_ text: String) -> ContractSchema { ContractSchema(["const": .string(text)]) }

    /// One of the cases of an enumeration. A later version may have more.
    package static func cases<Case: CaseIterable & RawRepresentable>(_ type: Case.Type) -> ContractSchema
    where Case.RawValue == String {
        words(type.allCases.map(\.rawValue))
    }

    package static func words(_ words: [String]) -> ContractSchema {
        ContractSchema(["type": .string("string"), "enum": .array(words.map { .string($0) })])
    }

    /// A text of so many bytes, of which a schema can only say that it has no more characters, and at least a quarter of the smallest number: a character has up to four.
    package static func text(_ bytes: ClosedRange<Int>) -> ContractSchema {
        ContractSchema([
            "type": .string("string"), "minLength": .number((bytes.lowerBound + 3) / 4),
            "maxLength": .number(bytes.upperBound),
        ])
    }

    /// The same, without control characters and marks of direction.
    package static func name(_ bytes: ClosedRange<Int>) -> ContractSchema {
        text(bytes).with(["not": .object(["pattern": .string(controlCharacters)])])
    }

    package static func text(matching pattern: String) -> ContractSchema {
        ContractSchema(["type": .string("string"), "pattern": .string(pattern)])
    }

    package static func integer(_ range: ClosedRange<Int>) -> ContractSchema {
        ContractSchema([
            "type": .string("integer"), "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound),
        ])
    }

    package static func integer(from least: Int) -> ContractSchema {
        ContractSchema(["type": .string("integer"), "minimum": .number(least)])
    }

    /// Milliseconds, which readers bring inside of their bounds.
    package static let milliseconds = integer(0...PolicyBounds.maximumMilliseconds)

    package static let number = ContractSchema(["type": .string("number")])

    package static func number(_ range: ClosedRange<Double>) -> ContractSchema {
        ContractSchema([
            "type": .string("number"), "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound),
        ])
    }

    // MARK: Parts

    package static func list(of element: ContractSchema) -> ContractSchema {
        ContractSchema(["type": .string("array"), "items": element.json])
    }

    package static func list(of element: ContractSchema, _ count: ClosedRange<Int>) -> ContractSchema {
        list(of: element).with(["minItems": .number(count.lowerBound), "maxItems": .number(count.upperBound)])
    }

    package static func list(of element: ContractSchema, atLeast count: Int) -> ContractSchema {
        list(of: element).with(["minItems": .number(count)])
    }

    package static func map(of value: ContractSchema) -> ContractSchema {
        ContractSchema(["type": .string("object"), "additionalProperties": value.json])
    }

    /// An object that readers take with more members than these: what they don't know, they ignore.
    package static func object(_ members: [ContractMember]) -> ContractSchema {
        let properties = JSON.make { writer in
            writer.beginObject()
            for member in members { writer.member(named: member.name, member.schema.about(member.about).json) }
            writer.endObject()
        }
        let required = members.filter(\.isRequired).map { JSON.string($0.name) }
        let schema = ContractSchema(["type": .string("object"), "properties": properties])
        return required.isEmpty ? schema : schema.with(["required": .array(required)])
    }

    package static func either(_ schemas: [ContractSchema]) -> ContractSchema {
        ContractSchema(["anyOf": .array(schemas.map(\.json))])
    }

    package var orNull: ContractSchema { Self.either([self, ContractSchema(["type": .string("null")])]) }

    /// The schema with exactly one of these members.
    package func withOne(of names: [String]) -> ContractSchema {
        with(["oneOf": .array(names.map { Self.having($0).json })])
    }

    /// The schema with exactly one of these members, where one that is `null` is not there.
    package func withOneValue(of names: [String]) -> ContractSchema {
        let value = ContractSchema(["not": ContractSchema(["type": .string("null")]).json])
        return with(["oneOf": .array(names.map { Self.having($0, value).json })])
    }

    /// The schema with what other members have to be if a member has this value.
    package func with(_ members: KeyValuePairs<String, ContractSchema>, ifHaving name: String, _ value: ContractSchema)
        -> ContractSchema
    {
        let other = ContractSchema(["not": Self.having(name, value).json])
        let then = ContractSchema([
            "properties": .make { writer in
                writer.beginObject()
                for (name, schema) in members { writer.member(named: name, schema.json) }
                writer.endObject()
            }
        ])
        return withAny(of: [other, then])
    }

    /// The schema with at least one of these.
    package func withAny(of schemas: [ContractSchema]) -> ContractSchema {
        with(["anyOf": .array(schemas.map(\.json))])
    }

    /// An object with this member.
    package static func having(_ name: String) -> ContractSchema {
        ContractSchema(["required": .array([.string(name)])])
    }

    /// An object with this member and this value.
    package static func having(_ name: String, _ value: ContractSchema) -> ContractSchema {
        having(name).with(["properties": .object([name: value.json])])
    }

    package func with(_ keywords: KeyValuePairs<String, JSON>) -> ContractSchema {
        let all = json.view.members.map { ($0.name, $0.value.json) } + keywords.map { ($0.key, $0.value) }
        return ContractSchema(
            json: .make { writer in
                writer.beginObject()
                for (name, value) in all { writer.member(named: name, value) }
                writer.endObject()
            })
    }

    /// Beside a reference, draft 07 ignores all else.
    package func about(_ about: String) -> ContractSchema {
        let isReference = json.view["$ref"] != nil
        let description = ContractSchema(["description": .string(about)])
        if isReference { return description.with(["allOf": .array([json])]) }
        return ContractSchema(
            json: .make { writer in
                writer.beginObject()
                writer.member("description", about)
                for member in json.view.members { writer.member(named: member.name, member.value.json) }
                writer.endObject()
            })
    }

    private init(json: JSON) { self.json = json }

    // MARK: References

    /// The shapes that the schema refers to.
    package var references: Set<ContractShape> {
        var found: Set<ContractShape> = []
        Self.visit(json.view) { found.insert($0) }
        return found
    }

    private static func visit(_ view: JSONView, _ see: (ContractShape) -> Void) {
        for member in view.members {
            if member.name == "$ref", let shape = member.value.string.flatMap(shape) { see(shape) }
            visit(member.value, see)
        }
        for element in view.elements { visit(element, see) }
    }

    private static func shape(_ reference: String) -> ContractShape? {
        reference.hasPrefix(definitions) ? ContractShape(rawValue: String(reference.dropFirst(definitions.count))) : nil
    }

    /// The schema with its references leading elsewhere.
    package func referring(to place: String) -> JSON { Self.referring(json.view, place) }

    private static func referring(_ view: JSONView, _ place: String) -> JSON {
        switch view.kind {
        case .object:
            .make { writer in
                writer.beginObject()
                for member in view.members {
                    if member.name == "$ref", let shape = member.value.string.flatMap(shape) {
                        writer.member("$ref", place + shape.rawValue)
                    } else {
                        writer.member(named: member.name, referring(member.value, place))
                    }
                }
                writer.endObject()
            }
        case .array: .array(view.elements.map { referring($0, place) })
        default: view.json
        }
    }

    /// A pattern that finds one of the characters that names don't have.
    package static let controlCharacters: String = {
        var ranges: [ClosedRange<UInt32>] = []
        for value in UInt32(0)...0xFFFF where Unicode.Scalar(value)?.isControl == true {
            if let last = ranges.last, last.upperBound + 1 == value {
                ranges[ranges.count - 1] = last.lowerBound...value
            } else {
                ranges.append(value...value)
            }
        }
        func escaped(_ value: UInt32) -> String {
            let digits = String(value, radix: 16, uppercase: true)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "["
            + ranges.map {
                $0.count == 1 ? escaped($0.lowerBound) : "\(escaped($0.lowerBound))-\(escaped($0.upperBound))"
            }.joined()
            + "]"
    }()
}
