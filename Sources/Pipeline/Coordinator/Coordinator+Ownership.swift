import Conversation
import DequeModule
import IntentEvents
import IntentModel
import Logging
public import RecordLog

// Partitions come and go.
extension Coordinator {
    /// The group assigns partitions. Their journals are read to the end and fenced before any input is read.
    func takeOver(_ assigned: [TopicPartition]) throws(LogError) {
        groupChange = .assigned(assigned)
        hasAssignment = true
        for number in Set(assigned.map(\.partition)).sorted() where partitions[number] == nil {
            ownerships &+= 1
            partitions[number] = OwnedPartition(number: number, owner: configuration.owner, ownership: ownerships)
            try client.read(TopicPartition(topics.sessions, number), from: .beginning)
        }
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
        for partition in partitions.values {
            if partition.isActive { partition.state = .draining }
        }
    }

    /// Answers the group once everything is ready for it.
    func answerGroup() throws(LogError) {
        switch groupChange {
        case nil: return
        case .assigned(let assigned):
            let isReady = partitions.values.allSatisfy(\.isActive)
            guard isReady else { return }
            groupChange = nil
            var positions: [TopicPartition: StartOffset] = [:]
            for topicPartition in assigned {
                guard let partition = partitions[topicPartition.partition] else { continue }
                let position = topicPartition.topic == topics.requests ? partition.positions.requests : partition.positions.outcomes
                positions[topicPartition] = position == 0 ? .beginning : .offset(position)
            }
            try client.assign(positions)
        case .revoked(let deadline):
            let isDrained = partitions.values.allSatisfy { partition in
                if case .draining = partition.state { partition.inFlight == 0 } else { true }
            }
            guard isDrained || clock() >= deadline else { return }
            groupChange = nil
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
            if partition.journal.isVerifying { try client.stopReading(TopicPartition(topics.sessions, partition.number)) }
        }
        partition.journal.isVerifying = false
    }

    /// Finishes what was begun and leaves the group.
    ///
    /// - Parameter timeout: how long that may take.
    public func close(timeout: Duration) throws(LogError) {
        let deadline = clock().advanced(by: timeout)
        for partition in partitions.values {
            if partition.isActive { partition.state = .draining }
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
