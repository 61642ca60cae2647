import RecordLog

/// The partitions of a worker's topic, and which of their records are in flight.
struct WorkPartitions {
    /// The assigned partitions.
    private(set) var trackers: [Int32: OffsetTracker] = [:]
    /// Records in flight whose partitions were revoked and have come back, until they are read again.
    private var kept: [Int32: Set<Int64>] = [:]
    /// Records that were finished while their partitions were away, until the next assignment.
    private var finishedAway: [Int32: [Int64]] = [:]
    /// Outcomes and dead letters that the log has not acknowledged, by partition.
    private(set) var unacknowledged: [Int32: Int] = [:]
    /// Partitions that are paused until the log acknowledges their outcomes.
    var heldBack: Set<Int32> = []

    /// The assigned partitions without those that are held back.
    var readable: some Sequence<Int32> { trackers.keys.lazy.filter { !heldBack.contains($0) } }

    func isAssigned(_ partition: Int32) -> Bool { trackers[partition] != nil }

    /// The group has assigned partitions.
    ///
    /// With eager rebalancing, most partitions come back to the worker that had them, and their records with them. Records in flight, and those that were finished before
    /// they are read again, are not worked on again.
    mutating func assign(
        _ partitions: [TopicPartition], _ committed: [TopicPartition: CommittedOffset],
        inFlight: some Sequence<(partition: Int32, offset: Int64)>
    ) {
        trackers.removeAll()
        for partition in partitions { trackers[partition.partition] = OffsetTracker(committed[partition]) }
        for (partition, offsets) in finishedAway { for offset in offsets { trackers[partition]?.finish(offset) } }
        finishedAway = [:]
        kept = [:]
        for (partition, offset) in inFlight where isAssigned(partition) {
            kept[partition, default: []].insert(offset)
        }
        heldBack = []
    }

    mutating func release() { trackers.removeAll() }

    /// Takes a record, or the first of a batch that can't be read.
    ///
    /// - Returns: `nil` if the partition is not assigned, `false` if the record was finished before.
    mutating func take(_ partition: Int32, _ offset: Int64) -> Bool? {
        trackers.index(forKey: partition).map { trackers.values[$0].take(offset) }
    }

    /// - Returns: Whether the record was in flight before its partition was away for a moment.
    mutating func recognizes(_ partition: Int32, _ offset: Int64) -> Bool {
        !kept.isEmpty && kept[partition]?.remove(offset) != nil
    }

    mutating func skip(_ partition: Int32, to offset: Int64) { trackers[partition]?.skip(to: offset) }

    mutating func finish(_ partition: Int32, _ offset: Int64) {
        if let place = trackers.index(forKey: partition) {
            trackers.values[place].finish(offset)
        } else {
            finishedAway[partition, default: []].append(offset)
        }
    }

    /// An outcome or a dead letter is sent.
    mutating func sent(_ partition: Int32) { unacknowledged[partition, default: 0] += 1 }

    mutating func acknowledged(_ partition: Int32) {
        let count = (unacknowledged[partition] ?? 1) - 1
        unacknowledged[partition] = count > 0 ? count : nil
    }

    /// The positions that differ from the committed ones.
    mutating func commit(of topic: String) -> [TopicPartition: CommittedOffset] {
        var offsets: [TopicPartition: CommittedOffset] = [:]
        for number in trackers.keys {
            if let offset = trackers[number]?.commit() { offsets[TopicPartition(topic, number)] = offset }
        }
        return offsets
    }

    /// A commit was refused: the next one has all positions again.
    mutating func commitFailed() { for number in trackers.keys { trackers[number]?.commitFailed() } }
}
