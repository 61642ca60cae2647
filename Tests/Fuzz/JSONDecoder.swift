import IntentEvents
import IntentModel

/// Decodes JSON within all bounds and in all ways. A value that was read and written again must read the same.
func decodeJSON(_ input: [UInt8]) {
    for limits in [JSONLimits.event, .outcome, .journal] {
        do {
            let view = try JSONView(parsing: input, limits: limits)
            walk(view, depth: 0)
            view.withCursor { checkInOrder(&$0, view) }
            checkRewritten(view)
            if limits == .journal { checkMask(view) }
        } catch {
            require(
                !error.message.isEmpty && !error.message.hasControlCharacters,
                "a JSON error has a message without control characters")
            require(error.offset.map { 0...input.count ~= $0 } ?? true, "the place of a JSON error is in the text")
        }
    }
}

private func walk(_ view: JSONView, depth: Int) {
    require(depth <= JSONLimits.journal.maximumDepth, "the depth of JSON is bounded")
    _ = (view.int, view.double, view.bool, view.isNull)
    if let string = view.string { require(JSON.string(string).view.string == string, "a string is read as written") }
    let names = view.fields.map(\.name.string)
    for name in names.prefix(8) { require(view[name] != nil, "a member is found by its name") }
    for (_, value) in view.members { walk(value, depth: depth + 1) }
    for element in view.elements { walk(element, depth: depth + 1) }
}

/// Checks that a value read from front to back equals the value found by other ways.
private func checkInOrder(_ cursor: inout JSONCursor, _ view: JSONView) {
    require(cursor.kind == view.kind, "a value is of one kind")
    switch view.kind {
    case .object:
        var members = view.fields.makeIterator()
        cursor.object { name, value in
            guard let (expected, view) = members.next() else { return require(false, "an object has as many members") }
            require(name.string == expected.string, "a member has one name")
            checkInOrder(&value, view)
        }
        require(members.next() == nil, "an object has all of its members")
    case .array:
        var elements = view.elements.makeIterator()
        cursor.array { value in
            guard let view = elements.next() else { return require(false, "an array has as many elements") }
            checkInOrder(&value, view)
        }
        require(elements.next() == nil, "an array has all of its elements")
    case .string: require(cursor.string() == view.string, "a string is the same")
    case .bool: require(cursor.bool() == view.bool, "a boolean is the same")
    case .number: require(cursor.int() == view.int, "a number is the same")
    case .null: break
    }
}

private func checkRewritten(_ view: JSONView) {
    require((try? JSON(parsing: view.json.bytes, limits: .journal)) == view.json, "the text of a value is that value")
    let indented = Array(view.json.indented.utf8)
    guard
        let again = try? JSONView(
            parsing: indented, limits: JSONLimits(maximumBytes: .max, maximumDepth: 64, maximumKeys: .max))
    else { return require(false, "indented JSON is JSON") }
    require(same(view, again), "indented JSON is the same value")
}

private func same(_ a: JSONView, _ b: JSONView) -> Bool {
    guard a.kind == b.kind else { return false }
    switch a.kind {
    case .object:
        return a.members.count == b.members.count
            && zip(a.members, b.members).allSatisfy { $0.name == $1.name && same($0.value, $1.value) }
    case .array: return a.elements.count == b.elements.count && zip(a.elements, b.elements).allSatisfy { same($0, $1) }
    default: return a.json == b.json
    }
}

private func checkMask(_ view: JSONView) {
    var mask = SecretMask()
    mask.note(view)
    let hidden = mask.hiding(view)
    require((try? JSON(parsing: hidden.bytes, limits: .journal)) != nil, "what is shown of a session is JSON")
}
