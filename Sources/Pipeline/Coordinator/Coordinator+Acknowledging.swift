import Conversation
import IntentEvents
import IntentModel
import Logging
import RecordLog

// The log has taken a record, or refused it for good. Without the journal and the results a coordinator can't go on. Each other refusal has a consequence of its own,
// because a successor would write the same record and be refused as well. The same happens with what a partition does not take for long: nothing else waits for it.
extension Coordinator {
    func acknowledged(_ delivery: Delivery) throws(LogError) {
        outbound.delivered(delivery)
        let (kind, number) = (Token.kind(delivery.token), Token.number(delivery.token))
        let partition = byOwnership[Token.ownership(delivery.token)]
        if let error = delivery.error { return try refused(delivery, error, kind, partition) }
        // Released or lost since.
        guard let partition else { return }
        switch kind {
        case .untracked: return
        case .journal: partition.journal.acknowledged(at: delivery.offset)
        case .work: partition.journal.acknowledgedWork(at: EffectPlace(number))
        case .result: partition.journal.acknowledgedResult(at: EffectPlace(number), offset: delivery.offset)
        case .memory: try changed(number, nil, partition)
        case .openInput: try told(number, partition)
        }
        try perform(partition)
    }

    private func refused(_ delivery: Delivery, _ error: LogError, _ kind: Token.Kind, _ partition: OwnedPartition?)
        throws(LogError)
    {
        let isNeeded = [topics.sessions, topics.results].contains(delivery.topic)
        // After a fatal error the client refuses all records.
        if isNeeded || error.disposition == .fatal || error.code == .closed {  // rule: refusedRecordsEndTheProcess
            // An effect must not be sent without its journal record, and no result may be lost. The next owner repeats both.
            throw LogError(
                error.code, "a record for \(delivery.topic) could not be written: \(error.message)", disposition: .fatal
            )
        }
        // The client that encrypts has written it, and tries again with the next new session.
        if delivery.topic == topics.keys { return count(RefusedRecord(topic: delivery.topic, code: error.code), error) }
        let number = Token.number(delivery.token)
        if kind == .openInput {
            guard let partition, let letter = partition.input.open[number]?.letter else { return }
            try refused(letter, number, error, partition)
            return try perform(partition)
        }
        count(RefusedRecord(topic: delivery.topic, code: error.code), error)
        guard let partition else { return }
        switch kind {
        case .work:
            try refusedWork(at: EffectPlace(number), RefusedRecord(topic: delivery.topic, code: error.code), partition)
        case .memory: try changed(number, RefusedRecord(topic: delivery.topic, code: error.code), partition)
        case .untracked, .journal, .result, .openInput: break
        }
        try perform(partition)
    }

    func count(_ refused: RefusedRecord, _ error: LogError) {
        counters.refusedRecords[refused, default: 0] += 1
        if let told = notices.refusals[refused], told.duration(to: now) < .seconds(60) { return }
        notices.refusals[refused] = now
        logger.error(
            """
            the log refuses records of a topic: they are given up and counted, and requests whose work is refused fail. 'intents doctor' compares the topics and \
            rights with those that the pipeline needs
            """,
            metadata: [
                "topic": "\(refused.topic)", "error": "\(error)", "refused": "\(counters.refusedRecords[refused] ?? 0)",
            ])
    }

    /// Looks once a second whether each partition takes what is sent to it. Where one has taken nothing for long, nothing else waits for it any longer.
    func giveUpStuck() throws(LogError) {
        guard now >= nextLookForStuck else { return }
        nextLookForStuck = now.advanced(by: .seconds(1))
        for place in outbound.findStuck(at: now) {  // rule: stuckPartitionsAreSkipped
            guard let partition = partitions[place.partition] else { continue }
            if topics.work.contains(place.topic) {
                for token in outbound.takeBack(place) where Token.ownership(token) == partition.ownership {
                    try giveUp(workAt: EffectPlace(Token.number(token)), topic: place.topic, partition)
                }
            } else if place.topic == topics.deadLetters {
                _ = outbound.takeBack(place)
                for number in partition.input.open.letters {
                    guard let letter = partition.input.open[number]?.letter else { continue }
                    try giveUp(letter, number, Self.isStuck(place), partition)
                }
            }
            try perform(partition)
        }
    }

    private static func isStuck(_ place: TopicPartition) -> LogError {
        LogError(.timedOut, "\(place) has taken no record for \(Outbound.patience)")
    }

    /// Work that the client was not given is not written.
    func giveUp(workAt place: EffectPlace, topic: String, _ partition: OwnedPartition) throws(LogError) {
        let refused = RefusedRecord(topic: topic, code: .timedOut)
        count(refused, Self.isStuck(TopicPartition(topic, partition.number)))
        try refusedWork(at: place, refused, partition)
    }

    /// Rejections outside of sessions are not in the journal, which bounds all others.
    func holdBackRejections(_ partition: OwnedPartition) throws(LogError) {
        guard
            outbound.count(of: TopicPartition(topics.results, partition.number)) > configuration.limits.maximumInFlight
        else { return }
        partition.input.isFull = true
        try pause(partition)
    }

    /// The request of the work fails, or its live updates end. A cancel that is refused is given up: the time limits of its step apply.
    private func refusedWork(at place: EffectPlace, _ refused: RefusedRecord, _ partition: OwnedPartition)
        throws(LogError)
    {
        let found = partition.journal.work(at: place)
        partition.journal.acknowledgedWork(at: place)
        guard let (session, work) = found, work.cancel == nil, partition.journal.isOwned,
            partition.sessions[session] != nil  // rule: refusedWorkFailsItsRequest
        else { return }
        let rejection = Rejection(
            refused.code == .recordTooLarge ? .complex : .internal,
            "its work for '\(work.phase.rawValue)' could not be written to \(refused.topic): \(refused.code.rawValue)")
        try decide(
            .workRefused(request: work.request, step: work.step, rejection), session: session, event: nil, partition)
    }
}

/// Identifies what a delivery report acknowledges: its kind, the ownership, and the place of the effect, or the number of the open input.
enum Token {
    enum Kind: UInt64 { case untracked, journal, work, result, openInput, memory }

    static let untracked: UInt64 = 0

    private static let ownershipBits = 20
    /// Ownerships repeat after a million of them, in one process.
    static let ownershipMask: UInt32 = 1 << UInt32(ownershipBits) - 1
    private static let numberMask: UInt64 = 1 << UInt64(EffectPlace.bits) - 1

    /// The kind in the top 4 bits, 20 of ownership, 40 of the number.
    static func make(_ kind: Kind, _ partition: OwnedPartition, number: UInt64 = 0) -> UInt64 {
        kind.rawValue << 60 | UInt64(partition.ownership & ownershipMask) << UInt64(EffectPlace.bits) | number
            & numberMask
    }

    static func kind(_ token: UInt64) -> Kind { Kind(rawValue: token >> 60) ?? .untracked }
    static func ownership(_ token: UInt64) -> UInt32 {
        UInt32(truncatingIfNeeded: token >> UInt64(EffectPlace.bits)) & ownershipMask
    }
    static func number(_ token: UInt64) -> UInt64 { token & numberMask }
}
