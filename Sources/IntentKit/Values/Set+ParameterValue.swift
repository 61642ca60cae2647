extension Set: ParameterType where Element: ParameterValue {
    public typealias Base = Self
}

/// Different values of one type, in no order.
///
/// It is read like an array; what comes twice counts once. It is written and shown in the order of its elements' JSON, so that equal sets are equal
/// on the wire.
extension Set: ParameterValue where Element: ParameterValue {
    public static var jsonKind: JSONView.Kind { .array }
    public static var typeDescription: String { "a list without repetitions, each element \(Element.typeDescription)" }
    public static var jsonSchema: JSON {
        .object(["type": .string("array"), "items": Element.jsonSchema, "uniqueItems": .bool(true)])
    }

    public init?(json: JSONView) {
        guard let elements = [Element](json: json) else { return nil }
        self.init(elements)
    }

    public init?(text: String) {
        guard let elements = [Element](text: text) else { return nil }
        self.init(elements)
    }

    public func encode(to writer: inout JSONWriter) { ordered.encode(to: &writer) }
    public var displayText: String { ordered.displayText }
    public func displayText(in locale: String?) -> String { ordered.displayText(in: locale) }
    public var optionID: String { ordered.optionID }

    /// By the bytes of their JSON: shorter first, so that small numbers stand as people count.
    var ordered: [Element] {
        let encoded = map { (bytes: JSON($0).bytes, value: $0) }
        return encoded.sorted { a, b in
            a.bytes.count == b.bytes.count ? a.bytes.lexicographicallyPrecedes(b.bytes) : a.bytes.count < b.bytes.count
        }.map(\.value)
    }

    public static var defaultConverterSpecification: ConverterSpecification {
        ConverterSpecification {
            FromText<Self>()
            SetFromArray<Element>()
            [Element].defaultConverterSpecification
        }
    }
}
