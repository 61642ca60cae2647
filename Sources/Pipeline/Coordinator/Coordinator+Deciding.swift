import Conversation
import DequeModule
import IntentEvents
import IntentModel
import Logging
import RecordLog

// Input comes in, sessions decide, and the decision is journalled.
extension Coordinator {
    func input(_ record: ConsumedRecord, _ partition: OwnedPartition) throws(LogError) {
        guard partition.isActive, let input = JournalInput(record.topic, topics) else { return }
        let verdict = partition.journal.judge(record, of: input)
        // No stamp names this record until its rejection or dead letter is sent again, so it is sent before the others.
        if verdict == .open { try tellAgain(record, partition) }
        if !partition.input.unchecked.isEmpty { try tellChecked(input, partition) }
        switch verdict {
        case .next: break
        case .open: return
        case .unchecked: return partition.input.unchecked[input, default: []].append(.record(record))
        case .known, .otherLog: return try perform(partition)
        }
        if partition.input.isHeld { return partition.input.waiting.append(.record(record)) }
        guard try readSession(of: record, partition) else { return }
        if input == .outcomes { try outcome(record, partition) } else { try request(record, input, partition) }
    }

    private func request(_ record: ConsumedRecord, _ input: JournalInput, _ partition: OwnedPartition) throws(LogError)
    {
        let event: RequestEvent
        do { event = try RequestEvent(record) } catch { return try refuse(record, error, partition) }
        let entry = partition.sessions[event.session]
        if entry == nil, try !hasKey(for: record, partition) { return }
        counters.consumed.add(event.type, in: record.topic)
        partition.journal[input].take(record)
        let (session, id) = (event.session, event.id)
        switch intake.judge(
            event, key: record.key, on: input, in: partition.number, &partition.sessions, at: now)
        {
        case .misplaced(let rejection):
            counters.misplaced += 1
            try reject(record, rejection, session: session, event: id, partition)
        case .overloaded(let rejection):
            counters.overloads += 1
            try reject(record, rejection, session: session, event: id, isFinal: false, partition)
        case .refused(let rejection):
            try decide(.refused(rejection), session: session, event: id, opening: record, partition)
        case .admitted(var asked, let sender):
            if case .unserved = asked { counters.unserved += 1 }
            tracing?.begin(&asked)
            if let person = sender.person(in: entry) {
                asked = intake.remembering(asked, for: person, event: id, entry, at: now)
            }
            try decide(asked, from: sender, session: session, event: id, opening: record, partition)
        }
    }

    private func outcome(_ record: ConsumedRecord, _ partition: OwnedPartition) throws(LogError) {
        var event: OutcomeEvent
        do { event = try OutcomeEvent(record) } catch { return try refuse(record, error, partition) }
        let entry = partition.sessions[event.session]
        if let entry, !entry.look({ $0.authorizes(event.outcome) }), Rule.outcomesNeedTheirTicket.holds {
            ignored(.unauthorizedOutcome, session: event.session)
            return try refuse(record, event.outcome.refusal, partition)
        }
        counters.consumed.add(event.outcome.content.eventType(of: event.outcome.phase), in: record.topic)
        partition.journal.outcomes.take(record)
        guard let entry else { return ignored(.staleOutcome) }
        intake.complete(&event.outcome, entry, at: now)
        try decide(
            .outcome(event.outcome), session: event.session, event: nil, bytes: record.value?.count, partition)
    }

    /// Continues with input that had to wait.
    func resumeInput(_ partition: OwnedPartition) throws(LogError) {
        while !partition.input.isHeld, let next = partition.input.waiting.popFirst() { try take(next, partition) }
    }

    /// Continues with what had to wait until it was clear that the log is the one that was read before.
    func tellChecked(_ input: JournalInput, _ partition: OwnedPartition) throws(LogError) {
        guard !partition.journal[input].isUnchecked, let checked = partition.input.unchecked.removeValue(forKey: input)
        else { return }
        for next in checked { try take(next, partition) }
    }

