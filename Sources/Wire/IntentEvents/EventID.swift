import Conversation
import IntentModel
import RecordLog

/// The `ce_id` of an event about a request: the key of the request, and what tells the event from the others of the request. Every copy of the event has the
/// same.
enum EventID {
    /// - Parameters:
    ///   - number: of the step, or of the result.
    ///   - kind: what tells events of one step from each other, without the full stop before it.
    static func bytes(session: Identifier, request: Identifier, _ number: Int, _ kind: String = "") -> Bytes {
        let (prefix, separator): (String, StaticString) =
            Session.isPlainInKeys(session) ? (session.text, "/") : (Session.key(session: session, request: "").text, "")
        let capacity = prefix.utf8.count + request.utf8.count + kind.utf8.count + 3 + TextBuffer.longestNumber
        return TextBuffer.bytes(capacity: capacity) { id in
            id.append(prefix)
            id.append(separator)
            id.append(request)
            id.append("." as StaticString)
            id.append(Int64(number))
            if kind.isEmpty { return }
            id.append("." as StaticString)
            id.append(kind)
        }
    }
}
