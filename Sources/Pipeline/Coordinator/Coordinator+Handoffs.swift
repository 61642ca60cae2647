import Conversation
import DequeModule
import IntentEvents
import IntentModel

// Whoever claims a handoff shows the token of its offer, where there is a secret to sign one with.
extension Coordinator {
    /// The token of an offer that may be claimed.
    func token(of result: SessionResult, session: String) -> String? {
        guard case .handoffOffered(let handoff) = result.body, handoff.mode == .foreground else { return nil }
        return configuration.handoffTokens?.token(for: handoff, session: session)
    }

    /// Why a claim is not let through to the session; a handoff that is not open is for the session to answer.
    func refusal(of event: RequestEvent, _ partition: OwnedPartition) -> Rejection? {
        guard let tokens = configuration.handoffTokens, case .handoffClaimed(let id, let claimant) = event.event,
            let handoff = partition.sessions[event.session]?.session.handoffs.first(where: { $0.id == id }),
            handoff.claimant != claimant
        else { return nil }
        guard let token = event.token else {
            return Rejection(.unauthorized, "a claim needs the 'token' of the offer of '\(id)'", field: "token")
        }
        if tokens.isValid(token, for: handoff, session: event.session) { return nil }
        return Rejection(
            .unauthorized, "the token is not that of the open offer of '\(id)': it is another's, or the handoff was returned since",
            field: "token")
    }
}
