/// One JSON value, stored as validated UTF-8 text.
///
/// Values travel through the pipeline as text. Only the type that an author declares interprets them. Two values are
/// equal if their texts are equal.
public struct JSON: Sendable, Hashable, CustomStringConvertible {
    /// The text: one value, with nothing before or after it.
    public let bytes: [UInt8]

    /// Creates a value from text that is known to be one JSON value.
    @inlinable
    public init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// Validates a text.
    ///
    /// - Throws: ``JSONError`` with the problem and its position.
    public init(parsing bytes: [UInt8], limits: JSONLimits = .event) throws(JSONError) {
        let view = try JSONView(parsing: bytes, limits: limits)
        self = view.json
    }

    public static let null = JSON(unchecked: Array("null".utf8))

    public static func bool(_ value: Bool) -> JSON { JSON(unchecked: Array((value ? "true" : "false").utf8)) }

    public static func number(_ value: Int) -> JSON { JSON(unchecked: Array(String(value).utf8)) }

    /// A number; NaN and infinities, which JSON does not have, become `null`.
    public static func number(_ value: Double) -> JSON { make { $0.number(value) } }

    public static func string(_ value: String) -> JSON { make { $0.string(value) } }

    public static func array(_ elements: [JSON]) -> JSON {
        make { writer in
            writer.beginArray()
            for element in elements { writer.value(element) }
            writer.endArray()
        }
    }

    public static func object(_ members: KeyValuePairs<String, JSON>) -> JSON {
        make { writer in
            writer.beginObject()
            for (name, value) in members { writer.member(named: name, value) }
            writer.endObject()
        }
    }

    /// Makes the value that `write` writes.
    public static func make(_ write: (inout JSONWriter) -> Void) -> JSON {
        var writer = JSONWriter()
        write(&writer)
        return JSON(unchecked: writer.bytes)
    }

    /// A view for reading the value.
    public var view: JSONView { JSONView(unchecked: bytes, 0..<bytes.count) }

    public var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension JSON {
    /// The value in a readable form: one member or element per line, indented by two spaces per level. Empty objects
    /// and arrays stay on one line.
    public var indented: String { Self.indented(view, "") }

    private static func indented(_ view: JSONView, _ margin: String) -> String {
        let inner = margin + "  "
        switch view.kind {
        case .object where !view.members.isEmpty:
            let members = view.members.map { "\(inner)\(JSON.string($0.name)): \(indented($0.value, inner))" }
            return "{\n\(members.joined(separator: ",\n"))\n\(margin)}"
        case .array where !view.elements.isEmpty:
            let elements = view.elements.map { inner + indented($0, inner) }
            return "[\n\(elements.joined(separator: ",\n"))\n\(margin)]"
        case .object: return "{}"
        case .array: return "[]"
        default: return view.json.description
        }
    }
}
