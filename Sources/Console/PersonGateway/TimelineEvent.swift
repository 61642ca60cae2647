package import Conversation
package import IntentEvents
package import IntentModel
import RecordLog

/// An event of a session as gateways show it to readers: a result, or an event from the person's side.
package struct TimelineEvent: Sendable {
    /// The topic of the event.
    package enum Origin: String, Sendable, Hashable { case results, requests, answers }

    package var origin: Origin
    package var position: LogPosition
    package var type: EventType
    package var id: Identifier
    package var source: String?
    package var time: Instant
    /// The session; `nil` for a rejection of an event whose session is unknown.
    package var session: Identifier?
    package var request: Identifier?
    /// The principal: of a result, the owner of the session; of another event, its sender.
    package var principal: Principal?
    /// The roles of the sender of an answer.
    var roles: [Identifier] = []
    package var sequence: Int?
    /// The data of the event, without secrets and without the token or secret of a handoff.
    package var data: JSON
    /// The token of an offer, which a claim needs. Readers don't get the token.
    var token: String?
    /// The forms of the event that readers share; `nil` for stored events, which are rarely read.
    private var shared: SharedText?

    package init(
        origin: Origin, position: LogPosition, type: EventType, id: Identifier, time: Instant, session: Identifier?,
        request: Identifier? = nil, data: JSON
    ) {
        self.origin = origin
        self.position = position
        self.type = type
        self.id = id
        self.time = time
        self.session = session
        self.request = request
        self.data = data
    }

    /// Makes an event from a record of `intents.results`.
    init(_ result: ReceivedResult, source: String?) {
        self.init(
            origin: .results, position: LogPosition(partition: result.partition, offset: result.offset),
            type: result.type, id: result.id ?? "\(result.partition)-\(result.offset)",
            time: result.time.flatMap(Instant.init(rfc3339:)) ?? Instant(milliseconds: max(0, result.timestamp)),
            session: result.session, request: result.request, data: result.data.json)
        (self.source, principal, sequence) = (source, result.principal, result.sequence)
        guard type == .handoffOffered, let token = result.data["token"]?.string else { return }
        self.token = token
        data = data.without(["token"])
    }

    var bytes: Int { data.bytes.count + 256 }

    /// The event with shared forms, for many readers.
    var forReaders: TimelineEvent {
        var event = self
        event.shared = SharedText()
        return event
    }

    /// The event for viewers who may not see values.
    var masked: TimelineEvent { shared?.masked { withoutValues.forReaders } ?? withoutValues }

    /// The event in CloudEvents' JSON format, with its place in the log.
    package var cloudEvent: JSON { shared?.cloudEvent(makeCloudEvent) ?? makeCloudEvent() }

    private func makeCloudEvent() -> JSON {
        .make { writer in
            writer.beginObject()
            writer.member("specversion", "1.0")
            writer.member("id", id)
            writer.member("source", source ?? "/intents")
            writer.member("type", type.rawValue)
            writer.member("time", time.description)
            writer.member("subject", ifPresent: request)
            writer.member("datacontenttype", "application/json")
            writer.member("topic", origin.rawValue)
            writer.member("position", position.description)
            writer.member("data", data)
            writer.endObject()
        }
    }
}

extension JSON {
    /// Returns the object without these members.
    func without(_ names: Set<String>) -> JSON {
        .make { writer in
            writer.beginObject()
            for (name, value) in view.members where !names.contains(name) { writer.member(named: name, value.json) }
            writer.endObject()
        }
    }
}
