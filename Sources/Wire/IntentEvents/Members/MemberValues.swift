import Conversation
package import IntentModel

// The values of members that have no members of their own.

extension String: MemberValue {
    package static var schema: ContractSchema { .text }
    package func encode(to writer: inout JSONWriter) { writer.string(self) }
    package static func read(_ cursor: inout JSONCursor) -> String? { cursor.string() }
}

extension Identifier: MemberValue {
    package static var schema: ContractSchema { .text }
    package func encode(to writer: inout JSONWriter) { writer.string(text) }
    package static func read(_ cursor: inout JSONCursor) -> Identifier? { cursor.string().map { Identifier($0) } }
}

extension Bool: MemberValue {
    package static var schema: ContractSchema { .boolean }
    package func encode(to writer: inout JSONWriter) { writer.bool(self) }
    package static func read(_ cursor: inout JSONCursor) -> Bool? { cursor.bool() }
}

extension Int: MemberValue {
    package static var schema: ContractSchema { .integer(from: 0) }
    package func encode(to writer: inout JSONWriter) { writer.number(self) }
    package static func read(_ cursor: inout JSONCursor) -> Int? { cursor.int() }
}

extension Double: MemberValue {
    package static var schema: ContractSchema { .number(0...1) }
    package func encode(to writer: inout JSONWriter) { writer.number(self) }
    package static func read(_ cursor: inout JSONCursor) -> Double? { cursor.double() }
}

extension JSON: MemberValue {
    package static var schema: ContractSchema { .any }
    package func encode(to writer: inout JSONWriter) { writer.value(self) }
    package static func read(_ cursor: inout JSONCursor) -> JSON? { cursor.json() }
}

/// Milliseconds, brought inside of the bounds of policies.
extension Duration: MemberValue {
    package static var schema: ContractSchema { .milliseconds }
    package func encode(to writer: inout JSONWriter) { writer.number(PolicyBounds.milliseconds(self)) }

    package static func read(_ cursor: inout JSONCursor) -> Duration? {
        cursor.int().map { .milliseconds(min(max($0, 0), PolicyBounds.maximumMilliseconds)) }
    }
}

/// A time limit from an author: milliseconds, or a length of time as text (``JSONView/answerDuration``).
package struct AnswerDuration: MemberValue {
    /// `nil` if it can't be read.
    package var duration: Duration?

    package static var schema: ContractSchema { .milliseconds }
    package func encode(to writer: inout JSONWriter) { writer.number((duration ?? .zero).milliseconds) }

    package static func read(_ cursor: inout JSONCursor) -> AnswerDuration? {
        cursor.kind == .null ? nil : AnswerDuration(duration: cursor.json().view.answerDuration)
    }
}

extension Duration {
    /// Whole milliseconds, brought inside of what can be said.
    var milliseconds: Int { Int(Instant(milliseconds: 0).advanced(by: self).milliseconds) }
}

extension ResponseCode: MemberValue {
    package static var schema: ContractSchema { .text }
    package func encode(to writer: inout JSONWriter) { writer.string(rawValue) }
    package static func read(_ cursor: inout JSONCursor) -> Self? { cursor.string().map { Self(rawValue: $0) } }
}

extension MemberValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    package static var schema: ContractSchema { .cases(Self.self) }
    package func encode(to writer: inout JSONWriter) { writer.string(rawValue) }
    package static func read(_ cursor: inout JSONCursor) -> Self? { cursor.string().flatMap(Self.init) }
}

extension Phase: MemberValue {}
extension ReadAs: MemberValue {}
extension Principal.Kind: MemberValue {}
extension IntentEffect: MemberValue {}
extension CancellationReason: MemberValue {}
extension RejectionReason: MemberValue {}
extension MemoryScope: MemberValue {}
extension ParameterState.Provenance.Source: MemberValue {}

/// A word that this version does not know is ``ParameterState/Origin/given``.
extension ParameterState.Origin: MemberValue {
    package static func read(_ cursor: inout JSONCursor) -> Self? {
        guard let word = cursor.word() else { return .given }
        return switch word {
        case "chosen": .chosen
        case "confirmed": .confirmed
        case "resolved": .resolved
        case "notRequired": .notRequired
        default: .given
        }
    }
}

extension Array: MemberValue where Element: MemberValue {
    package static var schema: ContractSchema { .list(of: Element.schema) }

    package mutating func encode(to writer: inout JSONWriter) {
        writer.beginArray()
        for var element in self { element.encode(to: &writer) }
        writer.endArray()
    }

    package static func read(_ cursor: inout JSONCursor) throws(OutcomeError) -> [Element]? {
        guard cursor.kind == .array else { return nil }
        var elements: [Element] = []
        try cursor.array { value throws(OutcomeError) in
            try Element.read(&value, into: &elements)
        }
        return elements
    }
}

/// Values by name, in the order of the names.
extension Dictionary: MemberValue where Key == String, Value: MemberValue {
    package static var schema: ContractSchema { .map(of: Value.schema) }

    package mutating func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        for (name, var value) in sorted(by: { $0.key < $1.key }) {
            writer.name(named: name)
            value.encode(to: &writer)
        }
        writer.endObject()
    }

    package static func read(_ cursor: inout JSONCursor) throws(OutcomeError) -> [String: Value]? {
        guard cursor.kind == .object else { return nil }
        var values: [String: Value] = [:]
        try cursor.object { name, value throws(OutcomeError) in values[name.string] = try Value.read(&value) }
        return values
    }
}
