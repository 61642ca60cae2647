import Conversation
import DequeModule
import IntentEvents
import IntentModel
import Logging
import RecordLog

// Sessions decide, and each decision is journalled.
extension Coordinator {
    /// Lets a session decide, and appends the decision to the journal. Its effects are sent when that is acknowledged.
    ///
    /// - Parameters:
    ///   - sender: who has caused the event.
    ///   - record: what may open the session. If it is rejected, it opens none.
    ///   - bytes: the size of the event's record. Defaults to that of `record`.
    func decide(
        _ event: SessionEvent, from sender: Sender = Sender(nil), session id: Identifier, event eventID: Identifier?,
        opening record: ConsumedRecord? = nil, bytes: Int? = nil, _ partition: OwnedPartition
    ) throws(LogError) {
        let open = partition.sessions[id]
        if open == nil, let record {
            if partition.sessions.openCount >= configuration.limits.maximumSessions,
                !partition.sessions.isRepeat(event, in: id, at: now)
            {
                return try reject(record, .noRoom, session: id, event: eventID ?? "", isFinal: false, partition)
            }
            if client.sessionKeys(of: partition.number) == .missing {
                return try reject(record, .noKey, session: id, event: eventID ?? "", isFinal: false, partition)
            }
        }
        let entry = open ?? partition.sessions.make(id, at: now)
        let before = isObserved ? entry.journaled.session.active?.observed() : nil
        let isTraced = before.map { observers.tracing?.records($0.trace) == true } ?? false
        let traced = isTraced ? entry.journaled.session.active.map(Box.init) : nil
        let owner: Principal? = if case .answered = event { entry.look { $0.countedOwner } } else { nil }
        let unchanged = mayOutgrow(entry, by: bytes ?? record?.value?.count ?? 0) ? Box(entry.journaled) : nil
        var decided: EncodedDecision
        switch decide(on: event, from: sender, entry, event: eventID) {
        case .ignored: return
        case .forgotten: return try forget(entry, partition)
        case .changed(let decision): decided = decision
        }
        let maximum = configuration.limits.maximumSessionBytes
        if decided.value.count > maximum, let unchanged,  // rule: sessionsHaveAMaximumSize
            let refusal = unchanged.value.session.refusal(
                of: event, bytes: decided.value.count, maximum: maximum)
        {
            counters.oversized += 1
            entry.journaled = unchanged.value
            guard case .changed(let decision) = decide(on: refusal, from: sender, entry, event: eventID) else { return }
            decided = decision
        }
        if open == nil, let record, let rejection = decided.effects.rejection {
            return try reject(record, rejection, session: id, event: eventID ?? "", partition)
        }
        // Too large and not refused, although there is a refusal: the estimate would be too small.
        assert(
            decided.value.count <= maximum || unchanged != nil
                || entry.session.refusal(of: event, bytes: 0, maximum: 0) == nil
        )
        entry.bytes = decided.value.count
        if isObserved {
            observe(event, before, traced: traced, entry, decided.tells ? decided.effects : [], partition)
        }
        if case .answered = event { partition.sessions.recount(entry, from: owner) }
        if open == nil {
            if !entry.look({ $0.isBlank }) { partition.sessions.insert(entry) }
            client.reserveKey(for: Bytes(id.text.utf8), in: partition.number)
        }
        try tell(partition) {
            $0.append(session: id, value: decided.value, format: entry.format, effects: decided.toSend)
        }
        partition.sessions.schedule(entry, at: decided.nextTimer)
        if !decided.effects.isEmpty, isOverfull(entry) {
            partition.input.overfull = entry
            try pause(partition)
        }
        if exceedsBytes(partition, share: 1) {
            partition.input.isFull = true
            try pause(partition)
        } else if partition.journal.inFlight > configuration.limits.maximumInFlight {
            try pause(partition)
        }
    }

    /// `true` if an event may make the session too large for its record in the journal. The event is then decided on a copy.
    ///
    /// A decision may repeat in results and handoffs what the session and the event have, copies remembered values into
    /// each request of the session, and adds the person's memory.
    private func mayOutgrow(_ entry: SessionEntry, by bytes: Int) -> Bool {
        guard let known = entry.bytes else { return true }
        let copies = 6 + entry.look { $0.suspended.count + $0.queued.count }
        return copies * (known + bytes) + configuration.policy.limits.maximumMemoryBytes
            > configuration.limits.maximumSessionBytes
    }

