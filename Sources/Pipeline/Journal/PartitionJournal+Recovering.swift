package import Conversation
import DequeModule
package import IntentEvents
package import IntentModel
package import RecordLog

// Taking a partition over, from top to bottom: the journal is read to its end and fenced, the sessions are read of which something may not have been sent, the
// results that the previous owner has sent are looked for, and what is missing is sent.
extension PartitionJournal {
    /// What the journal says, once our fence is in it.
    package struct Recovered: Sendable, Hashable {
        /// A session whose effects may not have been sent, or that has to be written again.
        package struct Session: Sendable, Hashable {
            var journaled: JournaledSession
            /// The offset of its newest record.
            var offset: Int64
        }

        var replay: JournalReplay
        var stamp: JournalStamp
        /// The sessions that have to be read for it, in the order of the journal.
        var sessions: [Session]
        /// Results that are in `intents.results`.
        var found: Set<ResultID> = []
    }

    /// A result as it is found in the log. A session that was forgotten counts from 1 again, so its number alone does not tell one from another.
    package struct ResultID: Sendable, Hashable {
        var session: Identifier
        var sequence: Int
        /// The event's time, as text.
        var time: String
    }

    /// 1. The partition is ours, says the group. What is known of it is read on.
    ///
    /// - Parameter followed: The replay of a standby. Without one, the cached replay continues.
    package mutating func takeOver(from followed: JournalReplay? = nil) {
        guard isUnread || isCached else { return }
        lossSeen = nil
        let replay = followed ?? kept ?? JournalReplay()
        state = .replaying(replay)
        actions.append(.read(.journal, from: replay.next == 0 ? .beginning : .offset(replay.next)))
    }

    /// 2. The journal's records, first to its end, then on to our fence.
    mutating func replay(_ record: ConsumedRecord, at now: Instant) {
        let isFencing = if case .fencing = state { true } else { false }
        guard var replay = state.takeReplay() else { return }
        if record.offset < replay.next { return readAgain() }
        replay.apply(record)
        state = isFencing ? .fencing(replay) : .replaying(replay)
        if replay.basis == .invalid { return readAgain() }
        // Another coordinator has fenced after us, so the records that we did not have may be its records.
        if let lossSeen, replay.epoch > lossSeen, !isFencing, let stamp = replay.stamp {
            return lose(to: stamp, at: now)
        }
        if isFencing, isOurFence(record) { fenceSeen(replay, at: now) }
    }

    /// What was known is worth nothing: others have owned the partition since it was kept, or its log was cut.
    mutating func readAgain() {
        state = .replaying(JournalReplay())
        actions.append(.read(.journal, from: .beginning))
    }

    /// What a replay of the journal would find now that all we have written is in it, but for the sessions.
    var replayOfAll: JournalReplay {
        var next = self
        return JournalReplay(
            resuming: continuity, at: verified, stamp: next.nextStamp(), fences: [fence] + lostFences,
            terms: terms)
    }

    /// 3. At its end the journal is fenced. Of two fences with one epoch the first in the log counts, so ours counts once it is read without another before it.
    mutating func fence(after replay: JournalReplay) {
        do throws(JournalProblem) { try checkTerms(replay) } catch { return stop(error.description) }
        state = .fencing(replay)
        epoch = replay.epoch + 1
        var stamp = nextStamp()
        if let before = replay.stamp {
            for input in JournalInput.allCases { stamp[input] = before[input] }
            (stamp.settled, stamp.results, stamp.inputs) = (before.settled, before.results, before.inputs)
        } else {
            // The positions in memory are those of a journal that is gone.
            for input in JournalInput.allCases { stamp[input] = InputPosition() }
            (stamp.settled, stamp.results, stamp.inputs) = (0, 0, 0)
        }
        fences += 1
        let terms = FenceTerms(partitions: settings.partitions ?? replay.terms.partitions)
        actions.append(
            .append(
                JournalOutline(stamp: stamp, subject: .fence(epoch: epoch, owner: settings.owner)), value: terms.bytes))
    }

    /// Keys go to partitions by their number, so with another number of partitions a session would have two owners.
    private func checkTerms(_ replay: JournalReplay) throws(JournalProblem) {
        // rule: partitionCountIsFixed
        guard let count = settings.partitions, let before = replay.otherPartitions(than: count) else { return }
        throw JournalProblem(JournalFinding.otherPartitions(before: before, now: count).description)
    }

    private func isOurFence(_ record: ConsumedRecord) -> Bool {
        guard let outline = try? JournalOutline(record), case .fence = outline.subject else { return false }
        return outline.stamp.owner == settings.owner && outline.stamp.epoch == epoch
    }

