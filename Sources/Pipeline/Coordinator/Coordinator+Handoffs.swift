import Conversation
import DequeModule
import IntentEvents
import IntentModel

// A claim has to contain the token of its offer, if there is a secret to sign tokens with.
extension Coordinator {
    /// The token of an offer that may be claimed.
    func token(of result: SessionResult, session: String) -> String? {
        guard case .handoffOffered(let handoff) = result.body, handoff.mode == .foreground else { return nil }
        return configuration.handoffTokens?.token(for: handoff, session: session)
    }

    /// Why a claim is refused before the session sees it. A handoff that is not open is left to the session.
    func refusal(of event: RequestEvent, _ partition: OwnedPartition) -> Rejection? {
        guard Rule.claimsNeedTheirToken.holds, let tokens = configuration.handoffTokens,
            case .handoffClaimed(let id, let claimant) = event.event,
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