    /// A session's decision, as the journal and others get it.
    private struct EncodedDecision {
        var effects: [Effect]
        /// The session's value in the journal.
        var value: Bytes
        /// The effects to send once the log has the value.
        var toSend: [JournalEffect]
        /// `true` if one of the effects is a prompt or a completion.
        var tells: Bool
        /// The time of the session's next timer after the decision.
        var nextTimer: Instant
    }

    private enum Decided {
        case ignored
        case forgotten
        case changed(EncodedDecision)
    }

    /// Lets the session decide, in place. Its results stay with it until they are acknowledged.
    private func decide(
        on event: SessionEvent, from sender: Sender, _ entry: SessionEntry, event eventID: Identifier?
    ) -> Decided {
        let decision = entry.journaled.session.receive(
            event, from: sender.principal, isNamed: sender.isNamed, at: now, policy: configuration.policy,
            randomness: &randomness)
        if case .ignored(let why) = decision {
            ignored(why, session: entry.journaled.session.id)
            return .ignored
        }
        counters.decisions += 1
        guard case .changed(let effects) = decision else { return .forgotten }
        let (toSend, tells) = encode(effects, &entry.journaled, event: eventID)
        return .changed(
            EncodedDecision(
                effects: effects, value: JournalRecord.value(of: &entry.journaled), toSend: toSend, tells: tells,
                nextTimer: entry.look { $0.nextTimer(configuration.policy) }))
    }

    private func encode(_ effects: [Effect], _ session: inout JournaledSession, event: Identifier?) -> (
        toSend: [JournalEffect], tells: Bool
    ) {
        var toSend: [JournalEffect] = []
        var tells = false
        toSend.reserveCapacity(effects.count)
        let id = session.session.id
        for effect in effects {
            switch effect {
            case .work(let work): toSend.append(.work(work))
            case .result(let result):
                switch result.body {
                case .rejected(let rejection): counters.refused[rejection.reason, default: 0] += 1
                case .prompted, .completed: tells = true
                default: break
                }
                let encoded = EncodedResult(
                    result, session: id, owner: session.session.owner, event: event,
                    token: configuration.handoffTokens?.token(of: result, session: id), at: now)
                session.unacknowledged.append(encoded)  // rule: resultsStayUntilAcknowledged
                toSend.append(.result(encoded))
            case .memory(let change, of: let principal):
                toSend.append(.memory(MemoryChangeRecord(of: principal, change)))
            }
        }
        return (toSend, tells)
    }

    private func isOverfull(_ entry: SessionEntry) -> Bool {
        entry.unacknowledged.count >= configuration.limits.maximumUnacknowledged
            || entry.unacknowledgedBytes > configuration.limits.maximumUnacknowledgedBytes
    }

    /// Whether an overfull session accepts input again.
    func hasRoom(_ entry: SessionEntry) -> Bool {
        entry.unacknowledged.count <= configuration.limits.maximumUnacknowledged / 2
            && entry.unacknowledgedBytes <= configuration.limits.maximumUnacknowledgedBytes / 2
    }

    func fireTimers() throws(LogError) -> Bool {
        var fired = false
        for partition in inOrder {
            guard partition.isActive, !partition.input.holdsTimers else { continue }
            if try forgetEnded(partition) { fired = true }
            while let entry = partition.sessions.popDue(at: now) {
                // A session is not forgotten while results, or changes of the memory, are unacknowledged.
                let isDue = entry.look { $0.nextTimer(configuration.policy) } <= now
                // rule: unacknowledgedSessionsStay
                if isDue, entry.look({ $0.mayBeForgotten }), !entry.isAcknowledged {
                    partition.sessions.schedule(entry, at: now.advanced(by: .seconds(1)))
                    continue
                }
                if isDue {
                    fired = true
                    try decide(.timer, session: entry.session.id, event: nil, partition)
                }
                if entry.timer == nil, partition.sessions[entry.session.id] === entry {
                    // A timer that has fired is not due again at once, whatever the session's next timer is.
                    let next = max(
                        entry.look { $0.nextTimer(configuration.policy) }, now.advanced(by: .milliseconds(1)))
                    partition.sessions.schedule(entry, at: next)
                }
            }
        }
        return fired
    }

    func ignored(_ why: Ignored, session: Identifier? = nil) {
        counters.ignored[why, default: 0] += 1
        logger.debug("ignored", metadata: ["reason": "\(why.rawValue)", "session": "\(session ?? "")"])
    }
}

extension Session {
    /// Whether a timer may find that nothing is left to do. Live updates that are silent or over have to be looked at in their time.
    fileprivate var mayBeForgotten: Bool { isIdle && (ending != nil || !updates.contains(where: \.isOpen)) }
}