    /// 4. Our fence is in the journal. If it is the first of its epoch, the partition is ours, and its sessions are read.
    private mutating func fenceSeen(_ replay: JournalReplay, at now: Instant) {
        // rule: firstFenceOwns
        guard let stamp = replay.stamp, replay.epoch == epoch, replay.owner == settings.owner else {
            return fence(after: replay)
        }
        guard let group else { return state = .fencing(replay) }
        let sessions: [Recovered.Session]
        do throws(JournalProblem) {
            try checkForeign(replay, at: now)
            if let loss = replay.loss(after: group) { return try confirm(loss) }  // rule: lostJournalsAreNoticed
            sessions = try readSessions(replay)
        } catch {
            return stop(error.description)
        }
        actions.append(.stopReading(.journal))
        continuity = replay.continuity
        terms = replay.terms
        verified = replay.next
        for input in JournalInput.allCases { self[input] = replay.position(of: input) }
        written.namesOpenInput = inputs.hasOpen
        inputs.repairs = stamp.inputs
        written.positions = inputs.summary
        (stamped, acknowledged) = (inputs.offsets, inputs.offsets)
        effects.resultsNext = stamp.results
        let recovered = Recovered(replay: replay, stamp: stamp, sessions: sessions)
        // Where nothing is left to be sent, results can still show that the journal has lost what it knew.
        let isComplete = sessions.isEmpty && (replay.isResumed || replay.newestDecision != nil)
        if isComplete { return begin(recovered) }  // rule: sentResultsAreSearchedFor
        state = .readingResults(recovered)
        actions.append(.read(.results, from: stamp.results == 0 ? .beginning : .offset(stamp.results)))
    }

    /// The group's committed offsets of the inputs are not known yet. Deciding does not begin before ``found(committed:at:)``.
    package mutating func lookUpCommitted() { group = nil }

    /// What the group has committed. If our fence is in the journal, the takeover continues.
    package mutating func found(committed: GroupPositions, at now: Instant) {
        guard group == nil else { return }
        group = committed
        guard case .fencing(let replay) = state, replay.fences.contains(fence) else { return }
        fenceSeen(replay, at: now)
    }

    /// Reads and fences the journal again at the first sign of a loss: another coordinator may have fenced after us. Stops the partition if none has.
    private mutating func confirm(_ loss: JournalFinding) throws(JournalProblem) {
        if lossSeen != epoch - 1 {  // rule: lossesAreConfirmed
            lossSeen = epoch
            close()
            actions.append(.tell(.loss(loss)))
            return readAgain()
        }
        throw JournalProblem(
            "\(loss). Nothing is decided, since a handler that is to be called only once could be called again. 'intents journal repair --partition "
                + "\(partition)' says what can be done. Then restart the coordinator")
    }

    private func checkForeign(_ replay: JournalReplay, at now: Instant) throws(JournalProblem) {
        guard let finding = replay.overwritten(at: now).first else { return }
        throw JournalProblem("\(finding). \(Self.advice(partition))")
    }

    /// Sessions that were not written since all was settled have nothing to be sent, and are read when they are needed. So a partition with many sessions is
    /// taken over nearly as soon as one with few.
    private func readSessions(_ replay: JournalReplay) throws(JournalProblem) -> [Recovered.Session] {
        let settled = replay.stamp?.settled ?? 0  // rule: settledResultsAreNotSentAgain
        let rewritten = replay.stale.union(replay.foreign.keys).union(replay.illegible)
        var needed = replay.newest.written(from: settled)
        if !rewritten.isEmpty {
            needed += rewritten.compactMap { id in replay.sessions[id].map { (id, $0) } }.filter {
                $0.1.offset < settled
            }
            needed.sort { $0.record.offset < $1.record.offset }
        }
        var sessions: [Recovered.Session] = []
        for (id, record) in needed {
            do throws(EventError) {
                var journaled = try JournalOutline(record).session(id, in: record)
                if record.offset < settled { journaled.unacknowledged = [] }
                sessions.append(.init(journaled: journaled, offset: record.offset))
            } catch {
                throw unreadable(error)  // rule: unreadableSessionsStopThePartition
            }
        }
        return sessions
    }

    private func unreadable(_ error: EventError) -> JournalProblem {
        JournalProblem("\(error.rejection.message). \(Self.advice(partition))")
    }

    /// Reads a session that was left unread when the partition was taken over.
    ///
    /// - Parameter record: its newest record.
    package func session(_ id: Identifier, in record: ConsumedRecord) throws(EventError) -> JournaledSession {
        var journaled = try JournalOutline(record).session(id, in: record)
        journaled.unacknowledged = []
        return journaled
    }

    /// A session can't be read that was left unread. The partition is stopped: its record stays the newest one.
    package mutating func isUnreadable(_ error: EventError) { if isOwned { stop(unreadable(error).description) } }

    private static func advice(_ partition: Int32) -> String {
        "Its record is as it was. 'intents journal check --partition \(partition)' shows the record. If a newer version wrote it, run that version; otherwise "
            + "'intents journal repair' says what can be done. Then restart the coordinator"
    }

