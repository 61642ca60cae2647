import Conversation
import IntentModel

/// A time in RFC 3339.
extension Instant: MemberValue {
    static var schema: ContractSchema { .time }
    func encode(to writer: inout JSONWriter) { writer.string(description) }

    static func read(_ cursor: inout JSONCursor) -> Instant? {
        guard let word = cursor.word(),
            let milliseconds = word.isEscaped ? Timestamp.parse(word.string) : Timestamp.parse(word.bytes)
        else { return nil }
        return Instant(milliseconds: milliseconds)
    }
}

extension Ticket: MemberValue {
    static var schema: ContractSchema { .text(matching: "^[0-9a-f]{32}$") }
    func encode(to writer: inout JSONWriter) { writer.string(description) }

    static func read(_ cursor: inout JSONCursor) -> Ticket? {
        guard let word = cursor.word() else { return nil }
        return word.isEscaped ? Ticket(word.string) : Ticket(utf8: word.bytes)
    }
}
