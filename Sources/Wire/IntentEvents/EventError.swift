public import Conversation
public import IntentModel

/// Why a record is not accepted as an event.
public struct EventError: Error, Sendable, Hashable {
    public var rejection: Rejection
    /// Whether it could not be read: the original belongs in the dead letters.
    public var isDeadLetter: Bool

    public init(_ reason: RejectionReason, _ message: String, field: String? = nil, isDeadLetter: Bool) {
        rejection = Rejection(reason, message, field: field)
        self.isDeadLetter = isDeadLetter
    }

    /// Readable, but a rule is broken.
    static func invalid(_ message: String, _ field: String? = nil) -> EventError {
        EventError(.invalid, message, field: field, isDeadLetter: false)
    }

    /// A type that does not belong here: one of ours in another version, or none at all.
    static func unknownType(_ name: String, _ whatItIsNot: String) -> EventError {
        if EventType.isOtherVersion(name) {
            return EventError(
                .deprecated, "'\(name)' is another version than the 1 that is understood here", field: "type",
                isDeadLetter: true)
        }
        if let advice = EventType.removed[name] {
            return EventError(.unsupported, "'\(name)' was removed: \(advice)", field: "type", isDeadLetter: false)
        }
        return EventError(.unsupported, "'\(name)' is \(whatItIsNot)", field: "type", isDeadLetter: true)
    }

    init(_ error: JSONError) {
        switch error.code {
        case .malformed, .notUTF8: self.init(.unparseable, error.message, isDeadLetter: true)
        case .tooLarge, .tooDeep, .tooManyKeys: self.init(.complex, error.message, isDeadLetter: true)
        }
    }

    /// The error for a record of a worker or a coordinator that can't be read.
    static func unreadable(_ message: String, _ field: String) -> EventError {
        EventError(OutcomeError(message, field))
    }

    /// The error for an event that can't be read: the record belongs in the dead letters.
    init(_ error: OutcomeError) { self.init(error.reason, error.message, field: error.field, isDeadLetter: true) }
}

extension JSONView {
    /// Reads the members of an event.
    ///
    /// - Parameter visit: Visits a declaration.
    func readEvent(_ visit: (inout MemberReader) throws(OutcomeError) -> Void) throws(EventError) {
        do { try readMembers(visit) } catch { throw EventError(error) }
    }
}
