import IntentModel

// An app gives back what it took up, and newer offers take the place of older ones.
extension Transition {
    /// It is offered anew, until its end: under the same id, with a token of its own.
    mutating func handoffReturned(_ id: String, by claimant: String) {
        guard let index = session.handoffs.firstIndex(where: { $0.id == id }) else {
            return reject(Rejection(.unexpected, "the handoff '\(id)' is not open: it has ended or was never offered", field: "handoff"))
        }
        guard session.handoffs[index].claimant == claimant else {
            return reject(
                Rejection(.unexpected, "only who has claimed the handoff '\(id)' can return it", field: "claimant"),
                about: session.handoffs[index].request)
        }
        session.handoffs[index].claimant = nil
        session.handoffs[index].returns += 1
        session.handoffs[index].activity = session.handoffs[index].activity.forRestoration
        tell(.handoffOffered(session.handoffs[index]), about: session.handoffs[index].request)
    }

    /// What nobody has claimed makes room for an activity with the same identifier. The one that the active request waits for stays.
    mutating func replaceOffers(_ identifier: String) {
        session.handoffs.removeAll {
            $0.activity.persistentIdentifier == identifier && $0.claimant == nil && session.active?.stage != .handedOff(handoff: $0.id)
        }
    }
}
