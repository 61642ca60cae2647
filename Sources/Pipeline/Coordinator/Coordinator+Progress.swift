import Conversation
public import IntentEvents
public import RecordLog

// The progress of the partitions.
extension Coordinator {
    /// Looks at what the partitions have done since the last call. Called about once a second.
    ///
    /// - Returns: what this coordinator's lease tells.
    public func observeProgress() throws(LogError) -> WorkerLease.Ownership {
        var ownership = WorkerLease.Ownership(partitions: [])
        let lastRead = inOrder.map(\.lastRead).max() ?? now
        for partition in inOrder where partition.journal.isAssigned {
            ownership.partitions.append(partition.number)
            let problem = problem(of: partition)
            let since = partition.progress.observe(
                partition.position(lastRead), inFlight: partition.journal.inFlight, isWaiting: problem != nil, at: now)
            guard let problem, let since, since.duration(to: now) >= PartitionProgress.patience else { continue }
            // An open transaction is found by looking where the input ends for readers.
            if partition.isActive { try lookAtInputs(of: partition) }
            if ownership.stalls.count < WorkerLease.Ownership.maximumStalls {
                ownership.stalls.append(.init(partition: partition.number, since: since, problem: problem))
            }
        }
        return ownership
    }

    /// The wait of a partition, in a clause; `nil` if it has nothing to do.
    private func problem(of partition: OwnedPartition) -> String? {
        switch partition.journal.state {
        case .lost, .kept, .followed: return nil
        case .unread: return "other journals are read first"
        case .replaying, .fencing, .readingResults: return "its journal is being read"
        case .stopped: return "it is stopped until an operator acts: 'intents journal check' says why"
        case .draining: return "the group takes it back, and its decisions are not acknowledged"
        case .active: break
        }
        if partition.input.lacksKey { return "there is no key to encrypt new sessions with" }
        if partition.journal.inFlight > 0 { return "its decisions are not acknowledged" }
        for input in JournalInput.allCases {
            let topic = input.topic(topics)
            if partition.stalls[input]?.open != nil { return "an open transaction withholds records of \(topic)" }
            if let end = client.knownEnd(of: TopicPartition(topic, partition.number)),
                end > partition.journal[input].next, partition.stalls[input]?.markersEnd != end
            {
                return "records of \(topic) wait"
            }
        }
        return partition.input.isHeld ? "its results are not acknowledged" : nil
    }
}

extension OwnedPartition {
    /// The position of the partition, which moves when it makes progress.
    ///
    /// - Parameter lastReadOfAny: when a journal of any partition was read last. Before its own is read, a partition waits for others.
    fileprivate func position(_ lastReadOfAny: Instant) -> PartitionProgress.Position {
        PartitionProgress.Position(
            state: journal.state.name,
            lastRead: isActive ? assigned : journal.isUnread ? lastReadOfAny : lastRead, verified: journal.verified,
            inputs: JournalInput.allCases.map { journal[$0].next },
            markers: JournalInput.allCases.map { stalls[$0]?.markersEnd ?? -1 })
    }
}

/// When a partition made progress last.
struct PartitionProgress {
    struct Position: Hashable {
        var state: PartitionJournal.StateName
        /// When its journal was read last, before it is served.
        var lastRead: Instant
        /// Where the acknowledged part of its journal ends.
        var verified: Int64
        /// The next record of each input.
        var inputs: [Int64]
        /// The end of each input up to which nothing but markers of transactions is missing.
        var markers: [Int64]
    }

    private var last: (position: Position, inFlight: Int, since: Instant)?

    /// How long a partition may stand still before its lease tells so.
    static let patience: Duration = .seconds(3)

    /// Updates the position.
    ///
    /// - Parameters:
    ///   - inFlight: the number of its decisions that are not acknowledged. That it falls is progress.
    ///   - isWaiting: whether there is something to do.
    /// - Returns: since when the position has stood still although there is something to do; `nil` if there is nothing.
    mutating func observe(_ position: Position, inFlight: Int, isWaiting: Bool, at now: Instant) -> Instant? {
        guard isWaiting else {
            last = nil
            return nil
        }
        let isStanding = last.map { $0.position == position && $0.inFlight <= inFlight } == true
        let since = isStanding ? last?.since ?? now : now
        last = (position, inFlight, since)
        return since
    }
}
