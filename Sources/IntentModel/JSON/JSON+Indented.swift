extension JSON {
    /// The same for people to read: a member or element a line, two spaces a level; what is empty stays in its line.
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
