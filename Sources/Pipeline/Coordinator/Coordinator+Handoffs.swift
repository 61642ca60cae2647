import Conversation
import DequeModule
import IntentEvents
import IntentModel
import MessageAuthentication

// A claim has to contain the token of its offer, if there is a secret to sign tokens with.
extension Coordinator {
    /// The token of an offer that may be claimed.
    func token(of result: SessionResult, session: Identifier) -> String? {
        guard case .handoffOffered(let handoff) = result.body, handoff.mode == .foreground else { return nil }
        return configuration.handoffTokens?.token(for: handoff, session: session)
    }

    /// The event with the digest of its secret, by which the session knows the claimant again.
    func proven(_ event: RequestEvent) -> SessionEvent {
        guard let proof = event.secret.map({ Hexadecimal.encode(SHA256.hash(Array($0.utf8))) }) else {
            return event.event
        }
        switch event.event {
        case .handoffClaimed(let handoff, let claimant):
            return .handoffClaimed(handoff: handoff, claimant: Claimant(claimant.name, proof: proof))
        case .handoffCompleted(let handoff, let claimant, let response):
            return .handoffCompleted(
                handoff: handoff, claimant: Claimant(claimant.name, proof: proof), response: response)
        case .handoffReturned(let handoff, let claimant):
            return .handoffReturned(handoff: handoff, claimant: Claimant(claimant.name, proof: proof))
        default: return event.event
        }
    }

    /// Why a claim is refused before the session sees it. A handoff that is not open is left to the session.
    func refusal(of event: RequestEvent, _ partition: OwnedPartition) -> Rejection? {
        guard Rule.claimsNeedTheirToken.holds, let tokens = configuration.handoffTokens,
            case .handoffClaimed(let id, let claimant) = event.event,
            let handoff = partition.sessions[event.session]?.session.handoffs.first(where: { $0.id == id }),
            handoff.claimant?.name != claimant.name
        else { return nil }
        guard let token = event.token else {
            return Rejection(.unauthorized, "a claim needs the 'token' of the offer of '\(id)'", field: "token")
        }
        if tokens.isValid(token, for: handoff, session: event.session) { return nil }
        return Rejection(
            .unauthorized,
            "the token is not that of the open offer of '\(id)': it is another's, or the handoff was returned since",
            field: "token")
    }
}
