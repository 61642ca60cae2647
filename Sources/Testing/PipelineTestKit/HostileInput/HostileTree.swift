package import IntentModel
package import RecordLog

/// A JSON text in parts that any bytes can replace, including invalid JSON.
package indirect enum HostileTree: Sendable {
    case raw(Bytes)
    case object([Member])
    case array([Member])

    /// A member of an object, with its name as it is written between quotes; or an element of an array, without a name.
    package struct Member: Sendable {
        package var name: String
        package var value: HostileTree

        package init(name: String, value: HostileTree) { (self.name, self.value) = (name, value) }
    }

    package init(_ view: JSONView) {
        switch view.kind {
        case .object: self = .object(view.members.map { Member(name: $0.name, value: HostileTree($0.value)) })
        case .array: self = .array(view.elements.map { Member(name: "", value: HostileTree($0)) })
        default: self = .raw(view.json.bytes)
        }
    }

    package var bytes: Bytes {
        switch self {
        case .raw(let bytes): return bytes
        case .object(let members):
            let texts = members.map { Bytes("\"\($0.name)\":".utf8) + $0.value.bytes }
            return Bytes("{".utf8) + texts.joined(separator: Bytes(",".utf8)) + Bytes("}".utf8)
        case .array(let elements):
            return Bytes("[".utf8) + elements.map(\.value.bytes).joined(separator: Bytes(",".utf8)) + Bytes("]".utf8)
        }
    }

    private var members: [Member] {
        switch self {
        case .raw: []
        case .object(let members), .array(let members): members
        }
    }

    /// The place of each part, as positions from the root.
    package var places: [[Int]] {
        members.enumerated().flatMap { index, member in [[index]] + member.value.places.map { [index] + $0 } }
    }

    /// Returns the names on the path to a part.
    package func name(of place: [Int]) -> String {
        guard let index = place.first else { return "" }
        let member = members[index]
        let rest = member.value.name(of: Array(place.dropFirst()))
        return (member.name.isEmpty ? "\(index)" : member.name) + (rest.isEmpty ? "" : ".\(rest)")
    }

    /// Returns the tree after an edit of the object or array that contains the part at a place.
    package func editing(_ place: [Int], _ edit: (inout [Member], Int) -> Void) -> HostileTree {
        guard let index = place.first else { return self }
        var members = members
        if place.count == 1 {
            edit(&members, index)
        } else {
            members[index].value = members[index].value.editing(Array(place.dropFirst()), edit)
        }
        if case .array = self { return .array(members) }
        return .object(members)
    }
}
