/// What the schemas of parameter types are made of.
extension JSON {
    /// `{"type":"string"}`, `{"type":"string","format":"date-time"}`.
    static func typeSchema(_ type: String, format: String? = nil) -> JSON {
        guard let format else { return .object(["type": .string(type)]) }
        return .object(["type": .string(type), "format": .string(format)])
    }

    /// An object with these members, of which some have to be there.
    static func objectSchema(_ properties: KeyValuePairs<String, JSON>, required: [String]) -> JSON {
        .object([
            "type": .string("object"), "properties": .object(properties), "required": .array(required.map { .string($0) }),
        ])
    }
}
