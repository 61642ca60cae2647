import Conversation
import DequeModule
import IntentEvents
package import IntentModel

/// The sessions that a gateway has in memory. Past ``maximumSessions`` or ``maximumBytes``, the session that has not
/// changed for longest is evicted.
package struct SessionBoard: Sendable {
    package let maximumSessions: Int
    package let maximumBytes: Int
    private var sessions: [Identifier: FollowedSession] = [:]
    /// The sessions in the order of their changes, oldest first. An entry is valid only if the session has not changed
    /// since.
    private var order: Deque<(change: UInt64, session: Identifier)> = []
    private var changes: UInt64 = 0
    private var bytes = 0
    /// The sessions with an open prompt or an open handoff.
    private(set) var waiting: Set<Identifier> = []

    package init(maximumSessions: Int = 10_000, maximumBytes: Int = 256 << 20) {
        self.maximumSessions = max(1, maximumSessions)
        self.maximumBytes = max(1, maximumBytes)
    }

    package var count: Int { sessions.count }

    package subscript(id: Identifier) -> FollowedSession? { sessions[id] }

    /// Applies an event to its session.
    ///
    /// - Returns: Whether the event is new, and the request that the event has completed.
    mutating func apply(_ event: TimelineEvent) -> (isNew: Bool, ended: FollowedRequest?) {
        guard let id = event.session else { return (true, nil) }
        var session =
            sessions.removeValue(forKey: id) ?? FollowedSession(id, partition: event.position.partition, at: event.time)
        bytes -= session.bytes
        let isNew = session.apply(event)
        bytes += session.bytes
        changes += 1
        session.change = changes
        order.append((changes, id))
        if session.openPrompt != nil || session.handoff != nil { waiting.insert(id) } else { waiting.remove(id) }
        let ended = isNew && event.type == .completed ? session.requests.last { $0.id == event.request } : nil
        sessions[id] = session
        evictOldest()
        return (isNew, ended)
    }

    private mutating func evictOldest() {
        while sessions.count > maximumSessions || bytes > maximumBytes, sessions.count > 1, let first = order.popFirst()
        {
            guard let session = sessions[first.session], session.change == first.change else { continue }
            bytes -= session.bytes
            sessions[first.session] = nil
            waiting.remove(first.session)
        }
        // A session that changes often leaves many entries, of which only the last one is valid.
        if order.count > 4 * sessions.count + 64 {
            let current = order.filter { sessions[$0.session]?.change == $0.change }
            order = Deque(current)
        }
    }

    /// Calls `body` with each session, the most recently changed first.
    ///
    /// - Parameter before: Only sessions whose last change is before this number; `nil` for all.
    func newestFirst(before: UInt64? = nil, _ body: (FollowedSession) -> Void) {
        for entry in order.reversed() {
            if let before, entry.change >= before { continue }
            guard let session = sessions[entry.session], session.change == entry.change else { continue }
            body(session)
        }
    }

    /// Returns the number of sessions that the viewer sees.
    func count(for viewer: Viewer) -> Int { viewer.scope == .all ? count : sessions.values.count(where: viewer.sees) }

    /// The sessions that wait for the person or an app, the least recently changed first.
    var waitingSessions: [FollowedSession] { waiting.compactMap { sessions[$0] }.sorted { $0.change < $1.change } }

    /// The time of the oldest open prompt.
    var oldestPrompt: Instant? { waiting.lazy.compactMap { sessions[$0]?.openPrompt?.time }.min() }

    /// The number of sessions with an open prompt, and with an open handoff, for each person.
    var waitingOfPersons: [Principal: (prompts: Int, handoffs: Int)] {
        waiting.reduce(into: [:]) { counts, id in
            guard let session = sessions[id], let person = session.person else { return }
            if session.openPrompt != nil {
                counts[person, default: (0, 0)].prompts += 1
            } else {
                counts[person, default: (0, 0)].handoffs += 1
            }
        }
    }

    /// The number of sessions in each state.
    var states: [FollowedSession.State: Int] { sessions.values.reduce(into: [:]) { $0[$1.state, default: 0] += 1 } }
}
