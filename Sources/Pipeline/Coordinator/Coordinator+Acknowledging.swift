import Conversation
import DequeModule
import IntentEvents
import Logging
import RecordLog

// Journal records are acknowledged, and their effects are sent.
extension Coordinator {
    func acknowledged(_ delivery: Delivery) throws(LogError) {
        let kind = Token.kind(delivery.token)
        if let error = delivery.error {
            if kind == .deadLetter {
                if let partition = owned(delivery.token) { try deadLetterRefused(error, partition) }
                return
            }
            // An effect must not be sent without its journal record, and no journalled effect may be lost. The next owner repeats both.
            throw LogError(error.code, "a record for \(delivery.topic) could not be written: \(error.message)", disposition: .fatal)
        }
        guard kind != .untracked, let partition = owned(delivery.token) else { return }
        switch kind {
        case .untracked, .fence: return
        case .journal: try journalAcknowledged(delivery, partition)
        case .deadLetter: try deadLetterAcknowledged(partition)
        case .result:
            if let (entry, sequence) = partition.effects.results.popFirst() {
                entry.unacknowledged.removeAll { $0.sequence <= sequence }
            }
            if let offset = delivery.offset { partition.effects.resultsNext = offset + 1 }
            effectAcknowledged(delivery.token, partition)
            if let overfull = partition.input.overfull, hasRoom(overfull) {
                partition.input.overfull = nil
                try resumeInput(partition)
            }
        case .work:
            effectAcknowledged(delivery.token, partition)
        }
    }

    /// The partition that an acknowledgement is about, unless it was released or lost since.
    private func owned(_ token: UInt64) -> OwnedPartition? {
        guard let partition = partitions[Token.partition(token)], partition.ownership == Token.ownership(token) else { return nil }
        return partition
    }

    private func effectAcknowledged(_ token: UInt64, _ partition: OwnedPartition) {
        let index = Token.distance(token, from: partition.effects.firstGroup)
        guard index < partition.effects.groups.count else { return }
        partition.effects.groups[index].remaining -= 1
        partition.effects.settle()
    }

    private func journalAcknowledged(_ delivery: Delivery, _ partition: OwnedPartition) throws(LogError) {
        guard let appended = partition.journal.appended.popFirst() else { return }
        if case .lost = partition.state { return }
        if appended.isVerified || (partition.journal.unverified.isEmpty && delivery.offset == partition.journal.verified) {
            if !appended.isVerified { partition.journal.verified += 1 }
            return try sendEffects(of: appended, at: delivery.offset ?? partition.journal.verified - 1, partition)
        }
        // Another writer wrote in between, or the log doesn't say at which offset the record is. The journal is read before any effect is sent.
        counters.gaps += 1
        logger.notice(
            "reading a gap in the journal",
            metadata: ["partition": "\(partition.number)", "from": "\(partition.journal.verified)", "to": "\(delivery.offset ?? -1)"])
        partition.journal.unverified.append(appended)
        try verify(partition)
    }

    /// Reads the journal from the first offset that is not known to be ours.
    func verify(_ partition: OwnedPartition) throws(LogError) {
        guard !partition.journal.isVerifying else { return }
        partition.journal.isVerifying = true
        try client.read(TopicPartition(topics.sessions, partition.number), from: .offset(partition.journal.verified))
    }

    /// A record of the journal, read because of a gap or because the journal was quiet.
    func verified(_ record: ConsumedRecord, _ partition: OwnedPartition) throws(LogError) {
        guard partition.journal.isVerifying, record.offset >= partition.journal.verified else { return }
        partition.journal.verified = record.offset + 1
        let journaled: JournalRecord
        do throws(EventError) { journaled = try JournalRecord(record) } catch {
            return logger.error(
                "a record of the journal can't be read and was passed over: only coordinators of this version may write there",
                metadata: [
                    "partition": "\(partition.number)", "offset": "\(record.offset)", "problem": "\(error.rejection.message)",
                ])
        }
        let stamp = journaled.stamp
        if stamp.epoch == partition.epoch, stamp.owner == partition.owner {
            // Records are written in the order of their numbers: those with lower numbers are before it, or were until compaction.
            while let first = partition.journal.unverified.first, first.number <= stamp.number {
                partition.journal.unverified.removeFirst()
                try sendEffects(of: first, at: record.offset, partition)
            }
            for index in partition.journal.appended.indices where partition.journal.appended[index].number <= stamp.number {
                partition.journal.appended[index].isVerified = true
            }
        } else if stamp.epoch > partition.epoch {
            try lose(partition, to: stamp)
        } else {
            try repair(journaled, partition)
        }
    }

    /// Writes the affected session again, so that compaction can never keep the stale record.
    private func repair(_ stale: JournalRecord, _ partition: OwnedPartition) throws(LogError) {
        logger.notice(
            "a stale writer wrote to the journal", metadata: ["partition": "\(partition.number)", "writer": "\(stale.stamp.owner)"])
        switch stale.content {
        case .session(let id, _):
            if let entry = partition.sessions[id] { try append(entry, [], partition) } else { try forget(id, partition) }
        case .positions: try appendPositions(partition)
        case .fence, .forgottenFence: break
        }
    }

    private func lose(_ partition: OwnedPartition, to stamp: JournalStamp) throws(LogError) {
        logger.warning(
            "another coordinator took the partition over",
            metadata: ["partition": "\(partition.number)", "epoch": "\(stamp.epoch)", "owner": "\(stamp.owner)"])
        partition.lose(until: now.advanced(by: .seconds(60)))
        try stopReading(partition)
    }

    func verificationReachedEnd(next: Int64, _ partition: OwnedPartition) throws(LogError) {
        guard partition.journal.isVerifying, partition.journal.unverified.isEmpty else { return }
        partition.journal.isVerifying = false
        if partition.journal.appended.isEmpty { partition.journal.verified = max(partition.journal.verified, next) }
        try client.stopReading(TopicPartition(topics.sessions, partition.number))
    }

    /// Sends the effects of a decision that is in the journal.
    func sendEffects(of appended: OwnedPartition.Appended, at offset: Int64, _ partition: OwnedPartition) throws(LogError) {
        guard !appended.effects.isEmpty else { return }
        let group = partition.effects.firstGroup + UInt64(partition.effects.groups.count)
        partition.effects.groups.append(.init(offset: offset, resultsFrom: appended.resultsFrom, remaining: appended.effects.count))
        guard let entry = appended.session else { return }
        for effect in appended.effects {
            switch effect {
            case .work(let work):
                counters.work += 1
                let record = encoder.record(work, session: entry.session.id, topics: topics, partition: partition.number, at: partition.now)
                outbound.send(record, token: Token.make(.work, partition, group: group))
            case .result(let result):
                counters.results += 1
                partition.effects.results.append((entry, result.sequence))
                let record = encoder.record(result, session: entry.session.id, topics: topics, partition: partition.number)
                outbound.send(record, token: Token.make(.result, partition, group: group))
            }
        }
    }
}
