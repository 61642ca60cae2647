import IntentEvents
import IntentModel

/// All bounds of JSON, all ways to read it, and that what was read and written again reads the same.
func decodeJSON(_ input: [UInt8]) {
    for limits in [JSONLimits.event, .outcome, .journal] {
        do {
            let view = try JSONView(parsing: input, limits: limits)
            walk(view, depth: 0)
            checkRewritten(view)
            if limits == .journal { checkMask(view) }
        } catch {
            require(!error.message.isEmpty && !error.message.hasControlCharacters, "a JSON error has a message without control characters")
            require(error.offset.map { 0...input.count ~= $0 } ?? true, "the place of a JSON error is in the text")
        }
    }
}

private func walk(_ view: JSONView, depth: Int) {
    require(depth <= JSONLimits.journal.maximumDepth, "the depth of JSON is bounded")
    _ = (view.int, view.double, view.bool, view.isNull)
    if let string = view.string { require(JSON.string(string).view.string == string, "a string is read as it was written") }
    let names = view.fields.map(\.name.string)
    for name in names.prefix(8) { require(view[name] != nil, "a member is found by its name") }
    for (_, value) in view.members { walk(value, depth: depth + 1) }
    for element in view.elements { walk(element, depth: depth + 1) }
}

private func checkRewritten(_ view: JSONView) {
    require((try? JSON(parsing: view.json.bytes, limits: .journal)) == view.json, "the text of a value is that value")
    let indented = Array(view.json.indented.utf8)
    guard let again = try? JSONView(parsing: indented, limits: JSONLimits(maximumBytes: .max, maximumDepth: 64, maximumKeys: .max)) else {
        return require(false, "indented JSON is JSON")
    }
    require(same(view, again), "indented JSON is the same value")
}

private func same(_ a: JSONView, _ b: JSONView) -> Bool {
    guard a.kind == b.kind else { return false }
    switch a.kind {
    case .object:
        return a.members.count == b.members.count && zip(a.members, b.members).allSatisfy { $0.name == $1.name && same($0.value, $1.value) }
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
