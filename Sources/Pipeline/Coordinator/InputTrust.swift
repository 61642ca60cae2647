import Conversation
import IntentEvents
import IntentModel

/// Who is trusted to speak for the person.
public enum InputTrust: String, Sendable, Hashable, CaseIterable {
    /// Who may write `intents.requests` or `intents.answers`. For producers that are all trusted alike.
    case open
    /// Only who may write `intents.answers`. `intents.requests` takes requests, and answers that fill in values, and their principals do not count as authenticated: an
    /// agent that may write there can ask for things and say what is asked, and never agree to them.
    case separate
}

/// Who has caused an event.
struct Sender {
    let principal: Principal?
    /// Whether the principal is only named, by a producer that is not trusted to authenticate it.
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
        if trustsPrincipals(on: input) { return nil }
        switch event.event {
        // Which answers count, the session says: it knows the prompt.
        case .requested, .answered, .optionsRequested: return nil
        default:
            return Rejection(
                .unauthorized,
                "'\(event.type.rawValue)' is not accepted on \(topics.requests), only on \(topics.answers): \(topics.requests) takes requests here, and what fills them in",
                field: "type")
        }
    }

    /// Whether the principals that events of this input name count as authenticated.
    func trustsPrincipals(on input: JournalInput) -> Bool {
        configuration.trust == .open || input != .requests || !Rule.onlyAnswersSpeakForThePerson.holds
    }

    /// Who has caused an event. The platform controls other principals' sessions by the person's channel alone: a producer only names it, whatever the trust.
    func sender(of event: RequestEvent, on input: JournalInput) -> Sender {
        let isForged = input == .requests && event.principal?.kind == .system && event.event.isControl
        return Sender(event.principal, isNamed: isForged || !trustsPrincipals(on: input))
    }

    /// What the session gets. A request's principal counts as authenticated only where the person's channel has written it.
    func trusted(_ event: RequestEvent, on input: JournalInput) -> SessionEvent {
        guard !trustsPrincipals(on: input), case .requested(var request) = event.event else { return proven(event) }
        request.principal = nil
        return .requested(request)
    }
}
