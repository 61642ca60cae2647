import IntentModel

// A session that an authenticated principal has opened is theirs.
extension Transition {
    /// Why an event is refused: it is not from the session's owner. A session without one takes events from anyone.
    func refusal(of event: SessionEvent, from principal: Principal?, isNamed: Bool) -> Rejection? {
        guard let owner = session.owner, owner != principal, !event.isOfPipeline else {  // rule: sessionsHaveAnOwner
            return nil
        }
        if !isNamed, isOfApprover(event, principal) { return nil }
        // Operators may end any session. A producer that only names the platform may not.
        if principal?.kind == .system, !isNamed, event.isControl { return nil }
        if case .answered(let answer) = event, answer.prompt != session.active?.prompt?.id {
            return .promptNotOpen(answer.prompt)
        }
        let named = principal == nil ? "the event names no principal" : "the event is of another one"
        return Rejection(
            .unauthorized, "the session is that of the principal who opened it, and \(named) ('authtype' and 'authid')",
            field: "authid")
    }
}

extension Transition {
    /// Why an answer is refused that comes from a producer that is not trusted to speak for the person, or that is an agent by its own mark. It may fill in what is asked for, and say no. It
    /// agrees to nothing, tells no secret, chooses nothing that was found, and changes no value that is there.
    func refusal(ofAgreement answer: Answer) -> Rejection? {
        // An answer to another prompt is refused for that.
        guard let active = session.active, let prompt = active.prompt, prompt.id == answer.prompt else { return nil }
        if answer.parameters.contains(where: { active.parameter($0.name)?.value != nil }) {
            return Rejection(
                .unauthorized, "only the person's channel can change a value that is there", field: "parameters")
        }
        if answer.action == .decline || answer.action == .cancel || prompt.isForFillingIn { return nil }
        return Rejection(
            .unauthorized, "only the person's channel can answer this prompt: it asks for more than a value",
            field: "prompt")
    }
}

extension Prompt {
    /// Whether a resolver asks for the value of a parameter, which the person sees before they agree. What confirm and handle ask comes later.
    fileprivate var isForFillingIn: Bool {
        (kind == .value || kind == .choice) && parameter != nil && question == nil && !asked.isSecret && !isAboutItems
            && !isAboutIntents
    }
}

extension SessionEvent {
    /// Whether it comes from a worker or a timer, or is refused already.
    fileprivate var isOfPipeline: Bool {
        switch self {
        case .outcome, .unreadableOutcome, .workRefused, .refused, .memoryChanged, .changeRefused, .timer: true
        default: false
        }
    }

    /// `true` if the event only ends or forgets something. The platform may do that in any session.
    package var isControl: Bool {
        switch self {
        case .cancelled, .ended, .forgotten: true
        default: false
        }
    }
}
