package import Conversation
import DequeModule
import IntentEvents
package import IntentModel
package import RecordLog

// Decisions are appended. When a record is known to be in the log, and nothing of another owner before it, its effects are sent.
extension PartitionJournal {
    /// Appends a session after a decision.
    ///
    /// - Parameters:
    ///   - value: the session as it goes to the journal, with the results among `effects`.
    ///   - format: that of the value.
    ///   - effects: what to send once the record is in the log.
    package mutating func append(
        session id: Identifier, value: Bytes, format: Int = JournalStamp.usualFormat, effects: [JournalEffect] = []
    ) {
        append(.session(id, isOpen: true), value, effects, session: id, format: format)
        if written.sincePositions >= settings.positionsInterval { appendPositions() }
    }

    /// Forgets a session. Its tombstone may be compacted away with all that its records said, so the positions go first, under their own key.
    package mutating func forget(session id: Identifier) {
        if written.positions != inputs.summary { appendPositions() }
        append(.session(id, isOpen: false))
    }

    /// Appends the positions.
    ///
    /// - Parameter effects: what only the partition's owner may tell.
    package mutating func appendPositions(_ effects: [JournalEffect] = []) {
        written.sincePositions = 0
        written.positions = inputs.summary
        append(.positions, nil, effects)
    }

    mutating func append(
        _ subject: JournalOutline.Subject, _ value: Bytes? = nil, _ effects: [JournalEffect] = [],
        session: Identifier = "", format: Int = JournalStamp.usualFormat
    ) {
        var stamp = nextStamp()
        stamp.format = format
        let bytes = value?.count ?? 0
        var record = Appended(
            number: stamp.number, session: session, effects: effects, resultsFrom: stamp.results, bytes: bytes)
        record.inputs = inputs.offsets
        stamped = record.inputs
        appended.append(record)  // rule: effectsFollowTheirRecord
        inFlightBytes += bytes
        written.sincePositions += 1
        written.sinceCheck += 1
        actions.append(.append(JournalOutline(stamp: stamp, subject: subject), value: value))
    }

    /// The stamp of the next record.
    mutating func nextStamp() -> JournalStamp {
        written.count += 1
        var stamp = JournalStamp(
            epoch: epoch, owner: settings.owner, number: written.count, requests: inputs.requests.next,
            outcomes: inputs.outcomes.next,
            settled: effects.firstOffset ?? verified, results: oldestResult,
            lastRequest: inputs.requests.last, lastOutcome: inputs.outcomes.last)
        (stamp.answers, stamp.lastAnswer) = (inputs.answers.next, inputs.answers.last)
        stamp.inputs = inputs.repairs
        written.namesOpenInput = inputs.hasOpen  // rule: openInputIsNamed
        if written.namesOpenInput {
            (stamp.openRequests, stamp.openAnswers, stamp.openOutcomes) = (
                inputs.requests.open, inputs.answers.open, inputs.outcomes.open
            )
        }
        return stamp
    }

    /// Where a successor has to begin to look for results. Records that are not known to be in the log count too: they name results as unacknowledged that may be
    /// acknowledged by now, and the successor looks for them.
    private var oldestResult: Int64 {
        effects.firstResults
            ?? unverified.first?.resultsFrom ?? appended.first?.resultsFrom  // rule: recordsInFlightNameResults
            ?? effects.resultsNext
    }

    /// The oldest record of ours that was not acknowledged now is.
    ///
    /// - Parameter offset: where it is; `nil` if the log does not say.
    package mutating func acknowledged(at offset: Int64?) {
        if fences > 0 { return fences -= 1 }
        guard isOwned, let record = appended.popFirst() else { return }
        // It was read in the log before.
        if released > 0 { return released -= 1 }
        guard unverified.isEmpty, let offset, offset == verified else {  // rule: gapsAreRead
            actions.append(.tell(.gap(from: verified, to: offset)))
            unverified.append(record)
            return startVerifying()
        }
        verified += 1
        guard continuity.judge(stamp(record), at: offset) == .valid else { return missing(before: record.number) }
        acknowledged = record.inputs
        release(record, at: offset)
    }

    private func stamp(_ record: Appended) -> JournalStamp {
        JournalStamp(
            epoch: epoch, owner: settings.owner, number: record.number, requests: 0, outcomes: 0, settled: 0, results: 0
        )
    }

    /// Sends the effects of a record that is in the log.
    mutating func release(_ record: Appended, at offset: Int64) {
        if record.effects.isEmpty { return inFlightBytes -= record.bytes }
        let group = effects.open(
            .init(
                offset: offset, resultsFrom: record.resultsFrom, session: record.session, effects: record.effects,
                bytes: record.bytes))
        for (part, effect) in record.effects.enumerated() {
            if case .result(let result) = effect { effects.sent(result: result.sequence, of: record.session) }
            actions.append(.send(effect, session: record.session, place: EffectPlace(group: group, part: part)))
        }
    }

    package mutating func acknowledgedWork(at place: EffectPlace) { inFlightBytes -= effects.acknowledged(place.group) }

    package mutating func acknowledgedResult(at place: EffectPlace, offset: Int64?) {
        if let result = effects.acknowledgedResult(at: offset) {
            actions.append(.acknowledged(session: result.session, sequence: result.sequence))
        }
        inFlightBytes -= effects.acknowledged(place.group)
    }

    /// The work at this place, and the session that has dispatched it; `nil` if it is acknowledged, or forgotten since the partition was lost.
    package func work(at place: EffectPlace) -> (session: Identifier, work: Work)? { effects.work(at: place) }
}
