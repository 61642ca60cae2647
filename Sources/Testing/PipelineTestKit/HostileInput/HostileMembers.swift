import IntentModel
package import RecordLog

/// The members of a JSON object or the elements of a list, as texts that any bytes can replace, including invalid JSON.
package struct HostileMembers: Sendable {
    /// A member of an object, with its name as it is written between quotes; or an element of a list, without a name.
    package struct Member: Sendable {
        package var name: String
        package var value: Bytes
    }

    package var members: [Member]
    private var isObject: Bool

    /// Creates the members of an object or a list; `nil` for any other text.
    package init?(_ text: Bytes) {
        guard let view = try? JSONView(parsing: text, limits: .journal) else { return nil }
        switch view.kind {
        case .object:
            members = view.members.map {
                Member(
                    name: String(JSON.string($0.name).description.dropFirst().dropLast()), value: $0.value.json.bytes)
            }
        case .array: members = view.elements.map { Member(name: "", value: $0.json.bytes) }
        default: return nil
        }
        isObject = view.kind == .object
    }

    package var bytes: Bytes {
        let texts = members.map { isObject ? Bytes("\"\($0.name)\":".utf8) + $0.value : $0.value }
        let joined = Bytes(texts.joined(separator: [UInt8(ascii: ",")]))
        return isObject ? Bytes("{".utf8) + joined + Bytes("}".utf8) : Bytes("[".utf8) + joined + Bytes("]".utf8)
    }

    /// Returns a text after an edit of the object or list that contains a part.
    ///
    /// - Parameter place: The positions on the path to the part; empty for the whole text.
    static func editing(_ text: Bytes, _ place: ArraySlice<Int>, _ edit: (inout [Member], Int) -> Void) -> Bytes {
        guard let index = place.first else {
            var root = [Member(name: "", value: text)]
            edit(&root, 0)
            return Bytes(root.map(\.value).joined(separator: [UInt8(ascii: ",")]))
        }
        guard var tree = HostileMembers(text), tree.members.indices.contains(index) else { return text }
        if place.count == 1 {
            edit(&tree.members, index)
        } else {
            tree.members[index].value = editing(tree.members[index].value, place.dropFirst(), edit)
        }
        return tree.bytes
    }
}
