import Conversation
import DequeModule
import IntentEvents
import IntentModel
import Logging
import RecordLog

// Taking a partition over: its journal is read to the end and fenced, what the previous owner may not have sent is sent again, and deciding begins.
extension Coordinator {
    /// A record of the journal or of the results that was asked for.
    func read(_ record: ConsumedRecord, _ partition: OwnedPartition) throws(LogError) {
        switch partition.state {
        case .replaying where record.topic == topics.sessions: partition.recovery?.replay.apply(record)
        case .fencing where record.topic == topics.sessions:
            partition.recovery?.replay.apply(record)
            if isFence(record, of: partition) { try fenceSeen(partition) }
        case .readingResults where record.topic == topics.results:
            if let id = resultID(record) { partition.recovery?.found.insert(id) }
        case .active where record.topic == topics.sessions, .draining where record.topic == topics.sessions:
            try verified(record, partition)
        default: break
        }
    }

    private func isFence(_ record: ConsumedRecord, of partition: OwnedPartition) -> Bool {
        guard let journaled = try? JournalRecord(record), journaled.content == .fence else { return false }
        return journaled.stamp.owner == partition.owner && journaled.stamp.epoch == partition.epoch
    }

    func reachedEnd(of end: TopicPartition, next: Int64, _ partition: OwnedPartition) throws(LogError) {
        switch partition.state {
        case .replaying where end.topic == topics.sessions:
            partition.state = .fencing
            try fence(partition)
        case .readingResults where end.topic == topics.results:
            partition.effects.resultsNext = next
            try client.stopReading(end)
            try begin(partition)
        case .active where end.topic == topics.sessions, .draining where end.topic == topics.sessions:
            try verificationReachedEnd(next: next, partition)
        default: break
        }
    }

    /// Of two fences with one epoch the first in the log counts. So ours counts once it is read without another before it.
    private func fence(_ partition: OwnedPartition) throws(LogError) {
        guard let replay = partition.recovery?.replay else { return }
        partition.epoch = replay.epoch + 1
        partition.now = max(partition.now, clock())
        var stamp = partition.nextStamp()
        if let before = replay.stamp {
            (stamp.requests, stamp.outcomes, stamp.settled, stamp.results) = (
                before.requests, before.outcomes, before.settled, before.results
            )
        } else {
            stamp.settled = 0
        }
        let record = JournalRecord(stamp: stamp, content: .fence).record(
            topic: topics.sessions, partition: partition.number, at: partition.now)
        outbound.send(record, token: Token.make(.fence, partition))
    }

    private func fenceSeen(_ partition: OwnedPartition) throws(LogError) {
        guard let replay = partition.recovery?.replay else { return }
        guard replay.epoch == partition.epoch, replay.owner == partition.owner, let stamp = replay.stamp else {
            return try fence(partition)
        }
        try client.stopReading(TopicPartition(topics.sessions, partition.number))
        partition.journal.verified = replay.next
        partition.positions = OwnedPartition.InputPositions(requests: stamp.requests, outcomes: stamp.outcomes)
        partition.journal.positionsWritten = partition.positions
        for (id, record) in replay.sessions {
            guard case .session(_, let journaled?)? = try? JournalRecord(record).content else { continue }
            let entry = SessionEntry(journaled.session)
            if record.offset >= stamp.settled { entry.unacknowledged = journaled.unacknowledged }
            partition.sessions[id] = entry
        }
        partition.effects.resultsNext = stamp.results
        if partition.sessions.values.contains(where: { !$0.unacknowledged.isEmpty }) {
            partition.state = .readingResults
            try client.read(
                TopicPartition(topics.results, partition.number), from: stamp.results == 0 ? .beginning : .offset(stamp.results))
        } else {
            try begin(partition)
        }
    }

    /// Sends again what the previous owner may not have sent, and begins to decide.
    private func begin(_ partition: OwnedPartition) throws(LogError) {
        guard let recovery = partition.recovery, let stamp = recovery.replay.stamp else { return }
        let replay = recovery.replay
        counters.takeovers += 1
        partition.state = .active
        var resend: [(SessionEntry, [OwnedPartition.PendingEffect])] = []
        for (id, record) in replay.sessions.sorted(by: { $0.value.offset < $1.value.offset }) where record.offset >= stamp.settled {
            guard let entry = partition.sessions[id] else { continue }
            entry.unacknowledged.removeAll { recovery.found.contains(ResultID(session: id, sequence: $0.sequence)) }
            let effects =
                entry.session.outstandingWork.map(OwnedPartition.PendingEffect.work)
                + entry.unacknowledged.map(OwnedPartition.PendingEffect.result)
            if !effects.isEmpty { resend.append((entry, effects)) }
        }
        // Until all of this is acknowledged, the next owner has to look at the same results as we did.
        for (entry, effects) in resend {
            try sendEffects(
                of: .init(number: 0, session: entry, effects: effects, resultsFrom: stamp.results), at: stamp.settled,
                partition)
        }
        partition.effects.resultsNext = max(partition.effects.resultsNext, stamp.results)
        // Only now: a session that is written again must not list results as unsent that are before its stamp.
        for id in replay.stale.sorted() {
            if let entry = partition.sessions[id] { try append(entry, [], partition) } else { try forget(id, partition) }
        }
        for entry in partition.sessions.values { schedule(entry, partition) }
        try forgetFences(replay.fences, partition)
        if let problem = replay.firstProblem {
            logger.error(
                "records of the journal can't be read and were passed over: only coordinators of this version may write there",
                metadata: [
                    "partition": "\(partition.number)", "records": "\(replay.unreadable)", "first": "\(problem.rejection.message)",
                ])
        }
        partition.recovery = nil
        logger.info(
            "took a partition over",
            metadata: ["partition": "\(partition.number)", "epoch": "\(partition.epoch)", "sessions": "\(partition.sessions.count)"])
    }

    /// Older fences are no longer needed: every void record after them has been written again.
    private func forgetFences(_ fences: Set<String>, _ partition: OwnedPartition) throws(LogError) {
        let own = JournalRecord.fenceKey(
            JournalStamp(epoch: partition.epoch, owner: partition.owner, number: 0, requests: 0, outcomes: 0, settled: 0, results: 0))
        for fence in fences.sorted() where fence != own {
            partition.journal.appended.append(
                .init(number: partition.journal.written + 1, session: nil, effects: [], resultsFrom: partition.effects.resultsNext))
            let tombstone = JournalRecord.tombstone(
                ofFence: fence, stamp: partition.nextStamp(), topic: topics.sessions, partition: partition.number, at: partition.now)
            outbound.send(tombstone, token: Token.make(.journal, partition))
        }
    }

    private func resultID(_ record: ConsumedRecord) -> ResultID? {
        guard let session = try? SessionKey.read(record), let value = record.value,
            let view = try? JSONView(parsing: value, limits: .journal),
            let sequence = view["sequence"]?.int
        else { return nil }
        return ResultID(session: session, sequence: sequence)
    }
}
