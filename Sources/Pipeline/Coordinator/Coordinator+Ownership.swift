import Conversation
import DequeModule
import IntentEvents
import IntentModel
import Logging
public import RecordLog

// Partitions come and go.
extension Coordinator {
    /// The group assigns partitions. Their journals are read to the end and fenced before any input is read.
    ///
    /// Who has the requests has the partition. While versions are in the group that subscribe to fewer topics, the group deals out the other topics differently;
    /// what they have waits for the owner of the partition.
    func takeOver(_ assigned: [TopicPartition]) throws(LogError) {
        groupChange = .assigned(assigned)
        hasAssignment = true
        for number in assigned.filter({ $0.topic == topics.requests }).map(\.partition).sorted() where partitions[number] == nil {
            if let count = configuration.partitions, number >= count, Rule.partitionCountIsFixed.holds {
                throw grown(to: number + 1, from: count)
            }
            ownerships &+= 1
            let partition = OwnedPartition(number: number, ownership: ownerships & 0xFFF_FFFF, settings: journalSettings)
            partitions[number] = partition
            try tell(partition) { $0.takeOver() }
        }
    }

    private func grown(to count: Int32, from before: Int32) -> LogError {
        LogError(
            .invalidConfiguration,
            "\(topics.requests) has grown from \(before) partitions to at least \(count). A session's partition follows from the number, so it can't be "
                + "changed while there are sessions: create topics with another prefix, and switch to them",
            disposition: .fatal)
    }

    private var journalSettings: PartitionJournal.Settings {
        .init(
            topics: topics, owner: configuration.owner, partitions: configuration.partitions, policy: configuration.policy,
            positionsInterval: configuration.positionsInterval)
    }

    /// The group takes our partitions back. What was begun is finished first, unless another member has them already.
    func release(lost: Bool) throws(LogError) {
        hasAssignment = false
        if lost {
            try forgetPartitions()
            groupChange = nil
            return try client.release()
        }
        groupChange = .revoked(by: clock().advanced(by: configuration.drainTimeout))
        for partition in partitions.values { partition.journal.drain() }
    }

    /// Answers the group once everything is ready for it.
    func answerGroup() throws(LogError) {
        switch groupChange {
        case nil: return
        case .assigned(let assigned):
            // One that is lost meanwhile has another owner. The group tells that only when this assignment is answered.
            let isReady = partitions.values.allSatisfy { $0.isActive || $0.journal.isStopped || $0.journal.isLost }
            guard isReady else { return }
            groupChange = nil
            var positions: [TopicPartition: StartOffset] = [:]
            for topicPartition in assigned {
                guard let partition = partitions[topicPartition.partition], let input = JournalInput(topicPartition.topic, topics) else {
                    continue
                }
                positions[topicPartition] = partition.journal[input].start
            }
            try client.assign(positions)
            for partition in inOrder where !partition.isActive { try pause(partition) }
            try client.pause(assigned.filter { partitions[$0.partition] == nil })
        case .revoked(let deadline):
            let isDrained = partitions.values.allSatisfy { !$0.journal.isOwned || $0.isDrained }
            guard isDrained || clock() >= deadline else { return }
            groupChange = nil
            try commitPositions()
            try forgetPartitions()
            try client.release()
        }
    }

    private func forgetPartitions() throws(LogError) {
        for partition in inOrder {
            try stopLooking(partition)
            try tell(partition) { $0.close() }
        }
        partitions.removeAll()
    }

    /// Finishes what was begun and leaves the group.
    ///
    /// - Parameter timeout: how long that may take.
    public func close(timeout: Duration) throws(LogError) {
        let deadline = clock().advanced(by: timeout)
        for partition in partitions.values { partition.journal.drain() }
        while partitions.values.contains(where: { !$0.isDrained }), clock() < deadline {
            for event in try client.poll(maximum: 2_000, timeout: .milliseconds(50)) {
                if case .delivered(let delivery) = event { try acknowledged(delivery) }
            }
            try outbound.flush(isUrgent: true)
        }
        try commitPositions()
        try client.close(timeout: timeout)
        partitions.removeAll()
    }
}
