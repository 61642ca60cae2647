import Conversation
import DequeModule
import IntentEvents
import IntentModel
import Logging
public import RecordLog

// Partitions come and go.
extension Coordinator {
    /// The group assigns partitions. The journal of each is read to the end and fenced before any of its input is read. Input of the others does not wait for that,
    /// and the group does not either.
    ///
    /// Who has the requests has the partition. While versions are in the group that subscribe to fewer topics, the group deals out the other topics differently;
    /// what they have waits for the owner of the partition.
    func takeOver(_ assigned: [TopicPartition]) throws(LogError) {
        let numbers = assigned.filter { $0.topic == topics.requests }.map(\.partition).sorted()
        // rule: partitionCountIsFixed
        if let count = configuration.partitions, let last = numbers.last, last >= count {
            throw grown(to: last + 1, from: count)
        }
        membership.hasAssignment = true
        // Compaction may have removed records since. A process that has slept may have read of the revocation late.
        if membership.hasSlept || membership.revoked.duration(to: now) > .milliseconds(Topics.compactionLag) {
            try giveBackPartitions(isEvicted: true)
        }
        membership.hasSlept = false
        try client.assign([:], later: Set(assigned))
        let known = Dictionary(uniqueKeysWithValues: numbers.map { ($0, followers.standby?.take($0)) })
        followOthers(beside: Set(numbers))
        for number in numbers {
            let followed = known[number] ?? nil
            // Cached state is stale unless a standby has followed it since.
            let isStale = partitions[number]?.journal.isFollowed == true && followed?.isResumed != true
            let cached = partitions[number].flatMap { $0.journal.isCached && !isStale ? $0 : nil }
            let partition = cached ?? owned(number)
            partition.assigned = now
            partition.journal.wasReclaimed = false
            partition.journal.lookUpCommitted()
            if followed == nil, partition.journal.isUnread { continue }
            if followed != nil { counters.takeovers.followed += 1 }
            try tell(partition) { $0.takeOver(from: followed) }
        }
        try lookUpCommitted()
        try readWaiting()
    }

    /// Asks what the group has committed of the partitions that are taken over. Their journals are read meanwhile.
    func lookUpCommitted() throws(LogError) {
        let asked = inOrder.filter(\.journal.awaitsCommitted)
        if asked.isEmpty { return }
        membership.lookUps += 1
        try client.lookUpCommitted(
            asked.flatMap { partition in
                JournalInput.allCases.map { TopicPartition($0.topic(topics), partition.number) }
            })
    }

    /// The group's answer. One of an earlier assignment is passed over: another owner may have committed since.
    func found(committed answer: Result<[TopicPartition: CommittedOffset], LogError>) throws(LogError) {
        membership.lookUps -= 1
        guard membership.lookUps == 0 else { return }
        switch answer {
        case .failure(let error):
            logger.warning(
                "the group's committed offsets are not known; they are looked up again", metadata: ["error": "\(error)"]
            )
        case .success(let committed):
            for partition in inOrder where partition.journal.awaitsCommitted {
                let now = now
                let group = GroupPositions(committed, partition: partition.number, topics: topics)
                try tell(partition) { $0.found(committed: group, at: now) }
            }
        }
    }

    /// Partitions that were revoked and not assigned again belong to others. A standby follows them from their cached state, and all others are dropped.
    private func followOthers(beside own: Set<Int32>) {
        let others = partitions.filter { !own.contains($0.key) }
        let kept = others.compactMapValues(\.journal.kept).filter { $1.basis != .evicted }
        let followed = followers.standby?.follow(beside: own, keeping: kept) ?? []
        partitions = partitions.filter { own.contains($0.key) || followed.contains($0.key) }
        for number in followed { partitions[number]?.journal.follow() }
    }

    /// Reads partitions of which nothing is known. One that is read before another takes input while the other is read. A journal that can't be read for now
    /// delays no other.
    func readWaiting() throws(LogError) {
        guard inOrder.contains(where: \.journal.isUnread) else { return }
        let silent = now.advanced(by: .milliseconds(-500))
        var reading = inOrder.count { $0.journal.isReplaying && $0.lastRead > silent }
        for partition in inOrder where partition.journal.isUnread && reading < configuration.takeoversAtOnce {
            partition.lastRead = now
            reading += 1
            try tell(partition) { $0.takeOver() }
        }
    }

