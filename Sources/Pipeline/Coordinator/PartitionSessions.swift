import Conversation
import HeapModule
import IntentEvents
import IntentModel

/// The sessions of one partition, their owners and their timers, as a value without IO.
struct PartitionSessions {
    private(set) var open: [Identifier: SessionEntry] = [:]
    /// Sessions that were taken over and not read yet. They are in neither ``open`` nor ``forgotten``.
    var unread = UnreadSessions()
    /// Sessions that are over, and whose requests are still known.
    var forgotten = ForgottenSessions()
    /// The number of open sessions of each authenticated principal.
    private var owned: [Principal: Int] = [:]
    var rates = PrincipalRates()
    private(set) var timers = Heap<SessionTimer>()

    subscript(id: Identifier) -> SessionEntry? { open[id] }

    /// The number of open sessions.
    var openCount: Int { open.count + unread.openCount }

    /// The number of forgotten sessions whose requests are known.
    var forgottenCount: Int { forgotten.count + unread.forgottenCount }

    func openSessions(of principal: Principal) -> Int { owned[principal] ?? 0 }

    /// The time of the next timer; `nil` if there is none.
    var nextTimer: Instant? {
        guard let end = forgotten.nextEnd else { return timers.min?.at }
        return min(timers.min?.at ?? end, end)
    }

    /// `true` if the event is a request that the session has accepted, also if the session is forgotten. Its sender must not be told that the request is refused.
    func isRepeat(_ event: SessionEvent, in session: Identifier, at now: Instant) -> Bool {
        switch event {
        case .requested(let request), .unserved(let request, _):
            return open[session]?.session.knows(request.id)
                ?? Session(id: session, after: forgotten[session], at: now).knows(request.id)
        default: return false
        }
    }

    /// A session that is not open yet.
    func make(_ id: Identifier, at now: Instant) -> SessionEntry {
        let remains = forgotten[id]
        let entry = SessionEntry(JournaledSession(Session(id: id, after: remains, at: now)))
        if case .none = remains { entry.bytes = 0 }
        return entry
    }

    /// Opens a session, perhaps again.
    mutating func insert(_ entry: SessionEntry) {
        let id = entry.session.id
        if open.updateValue(entry, forKey: id) != nil { return }
        count(entry.look { $0.countedOwner })
        if !forgotten.isEmpty { forgotten.remove(id) }
    }

    /// Continues a session of the journal.
    ///
    /// - Returns: Its entry; `nil` if the session is forgotten and only its requests are known.
    mutating func restore(_ journaled: JournaledSession, _ policy: SessionPolicy) -> SessionEntry? {
        if let remains = journaled.remains {
            forgotten.insert(remains, journaled.session.id)
            return nil
        }
        let entry = SessionEntry(journaled)
        insert(entry)
        schedule(entry, at: journaled.session.nextTimer(policy))
        return entry
    }

    /// Ends a session.
    ///
    /// - Returns: The requests that stay known; `nil` if there are none.
    mutating func forget(_ entry: SessionEntry, at now: Instant, _ policy: SessionPolicy) -> ForgottenSession? {
        close(entry.session.id)
        guard let remains = entry.session.remains(at: now, policy: policy) else { return nil }
        forgotten.insert(remains, entry.session.id)
        return remains
    }

    /// Counts the session for another owner if a person has signed in.
    mutating func recount(_ entry: SessionEntry, from before: Principal?) {
        let after = entry.look { $0.countedOwner }
        guard before != after, open[entry.session.id] != nil else { return }
        discount(before)
        count(after)
    }

    /// Replaces cached sessions by what others have written.
    mutating func replace(_ takeover: Takeover) {
        let changed = takeover.unread.inOrder
        for id in takeover.ended { remove(id) }
        for journaled in takeover.sessions { remove(journaled.session.id) }
        for (id, record) in changed {
            remove(id)
            unread.insert(record, of: id)
        }
    }

    private mutating func remove(_ id: Identifier) {
        close(id)
        forgotten.remove(id)
        _ = unread.take(id)
    }

    private mutating func close(_ id: Identifier) { discount(open.removeValue(forKey: id)?.look { $0.countedOwner }) }

    private mutating func count(_ owner: Principal?) { if let owner { owned[owner, default: 0] += 1 } }

    private mutating func discount(_ owner: Principal?) {
        guard let owner, let count = owned[owner] else { return }
        owned[owner] = count > 1 ? count - 1 : nil
    }

    // MARK: Timers

    /// Sets the session's timer, unless an earlier one is set.
    mutating func schedule(_ entry: SessionEntry, at next: Instant) {
        if let timer = entry.timer, timer <= next { return }  // rule: earlierTimersReplaceLater
        entry.timer = next
        timers.insert(SessionTimer(at: next, session: entry.session.id))
    }

    /// Removes the next timer that is due.
    ///
    /// - Returns: The timer's session.
    mutating func popDue(at now: Instant) -> SessionEntry? {
        while let timer = timers.min, timer.at <= now {
            timers.removeMin()
            guard let entry = open[timer.session], entry.timer == timer.at else { continue }
            entry.timer = nil
            return entry
        }
        return nil
    }
}

extension Session {
    /// The authenticated principal who has opened it.
    var countedOwner: Principal? { isOwnerNamed ? nil : owner }
}
