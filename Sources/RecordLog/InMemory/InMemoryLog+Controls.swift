/// What tests do to a log, and see of it, beside its clients. (A client's own controls are on ``InMemoryClient``.)
extension InMemoryLog {
    // MARK: What goes wrong

    /// The acknowledgements of the next `count` records are lost and answered on a retry: the records stand in the log, and their
    /// ``Delivery`` has no offset.
    ///
    /// - Parameter topic: counts only records of this topic.
    public func loseAcknowledgements(_ count: Int, in topic: String? = nil) {
        locked { $0.faults.add(.acknowledgementLost, times: count, topic: topic) }
    }

    /// The next `count` records are not written, and answered with this error. If its disposition is fatal, nothing that the same client sent behind
    /// the record, or sends later, is written either, and is answered alike.
    ///
    /// - Parameter topic: counts only records of this topic.
    public func refuseRecords(_ count: Int, in topic: String? = nil, with error: LogError) {
        locked { $0.faults.add(.refused(error), times: count, topic: topic) }
    }

    /// No record is refused and no acknowledgement lost any more.
    public func clearFaults() {
        locked { $0.faults = FaultPlan() }
    }

    /// The next client that connects under this client id dies at its `n`-th call: see ``InMemoryClient/crash(atCall:_:leavingGroup:)``.
    public func planCrash(of clientID: String, atCall n: Int, _ point: CrashPoint, leavingGroup: Bool = false) {
        locked { $0.plannedCrashes[clientID] = PlannedCrash(call: n, point: point, leavingGroup: leavingGroup) }
    }

    /// A new generation of the group, though nothing changed: every member is asked to release, and given its partitions again.
    public func rebalance(group: String) {
        locked { $0.rebalance(group) }
    }

    // MARK: What a broker does by itself

    /// Keeps of each key in each partition the newest record, and all records without a key. Offsets stay.
    ///
    /// - Parameter droppingTombstones: whether newest records without a value are dropped too. Kafka does that to those older than
    ///   `delete.retention.ms`, so a reader that is slow may never see them.
    public func compact(_ topic: String, droppingTombstones: Bool = false) {
        let count = locked { $0.topics[topic]?.partitions.count ?? 0 }
        for number in 0..<count { compact(TopicPartition(topic, Int32(number)), before: .max, droppingTombstones: droppingTombstones) }
    }

    /// The same for one partition, as far as its records are older than `min.compaction.lag.ms`.
    ///
    /// - Parameter end: records from this offset on are younger: they stay, and so does what they overwrite.
    public func compact(_ partition: TopicPartition, before end: Int64, droppingTombstones: Bool = false) {
        locked { model in
            guard model.topics[partition.topic]?[partition.partition] != nil else { return }
            model.topics[partition.topic]?.partitions[Int(partition.partition)].compact(before: end, droppingTombstones: droppingTombstones)
        }
    }

    /// Drops the records before this offset, as retention does. Readers that stand before it are told ``LogError/Code/offsetOutOfRange``.
    public func truncate(_ partition: TopicPartition, before offset: Int64) {
        locked { model in
            guard model.topics[partition.topic]?[partition.partition] != nil else { return }
            model.topics[partition.topic]?.partitions[Int(partition.partition)].truncate(before: offset)
        }
    }

    // MARK: What there is

    /// Writes a record as a stranger would, past all clients and faults. It must name its partition or have a key.
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

    /// The records that a partition has now, oldest first; none if it does not exist.
    public func records(in partition: TopicPartition) -> [ConsumedRecord] {
        locked { $0.topics[partition.topic]?[partition.partition]?.records ?? [] }
    }

    /// The records that a topic has now, partition by partition.
    public func records(in topic: String) -> [ConsumedRecord] {
        locked { $0.topics[topic]?.partitions.flatMap(\.records) ?? [] }
    }

    /// What a group has committed.
    public func committed(group: String) -> [TopicPartition: CommittedOffset] {
        locked { $0.groups[group]?.committed ?? [:] }
    }

    /// How many assignments a group has had.
    public func generation(ofGroup group: String) -> Int32 {
        locked { $0.groups[group]?.generation ?? 0 }
    }

    /// What each member of a group was given, by client id, dead members included until they are evicted.
    public func assignment(ofGroup group: String) -> [String: [TopicPartition]] {
        locked { model in
            (model.groups[group]?.members ?? []).reduce(into: [:]) { $0[$1.clientID, default: []] += $1.partitions }
        }
    }
}
