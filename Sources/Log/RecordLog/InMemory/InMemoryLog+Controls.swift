/// Controls and inspection of a log for tests. The controls of a client are on ``InMemoryClient``.
extension InMemoryLog {
    // MARK: Faults

    /// Loses the acknowledgements of the next `count` records, as if a retry had succeeded: the records are in the log,
    /// but their ``Delivery`` has no offset.
    ///
    /// - Parameter topic: Counts only records of this topic.
    public func loseAcknowledgements(_ count: Int, in topic: String? = nil) {
        locked { $0.faults.add(.acknowledgementLost, times: count, FaultPlan.Target(topic: topic)) }
    }

    /// Fails the next `count` records with this error instead of writing them. Later records of the same client get the
    /// next offsets, unless the topic is one of its ``ClientConfiguration/gaplessTopics``. If the error is fatal, all
    /// later records of the same client fail with the same error.
    /// ``InMemoryClient/failRecords(_:in:partition:after:with:isWritten:inFlight:)`` does the same for one client.
    ///
    /// - Parameter topic: Counts only records of this topic.
    public func refuseRecords(_ count: Int, in topic: String? = nil, with error: LogError) {
        locked { $0.faults.add(.failed(error, FaultPlan.Extent()), times: count, FaultPlan.Target(topic: topic)) }
    }

    /// Fails the next `count` reads of a group's committed offsets with this error.
    public func refuseCommitted(_ count: Int, with error: LogError) {
        locked { $0.faults.committed += Array(repeating: error, count: count) }
    }

    /// Fails the next `count` commits with this error. The failed commits have no effect.
    public func refuseCommits(_ count: Int, with error: LogError) {
        locked { $0.faults.commits += Array(repeating: error, count: count) }
    }

    /// Removes a group's committed offsets, as brokers do some time after the group became empty.
    public func removeCommits(group: String) { locked { $0.groups[group]?.committed = [:] } }

    /// Removes all pending faults.
    public func clearFaults() {
        locked { $0.faults = FaultPlan() }
    }

    /// Plans a crash of the next client that connects with this client id, at its `n`-th call: see
    /// ``InMemoryClient/crash(atCall:_:leavingGroup:)``.
    public func planCrash(of clientID: String, atCall n: Int, _ point: CrashPoint, leavingGroup: Bool = false) {
        locked { $0.plannedCrashes[clientID] = PlannedCrash(call: n, point: point, leavingGroup: leavingGroup) }
    }

    /// Starts a new generation of the group without a change of members: every member releases its partitions and is
    /// assigned them again.
    public func rebalance(group: String) {
        locked { $0.rebalance(group) }
    }

    // MARK: Compaction and retention

    /// Compacts a topic: keeps the newest record of each key in each partition, and all records without a key. Offsets
    /// do not change.
    ///
    /// - Parameter droppingTombstones: `true` removes tombstones too. Kafka removes tombstones older than
    ///   `delete.retention.ms`, so a slow reader may never see them.
    public func compact(_ topic: String, droppingTombstones: Bool = false) {
        let count = locked { $0.topics[topic]?.partitions.count ?? 0 }
        for number in 0..<count {
            compact(TopicPartition(topic, Int32(number)), before: .max, droppingTombstones: droppingTombstones)
        }
    }

    /// Compacts one partition up to an offset, which models `min.compaction.lag.ms`.
    ///
    /// - Parameter end: The end of the compacted offsets. Later records are too young: they stay, and so do the records
    ///   that they overwrite.
    public func compact(_ partition: TopicPartition, before end: Int64, droppingTombstones: Bool = false) {
        locked { model in
            guard model.topics[partition.topic]?[partition.partition] != nil else { return }
            model.topics[partition.topic]?.partitions[Int(partition.partition)].compact(
                before: end, droppingTombstones: droppingTombstones)
        }
    }

    /// Removes the records before this offset, as retention does. Readers with an earlier position get
    /// ``LogEvent/outOfRange(_:)``.
    public func truncate(_ partition: TopicPartition, before offset: Int64) {
        locked { model in
            guard model.topics[partition.topic]?[partition.partition] != nil else { return }
            model.topics[partition.topic]?.partitions[Int(partition.partition)].truncate(before: offset)
        }
    }

    // MARK: Contents

    /// Writes a record directly, without a client and without faults. The record must have a partition or a key.
    ///
    /// - Throws: ``LogError/Code/unknownTopicOrPartition``.
    @discardableResult
    public func append(_ record: Record) throws(LogError) -> ConsumedRecord {
        let now = clock()
        return try locked { (model) throws(LogError) in
            let count = Int32(model.topics[record.topic]?.partitions.count ?? 0)
            let number = record.partition ?? record.key.map { Murmur2.partition(of: $0, count: count) } ?? -1
            _ = try model.partition(TopicPartition(record.topic, number))
            _ = model.append(record, to: number, now: now)
            guard let written = try model.partition(TopicPartition(record.topic, number)).records.last else {
                throw .unknown(record.topic, number)
            }
            return written
        }
    }

    /// Writes a batch directly that no client can read (``LogEvent/unreadable(_:)``).
    ///
    /// - Parameters:
    ///   - count: The number of records in the batch; at least 1.
    ///   - cause: The reason that clients report.
    /// - Returns: The first offset of the batch.
    /// - Throws: ``LogError/Code/unknownTopicOrPartition``.
    @discardableResult
    public func appendUnreadable(
        _ count: Int, to place: TopicPartition, cause: String = "it can't be decompressed"
    ) throws(LogError) -> Int64 {
        try locked { (model) throws(LogError) in
            let offset = try model.partition(place).next
            model.topics[place.topic]?.partitions[Int(place.partition)].appendUnreadable(count, cause: cause)
            return offset
        }
    }

    /// The number of changes of the topics and their records.
    package var changes: Int { locked { $0.changes } }

    /// The records that are in a partition now, oldest first; empty if the partition does not exist.
    public func records(in partition: TopicPartition) -> [ConsumedRecord] {
        locked { $0.topics[partition.topic]?[partition.partition]?.records ?? [] }
    }

    /// The records that are in a topic now, partition by partition.
    public func records(in topic: String) -> [ConsumedRecord] {
        locked { $0.topics[topic]?.partitions.flatMap(\.records) ?? [] }
    }

    /// The committed offsets of a group.
    public func committed(group: String) -> [TopicPartition: CommittedOffset] {
        locked { $0.groups[group]?.committed ?? [:] }
    }

    /// The number of assignments of a group.
    public func generation(ofGroup group: String) -> Int32 {
        locked { $0.groups[group]?.generation ?? 0 }
    }

    /// The partitions of each member of a group, by client id. Crashed members are included until they are evicted.
    public func assignment(ofGroup group: String) -> [String: [TopicPartition]] {
        locked { model in
            (model.groups[group]?.members ?? []).reduce(into: [:]) { $0[$1.clientID, default: []] += $1.partitions }
        }
    }
}
