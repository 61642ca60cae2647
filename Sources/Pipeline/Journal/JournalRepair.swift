package import Conversation
package import IntentEvents
package import IntentModel
package import RecordLog

/// One change of a journal by an operator, as a value without IO. It owns the partition while it changes it, in the way of a coordinator: it appends a fence,
/// reads on until that is found, and appends its record if the fence is the first of its epoch. Then it reads its record, since another owner may have come
/// in between.
package struct JournalRepair: Sendable, Hashable {
    package enum Change: Sendable, Hashable {
        /// The session is forgotten.
        case forget(Identifier)
        /// The session goes on with its newest record that can be read.
        ///
        /// - Parameter told: the number of its last result in `intents.results`. The session's next one must be higher, or readers would take it for a copy.
        case restore(Identifier, told: Int)
        /// These inputs continue at these positions; the others stay as they are. Rejections and dead letters that are still to be written, of
        /// records before the positions, stay named in the stamp. In another log, the records at these offsets are rejected.
        case inputs([JournalInput: InputPosition])
        /// All inputs continue at the journal's positions, although the journal has lost records.
        case repeatLost
    }

    /// A record to append.
    package struct Entry: Sendable, Hashable {
        package var outline: JournalOutline
        package var value: Bytes?
    }

    package enum Step: Sendable, Hashable {
        case readOn
        case append(Entry)
        /// The change is in the journal, at this offset.
        case done(offset: Int64)
    }

    private enum State: Sendable, Hashable { case reading, fencing, changing, done }

    package let change: Change
    package let owner: Identifier
    package private(set) var check: JournalCheck
    private var state = State.reading
    private var epoch = 0

    /// - Parameters:
    ///   - check: the partition, read to its end.
    ///   - owner: names this run in the journal.
    package init(_ change: Change, _ check: JournalCheck, owner: Identifier) {
        self.change = change
        self.check = check
        self.owner = owner
    }

    /// Appends the fence. Nothing but the owner changes with it.
    ///
    /// - Throws: why the change can't be made.
    package mutating func begin() throws(JournalProblem) -> Entry {
        _ = try entry()
        epoch = check.replay.epoch + 1
        state = .fencing
        let terms = check.replay.terms
        return Entry(
            outline: JournalOutline(stamp: stamp(1), subject: .fence(epoch: epoch, owner: owner)), value: terms.bytes)
    }

    /// The next record of the journal, after those of the check.
    ///
    /// - Throws: if a coordinator was quicker.
    package mutating func read(_ record: ConsumedRecord) throws(JournalProblem) -> Step {
        let verdict = check.apply(record)
        guard let outline = try? JournalOutline(record), outline.stamp.owner == owner, outline.stamp.epoch == epoch
        else { return .readOn }
        switch state {
        case .fencing:
            guard verdict == .valid else { throw quicker() }
            state = .changing
            return .append(try entry())
        case .changing:
            guard verdict == .valid else { throw quicker() }
            state = .done
            return .done(offset: record.offset)
        case .reading, .done: return .readOn
        }
    }

    private func quicker() -> JournalProblem {
        JournalProblem(
            "the coordinator '\(check.replay.owner)' took partition \(check.partition) over at the same time, so nothing was changed: try again"
        )
    }

    /// The record that makes the change.
    private func entry() throws(JournalProblem) -> Entry {
        switch change {
        case .forget(let session):
            guard check.replay.sessions[session] != nil || check.replay.foreign[session] != nil else {
                throw JournalProblem("partition \(check.partition) has no session '\(session)'")
            }
            // The positions are in the fence, so they stay when compaction takes this away.
            return Entry(outline: JournalOutline(stamp: stamp(2), subject: .session(session, isOpen: false)))
        case .restore(let session, let told):
            let restored = try restored(session, told)
            var stamp = stamp(2)
            stamp.format = restored.format
            return Entry(
                outline: JournalOutline(stamp: stamp, subject: .session(session, isOpen: true)),
                value: JournalRecord.value(restored))
        case .inputs(let positions):
            var stamp = stamp(2)
            stamp.inputs = newCount
            stamp.results = check.resultsNextAfterRepair
            for (input, position) in positions {
                stamp[input] = InputPosition(next: position.next, last: position.last, open: stamp[input].open)
            }
            return Entry(outline: JournalOutline(stamp: stamp, subject: .positions))
        case .repeatLost:
            var stamp = stamp(2)
            stamp.inputs = newCount
            stamp.results = check.resultsNextAfterRepair
            return Entry(outline: JournalOutline(stamp: stamp, subject: .positions))
        }
    }

    /// A higher count than that of any stamp and any commit of the group: positions of a lower count no longer matter.
    private var newCount: Int { max(check.replay.stamp?.inputs ?? 0, check.group.inputs) + 1 }

    private func restored(_ session: Identifier, _ told: Int) throws(JournalProblem) -> JournaledSession {
        guard let newest = check.newestRecord(of: session) else {
            throw JournalProblem("the journal has no record of the session '\(session)' that can be restored")
        }
        guard !newest.isReadable else {
            throw JournalProblem(
                "the newest record of the session '\(session)' can be read: there is nothing to restore")
        }
        guard let record = check.readableRecord(of: session), let outline = try? JournalOutline(record),
            var restored = try? outline.session(session, in: record)
        else {
            throw JournalProblem(
                "the journal has no record of the session '\(session)' that can be read: it can only be forgotten")
        }
        // They were sent before. The next owner looks for the others in the results.
        if record.offset < check.replay.stamp?.settled ?? 0 { restored.unacknowledged = [] }
        restored.session.sequence = max(restored.session.sequence, told)
        return restored
    }

    /// A stamp with all positions as they are.
    private func stamp(_ number: Int) -> JournalStamp {
        var stamp =
            check.replay.stamp
            ?? JournalStamp(
                epoch: epoch, owner: owner, number: number, requests: 0, outcomes: 0, settled: 0, results: 0)
        (stamp.epoch, stamp.owner, stamp.number, stamp.format) = (epoch, owner, number, JournalStamp.usualFormat)
        return stamp
    }
}

