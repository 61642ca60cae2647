package import Conversation
package import IntentEvents
package import IntentModel
import RecordLog

/// An event from the person's side for `intents.answers` or `intents.requests`.
package struct SaidEvent: Sendable {
    /// The channel of an event, which decides its topic.
    package enum Channel: Sendable, Hashable {
        /// The person's own channel: `intents.answers`. All events of a person go there, so that they stay in order.
        case person
        /// The channel of an agent, which requests intents and fills in values: `intents.requests`. With `--trust
        /// separate`, nothing on this channel can agree.
        case agent
    }

    package var type: EventType
    package var session: Identifier
    /// The id of the event. A second event with the same id is a copy.
    package var id: Identifier
    /// The event's value, such as `{"prompt":…,"action":"accept"}`.
    package var data: JSON
    package var principal: Principal?
    /// The roles of the principal, for an answer to an approval.
    package var roles: [Identifier] = []
    package var channel: Channel
    package var trace: TraceContext?
    /// `true` if the event is marked as an agent's, which never agrees. Coordinators check the mark, also without
    /// `--trust separate`.
    package var isFromAgent = false

    package init(
        _ type: EventType, session: Identifier, id: Identifier, data: JSON, principal: Principal? = nil,
        channel: Channel = .person,
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

    /// Returns the record, and the event as a coordinator will read it.
    ///
    /// - Throws: ``IntentEvents/EventError`` if a coordinator would reject the event without looking at the session.
    func record(_ topics: Topics, at now: Instant) throws(EventError) -> (record: Record, event: RequestEvent) {
        var encoder = EventEncoder(source: "/intents/gateway")
        var record = encoder.record(
            type, value: data, session: session, id: id, to: channel == .person ? topics.answers : topics.requests,
            from: principal,
            trace: trace, at: now)
        if !roles.isEmpty, principal != nil { record.headers.append(EventEncoder.claims(roles: roles)) }
        if isFromAgent { record.headers.append(EventEncoder.fromAgent) }
        let read = ConsumedRecord(
            topic: record.topic, partition: 0, offset: 0, timestamp: now.milliseconds, key: record.key,
            value: record.value,
            headers: record.headers)
        let event = try RequestEvent(read)
        // The contract requires these members, but only the session would notice that one is missing, such as the
        // secret of a claim.
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
                .invalid, "'secret' is that of the claim, and has \(RequestEvent.secretLength) bytes", field: "secret",
                isDeadLetter: false)
        }
        return (record, event)
    }
}
