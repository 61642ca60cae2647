import IntentModel

// A session that an authenticated principal has opened is theirs.
extension Transition {
    /// Why an event is refused: it is not from the session's owner. A session without one takes events from anyone.
    func refusal(of event: SessionEvent, from principal: Principal?) -> Rejection? {
        guard let owner = session.owner, owner != principal, !event.isOfPipeline, Rule.sessionsHaveAnOwner.holds else { return nil }
        // Operators may end any session.
        if principal?.kind == .system, event.isControl { return nil }
        let named = principal == nil ? "the event names no principal" : "the event is of another one"
        return Rejection(
            .unauthorized, "the session is that of the principal who opened it, and \(named) ('authtype' and 'authid')", field: "authid")
    }
}

extension SessionEvent {
    /// Whether it comes from a worker or a timer, or is refused already.
    fileprivate var isOfPipeline: Bool {
        switch self {
        case .outcome, .unreadableOutcome, .refused, .timer: true
        default: false
        }
    }

    /// Whether it only ends or forgets something.
    fileprivate var isControl: Bool {
        switch self {
        case .cancelled, .ended, .forgotten: true
        default: false
        }
    }
}