    /// Takes a partition over again that another coordinator has fenced, and that the group has not revoked since.
    func reclaim(_ lost: OwnedPartition) {
        let partition = owned(lost.number)
        partition.input = HeldInput(isPaused: lost.input.isPaused)
        partition.assigned = now
        partition.journal.wasReclaimed = true
        partition.journal.lookUpCommitted()
        logger.warning(
            "a partition is taken over again: another coordinator took it over, and the group has not revoked it",
            metadata: ["partition": "\(lost.number)"])
    }

    private func owned(_ number: Int32) -> OwnedPartition {
        ownerships &+= 1
        let partition = OwnedPartition(
            number: number, ownership: ownerships & Token.ownershipMask, settings: journalSettings)
        partitions[number] = partition
        return partition
    }

    /// Takes input from the partitions that are ready for it.
    func startTakenOver() throws(LogError) {
        var positions: [TopicPartition: StartOffset] = [:]
        var reclaimed: [TopicPartition: StartOffset] = [:]
        for partition in inOrder where partition.isActive && !partition.input.isStarted {
            partition.input.isStarted = true
            for input in JournalInput.allCases {
                let (place, start) = (
                    TopicPartition(input.topic(topics), partition.number), partition.journal[input].start
                )
                positions[place] = start
                if partition.journal.wasReclaimed { reclaimed[place] = start }
            }
        }
        // Input of a reclaimed partition was read on while it was lost.
        if !reclaimed.isEmpty { try client.restart(reclaimed) }
        if !positions.isEmpty { try client.start(positions) }
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
            topics: topics, owner: configuration.owner, partitions: configuration.partitions,
            policy: configuration.policy,
            positionsInterval: configuration.positionsInterval)
    }

    /// The group takes our partitions back. What was begun is finished first, unless another member has them already.
    func release(lost: Bool) throws(LogError) {
        membership.hasAssignment = false
        membership.revoked = now
        if lost {
            try giveBackPartitions(isEvicted: true)
            membership.releaseBy = nil
            return try client.release()
        }
        membership.releaseBy = clock().advanced(by: configuration.drainTimeout)
        for partition in partitions.values { partition.journal.drain() }
        nameCountedRecords(isEnding: true)
    }

    /// Answers the group that takes our partitions back, once what was begun is finished.
    func releaseIfDrained() throws(LogError) {
        guard let releaseBy = membership.releaseBy else { return }
        let isDrained = partitions.values.allSatisfy { !$0.journal.isOwned || $0.isDrained }
        guard isDrained || clock() >= releaseBy else { return }
        membership.releaseBy = nil
        try commitPositions()
        try giveBackPartitions(isEvicted: false)
        try client.release()
    }

    /// With eager rebalancing, most partitions come back at once, so what is known of them is kept until then.
    private func giveBackPartitions(isEvicted: Bool) throws(LogError) {
        for partition in inOrder {
            try stopLooking(partition)
            try tell(partition) { $0.giveBack(isEvicted: isEvicted) }
            partition.giveBack()
            // Nothing that a cached journal waits for is unsent.
            if !partition.journal.isCached { leaveUnsent(of: partition) }
        }
        partitions = partitions.filter(\.value.journal.isCached)
    }

    /// Drops the records of a partition that the client does not have, when the partition is no longer owned. The next owner writes them again. If that is this process, it
    /// must find in the results whatever it will still write there.
    func leaveUnsent(of partition: OwnedPartition) {
        outbound.drop { $0 != Token.untracked && Token.ownership($0) == partition.ownership }
    }

    /// Finishes what was begun and leaves the group.
    ///
    /// - Parameter timeout: how long that may take.
    public func close(timeout: Duration) throws(LogError) {
        let deadline = clock().advanced(by: timeout)
        for partition in partitions.values { partition.journal.drain() }
        nameCountedRecords(isEnding: true)
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
