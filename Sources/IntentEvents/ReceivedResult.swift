public import Conversation
public import IntentModel
public import RecordLog

/// A result as a reader of `intents.results` sees it.
public struct ReceivedResult: Sendable {
    /// `nil` in a rejection of an event whose session is not known.
    public var session: String?
    /// Counts up by one in a session. The same number again is a copy of the same result: skip it.
    public var sequence: Int?
    public var type: EventType
    public var id: String?
    public var request: String?
    /// Everything that the result says, by name.
    public var data: JSONView
    public var partition: Int32
    public var offset: Int64
    /// Milliseconds since 1970.
    public var timestamp: Int64

    /// - Throws: ``EventError`` if the record is no result that is understood here.
    public init(_ record: ConsumedRecord) throws(EventError) {
        let event = try CloudEvent(record, limits: .journal)
        guard let type = event.type.flatMap(EventType.init(rawValue:)), type.isResult else {
            throw EventError(.unsupported, "'\(event.type ?? "")' is no result", field: "type", isDeadLetter: true)
        }
        self.type = type
        id = event.id
        data = event.data
        for (name, value) in event.data.members {
            switch name {
            case "session": session = value.string
            case "sequence": sequence = value.int
            case "request": request = value.string
            default: break
            }
        }
        partition = record.partition
        offset = record.offset
        timestamp = record.timestamp
    }

    /// The prompt's id, if it is a prompt.
    public var prompt: String? { type == .promptIssued ? data["prompt"]?.string : nil }

    /// What kind of prompt it is, if it is one.
    public var promptKind: Prompt.Kind? { type == .promptIssued ? data["kind"]?.string.flatMap(Prompt.Kind.init) : nil }

    /// The handoff's id, if an app is offered one.
    public var offeredHandoff: String? { type == .handoffOffered ? data["handoff"]?.string : nil }

    /// How the request ended, if it did.
    public var status: Completion.Status? { type == .completed ? data["status"]?.string.flatMap(Completion.Status.init) : nil }
}

/// Follows the sequences of many sessions, and tells what is new.
public struct SequenceFilter: Sendable {
    public enum Verdict: Sendable, Hashable {
        case new
        /// Seen before: a coordinator that was paused sent it again.
        case copy
        /// Something is missing before it.
        case gap(expected: Int)
    }

    private var last: [String: (sequence: Int, timestamp: Int64)] = [:]

    public init() {}

    /// - Parameter timestamp: the record's, in milliseconds since 1970. A session that was forgotten counts from 1 again, later than all before; a
    ///   copy of the first result is as old as that.
    /// - Returns: what a result is after those before it. The first one of a session that is seen may have any number.
    public mutating func judge(session: String, sequence: Int, timestamp: Int64) -> Verdict {
        guard let last = last[session], sequence != 1 || timestamp <= last.timestamp else {
            self.last[session] = (sequence, timestamp)
            return .new
        }
        if sequence <= last.sequence { return .copy }
        self.last[session] = (sequence, timestamp)
        return sequence == last.sequence + 1 ? .new : .gap(expected: last.sequence + 1)
    }
}
