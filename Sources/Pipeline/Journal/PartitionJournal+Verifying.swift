package import Conversation
import DequeModule
import IntentEvents
import IntentModel
import RecordLog

// The owner is the only writer, so its records have no gap. Where they have one, and now and then where nothing was written, the journal is read.
extension PartitionJournal {
    /// Regularly: looks whether anyone else wrote to a quiet journal, and whether a lost partition was revoked. If not, the coordinator that has fenced it may have
    /// gone before it joined the group again. If the partition is then lost a second time, another group is at work.
    package mutating func check(at now: Instant) {
        if case .lost(let until) = state, until <= now {
            if !wasReclaimed { return actions.append(.reclaim) }
            actions.append(
                .fail(
                    LogError(
                        .illegalGeneration,
                        "another coordinator writes to \(settings.topics.sessions), partition \(partition), though the group gave it to this one: "
                            + "do two groups use the same topics?",
                        disposition: .fatal)))
        }
        if isActive, written.sinceCheck == 0 { startVerifying() }  // rule: quietJournalsAreRead
        // Input that changes nothing is in no record, and the group commits only what the journal has.
        if isActive, stamped != inputs.offsets { appendPositions() }
        written.sinceCheck = 0
    }

    /// Reads the journal from the first offset that is not known to be ours.
    mutating func startVerifying() {
        guard !isVerifying else { return }
        isVerifying = true
        verifyingFrom = verified
        actions.append(.read(.journal, from: .offset(verified)))
    }

    /// A record of the journal, read because of a gap or because the journal was quiet.
    mutating func verify(_ record: ConsumedRecord, at now: Instant) {
        guard isVerifying, record.offset >= verified else { return }
        verified = record.offset + 1
        let outline: JournalOutline
        do throws(EventError) { outline = try JournalOutline(record) } catch {
            continuity.passOver()
            actions.append(.tell(.foreign(offset: record.offset, problem: error.rejection.message)))
            if let key = record.key.flatMap({ String(validating: $0, as: UTF8.self) }) {
                repair(.init(key: Identifier(key), hasValue: record.value != nil))
            }
            return
        }
        if outline.stamp.epoch > epoch { return lose(to: outline.stamp, at: now) }  // rule: newerOwnersWin
        switch continuity.judge(outline.stamp, at: record.offset) {
        case .valid: releaseAll(through: outline.stamp.number, at: record.offset)
        case .afterGap: missing(before: outline.stamp.number)
        case .void:
            // A copy of our own record may be older than the session is now. Any other writer does not own the partition.
            if outline.stamp.epoch != epoch || outline.stamp.owner != settings.owner {
                actions.append(.tell(.staleWriter(owner: outline.stamp.owner)))
            }
            if case .fence(let key) = outline.subject, key != fence { lostFences.append(key) }
            repair(outline.subject)
        }
    }

    /// Our records up to this number are in the log: they are written in the order of their numbers, and none is missing. Their effects are sent now and not
    /// when the acknowledgements come, since the next record says that they are.
    private mutating func releaseAll(through number: Int, at offset: Int64) {
        while let first = unverified.first, first.number <= number {
            unverified.removeFirst()
            acknowledged = first.inputs
            release(first, at: offset)
        }
        while released < appended.count, appended[released].number <= number {
            acknowledged = appended[released].inputs
            release(appended[released], at: offset)
            released += 1
        }
    }

    /// Writes what a record overwrites again, so that compaction can never keep that record.
    private mutating func repair(_ subject: JournalOutline.Subject) {
        switch subject {  // rule: strayRecordsAreOverwritten
        case .session(let id, _): actions.append(.rewrite(session: id))
        case .positions: appendPositions()
        case .fence, .forgottenFence: break
        }
    }

    mutating func lose(to stamp: JournalStamp, at now: Instant) {
        close()
        forget()
        state = .lost(until: now.advanced(by: settings.patience))
        actions.append(.lose(to: stamp))
    }

    mutating func verificationReachedEnd(next: Int64) {
        guard isVerifying else { return }
        if next < verifyingFrom { return cut() }
        if next < verified {
            // The end was found before the records came that are acknowledged meanwhile, and says nothing about them.
            isVerifying = false
            actions.append(.stopReading(.journal))
            return startVerifying()
        }
        guard unverified.isEmpty else { return }
        isVerifying = false
        if appended.isEmpty { verified = next }
        actions.append(.stopReading(.journal))
    }

    /// Records that were acknowledged are gone. Only the next owner can tell what is left, from the beginning, and stops the partition.
    mutating func cut() {
        actions.append(
            .fail(
                LogError(
                    .offsetOutOfRange,
                    "\(settings.topics.sessions), partition \(partition), ends before \(verified), but records up to there were acknowledged: its tail was cut, or "
                        + "the topic was created again; set min.insync.replicas=2 and unclean.leader.election.enable=false. This process ends, and the "
                        + "next owner stops the partition: 'intents journal repair --partition \(partition)' says what can be done",
                    disposition: .fatal)))
    }

    /// One of our records is not in the log although a later one is.
    mutating func missing(before number: Int) {
        actions.append(
            .fail(
                LogError(
                    .other,
                    "a record of this process before number \(number) is missing in \(settings.topics.sessions), partition \(partition). This process ends, "
                        + "and the next owner reads its input again",
                    disposition: .fatal)))
    }
}