    /// 5. Results that the previous owner has sent.
    mutating func found(_ record: ConsumedRecord) {
        guard let id = ResultID(record), var recovered = state.takeRecovered() else { return }
        let loss = recovered.replay.loss(shownBy: record)  // rule: lostJournalsAreNoticed
        recovered.found.insert(id)
        state = .readingResults(recovered)
        guard let loss else { return }
        do throws(JournalProblem) { try confirm(loss) } catch { stop(error.description) }
    }

    /// 6. What the previous owner may not have sent is sent again. Then what does not count is overwritten, older fences are forgotten, and deciding begins.
    mutating func begin(_ recovered: Recovered) {
        state = .active
        let replay = recovered.replay
        var takeover = Takeover(
            isResumed: replay.isResumed, sessions: [], unread: replay.newest, ended: replay.ended,
            afterGap: replay.afterGap,
            foreign: replay.foreign.count)
        for session in recovered.sessions {
            var journaled = session.journaled
            let id = journaled.session.id
            journaled.unacknowledged.removeAll { recovered.found.contains(ResultID($0, session: id)) }
            takeover.sessions.append(journaled)
        }
        takeover.unread.leaveOut(takeover.sessions.lazy.map(\.session.id))
        actions.append(.begin(takeover))
        // Until all of this is acknowledged, the next owner has to look at the same results as we did.
        for (session, found) in zip(takeover.sessions, recovered.sessions) where found.offset >= recovered.stamp.settled
        {
            let effects =
                // rule: openWorkIsSentAgain
                session.session.outstandingWork(under: settings.policy).map(JournalEffect.work)
                + session.unacknowledged.map(JournalEffect.result)  // rule: unsentResultsAreSentAgain
            release(
                Appended(
                    number: 0, session: session.session.id, effects: effects, resultsFrom: recovered.stamp.results),
                at: recovered.stamp.settled)
        }
        effects.resultsNext = max(effects.resultsNext, recovered.stamp.results)
        // Only now: a session that is written again must not list results as unsent that are before its stamp.
        overwrite(recovered, takeover)
        forgetFences(recovered.replay.fences)
    }

    private mutating func overwrite(_ recovered: Recovered, _ takeover: Takeover) {
        let void = recovered.replay.stale.union(recovered.replay.foreign.keys)
        if void.isEmpty { return }  // rule: voidRecordsAreOverwritten
        let open = Dictionary(uniqueKeysWithValues: takeover.sessions.map { ($0.session.id, $0) })
        for key in void.sorted() {
            switch JournalOutline.Subject(key: key, hasValue: true) {
            case .session:
                if let session = open[key] {
                    append(session: key, value: JournalRecord.value(session), format: session.format)
                } else {
                    forget(session: key)
                }
            case .positions: appendPositions()
            case .fence, .forgottenFence: break
            }
        }
    }

    /// Older fences are no longer needed: every void record after them has been written again. The newest goes first, so that of two fences of one epoch the
    /// second never becomes the first.
    private mutating func forgetFences(_ fences: [Identifier]) {
        // rule: newestFenceIsForgottenFirst
        for fence in fences.reversed() where fence != self.fence { append(.forgottenFence(fence)) }
        lostFences = []
    }

    /// The key of our fence.
    var fence: Identifier { JournalOutline.Subject.fence(epoch: epoch, owner: settings.owner).key }
}

extension PartitionJournal.ResultID {
    init(_ result: EncodedResult, session: Identifier) {
        // rule: resultsAreKnownByTime
        self.init(session: session, sequence: result.sequence, time: result.time.description)
    }

    /// `nil` if it is no result of a session.
    init?(_ record: ConsumedRecord) {
        guard let session = try? SessionKey.read(record),
            let time = record.headers.first(where: { $0.name == "ce_time" })?.text,
            let value = record.value, let view = try? JSONView(parsing: value, limits: .journal),
            let sequence = view["sequence"]?.int
        else { return nil }
        self.init(session: session, sequence: sequence, time: time)  // rule: resultsAreKnownByTime
    }
}

// A partition has a hundred thousand records to read. While the state still holds what is read into, a change of it copies all of it, so it is taken out of the
// state first.
extension PartitionJournal.State {
    /// What was read of the journal. The state is set again at once.
    fileprivate mutating func takeReplay() -> JournalReplay? {
        let taken: JournalReplay
        switch self {
        case .replaying(let replay), .fencing(let replay): taken = replay
        case .unread, .readingResults, .active, .draining, .lost, .stopped, .kept, .followed: return nil
        }
        self = .active
        return taken
    }

    /// What was read of the journal and of the results. The state is set again at once.
    fileprivate mutating func takeRecovered() -> PartitionJournal.Recovered? {
        guard case .readingResults(let recovered) = self else { return nil }
        self = .active
        return recovered
    }
}
