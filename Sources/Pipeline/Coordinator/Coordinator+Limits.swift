import Conversation
import IntentEvents
import IntentModel

// How much one sender may write: a principal in all of its sessions, or a session that nobody owns.
extension Coordinator {
    /// Why an event is refused for now: its sender has written too much, or has too many sessions open.
    func overload(_ event: RequestEvent, _ partition: OwnedPartition) -> Rejection? {
        let entry = partition.sessions[event.session]
        if let principal = event.principal, entry == nil,
            partition.openSessions(of: principal) >= configuration.maximumSessionsOfPrincipal
        {
            return Rejection(
                .busy,
                "the principal has \(configuration.maximumSessionsOfPrincipal) sessions open in this partition: end one, or wait until one is forgotten",
                field: "authid", retryAfter: configuration.policy.idleTimeout)
        }
        let (rate, burst) = (configuration.maximumRate, configuration.maximumBurst)
        let wait: Duration? =
            if let principal = event.principal {
                partition.rates.take(for: principal, rate: rate, burst: burst, at: now)
            } else {
                entry?.rate.take(rate: rate, burst: burst, at: now)
            }
        guard let wait else { return nil }
        let sender = event.principal == nil ? "session" : "principal"
        return Rejection(
            .busy, "the \(sender) has sent more than \(burst) events at once, and more than \(rate) a second since: send it again later",
            retryAfter: wait)
    }
}
