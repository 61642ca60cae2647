import Conversation
import DequeModule
import IntentEvents
import IntentModel
import Logging
public import RecordLog

// Partitions come and go.
extension Coordinator {
    /// The group gives us partitions: their journals are read to the end and fenced before any input is asked for.
    func takeOver(_ assigned: [TopicPartition]) throws(LogError) {
        unanswered = .assigned(assigned)
        hasAssignment = true
        for number in Set(assigned.map(\.partition)).sorted() where partitions[number] == nil {
            ownerships &+= 1
            partitions[number] = OwnedPartition(number: number, owner: configuration.owner, ownership: ownerships)
            try client.read(TopicPartition(topics.sessions, number), from: .beginning)
        }
    }

    /// A record of the journal or of the results, read to recover or to verify.
    func recovered(_ record: ConsumedRecord, _ partition: OwnedPartition) throws(LogError) {
        switch partition.state {
        case .replaying where record.topic == topics.sessions, .fencing where record.topic == topics.sessions:
            partition.replay.apply(record)
            if case .fencing = partition.state, let journaled = try? JournalRecord(record), journaled.content == .fence,
                journaled.stamp.owner == partition.owner, journaled.stamp.epoch == partition.epoch
            {
                try fenceSeen(partition)
            }
        case .readingResults where record.topic == topics.results:
            if let id = resultID(record) { partition.found.insert(id) }
        case .active where record.topic == topics.sessions, .draining where record.topic == topics.sessions:
            try verified(record, partition)
        default: break
        }
    }

    func reachedEnd(of end: TopicPartition, next: Int64, _ partition: OwnedPartition) throws(LogError) {
        switch partition.state {
        case .replaying where end.topic == topics.sessions:
            partition.state = .fencing
            try fence(partition)
        case .readingResults where end.topic == topics.results:
            partition.resultsNext = next
            try client.stopReading(end)
            try begin(partition)
        case .active where end.topic == topics.sessions, .draining where end.topic == topics.sessions:
            try verificationReachedEnd(next: next, partition)
        default: break
        }
    }

