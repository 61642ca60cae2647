import Conversation
import IntentEvents
import IntentModel

// How much one sender may write: a principal in all of its sessions, or anyone in one session. What is written in the name of a principal by a producer that is
// not trusted to authenticate it does not count against the principal.
extension Coordinator {
    /// Why an event is refused for now: its sender has written too much, or has too many sessions open. A repeat of an accepted request never is.
    func overload(_ event: RequestEvent, on input: JournalInput, _ partition: OwnedPartition) -> Rejection? {
        guard let rejection = excess(event, on: input, partition), !isRepeat(event.event, in: event.session, partition)
        else { return nil }
        return rejection
    }

    private func excess(_ event: RequestEvent, on input: JournalInput, _ partition: OwnedPartition) -> Rejection? {
        let entry = partition.sessions[event.session]
        let principal = trustsPrincipals(on: input) ? event.principal : nil
        if let principal, entry == nil,
            partition.sessions.openSessions(of: principal) >= configuration.maximumSessionsOfPrincipal
        {
            return Rejection(
                .busy,
                "the principal has \(configuration.maximumSessionsOfPrincipal) sessions open in this partition: end one, or wait until one is forgotten",
                field: "authid", retryAfter: configuration.policy.idleTimeout)
        }
        let (rate, burst) = (configuration.maximumRate, configuration.maximumBurst)
        let wait: Duration? =
            if let principal {
                partition.sessions.rates.take(for: principal, rate: rate, burst: burst, at: now)
            } else if trustsPrincipals(on: input) {
                entry?.rate.take(rate: rate, burst: burst, at: now)
            } else {
                entry?.producerRate.take(rate: rate, burst: burst, at: now)
            }
        guard let wait else { return nil }
        let sender = principal == nil ? "session" : "principal"
        return Rejection(
            .busy,
            "the \(sender) has sent more than \(burst) events at once, and more than \(rate) a second since: send it again later",
            retryAfter: wait)
    }

    /// Whether it is a request that was accepted before. Its sender must not be told that it is refused; the session ignores it.
    func isRepeat(_ event: SessionEvent, in session: Identifier, _ partition: OwnedPartition) -> Bool {
        let request: IntentRequest
        switch event {
        case .requested(let asked), .unserved(let asked, _): request = asked
        default: return false
        }
        return partition.sessions.knows(request.id, in: session, at: now)
    }
}
