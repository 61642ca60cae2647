/// Controls of topics and partitions for tests: changes that operators and clusters make while clients run.
extension InMemoryLog {
    // MARK: Leaders

    /// Removes or restores the leader of one partition.
    ///
    /// Without a leader, records sent to the partition stay unacknowledged in the queues of their clients (or are lost
    /// with ``LogClient/close(timeout:)``), reads return neither records nor the end, and ``LogClient/range(of:)``
    /// times out. Other calls work as before. ``append(_:)`` still writes.
    public func setLeader(of partition: TopicPartition, isAway: Bool) {
        locked { $0.change(partition) { $0.isLeaderAway = isAway } }
    }

    /// Removes or restores the leaders of all partitions of a topic.
    public func setLeaders(of topic: String, areAway: Bool) {
        locked { $0.changeAll(of: topic) { $0.isLeaderAway = areAway } }
    }

    // MARK: Transactions

    /// Opens a transaction in a partition, as another producer with a transactional id does. Readers get no record
    /// after this point until ``endTransaction(in:)``, whichever producer writes it.
    public func beginTransaction(in partition: TopicPartition) {
        locked { $0.change(partition) { $0.beginTransaction() } }
    }

    /// Ends the open transaction of a partition. The transaction's marker occupies one offset.
    public func endTransaction(in partition: TopicPartition) { locked { $0.change(partition) { $0.endTransaction() } } }

    // MARK: Limits

    /// Limits the size of a topic's records from now on, as a change of `max.message.bytes` does. A larger record fails
    /// with ``LogError/Code/recordTooLarge``.
    ///
    /// - Parameter bytes: The size of key, value and headers together; `nil` for the limit with which the topic was
    ///   created.
    public func limitRecords(of topic: String, toBytes bytes: Int?) {
        locked { $0.topics[topic]?.changedRecordLimit = bytes }
    }

    /// Rejects all client records for a topic from now on, as a broker does without authorization; `nil` accepts them
    /// again.
    public func refuseRecords(for topic: String, with error: LogError?) {
        locked { $0.topics[topic]?.refusal = error }
    }

    // MARK: Changes of a topic

    /// Deletes a topic, its records, and the groups' commits for it. The groups that subscribe to it are rebalanced.
    /// Records sent to the topic fail with ``LogError/Code/unknownTopicOrPartition``; its readers get no events until
    /// it exists again.
    public func deleteTopic(_ name: String) {
        locked { $0.deleteTopic(name) }
    }

    /// Deletes and recreates a topic so quickly that running clients don't notice: offsets start at 0, committed
    /// offsets are removed, and readers keep their positions. A position beyond the new end is out of range; a position
    /// that the new topic has reached continues there, as on Kafka.
    ///
    /// - Parameter partitions: The number of partitions; `nil` keeps the number. If the number changes, the groups that
    ///   subscribe to the topic are rebalanced.
    public func recreateTopic(_ name: String, partitions: Int32? = nil) {
        locked { $0.recreateTopic(name, partitions: partitions) }
    }

    /// Adds partitions to a topic until it has `count`. The groups that subscribe to it are rebalanced and are assigned
    /// the new partitions too. Does nothing if the topic has at least `count` partitions, because Kafka removes no
    /// partition.
    public func addPartitions(to topic: String, count: Int) {
        locked { $0.addPartitions(to: topic, count: count) }
    }

    /// Removes the newest `count` records of a partition although they were acknowledged, as an unclean leader election
    /// does. The next records get the offsets of the removed ones. A reader beyond the new end is out of range, unless
    /// as many records are written before its next poll: then it continues after them without noticing.
    public func cutTail(of partition: TopicPartition, records count: Int) {
        locked { $0.change(partition) { $0.cutTail(count) } }
    }

    // MARK: Segments

    /// Limits the segments of a topic to `records` offsets each: a record beyond the limit starts a new segment. With
    /// `nil`, the default, only ``rollSegment(of:)`` closes segments.
    public func setSegmentSize(_ records: Int?, of topic: String) {
        locked { $0.changeAll(of: topic) { $0.segmentSize = records.map { max(1, $0) } } }
    }

    /// Closes the active segment of a partition, if the segment is not empty, as `segment.ms` does.
    public func rollSegment(of partition: TopicPartition) {
        locked { $0.change(partition) { $0.rollSegment() } }
    }

    /// The ends of the closed segments of a partition, in order: the offsets at which compaction can stop.
    public func segmentEnds(of partition: TopicPartition) -> [Int64] {
        locked { $0.topics[partition.topic]?[partition.partition]?.segmentEnds ?? [] }
    }

    /// Compacts the closed segments of a partition, as Kafka's cleaner does. The active segment stays, and so do the
    /// records that it overwrites.
    ///
    /// - Parameters:
    ///   - end: The offset up to which the cleaner reads; `nil` for the end of the last closed segment. Lowered to the
    ///     end of a closed segment.
    ///   - stop: The offset at which the cleaner is interrupted; `nil` for `end`. Lowered to the end of a closed
    ///     segment too. Later segments stay unchanged, but the records that they overwrite are removed from earlier
    ///     segments: the cleaner first reads all segments and then replaces one after the other, so reads and crashes
    ///     can happen in between.
    ///   - droppingTombstones: `true` removes tombstones too, as Kafka does after `delete.retention.ms`.
    public func compactSegments(
        of partition: TopicPartition, upTo end: Int64? = nil, stoppingAt stop: Int64? = nil,
        droppingTombstones: Bool = false
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
