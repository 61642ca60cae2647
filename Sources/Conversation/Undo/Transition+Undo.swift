import IntentModel

// A request that has succeeded is taken back by another one.
extension Transition {
    mutating func undoRequested(_ undo: UndoRequest, from principal: Principal?) {
        if session.knows(undo.id) { return ignore(.duplicateRequest) }  // rule: requestsAreAcceptedOnce
        guard let index = session.undoable(undo, at: now) else {
            let which = undo.request.map { "'\($0)'" } ?? "nothing of this session"
            return reject(
                Rejection(
                    .unexpected,
                    "\(which) can be taken back: it has not succeeded, offers no undo, or its time has passed",
                    field: "request"),
                about: undo.request)
        }
        let undoable = session.undoable[index]
        if let other = undoable.undoneBy {
            return reject(
                Rejection(
                    .busy, "'\(undoable.request.id)' is being taken back already, by '\(other)'", field: "request"),
                about: undoable.request.id)
        }
        let parameters = undoable.undo.parameters.sorted { $0.key < $1.key }.map {
            ParameterState(name: $0.key, value: $0.value)
        }
        var request = IntentRequest(
            id: undo.id, intent: undoable.undo.intent, parameters: parameters, locale: undoable.request.locale,
            attributes: undoable.request.attributes, trace: undo.trace, principal: principal)
        request.clock = undoable.request.clock
        request.route = undo.route
        request.whenBusy = .queue
        requested(request, isNamed: false)
        if session.knows(undo.id) { session.undoable[index].undoneBy = undo.id }
    }

}

// The undo offers of a session.
extension [UndoableRequest] {
    /// Keeps what takes a request back, for as long as it is offered: not longer than an idle session is remembered.
    mutating func keep(
        _ offer: UndoOffer, of request: IntentRequest, at now: Instant, _ policy: SessionPolicy
    ) -> OfferedUndo? {
        guard 1...128 ~= offer.intent.intent.utf8.count else { return nil }
        let size = offer.intent.parameters.reduce(0) { $0 + $1.key.utf8.count + $1.value.bytes.count }
        guard size <= UserActivity.maximumUserInfoBytes else { return nil }
        let expires = now.advanced(by: Swift.min(offer.validFor, policy.idleTimeout))
        removeAll { $0.expires <= now || $0.request.id == request.id }
        if count >= policy.limits.maximumUndoable, let first = firstIndex(where: { $0.undoneBy == nil }) {
            remove(at: first)
        }
        append(UndoableRequest(request: request, undo: offer.intent, expires: expires))
        return OfferedUndo(intent: offer.intent.intent, title: offer.title, expires: expires)
    }

    /// Notes that a request for an inverse has ended. After a success the undo is used up, else it is offered again.
    mutating func end(_ inverse: Identifier, _ status: Completion.Status) {
        guard let index = firstIndex(where: { $0.undoneBy == inverse }) else { return }
        if status == .success { remove(at: index) } else { self[index].undoneBy = nil }
    }
}
