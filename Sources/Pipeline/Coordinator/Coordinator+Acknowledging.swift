import Conversation
import DequeModule
import IntentEvents
import Logging
import RecordLog

// What was written is acknowledged, and what was decided goes out.
extension Coordinator {
    func acknowledged(_ delivery: Delivery) throws(LogError) {
        let kind = Token.kind(delivery.token)
        if let error = delivery.error {
            // Nothing may be said that is not written down, and nothing written down may stay unsaid: the next owner repeats it.
            throw LogError(error.code, "a record for \(delivery.topic) could not be written: \(error.message)", disposition: .fatal)
        }
        guard kind != .untracked, let partition = partitions[Token.partition(delivery.token)],
            partition.ownership == Token.ownership(delivery.token)
        else { return }
        switch kind {
        case .untracked, .fence: return
        case .journal: try journalAcknowledged(delivery, partition)
        case .deadLetter: try deadLetterAcknowledged(partition)
        case .result:
            if let (entry, sequence) = partition.results.popFirst() {
                entry.unacknowledged.removeAll { $0.sequence <= sequence }
            }
            if let offset = delivery.offset { partition.resultsNext = offset + 1 }
            effectAcknowledged(delivery.token, partition)
            if let overfull = partition.overfull, hasRoom(overfull) {
                partition.overfull = nil
                try takeWaiting(partition)
            }
        case .work:
            effectAcknowledged(delivery.token, partition)
        }
    }

    private func effectAcknowledged(_ token: UInt64, _ partition: OwnedPartition) {
        let index = Token.distance(token, from: partition.firstGroup)
        guard index < partition.groups.count else { return }
        partition.groups[index].remaining -= 1
        partition.settle()
    }

    private func journalAcknowledged(_ delivery: Delivery, _ partition: OwnedPartition) throws(LogError) {
        guard let appended = partition.appended.popFirst() else { return }
        if case .lost = partition.state { return }
        if appended.isVerified || (partition.unverified.isEmpty && delivery.offset == partition.verified) {
            if !appended.isVerified { partition.verified += 1 }
            return try release(appended, at: delivery.offset ?? partition.verified - 1, partition)
        }
        // Someone else wrote in between, or the log can't say where the record stands: read before anything is said.
        counters.gaps += 1
        logger.notice(
            "reading a gap in the journal",
            metadata: ["partition": "\(partition.number)", "from": "\(partition.verified)", "to": "\(delivery.offset ?? -1)"])
        partition.unverified.append(appended)
        try verify(partition)
    }

    /// Reads the journal from the first offset that is not known to be ours.
    func verify(_ partition: OwnedPartition) throws(LogError) {
        guard !partition.isVerifying else { return }
        partition.isVerifying = true
        try client.read(TopicPartition(topics.sessions, partition.number), from: .offset(partition.verified))
    }

    /// A record of the journal, read because of a gap or because the journal was quiet.
    func verified(_ record: ConsumedRecord, _ partition: OwnedPartition) throws(LogError) {
        guard partition.isVerifying, record.offset >= partition.verified else { return }
        partition.verified = record.offset + 1
        guard let journaled = try? JournalRecord(record) else {
            return logger.error(
                "somebody wrote to the journal", metadata: ["partition": "\(partition.number)", "offset": "\(record.offset)"])
        }
        let stamp = journaled.stamp
        if stamp.epoch == partition.epoch, stamp.owner == partition.owner {
            // Records are written in the order of their numbers: those before it stand before it, or stood there until they were compacted.
            while let first = partition.unverified.first, first.number <= stamp.number {
                partition.unverified.removeFirst()
                try release(first, at: record.offset, partition)
            }
            for index in partition.appended.indices where partition.appended[index].number <= stamp.number {
                partition.appended[index].isVerified = true
            }
        } else if stamp.epoch > partition.epoch {
            try lose(partition, to: stamp)
        } else {
            try repair(journaled, partition)
        }
    }

    /// Writes anew what a stale writer wrote, so that compaction can never keep the stale one.
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
        partition.state = .lost
        partition.lostUntil = now.advanced(by: .seconds(60))
        partition.appended.removeAll()
        partition.unverified.removeAll()
        partition.groups.removeAll()
        partition.results.removeAll()
        partition.sessions.removeAll()
        partition.waiting.removeAll()
        partition.blocked = nil
        partition.overfull = nil
        try stopReading(partition)
    }

    func verificationReachedEnd(next: Int64, _ partition: OwnedPartition) throws(LogError) {
        guard partition.isVerifying, partition.unverified.isEmpty else { return }
        partition.isVerifying = false
        if partition.appended.isEmpty { partition.verified = max(partition.verified, next) }
        try client.stopReading(TopicPartition(topics.sessions, partition.number))
    }

    /// Sends the effects of a decision that stands in the journal.
    func release(_ appended: OwnedPartition.Appended, at offset: Int64, _ partition: OwnedPartition) throws(LogError) {
        guard !appended.effects.isEmpty else { return }
        let group = partition.firstGroup + UInt64(partition.groups.count)
        partition.groups.append(.init(offset: offset, resultsFrom: appended.resultsFrom, remaining: appended.effects.count))
        guard let entry = appended.session else { return }
        for effect in appended.effects {
            switch effect {
            case .work(let work):
                counters.work += 1
                let record = encoder.record(work, session: entry.session.id, topics: topics, partition: partition.number, at: partition.now)
                outbound.send(record, token: Token.make(.work, partition, group: group))
            case .result(let result):
                counters.results += 1
                partition.results.append((entry, result.sequence))
                let record = encoder.record(result, session: entry.session.id, topics: topics, partition: partition.number)
                outbound.send(record, token: Token.make(.result, partition, group: group))
            }
        }
    }
}
