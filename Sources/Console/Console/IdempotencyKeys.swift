import DequeModule
import HTTPTypes
import IntentModel
import MessageAuthentication
import PersonGateway
import Synchronization

/// Remembers which keys came with which body, so that a key that is used for something else is refused. A key that is used again for the same body is the pipeline's
/// matter: it recognises the id, whichever process was asked.
///
/// Of a key only digests are kept, of fixed size, and only if its request was accepted. Past ``maximumKeys`` of a caller its oldest key is forgotten, and past
/// ``maximumCallers`` the caller that has used none for longest.
final class IdempotencyKeys: Sendable {
    static let maximumKeys = 256
    static let maximumCallers = 1_000

    private typealias Digest = [UInt8]

    private struct Keys {
        var bodies: [Digest: Digest] = [:]
        var order: Deque<Digest> = []
        var used: UInt64 = 0
    }

    private struct State {
        var callers: [Principal?: Keys] = [:]
        var uses: UInt64 = 0
    }

    private let state = Mutex(State())

    /// How many keys are remembered, of all callers.
    var count: Int { state.withLock { $0.callers.values.reduce(0) { $0 + $1.bodies.count } } }

    /// Does what a key came for. If that is refused, the key is forgotten.
    ///
    /// - Parameters:
    ///   - key: `nil` for a request without one.
    ///   - path: the part of the path that says what the request is for.
    /// - Throws: ``HTTPProblem`` if the key came with another body before, and what `act` throws.
    func once(_ key: String?, of caller: Caller, path: String, _ body: JSON, _ act: () async throws -> Void) async throws {
        guard let key else { return try await act() }
        let name = SHA256.hash(Array("\(path)\n\(key)".utf8))
        let isNew = try remember(name, SHA256.hash(body.bytes), of: caller.principal)
        do { try await act() } catch {
            // What may still be done keeps its key.
            let isUndecided = (error as? HTTPProblem)?.reason == .busy
            if isNew, !isUndecided { forget(name, of: caller.principal) }
            throw error
        }
    }

    private func remember(_ name: Digest, _ body: Digest, of caller: Principal?) throws(HTTPProblem) -> Bool {
        let known: Digest? = state.withLock { state in
            state.uses += 1
            var keys = state.callers.removeValue(forKey: caller) ?? Keys()
            keys.used = state.uses
            let known = keys.bodies[name]
            if known == nil {
                keys.bodies[name] = body
                keys.order.append(name)
                if keys.order.count > Self.maximumKeys { keys.bodies[keys.order.removeFirst()] = nil }
            }
            state.callers[caller] = keys
            if state.callers.count > Self.maximumCallers, let oldest = state.callers.min(by: { $0.value.used < $1.value.used })?.key {
                state.callers[oldest] = nil
            }
            return known
        }
        guard let known else { return true }
        if known == body { return false }
        throw HTTPProblem(
            .unprocessableContent, "this key was used for another body: a new request needs a new key", .invalid, field: "Idempotency-Key")
    }

    private func forget(_ name: Digest, of caller: Principal?) {
        state.withLock { state in
            guard var keys = state.callers.removeValue(forKey: caller) else { return }
            keys.bodies[name] = nil
            if let index = keys.order.lastIndex(of: name) { keys.order.remove(at: index) }
            if !keys.order.isEmpty { state.callers[caller] = keys }
        }
    }
}
