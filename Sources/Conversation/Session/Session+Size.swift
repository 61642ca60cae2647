import IntentModel

extension Session {
    /// What to decide instead of an event after which the session would not fit into its record in the journal. The person's side is told what is too
    /// large; a request whose worker reports too much fails with that reason.
    ///
    /// - Parameters:
    ///   - bytes: how large the record would be.
    ///   - maximum: how large it may be.
    /// - Returns: `nil` if the event has to be accepted anyway: it ends something, or it is the timer.
    public func refusal(of event: SessionEvent, bytes: Int, maximum: Int) -> SessionEvent? {
        switch event {
        case .requested, .unserved, .answered, .corrected:
            let message =
                "with this the session would take \(bytes) bytes, and it may take \(maximum): send less, or when its requests have ended"
            return .refused(Rejection(.complex, message))
        case .outcome(var outcome):
            switch outcome.content {
            case .finished(.failed), .cancelled, .starting, .updatesEnded: return nil
            case .finished, .progressed, .updated: break
            }
            // That it has succeeded is told in any case, without what it says.
            if outcome.content.isSuccess,
                abandoned.contains(where: { $0.request == outcome.request && $0.step == outcome.step })
            {
                outcome.content = .finished(.responded(IntentResponse(.success)))
                return .outcome(outcome)
            }
            let message =
                "with this answer the session would take \(bytes) bytes, and it may take \(maximum): answer with less"
            var failure = IntentFailure(.failure(.failure), reason: .complex, message: message)
            // A handler that may be called once may already have had its effect.
            if outcome.request == active?.request.id, active?.stage.permit != nil { failure.reason = .outcomeUnknown }
            outcome.content = .finished(.failed(failure))
            return .outcome(outcome)
        default: return nil
        }
    }
}
