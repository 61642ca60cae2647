import Conversation
import IntentEvents
import IntentModel

// The JSON of sessions for the HTTP interface.
extension FollowedSession {
    /// Returns the session as an item of a list.
    ///
    /// - Parameter title: Returns the title of an intent.
    func summary(for viewer: Viewer, title: (Identifier) -> String?) -> JSON {
        .make { writer in
            writer.beginObject()
            writer.member("session", id)
            writer.member("state", state.rawValue)
            if let current {
                writer.member("request", current.id)
                writer.member("intent", ifPresent: current.intent)
                writer.member("title", ifPresent: current.intent.flatMap(title))
                writer.member("status", ifPresent: current.status)
                writer.member("code", ifPresent: current.code)
                if !viewer.isMasked { writer.member("error", ifPresent: current.error) }
            }
            if viewer.scope == .all, !viewer.isMasked { writer.member("principal", ifPresent: person?.id) }
            if viewer.isMasked {
                writer.member("masked", true)
            } else {
                writer.member(
                    "dialog",
                    ifPresent: events.last { viewer.view($0) != nil && $0.data["dialog"] != nil }?.data["dialog"]?
                        .string)
            }
            writer.member("promptKind", ifPresent: openPrompt?.data["kind"]?.string)
            writer.member("expires", ifPresent: (openPrompt ?? openHandoff?.event)?.data["expires"]?.string)
            writer.member("waitsSince", ifPresent: waitsSince?.description)
            writer.member("requests", requests.count)
            writer.member("started", started.description)
            writer.member("updated", updated.description)
            writer.endObject()
        }
    }

    /// Returns the whole session.
    ///
    /// - Parameter position: The place of the last result that the session may include. A reader that follows from this
    ///   place misses no result.
    func json(for viewer: Viewer, canAnswer: Bool, position: LogPosition, title: (Identifier) -> String?) -> JSON {
        .make { writer in
            writer.beginObject()
            writer.member("session", id)
            writer.member("partition", Int(partition))
            writer.member("position", position.description)
            writer.member("state", state.rawValue)
            writer.member("masked", viewer.isMasked)
            if viewer.scope == .all, !viewer.isMasked { writer.member("principal", ifPresent: person?.id) }
            writer.member("canAnswer", canAnswer && !viewer.isMasked)
            if viewer.isAskedToApprove(self) { writer.member("approver", true) }
            writer.member("prompt", ifPresent: openPrompt.flatMap(viewer.view)?.data)
            if let (event, isClaimed) = openHandoff, let shown = viewer.view(event) {
                writer.member("handoff", shown.data)
                writer.member("handoffClaimed", isClaimed)
            }
            writer.member("requests", .array(requests.map { $0.json(masked: viewer.isMasked, title: title) }))
            writer.member("events", .array(events.compactMap { viewer.view($0)?.cloudEvent }))
            if hasEarlier { writer.member("earlier", true) }
            writer.endObject()
        }
    }
}

extension FollowedRequest {
    fileprivate func json(masked: Bool, title: (Identifier) -> String?) -> JSON {
        .make { writer in
            writer.beginObject()
            writer.member("request", id)
            writer.member("intent", ifPresent: intent)
            writer.member("title", ifPresent: intent.flatMap(title))
            writer.member("state", state.rawValue)
            writer.member("phase", ifPresent: phase)
            writer.member("status", ifPresent: status)
            writer.member("code", ifPresent: code)
            writer.member("started", started.description)
            writer.member("ended", ifPresent: ended?.description)
            if !masked { writer.member("error", ifPresent: error) }
            if isWhole { writer.member("waited", JSON.number(Int(waited))) }
            writer.member("turns", turns)
            writer.name("parameters")
            writer.beginArray()
            for parameter in parameters { parameter.write(to: &writer, masked: masked) }
            writer.endArray()
            writer.member("undo", ifPresent: undo)
            writer.endObject()
        }
    }
}
