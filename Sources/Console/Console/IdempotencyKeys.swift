import DequeModule
import HTTPTypes
import IntentModel
import MessageAuthentication
import PersonGateway
import Synchronization

/// Rejects an idempotency key that is used again for another body. A key that is used again for the same body is left
/// to the pipeline, which recognizes the event's id, whichever process received it.
///
/// Only digests of fixed size are stored, and only for requests that were not rejected. If a caller has more than
/// ``maximumKeys`` keys, its oldest key is evicted. If there are more than ``maximumCallers`` callers, the least
/// recently active one is evicted.
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

    /// The number of stored keys of all callers.
    var count: Int { state.withLock { $0.callers.values.reduce(0) { $0 + $1.bodies.count } } }

    /// Performs the request of a key. If the request is rejected, the key is removed again.
    ///
    /// - Parameters:
    ///   - key: `nil` for a request without a key.
    ///   - path: The part of the path that says what the request is for.
    /// - Throws: ``HTTPProblem`` if the key was used with another body before, and any error of `act`.
    func once(_ key: String?, of caller: Caller, path: String, _ body: JSON, _ act: () async throws -> Void)
        async throws
    {
        guard let key else { return try await act() }
        let name = SHA256.hash(Array("\(path)\n\(key)".utf8))
        let isNew = try remember(name, SHA256.hash(body.bytes), of: caller.principal)
        do { try await act() } catch {
            // A request that failed as busy may still be performed, so its key stays stored.
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
            if state.callers.count > Self.maximumCallers,
                let oldest = state.callers.min(by: { $0.value.used < $1.value.used })?.key
            {
                state.callers[oldest] = nil
            }
            return known
        }
        guard let known else { return true }
        if known == body { return false }
        throw HTTPProblem(
            .unprocessableContent, "this key was used for another body: a new request needs a new key", .invalid,
            field: "Idempotency-Key")
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
