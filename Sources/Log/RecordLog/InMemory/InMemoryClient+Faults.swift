/// Controls of one client for tests: failed records and delayed deliveries.
extension InMemoryClient {
    /// Fails the next `count` records of this client with this error. The client's later records get the next offsets,
    /// unless the topic is one of its ``ClientConfiguration/gaplessTopics`` (then no later record is written) or the
    /// error is fatal.
    ///
    /// - Parameters:
    ///   - topic: Counts only records of this topic.
    ///   - partition: Counts only records of partitions with this number.
    ///   - skipped: The number of matching records that pass before the first failure.
    ///   - error: For example ``LogError/Code/timedOut`` with the disposition ``LogError/Disposition/retry``, as
    ///     librdkafka reports a message timeout.
    ///   - isWritten: `true` if the records are in the log nevertheless: their acknowledgements came after the timeout.
    ///   - inFlight: The number of this client's records after the failed record that are in the log nevertheless, if
    ///     the client stops at the failed record because of ``ClientConfiguration/gaplessTopics``. They were in flight
    ///     when the client learned of the failure. Their deliveries fail.
    public func failRecords(
        _ count: Int, in topic: String? = nil, partition: Int32? = nil, after skipped: Int = 0, with error: LogError,
        isWritten: Bool = false, inFlight: Int = 0
    ) {
        let target = FaultPlan.Target(topic: topic, partition: partition, client: number, skipping: skipped)
        let extent = FaultPlan.Extent(isWritten: isWritten, inFlight: inFlight)
        log.locked { $0.faults.add(.failed(error, extent), times: count, target) }
    }

    /// Delays the deliveries of this client's records, so that the client may read a record before it receives the
    /// record's acknowledgement. The order within a topic stays. Until their deliveries are polled, the records count
    /// as unacknowledged in the client's queue.
    ///
    /// - Parameters:
    ///   - topic: The topic to delay; `nil` for all topics without their own delay.
    ///   - polls: The number of polls; `nil` delays until ``releaseDeliveries(of:)``.
    public func delayDeliveries(of topic: String? = nil, polls: Int? = nil) {
        log.locked { $0.clients[number].delays.delay(topic, by: polls) }
    }

    /// Ends the delay of a topic, or of all topics. The next poll returns the delayed deliveries.
    public func releaseDeliveries(of topic: String? = nil) {
        log.locked { $0.clients[number].delays.release(topic) }
    }

    /// Limits the number of this client's unacknowledged records. Beyond it, ``LogClient/send(_:token:)`` throws
    /// ``LogError/Code/queueFull``.
    ///
    /// - Parameter records: 0 refuses every record; `nil` uses the log's limit again.
    public func limitQueue(to records: Int?) {
        log.locked { $0.clients[number].limits.unanswered = records }
    }

    /// Makes the client itself reject larger records, as librdkafka does with `message.max.bytes`. The failed delivery
    /// precedes those of records that wait to be written. A record that is larger than the topic accepts (its
    /// `max.message.bytes`, or the log's limit) is rejected by the broker.
    ///
    /// - Parameter bytes: The size of key, value and headers together; `nil` rejects no record.
    public func limitRecords(toBytes bytes: Int?) {
        log.locked { $0.clients[number].limits.recordBytes = bytes }
    }
}
