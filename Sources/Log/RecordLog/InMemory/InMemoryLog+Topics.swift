/// Controls of topics and partitions for tests: what operators and clusters do to them while clients run.
extension InMemoryLog {
    // MARK: Leaders

    /// Takes the leader of one partition away, or gives it back.
    ///
    /// While it is away, records sent to the partition stay unacknowledged in the queues of their clients (or are lost with
    /// ``LogClient/close(timeout:)``), reads return nothing, not even the end, and ``LogClient/range(of:)`` times out. All else goes on.
    /// ``append(_:)`` writes nevertheless.
    public func setLeader(of partition: TopicPartition, isAway: Bool) {
        locked { $0.change(partition) { $0.isLeaderAway = isAway } }
    }

    /// Takes the leaders of all partitions of a topic away, or gives them back.
    public func setLeaders(of topic: String, areAway: Bool) {
        locked { $0.changeAll(of: topic) { $0.isLeaderAway = areAway } }
    }

    // MARK: Transactions

    /// Opens a transaction in a partition, as another producer with a transactional id does: readers get no record from here on until
    /// ``endTransaction(in:)``, whoever writes it.
    public func beginTransaction(in partition: TopicPartition) { locked { $0.change(partition) { $0.beginTransaction() } } }

    /// Ends the open transaction of a partition. Its marker takes one offset.
    public func endTransaction(in partition: TopicPartition) { locked { $0.change(partition) { $0.endTransaction() } } }

    // MARK: Limits

    /// Limits the size of a topic's records from now on, as a change of its `max.message.bytes` does. A larger one fails with
    /// ``LogError/Code/recordTooLarge``.
    ///
    /// - Parameter bytes: Key, value and headers together; `nil` for the limit with which the topic was created.
    public func limitRecords(of topic: String, toBytes bytes: Int?) {
        locked { $0.topics[topic]?.changedRecordLimit = bytes }
    }

    /// Refuses all records of clients for a topic from now on, as a broker does where a right is missing; `nil` takes them again.
    public func refuseRecords(for topic: String, with error: LogError?) {
        locked { $0.topics[topic]?.refusal = error }
    }

    // MARK: Changes of a topic

    /// Deletes a topic, its records, and what groups have committed in it. The groups that subscribe to it are rebalanced. Records sent to it fail with
    /// ``LogError/Code/unknownTopicOrPartition``; readers of it get nothing until it exists again.
    public func deleteTopic(_ name: String) {
        locked { $0.deleteTopic(name) }
    }

    /// Deletes a topic and creates it again, so quickly that running clients don't notice: offsets start at 0, committed offsets are gone, and readers
    /// keep their positions. A position beyond the new end is out of range; one that the new topic has reached continues there, as on Kafka.
    ///
    /// - Parameter partitions: The number of partitions; `nil` for the same as before. If it changes, the groups that subscribe to it are rebalanced.
    public func recreateTopic(_ name: String, partitions: Int32? = nil) {
        locked { $0.recreateTopic(name, partitions: partitions) }
    }

    /// Adds partitions to a topic until it has `count`. The groups that subscribe to it are rebalanced, and get the new ones too. Does nothing if the
    /// topic has as many, because Kafka removes none.
    public func addPartitions(to topic: String, count: Int) {
        locked { $0.addPartitions(to: topic, count: count) }
    }

    /// Removes the newest `count` records of a partition, although they were acknowledged, as an unclean election of a leader does. The next records get
    /// their offsets. A reader that was beyond the new end is out of range, unless as many records are written before its next poll: then it
    /// continues after them, and notices nothing.
    public func cutTail(of partition: TopicPartition, records count: Int) {
        locked { $0.change(partition) { $0.cutTail(count) } }
    }

    // MARK: Segments

    /// Limits the segments of a topic to `records` offsets each: the next record then starts another one. `nil`, the default, closes segments only with
    /// ``rollSegment(of:)``.
    public func setSegmentSize(_ records: Int?, of topic: String) {
        locked { $0.changeAll(of: topic) { $0.segmentSize = records.map { max(1, $0) } } }
    }

    /// Closes the active segment of a partition, if there is anything in it, as `segment.ms` does.
    public func rollSegment(of partition: TopicPartition) {
        locked { $0.change(partition) { $0.rollSegment() } }
    }

    /// The ends of the closed segments of a partition, in order: the offsets at which compaction can stop.
    public func segmentEnds(of partition: TopicPartition) -> [Int64] {
        locked { $0.topics[partition.topic]?[partition.partition]?.segmentEnds ?? [] }
    }

    /// Compacts the closed segments of a partition, as Kafka's cleaner does. The active segment stays, and so do the records that it overwrites.
    ///
    /// - Parameters:
    ///   - end: The offset up to which the cleaner reads; `nil` for the end of the last closed segment. It is lowered to the end of a closed segment.
    ///   - stop: The offset at which the cleaner is interrupted; `nil` for `end`. It is lowered in the same way. Segments from there on stay as
    ///     they are, though records that they overwrite are gone from the segments before: the cleaner reads first and then replaces one
    ///     segment after the other, so readers and crashes can come in between.
    ///   - droppingTombstones: Whether to drop tombstones too, as Kafka does after `delete.retention.ms`.
    public func compactSegments(
        of partition: TopicPartition, upTo end: Int64? = nil, stoppingAt stop: Int64? = nil, droppingTombstones: Bool = false
    ) {
        locked {
            $0.change(partition) { partition in
                let end = partition.segmentEnd(upTo: end ?? .max)
                let stop = partition.segmentEnd(upTo: min(stop ?? .max, end))
                partition.compact(before: end, stoppingAt: stop, droppingTombstones: droppingTombstones)
            }
        }
    }
}
