import IntentModel

// Which requests a repeat is recognised of. Any handler gets the same idempotency key from a repeat; a once-only handler has no other protection. So such a
// request is known longer, and none of them is forgotten to make room for another.
extension Transition {
    /// Remembers the request, so that the same id is the same request.
    mutating func accept(_ request: Identifier) {
        session.rememberedRequests.append(request)
        if session.rememberedRequests.count > policy.rememberedRequests { session.rememberedRequests.removeFirst() }
        forgetOnceRequests()
    }

    /// Remembers that the once-only handler of this request may be called from now on.
    ///
    /// - Returns: `refused` if the session has no room for one more; the handler must not be called then.
    mutating func rememberOnce(_ request: Identifier) -> Verdict {
        forgetOnceRequests()
        let isKnown = session.onceRequests.contains { $0.id == request }
        guard isKnown || session.onceRequests.count < policy.maximumOnceRequests else { return .refused }
        if !isKnown { session.onceRequests.append(OnceRequest(id: request, until: now)) }
        extendOnce(request)
        return .accepted
    }

    /// The time of a once-only request begins again: when its handler is permitted, and when it ends.
    mutating func extendOnce(_ request: Identifier) {
        guard let index = session.onceRequests.firstIndex(where: { $0.id == request }) else { return }
        session.onceRequests[index].until = now.advanced(by: policy.onceRepeatTimeout)
    }

    private mutating func forgetOnceRequests() {
        if session.onceRequests.contains(where: { $0.until <= now }) {
            session.onceRequests.removeAll { $0.until <= now }
        }
    }

    /// Ends a request whose once-only handler was not called, because the session could not remember that it was.
    mutating func endUnremembered() {
        cancelWork(.handle, .ended)
        let first = session.onceRequests.map(\.until).min() ?? now
        end(
            .failure, .failure,
            error: Rejection(
                .busy,
                "the session remembers \(session.onceRequests.count) requests whose handlers may be called once, and has no room for another: ask again after "
                    + "\(first), or in another session"))
    }
}
