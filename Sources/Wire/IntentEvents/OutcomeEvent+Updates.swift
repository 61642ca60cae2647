import Conversation
import IntentModel

extension OutcomeEvent {
    /// What a handler tells after it has succeeded.
    static func update(_ data: JSONView, isEnd: Bool) throws(EventError) -> Outcome {
        guard let request = data["request"]?.identifier, let step = data["step"]?.int else {
            throw .unreadable("an update needs 'request' and 'step'", "request")
        }
        let content: Outcome.Content
        if isEnd {
            content = .updatesEnded(data["reason"]?.string.flatMap(UpdatesEnd.init) ?? .completed)
        } else {
            var update = IntentUpdate(
                phase: data["phase"]?.string ?? "", completionStatus: data["completionStatus"]?.string,
                dialog: data["dialog"]?.string)
            for (name, value) in data["values"]?.members ?? [] { update.values[name] = value.json }
            content = .updated(update)
        }
        return Outcome(
            request: request, step: step, phase: .handle, content: content, ticket: data["ticket"]?.ticket)
    }
}

extension JSONWriter {
    mutating func update(_ update: IntentUpdate) {
        member("phase", update.phase)
        member("completionStatus", ifPresent: update.completionStatus)
        member("dialog", ifPresent: update.dialog)
        if !update.values.isEmpty { object("values", update.values) }
    }
}
