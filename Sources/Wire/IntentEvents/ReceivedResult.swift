public import Conversation
public import IntentModel
public import RecordLog

/// A result as a reader of `intents.results` sees it.
public struct ReceivedResult: Sendable {
    /// `nil` in a rejection of an event whose session is not known.
    public var session: Identifier?
    /// Counts up by one in a session. The same number again is a copy of the same result: skip it.
    public var sequence: Int?
    public var type: EventType
    public var id: Identifier?
    /// When it was decided, in RFC 3339. A copy has the same id, time and data.
    public var time: String?
    public var request: Identifier?
    /// Whose session it is, if a principal has opened it. In a rejection outside of any session: who has sent what was rejected.
    public var principal: Principal?
    /// Everything that the result says, by name.
    public var data: JSONView
    public var partition: Int32
    public var offset: Int64
    /// Milliseconds since 1970.
    public var timestamp: Int64

    /// - Throws: ``EventError`` if the record is no result that is understood here.
    public init(_ record: ConsumedRecord) throws(EventError) {
        let event = try CloudEvent(record, limits: .journal)
        guard let type = event.type, type.isResult else {
            throw EventError(.unsupported, "'\(event.typeName)' is no result", field: "type", isDeadLetter: true)
        }
        self.type = type
        id = event.id.map { Identifier($0) }
        time = record.headers.first { $0.name == "ce_time" }?.text
        data = event.data
        for (name, value) in event.data.members {
            switch name {
            case "session": session = value.identifier
            case "sequence": sequence = value.int
            case "request": request = value.identifier
            case "principal": principal = Principal(value)
            default: break
            }
        }
        partition = record.partition
        offset = record.offset
        timestamp = record.timestamp
    }

    /// The prompt's id, if it is a prompt.
    public var prompt: Identifier? { type == .promptIssued ? data["prompt"]?.identifier : nil }

    /// What kind of prompt it is, if it is one.
    public var promptKind: Prompt.Kind? { type == .promptIssued ? data["kind"]?.string.flatMap(Prompt.Kind.init) : nil }

    /// The handoff's id, if an app is offered one.
    public var offeredHandoff: Identifier? { type == .handoffOffered ? data["handoff"]?.identifier : nil }

    /// How the request ended, if it did.
    public var status: Completion.Status? {
        type == .completed ? data["status"]?.string.flatMap(Completion.Status.init) : nil
    }
}
