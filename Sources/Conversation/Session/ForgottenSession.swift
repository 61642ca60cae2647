public import IntentModel

/// A request whose once-only handler may have been called.
public struct OnceRequest: Sendable, Hashable {
    public var id: Identifier
    /// Until when a repeat of it is recognised, at least.
    public var until: Instant

    public init(id: Identifier, until: Instant) {
        self.id = id
        self.until = until
    }
}

/// What is known of a session after it was forgotten: the ids of its requests, so that a repeat of one is not taken for a new request.
public struct ForgottenSession: Sendable, Hashable {
    /// The ids of its last requests, oldest first.
    public var requests: RequestIDs
    /// Until when these are known.
    public var until: Instant
    /// Its requests whose once-only handlers may have been called, oldest first. Each has its own time.
    public var once: [OnceRequest]

    public init(requests: RequestIDs, until: Instant, once: [OnceRequest] = []) {
        self.requests = requests
        self.until = until
        self.once = once
    }

    /// When the last of its ids is forgotten too, and nothing is left.
    public var ends: Instant {
        once.reduce(requests.isEmpty ? Instant(milliseconds: .min) : until) { max($0, $1.until) }
    }
}

extension Session {
    /// A new session with this id. It knows the requests of the one that was forgotten, as far as their times have not passed.
    public init(id: Identifier, after forgotten: ForgottenSession?, at now: Instant) {
        self.init(id: id, updated: now)
        if let forgotten {
            if forgotten.until > now { rememberedRequests = forgotten.requests }  // rule: forgottenRequestsAreKnown
            onceRequests = forgotten.once.filter { $0.until > now }
        }
    }

    /// What stays known when the session is forgotten now; `nil` if that is nothing.
    public func remains(at now: Instant, policy: SessionPolicy) -> ForgottenSession? {
        let remains = ForgottenSession(
            requests: rememberedRequests, until: now.advanced(by: policy.repeatTimeout),
            once: onceRequests.filter { $0.until > now })
        return remains.ends > now ? remains : nil
    }
}
