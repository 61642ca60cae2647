import Conversation
import HeapModule
import IntentModel

/// The forgotten sessions of one partition whose requests are still known.
///
/// They are bounded in number and in bytes. Past a bound the oldest goes before its time: first those without once-only requests, because a repeat of any other
/// request reaches its handler with the same idempotency key.
struct ForgottenSessions {
    private(set) var byID: [Identifier: ForgottenSession] = [:]
    /// An estimate of the memory that they take.
    private(set) var bytes = 0
    /// When each ends. Those that were taken out stay here until then, or until they are most of it.
    private var plain = Heap<SessionTimer>()
    private var once = Heap<SessionTimer>()

    var count: Int { byID.count }
    var isEmpty: Bool { byID.isEmpty }

    /// When the next one ends, or is looked at.
    var nextEnd: Instant? {
        guard let plain = plain.min?.at else { return once.min?.at }
        return once.min.map { min($0.at, plain) } ?? plain
    }

    subscript(id: Identifier) -> ForgottenSession? { byID[id] }

    mutating func insert(_ session: ForgottenSession, _ id: Identifier) {
        remove(id)
        byID[id] = session
        bytes += session.weight(id)
        arm(session, id)
        if plain.count + once.count > 2 * byID.count + 1_024 { rearm() }
    }

    mutating func remove(_ id: Identifier) {
        if let session = byID.removeValue(forKey: id) { bytes -= session.weight(id) }
    }

    /// Takes one out that has ended.
    mutating func popEnded(at now: Instant) -> Identifier? { pop(\.plain, until: now) ?? pop(\.once, until: now) }

    /// Takes the oldest one out if there are more than this.
    mutating func popExcess(over maximum: Int, bytes maximumBytes: Int) -> Identifier? {
        guard count > maximum || bytes > maximumBytes else { return nil }
        return pop(\.plain) ?? pop(\.once)
    }

    private mutating func pop(_ heap: WritableKeyPath<Self, Heap<SessionTimer>>, until: Instant? = nil) -> Identifier? {
        while let timer = self[keyPath: heap].min {
            if let until, timer.at > until { return nil }
            self[keyPath: heap].removeMin()
            // It may have been opened again meanwhile, and forgotten again.
            guard byID[timer.session]?.ends == timer.at else { continue }
            remove(timer.session)
            return timer.session
        }
        return nil
    }

    private mutating func arm(_ session: ForgottenSession, _ id: Identifier) {
        let timer = SessionTimer(at: session.ends, session: id)
        if session.once.isEmpty { plain.insert(timer) } else { once.insert(timer) }
    }

    private mutating func rearm() {
        plain = Heap()
        once = Heap()
        for (id, session) in byID { arm(session, id) }
    }
}

extension ForgottenSession {
    /// An estimate of the bytes in memory, close to what was measured: texts, and what is around each of them.
    fileprivate func weight(_ id: Identifier) -> Int { 250 + id.utf8.count + 64 * once.count + requests.bytes }
}