    /// Of two fences with one epoch the first in the log counts; so ours counts once it is read without another before it.
    private func fence(_ partition: OwnedPartition) throws(LogError) {
        partition.epoch = partition.replay.epoch + 1
        partition.now = max(partition.now, clock())
        var stamp = partition.nextStamp()
        if let before = partition.replay.stamp {
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
        guard partition.replay.epoch == partition.epoch, partition.replay.owner == partition.owner, let stamp = partition.replay.stamp
        else {
            return try fence(partition)
        }
        try client.stopReading(TopicPartition(topics.sessions, partition.number))
        partition.verified = partition.replay.next
        (partition.requests, partition.outcomes) = (stamp.requests, stamp.outcomes)
        partition.positionsWritten = (stamp.requests, stamp.outcomes)
        for (id, record) in partition.replay.sessions {
            guard case .session(_, let journaled?)? = try? JournalRecord(record).content else { continue }
            let entry = SessionEntry(journaled.session)
            if record.offset >= stamp.settled { entry.unacknowledged = journaled.unacknowledged }
            partition.sessions[id] = entry
        }
        partition.resultsNext = stamp.results
        if partition.sessions.values.contains(where: { !$0.unacknowledged.isEmpty }) {
            partition.state = .readingResults
            try client.read(
                TopicPartition(topics.results, partition.number), from: stamp.results == 0 ? .beginning : .offset(stamp.results))
        } else {
            try begin(partition)
        }
    }

    /// Sends again what the owner before us may not have sent, and takes up deciding.
    private func begin(_ partition: OwnedPartition) throws(LogError) {
        guard let stamp = partition.replay.stamp else { return }
        counters.takeovers += 1
        partition.state = .active
        var resend: [(SessionEntry, [OwnedPartition.PendingEffect])] = []
        for (id, record) in partition.replay.sessions.sorted(by: { $0.value.offset < $1.value.offset }) where record.offset >= stamp.settled
        {
            guard let entry = partition.sessions[id] else { continue }
            entry.unacknowledged.removeAll { partition.found.contains(ResultID(session: id, sequence: $0.sequence)) }
            let effects =
                entry.session.outstandingWork.map(OwnedPartition.PendingEffect.work)
                + entry.unacknowledged.map(OwnedPartition.PendingEffect.result)
            if !effects.isEmpty { resend.append((entry, effects)) }
        }
        // Until all of this is acknowledged, the next owner has to look at the same results as we did.
        for (entry, effects) in resend {
            try release(.init(number: 0, session: entry, effects: effects, resultsFrom: stamp.results), at: stamp.settled, partition)
        }
        partition.resultsNext = max(partition.resultsNext, stamp.results)
        // Only now: what is written anew must not name results as unsaid that stand before its stamp.
        for id in partition.replay.stale.sorted() {
            if let entry = partition.sessions[id] { try append(entry, [], partition) } else { try forget(id, partition) }
        }
        for entry in partition.sessions.values { schedule(entry, partition) }
        try forgetFences(partition)
        if partition.replay.unreadable > 0 {
            logger.error(
                "records of the journal can't be read and were passed over: only coordinators of this version may write there",
                metadata: ["partition": "\(partition.number)", "records": "\(partition.replay.unreadable)"])
        }
        partition.replay = JournalReplay()
        partition.found = []
        logger.info(
            "took a partition over",
            metadata: ["partition": "\(partition.number)", "epoch": "\(partition.epoch)", "sessions": "\(partition.sessions.count)"])
    }

    /// Older fences have done their work: every void record after them has been written anew.
    private func forgetFences(_ partition: OwnedPartition) throws(LogError) {
        let own = JournalRecord.fenceKey(
            JournalStamp(epoch: partition.epoch, owner: partition.owner, number: 0, requests: 0, outcomes: 0, settled: 0, results: 0))
        for fence in partition.replay.fences.sorted() where fence != own {
            partition.appended.append(.init(number: partition.written + 1, session: nil, effects: [], resultsFrom: partition.resultsNext))
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

    /// The group takes our partitions back. What was begun is finished first, unless they are another's already.
    func giveUp(lost: Bool) throws(LogError) {
        hasAssignment = false
        if lost {
            try forgetPartitions()
            unanswered = nil
            return try client.release()
        }
        unanswered = .revoked(by: clock().advanced(by: configuration.drainTimeout))
        for partition in partitions.values {
            if case .active = partition.state { partition.state = .draining }
        }
    }

    /// Answers the group once everything is ready for it.
    func answerGroup() throws(LogError) {
        switch unanswered {
        case nil: return
        case .assigned(let assigned):
            let isReady = partitions.values.allSatisfy { if case .active = $0.state { true } else { false } }
            guard isReady else { return }
            unanswered = nil
            var positions: [TopicPartition: StartOffset] = [:]
            for topicPartition in assigned {
                guard let partition = partitions[topicPartition.partition] else { continue }
                let position = topicPartition.topic == topics.requests ? partition.requests : partition.outcomes
                positions[topicPartition] = position == 0 ? .beginning : .offset(position)
            }
            try client.assign(positions)
        case .revoked(let deadline):
            let isDrained = partitions.values.allSatisfy { partition in
                if case .draining = partition.state { partition.inFlight == 0 } else { true }
            }
            guard isDrained || clock() >= deadline else { return }
            unanswered = nil
            try commitPositions()
            try forgetPartitions()
            try client.release()
        }
    }

    private func forgetPartitions() throws(LogError) {
        for partition in inOrder { try stopReading(partition) }
        partitions.removeAll()
    }

    /// Closes what was opened to recover or to verify.
    func stopReading(_ partition: OwnedPartition) throws(LogError) {
        switch partition.state {
        case .replaying, .fencing: try client.stopReading(TopicPartition(topics.sessions, partition.number))
        case .readingResults: try client.stopReading(TopicPartition(topics.results, partition.number))
        case .active, .draining, .lost:
            if partition.isVerifying { try client.stopReading(TopicPartition(topics.sessions, partition.number)) }
        }
        partition.isVerifying = false
    }

    /// Finishes what was begun and leaves the group.
    ///
    /// - Parameter timeout: how long that may take.
    public func close(timeout: Duration) throws(LogError) {
        let deadline = clock().advanced(by: timeout)
        for partition in partitions.values {
            if case .active = partition.state { partition.state = .draining }
        }
        while partitions.values.contains(where: { $0.inFlight > 0 }), clock() < deadline {
            for event in try client.poll(maximum: 2_000, timeout: .milliseconds(50)) {
                if case .delivered(let delivery) = event { try acknowledged(delivery) }
            }
            try outbound.flush()
        }
        try commitPositions()
        try client.close(timeout: timeout)
        partitions.removeAll()
    }
}
