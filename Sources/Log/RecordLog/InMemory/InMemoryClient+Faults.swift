/// Controls of one client for tests: how its records fail, and when it is told.
extension InMemoryClient {
    /// Fails the next `count` records of this client with this error. Its later records get the next offsets, unless the topic is one of its
    /// ``ClientConfiguration/gaplessTopics`` (then none of them is written) or the error is fatal.
    ///
    /// - Parameters:
    ///   - topic: Counts only records of this topic.
    ///   - partition: Counts only records of partitions with this number.
    ///   - skipped: How many of these records pass before the first that fails.
    ///   - error: For example ``LogError/Code/timedOut`` with the disposition ``LogError/Disposition/retry``, as librdkafka reports a message timeout.
    ///   - isWritten: Whether the records are in the log nevertheless: their acknowledgements came after the timeout.
    ///   - underWay: How many of this client's records after the failed one are in the log nevertheless, if it stops there because of
    ///     ``ClientConfiguration/gaplessTopics``: they were sent before the client was told. Their deliveries fail.
    public func failRecords(
        _ count: Int, in topic: String? = nil, partition: Int32? = nil, after skipped: Int = 0, with error: LogError,
        isWritten: Bool = false, underWay: Int = 0
    ) {
        let target = FaultPlan.Target(topic: topic, partition: partition, client: number, skipping: skipped)
        let extent = FaultPlan.Extent(isWritten: isWritten, underWay: underWay)
        log.locked { $0.faults.add(.failed(error, extent), times: count, target) }
    }

    /// Delays the deliveries of this client's records, so that it may read a record before it is told that it was written. The order within a topic
    /// stays. Until they are polled, the records count as unacknowledged in the client's queue.
    ///
    /// - Parameters:
    ///   - topic: Only those of this topic; `nil` for all topics that have no delay of their own.
    ///   - polls: By how many polls; `nil` until ``releaseDeliveries(of:)``.
    public func delayDeliveries(of topic: String? = nil, polls: Int? = nil) {
        log.locked { $0.clients[number].delays.delay(topic, by: polls) }
    }

    /// Ends the delay of a topic, or of all topics. The next poll returns the deliveries that are late.
    public func releaseDeliveries(of topic: String? = nil) {
        log.locked { $0.clients[number].delays.release(topic) }
    }

    /// Limits how many of this client's records may be unacknowledged. Beyond it ``LogClient/send(_:token:)`` throws ``LogError/Code/queueFull``.
    ///
    /// - Parameter records: 0 refuses every record; `nil` uses the log's limit again.
    public func limitQueue(to records: Int?) {
        log.locked { $0.clients[number].queueLimit = records }
    }

    /// Lets the client refuse larger records itself, as librdkafka does with `message.max.bytes`. The failed delivery comes before those of records that
    /// wait to be written. Larger than the topic accepts (its `max.message.bytes`, or the log's limit) is refused by the broker.
    ///
    /// - Parameter bytes: Key, value and headers together; `nil` refuses none.
    public func limitRecords(toBytes bytes: Int?) {
        log.locked { $0.clients[number].recordLimit = bytes }
    }
}
