import Conversation
import IntentEvents
import IntentModel

// Which workers get the work of a request is read in the catalogue once, when the request comes. The session journals it with the request.
extension Coordinator {
    /// - Parameter entry: The session that gets the event, if there is one.
    func routed(_ event: SessionEvent, of entry: SessionEntry?) -> SessionEvent {
        guard let catalogue else { return event }
        switch event {
        case .requested(var request):
            if !request.candidates.isEmpty { return routed(request, by: catalogue) }
            switch catalogue.answer(for: request.intent) {
            case .served(nil): return event
            case .served(let route):
                request.route = route
                return .requested(request)
            case .unserved(let why):
                counters.unserved += 1
                return .unserved(request, why)
            }
        case .undoRequested(var undo):
            // One that no worker serves goes to the default service, which refuses it.
            guard let inverse = entry?.session.inverse(undo, at: now),
                case .served(let route?) = catalogue.answer(for: inverse)
            else {
                return event
            }
            undo.route = route
            return .undoRequested(undo)
        default: return event
        }
    }

    /// Leaves out the candidates that no worker serves, and such a fallback.
    private func routed(_ asked: IntentRequest, by catalogue: CatalogueFollower) -> SessionEvent {
        var request = asked
        var why: Rejection?
        request.candidates = asked.candidates.compactMap { candidate in
            switch catalogue.answer(for: candidate.intent) {
            case .served(let route):
                var candidate = candidate
                candidate.route = route
                return candidate
            case .unserved(let rejection):
                why = why ?? rejection
                return nil
            }
        }
        if let fallback = asked.fallback {
            switch catalogue.answer(for: fallback) {
            case .served(let route): request.fallbackRoute = route
            case .unserved(let rejection):
                request.fallback = nil
                why = why ?? rejection
            }
        }
        guard request.candidates.isEmpty else { return .requested(request) }
        if let fallback = request.fallback {
            (request.intent, request.route) = (fallback, request.fallbackRoute)
            (request.fallback, request.fallbackRoute) = (nil, nil)
            return .requested(request)
        }
        counters.unserved += 1
        return why.map { .unserved(asked, $0) } ?? .requested(asked)
    }
}

extension Outcome {
    /// The intent that it opens. One that no worker serves goes to the default service, which refuses it.
    var openedIntent: OpenedIntent? {
        guard case .finished(.responded(let response, _)) = content else { return nil }
        return response.opensIntent
    }
}
