import Conversation
import IntentEvents
import IntentModel

/// Who is believed to speak for the person.
public enum InputTrust: String, Sendable, Hashable, CaseIterable {
    /// Who may write `intents.requests` or `intents.answers`. For producers that are all trusted alike.
    case open
    /// Only who may write `intents.answers`. What comes by `intents.requests` is a request, and nobody has authenticated its principal: an agent that may
    /// write there can ask for things, and never agree to them.
    case separate
}

// What an input may say.
extension Coordinator {
    /// Why an event is refused that does not belong on its topic.
    func refusal(of event: RequestEvent, on input: JournalInput) -> Rejection? {
        guard configuration.trust == .separate, input == .requests, Rule.onlyAnswersSpeakForThePerson.holds else { return nil }
        if case .requested = event.event { return nil }
        return Rejection(
            .unauthorized,
            "'\(event.type.rawValue)' is not accepted on \(topics.requests), only on \(topics.answers): \(topics.requests) takes requests alone here",
            field: "type")
    }

    /// What the session gets. A request's principal counts as authenticated only where the person's channel has written it.
    func trusted(_ event: RequestEvent, on input: JournalInput) -> SessionEvent {
        guard configuration.trust == .separate, input == .requests, case .requested(var request) = event.event,
            Rule.onlyAnswersSpeakForThePerson.holds
        else { return proven(event) }
        request.principal = nil
        return .requested(request)
    }
}
