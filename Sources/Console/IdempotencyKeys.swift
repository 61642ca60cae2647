import DequeModule
import HTTPTypes
import IntentModel
import Synchronization

/// Remembers which keys came with what, so that a key that is used for something else is refused. That a key is used again for the same is the pipeline's matter: it
/// recognises the id, whichever process was asked.
final class IdempotencyKeys: Sendable {
    private struct State {
        var bodies: [String: Int] = [:]
        var order: Deque<String> = []
    }

    private static let maximum = 10_000

    private let state = Mutex(State())

    func check(_ key: String?, of caller: Caller, path: String, _ body: JSON) throws(HTTPProblem) {
        guard let key else { return }
        let owner = caller.principal.map { "\($0.kind.rawValue):\($0.id)" } ?? ""
        let name = "\(owner)\n\(path)\n\(key)"
        let hash = body.hashValue
        let isOther = state.withLock { state in
            if let known = state.bodies[name] { return known != hash }
            state.bodies[name] = hash
            state.order.append(name)
            if state.order.count > Self.maximum { state.bodies[state.order.removeFirst()] = nil }
            return false
        }
        if isOther {
            throw HTTPProblem(
                .unprocessableContent, "this key was used for another body: a new request needs a new key", .invalid,
                field: "Idempotency-Key")
        }
    }
}