    private func take(_ next: WaitingInput, _ partition: OwnedPartition) throws(LogError) {
        switch next {
        case .record(let record): try input(record, partition)
        case .unreadable(let batch): try passOver(batch, partition)
        }
    }

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
            if partition.sessions.openCount >= configuration.maximumSessions,
                !partition.sessions.isRepeat(event, in: id, at: now)
            {
                counters.sessionsRefused += 1
                return try reject(record, .noRoom, session: id, event: eventID ?? "", isFinal: false, partition)
            }
            if client.sessionKeys(of: partition.number) == .missing {
                counters.sessionsRefused += 1
                return try reject(record, .noKey, session: id, event: eventID ?? "", isFinal: false, partition)
            }
        }
        let entry = open ?? partition.sessions.make(id, at: now)
        let before = isObserved ? entry.look { $0.active.map(ObservedStep.init) } : nil
        let traced = before.flatMap { tracing?.records($0.trace) == true ? entry.journaled.session.active : nil }
        let owner: Principal? = if case .answered = event { entry.look { $0.countedOwner } } else { nil }
        let unchanged = mayOutgrow(entry, by: bytes ?? record?.value?.count ?? 0) ? entry.journaled : nil
        var decided: EncodedDecision
        switch decide(on: event, from: sender, entry, event: eventID) {
        case .ignored: return
        case .forgotten: return try forget(entry, partition)
        case .changed(let decision): decided = decision
        }
        if decided.value.count > configuration.maximumSessionBytes, Rule.sessionsHaveAMaximumSize.holds, let unchanged,
            let refusal = unchanged.session.refusal(
                of: event, bytes: decided.value.count, maximum: configuration.maximumSessionBytes)
        {
            counters.oversized += 1
            entry.journaled = unchanged
            guard case .changed(let decision) = decide(on: refusal, from: sender, entry, event: eventID) else { return }
            decided = decision
        }
        if open == nil, let record, let rejection = decided.effects.rejection {
            return try reject(record, rejection, session: id, event: eventID ?? "", partition)
        }
        entry.bytes = decided.value.count
        if isObserved { observe(event, before, traced: traced, entry, decided.tells ? decided.effects : [], partition) }
        if case .answered = event { partition.sessions.recount(entry, from: owner) }
        if open == nil {
            if !entry.look({ $0.isBlank }) { partition.sessions.insert(entry) }
            client.reserveKey(for: Bytes(id.text.utf8), in: partition.number)
        }
        try tell(partition) { $0.append(session: id, value: decided.value, effects: decided.toSend) }
        partition.sessions.schedule(entry, at: decided.nextTimer)
        if !decided.effects.isEmpty, isOverfull(entry) {
            partition.input.overfull = entry
            try pause(partition)
        }
        if exceedsBytes(partition, share: 1) {
            partition.input.isFull = true
            try pause(partition)
        } else if partition.journal.inFlight > configuration.maximumInFlight {
            try pause(partition)
        }
    }

    /// `true` if more than a part of the partition's bytes is in flight. Each partition has an equal share of the process's bytes, so none waits for the acknowledgements
    /// of another one.
    private func exceedsBytes(_ partition: OwnedPartition, share: Int) -> Bool {
        let most = min(
            configuration.maximumInFlightBytes, configuration.maximumInFlightBytesOfAll / max(1, inOrder.count))
        return partition.journal.inFlightBytes > most / share
    }

    private func hasManyResults(_ partition: OwnedPartition) -> Bool {
        outbound.count(of: TopicPartition(topics.results, partition.number)) > configuration.maximumInFlight / 2
    }

    /// `false` if the record has to wait, because keys for new sessions are on their way to the log. Without keys for 5 s, the record goes on, and its session is rejected.
    private func hasKey(for record: ConsumedRecord, _ partition: OwnedPartition) throws(LogError) -> Bool {
        guard client.sessionKeys(of: partition.number) == .pending, Rule.newSessionsWaitForAKey.holds else {
            return true
        }
        partition.input.lacksKey = true
        partition.input.waiting.prepend(.record(record))
        try pause(partition)
        return false
    }

    /// `true` if an event may make the session too large for its record in the journal. The event is then decided on a copy.
    ///
    /// A decision may repeat in results what the session and the event have, and adds the person's memory.
    private func mayOutgrow(_ entry: SessionEntry, by bytes: Int) -> Bool {
        guard let known = entry.bytes else { return true }
        return 3 * known + 4 * bytes + configuration.policy.maximumMemoryBytes > configuration.maximumSessionBytes
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
                if Rule.resultsStayUntilAcknowledged.holds { session.unacknowledged.append(encoded) }
                toSend.append(.result(encoded))
            case .memory(let change, of: let principal):
                toSend.append(.memory(MemoryChangeRecord(of: principal, change)))
            }
        }
        return (toSend, tells)
    }

    private func isOverfull(_ entry: SessionEntry) -> Bool {
        entry.unacknowledged.count >= configuration.maximumUnacknowledged
            || entry.unacknowledgedBytes > configuration.maximumUnacknowledgedBytes
    }

    /// Whether an overfull session accepts input again.
    func hasRoom(_ entry: SessionEntry) -> Bool {
        entry.unacknowledged.count <= configuration.maximumUnacknowledged / 2
            && entry.unacknowledgedBytes <= configuration.maximumUnacknowledgedBytes / 2
    }

    func fireTimers() throws(LogError) -> Bool {
        var fired = false
        for partition in inOrder {
            guard partition.isActive, !partition.input.holdsTimers else { continue }
            if try forgetEnded(partition) { fired = true }
            while let entry = partition.sessions.popDue(at: now) {
                // A session is not forgotten while results, or changes of the memory, are unacknowledged.
                let isDue = entry.look { $0.nextTimer(configuration.policy) } <= now
                if isDue, entry.look({ $0.mayBeForgotten }), !entry.isAcknowledged,
                    Rule.unacknowledgedSessionsStay.holds
                {
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

    func pause(_ partition: OwnedPartition) throws(LogError) {
        guard !partition.input.isPaused else { return }
        partition.input.isPaused = true
        try client.pause(inputs(of: partition))
    }

    /// Takes input again once there is room.
    func resumeIfPossible(_ partition: OwnedPartition) throws(LogError) {
        if partition.input.isFull, !exceedsBytes(partition, share: 2), !hasManyResults(partition) {
            partition.input.isFull = false
            try resumeInput(partition)
        }
        if partition.input.lacksKey, client.sessionKeys(of: partition.number) != .pending {
            partition.input.lacksKey = false
            try resumeInput(partition)
        }
        guard partition.input.isPaused, !partition.input.isHeld,
            partition.journal.inFlight <= configuration.maximumInFlight / 2,
            partition.isActive
        else { return }
        partition.input.isPaused = false
        try client.resume(inputs(of: partition))
    }

    private func inputs(of partition: OwnedPartition) -> [TopicPartition] {
        JournalInput.allCases.map { TopicPartition($0.topic(topics), partition.number) }
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
