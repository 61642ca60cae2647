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

/// Who has caused an event.
struct Sender {
    let principal: Principal?
    /// Whether the principal is only named: who has written the event is not believed to have authenticated them.
    let isNamed: Bool

    init(_ principal: Principal?, isNamed: Bool = false) {
        self.principal = principal
        self.isNamed = isNamed
    }
}

// What an input may say.
extension Coordinator {
    /// Why an event is refused that does not belong on its topic.
    func refusal(of event: RequestEvent, on input: JournalInput) -> Rejection? {
        if isBelieved(input) { return nil }
        if case .requested = event.event { return nil }
        return Rejection(
            .unauthorized,
            "'\(event.type.rawValue)' is not accepted on \(topics.requests), only on \(topics.answers): \(topics.requests) takes requests alone here",
            field: "type")
    }

    /// Whether who has written the event is believed to have authenticated the principal that it names.
    func isBelieved(_ input: JournalInput) -> Bool {
        configuration.trust == .open || input != .requests || !Rule.onlyAnswersSpeakForThePerson.holds
    }

    /// What the session gets. A request's principal counts as authenticated only where the person's channel has written it.
    func trusted(_ event: RequestEvent, on input: JournalInput) -> SessionEvent {
        guard !isBelieved(input), case .requested(var request) = event.event else { return proven(event) }
        request.principal = nil
        return .requested(request)
    }
}
