public import Conversation
public import IntentModel
public import RecordLog

// What the person's side writes to `intents.answers`, and producers to `intents.requests`.
extension EventEncoder {
    /// - Parameters:
    ///   - id: the event's id; the same id again is the same event.
    ///   - partition: where the session is known to be; `nil` lets the key decide.
    ///   - topic: `intents.requests` if `nil`, or `intents.answers`: what the person's channel writes.
    ///   - token: with a claim, that of the offer.
    ///   - secret: with a claim and what follows it, that of the app (``RequestEvent/secret``).
    ///   - principal: who has caused the event, if they are authenticated. That of a request goes before it.
    public mutating func record(
        _ event: SessionEvent, session: Identifier, id: Identifier, topics: Topics, to topic: String? = nil,
        partition: Int32? = nil,
        token: String? = nil, secret: String? = nil, from principal: Principal? = nil, at now: Instant
    ) -> Record? {
        guard let (type, said) = RequestMembers.members(of: event, token: token, secret: secret) else { return nil }
        var writer = JSONWriter()
        writer.beginObject()
        var members = said
        members.members(&writer, of: type)
        writer.endObject()
        let principal = if case .requested(let request) = event { request.principal ?? principal } else { principal }
        var record = Record(
            topic: topic ?? topics.requests, partition: partition, key: Bytes(session.utf8), value: writer.bytes,
            headers: headers(type, id: Bytes(id.utf8), subject: nil, at: now, trace: event.trace, principal: principal),
            timestamp: now.milliseconds)
        switch event {
        case .answered(let answer):
            if answer.isFromAgent { record.headers.append(Self.fromAgent) }
            if !answer.roles.isEmpty { record.headers.append(Self.claims(roles: answer.roles)) }
        case .requested(let request) where request.isUnagreed: record.headers.append(Self.fromAgent)
        default: break
        }
        return record
    }

    /// What marks an event as an agent's, which agrees to nothing.
    public static let fromAgent = RecordHeader(CloudEvent.speaker, CloudEvent.agent)

    /// The claims of a principal with these roles.
    public static func claims(roles: [Identifier]) -> RecordHeader {
        RecordHeader("ce_authclaims", JSON.object(["roles": .array(roles.map { .string($0.text) })]).bytes)
    }

    /// The record of an event whose value is there already. What it says is not checked: read it as a ``RequestEvent``.
    public mutating func record(
        _ type: EventType, value: JSON, session: Identifier, id: Identifier, to topic: String,
        from principal: Principal?,
        trace: TraceContext?,
        at now: Instant
    ) -> Record {
        Record(
            topic: topic, key: Bytes(session.utf8), value: value.bytes,
            headers: headers(type, id: Bytes(id.utf8), subject: nil, at: now, trace: trace, principal: principal),
            timestamp: now.milliseconds)
    }
}

extension SessionEvent {
    fileprivate var trace: TraceContext? {
        switch self {
        case .requested(let request): request.trace
        case .undoRequested(let undo): undo.trace
        default: nil
        }
    }
}
