package import RecordLog

/// A named edit that makes a valid record hostile.
package struct HostileEdit: Sendable {
    /// The part of a record that an edit is about.
    package enum Part: Sendable {
        /// The value of a member or an element.
        case value
        /// A member, except its value.
        case member
        case header
        /// A header in addition to one of the same name.
        case secondHeader
        case headers
        /// The record's value as a whole.
        case whole
        /// The record's value as a whole, in structured mode.
        case structured
        case key
        case time
    }

    package var part: Part
    package var name: String
    package var apply: @Sendable (inout Record) -> Void
}

extension HostileInput {
    /// Returns an edit of a part of a record.
    package mutating func edit(_ part: HostileEdit.Part, of record: Record) -> HostileEdit {
        switch part {
        case .value, .member: return edit(part, in: record.value ?? [])
        case .header:
            let (header, value) = (pick(HostileTables.headerNames), pick(HostileTables.headers))
            return HostileEdit(part: part, name: "header \(header) = \(value.name)") {
                $0.headers.removeAll { $0.name == header }
                $0.headers.append(RecordHeader(header, value.value))
            }
        case .secondHeader:
            let (header, value) = (pick(HostileTables.headerNames), pick(HostileTables.headers))
            return HostileEdit(part: part, name: "second header \(header) = \(value.name)") {
                $0.headers.insert(RecordHeader(header, value.value), at: 0)
            }
        case .headers:
            let edit = pick(HostileTables.floods)
            return HostileEdit(part: part, name: edit.name) { $0.headers = edit.value($0.headers) }
        case .whole:
            let edit = pick(HostileTables.wholes)
            return HostileEdit(part: part, name: "value \(edit.name)") { $0.value = edit.value($0.value ?? []) }
        case .structured:
            let edit = pick(HostileTables.wholes)
            return HostileEdit(part: part, name: "structured, value \(edit.name)") {
                $0.value = edit.value($0.value ?? [])
                $0.headers.removeAll { $0.name == "content-type" }
                $0.headers.append(RecordHeader("content-type", "application/cloudevents+json"))
            }
        case .key:
            let key = pick(HostileTables.keys)
            return HostileEdit(part: part, name: "key \(key.name)") { $0.key = key.value }
        case .time:
            let time = pick(HostileTables.times)
            return HostileEdit(part: part, name: "timestamp \(time)") { $0.timestamp = time }
        }
    }

    private mutating func edit(_ part: HostileEdit.Part, in text: Bytes) -> HostileEdit {
        var (place, path, text) = ([Int](), [String](), text)
        while let members = HostileMembers(text)?.members, let index = members.indices.randomElement(using: &self) {
            place.append(index)
            path.append(members[index].name.isEmpty ? "\(index)" : members[index].name)
            text = members[index].value
            if once(in: 8) { break }
        }
        // A root without members is edited as a whole.
        let (found, name) = (place[...], path.isEmpty ? "the value" : path.joined(separator: "."))
        if part == .member {
            let edit = pick(HostileTables.members)
            return HostileEdit(part: part, name: "\(name) \(edit.name)") {
                $0.value = HostileMembers.editing($0.value ?? [], found, edit.value)
            }
        }
        // Every other value is of the same kind, so that readers often accept it.
        let same = HostileTables.valuesByKind[HostileTables.kind(of: text)] ?? []
        let value = pick(same.isEmpty || once(in: 2) ? HostileTables.values : same)
        return HostileEdit(part: part, name: "\(name) = \(value.name)") {
            $0.value = HostileMembers.editing($0.value ?? [], found) { $0[$1].value = value.value }
        }
    }

    /// Edits a record. Most edits are of its value, so that the value often stays readable.
    ///
    /// - Parameter other: Another valid record, whose headers or bytes an edit may continue with.
    package mutating func edit(_ record: inout Record, with other: Record) {
        switch Int.random(in: 0..<24, using: &self) {
        case 0: record.key = pick([nil, bytes(upTo: 1), bytes(upTo: 140), pick(HostileTables.keys).value])
        case 1:
            guard let index = record.headers.indices.randomElement(using: &self) else { return }
            switch Int.random(in: 0..<4, using: &self) {
            case 0: record.headers.remove(at: index)
            case 3: record.headers[index].value = nil
            case 1: record.headers[index].value?.append(contentsOf: bytes(upTo: 2))
            default: record.headers[index].value = pick(HostileTables.headers).value
            }
        case 2: record.headers = other.headers
        case 3: record.headers = record.headers.map { RecordHeader($0.name, bytes(upTo: 12)) }
        case 4: record.headers.append(RecordHeader("content-type", "application/cloudevents+json"))
        case 5: record.timestamp = timestamp()
        case 6 where once(in: 2): record.value = nil
        case 6...12: record.value = record.value.map { edited($0, with: other.value ?? []) }
        default:
            let parts: [HostileEdit.Part] = [
                .value, .value, .value, .value, .value, .member, .member, .header, .secondHeader, .headers, .whole,
                .structured,
            ]
            edit(pick(parts), of: record).apply(&record)
        }
    }
}
