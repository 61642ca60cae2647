package import Conversation
package import IntentEvents
package import IntentModel
import RecordLog

/// What the person's side says: an event for `intents.answers`, or for `intents.requests`.
package struct SaidEvent: Sendable {
    /// By which channel it goes.
    package enum Channel: Sendable, Hashable {
        /// The person's own: `intents.answers`. All that a person says goes there, so that it stays in order.
        case person
        /// That of an agent, which asks for things and fills them in: `intents.requests`. With `--trust separate` it can agree to nothing.
        case agent
    }

    package var type: EventType
    package var session: Identifier
    /// The same id again is the same event.
    package var id: Identifier
    /// The event's value, such as `{"prompt":…,"action":"accept"}`.
    package var data: JSON
    package var principal: Principal?
    package var channel: Channel
    package var trace: TraceContext?
    /// Whether it is marked as an agent's, which agrees to nothing: coordinators check it, also those without `--trust separate`.
    package var isFromAgent = false

    package init(
        _ type: EventType, session: Identifier, id: Identifier, data: JSON, principal: Principal? = nil, channel: Channel = .person,
        trace: TraceContext? = nil
    ) {
        self.type = type
        self.session = session
        self.id = id
        self.data = data
        self.principal = principal
        self.channel = channel
        self.trace = trace
    }

    /// The record, and the event as a coordinator will read it.
    ///
    /// - Throws: ``IntentEvents/EventError`` with what a coordinator would refuse it for without looking at the session.
    func record(_ topics: Topics, at now: Instant) throws(EventError) -> (record: Record, event: RequestEvent) {
        var encoder = EventEncoder(source: "/intents/gateway")
        var record = encoder.record(
            type, value: data, session: session, id: id, to: channel == .person ? topics.answers : topics.requests, from: principal,
            trace: trace, at: now)
        if isFromAgent { record.headers.append(EventEncoder.fromAgent) }
        let read = ConsumedRecord(
            topic: record.topic, partition: 0, offset: 0, timestamp: now.milliseconds, key: record.key, value: record.value,
            headers: record.headers)
        let event = try RequestEvent(read)
        // What the contract requires and only the session would miss, such as the secret of a claim.
        let required = Contract.event(of: type, on: .answers)?.members.filter(\.isRequired) ?? []
        func isMissing(_ member: ContractMember) -> Bool {
            guard let value = data.view[member.name] else { return true }
            return value.isNull && !member.schema.takesAnyValue
        }
        if let missing = required.first(where: isMissing)?.name {
            throw EventError(.invalid, "'\(missing)' is missing", field: missing, isDeadLetter: false)
        }
        if let secret = event.secret, !RequestEvent.secretLength.contains(secret.utf8.count) {
            throw EventError(
                .invalid, "'secret' is that of the claim, and has \(RequestEvent.secretLength) bytes", field: "secret", isDeadLetter: false)
        }
        return (record, event)
    }
}