extension JournalRepair {
    /// Why this should not be done now, unless the operator insists.
    ///
    /// - Parameter findings: those of the check.
    package func objection(_ findings: [JournalFinding], at now: Instant) -> String? {
        let partition = check.partition
        if findings.isEmpty, let newest = check.newest, newest.duration(to: now) < Self.quiet {
            return
                "partition \(partition) has no problem, and its newest record is younger than a minute: a coordinator is at work there, "
                + "and would be fenced off"
        }
        let newer = findings.compactMap { finding in
            if case .unreadable(_, _, _, let format?, _) = finding { format } else { nil }
        }
        if let format = newer.max(), let newest = check.newestDecision, newest.duration(to: now) < Self.quiet {
            return
                "a coordinator of a newer version wrote to partition \(partition) less than a minute ago, in format \(format): "
                + "use the tool of that version"
        }
        if case .forget(let session) = change, check.newestRecord(of: session)?.isReadable == true {
            return "the session '\(session)' can be read: 'intents session end' completes its requests and then ends it"
        }
        return nil
    }

    private static let quiet: Duration = .seconds(60)

    private static let olderSessions =
        "Sessions of which the journal has an older state go on from there. The work that they had sent before the loss is done again, also that of a handler that is to be called "
        + "only once, and their last results may be written twice. Readers may take the next results of such a session for copies of results that they have; "
        + "after 'intents session end' a session with the same name begins anew."

    /// What the change means for the people and programs that take part, in sentences.
    package var consequences: [String] {
        switch change {
        case .forget(let session):
            let record = check.replay.sessions[session] ?? check.replay.foreign[session]?.record
            return [
                "the session '\(session)' is forgotten: \(record.flatMap(SessionGist.init)?.description ?? "what it was about is not known"). "
                    + "None of its requests gets a completion. Outcomes of work that is under way are passed over."
            ]
        case .restore(let session, let told):
            guard let record = check.readableRecord(of: session), let newest = check.newestRecord(of: session) else {
                return []
            }
            return [
                "the session '\(session)' continues as it was at offset \(record.offset): \(SessionGist(record)?.description ?? "idle"). "
                    + "Decisions after that, up to offset \(newest.record.offset), are lost: what they accepted or asked is not known any more, and work may be done again, also that of a "
                    + "handler that is to be called only once. Its next result has the number \(told + 1) or a higher one."
            ]
        case .inputs(let positions):
            return JournalInput.allCases.compactMap { input in
                positions[input].map {
                    "\(input.topic(check.topics)) is read from offset \($0.next) on. What is before is not decided on; what was decided on and comes again is "
                        + "decided on again, unless its session remembers the request."
                }
            } + (check.loss == nil ? [] : [Self.olderSessions])
                + [
                    "Versions that do not know the part 'inputs' of a stamp (0.1.0) must not own the partition after this."
                ]
        case .repeatLost:
            return [
                "all inputs of partition \(check.partition) are read from the journal's positions on. What was decided on since then is decided on again: handlers that "
                    + "are to be called only once may be called a second time, and people may be asked again.",
                Self.olderSessions,
                "Versions that do not know the part 'inputs' of a stamp (0.1.0) must not own the partition after this.",
            ]
        }
    }
}
