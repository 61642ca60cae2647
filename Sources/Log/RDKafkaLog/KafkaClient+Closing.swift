import CRDKafka
import RecordLog

extension KafkaClient {
    /// - Throws: ``LogError/Code/timedOut`` with the number of records that may be lost: records that the broker has
    ///   not acknowledged in time (it may have written them nevertheless), and records that it rejected.
    func close(timeout: Duration) throws(LogError) {
        if isClosed { return }
        let deadline = ContinuousClock.now + timeout.bounded
        for stream in streams.ofReader.values {
            for (partition, _) in stream.openPartitions { stop(TopicPartition(stream.name, partition), of: stream) }
        }
        // The group would otherwise wait for this member's answer.
        if case .settled = assignment.rebalance {} else { try? unassign() }
        // librdkafka needs a queue other than its own for closing.
        if let member = member?.pointer { closing = try? RDKafkaQueue(rd_kafka_queue_new(member)) }
        let isLeaving = startLeaving(closing?.pointer)
        if !isLeaving { closing = nil }
        var lost = 0
        while true {
            let unsent = unwritten
            let hasLeft = !isLeaving || (member?.pointer).map { rd_kafka_consumer_closed($0) != 0 } ?? true
            let remaining = ContinuousClock.now.duration(to: deadline)
            if unsent == 0 && hasLeft || remaining <= .zero { break }
            if unsent > 0 {
                // Sends lingering records immediately. The flush can't return early, because delivery reports count as
                // unsent until they are polled.
                rd_kafka_flush(producer?.pointer, min(5, remaining.milliseconds))
                lost += countLost(0)
            } else {
                lost += countLost(min(100, remaining.milliseconds))
            }
        }
        if unwritten > 0 {
            rd_kafka_purge(producer?.pointer, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT)
            lost += countLost(0)
        }
        lost += unwritten
        isClosed = true
        tearDown(waitingUntil: max(deadline, ContinuousClock.now + .milliseconds(200)))
        if lost > 0 {
            throw LogError(
                .timedOut,
                "client \(client.clientID) was closed with \(lost) records not acknowledged: they may be lost")
        }
    }

    /// Destroys all objects in the order that librdkafka needs. Waits for librdkafka's threads, at most until
    /// `deadline`.
    func tearDown(waitingUntil deadline: ContinuousClock.Instant? = nil) {
        clearWakeableQueue()
        deliveries?.disableWakeup()
        scout?.close()
        scout = nil
        overflow = []
        for stream in streams.ofReader.values {
            for (partition, _) in stream.openPartitions {
                stopFetching(TopicPartition(stream.name, partition), of: stream)
            }
        }
        streams.last = nil
        streams.byAddress = [:]
        streams.ofReader = [:]
        streams.ofMember = [:]
        writer = nil
        deliveries = nil
        closing = nil
        queue = nil
        // The reader is last, because its records may still be in a queue of the other handles.
        member = nil
        producer = nil
        reader = nil
        guard let deadline else { return }
        if !destroyer.wait(ContinuousClock.now.duration(to: deadline).milliseconds) {
            report(
                level: 4, "CLOSE",
                "client \(client.clientID): librdkafka has not ended in time, its threads are left running")
        }
    }

    /// Starts leaving the group. Returns `false` if there is no member or if leaving failed.
    private func startLeaving(_ queue: OpaquePointer?) -> Bool {
        guard let member = member?.pointer, let queue else { return false }
        guard let error = LogError(consuming: rd_kafka_consumer_close_queue(member, queue)) else { return true }
        report(level: 4, "CLOSE", "client \(client.clientID) can't leave its group: \(error)")
        return false
    }

    /// Polls all pending events, answers the group, and counts failed deliveries.
    private func countLost(_ timeout: Int32) -> Int {
        var lost = 0
        var wait = timeout
        let isForwarded = closing?.pointer != nil
        while let event = deliveries?.poll(0) { lost += countLost(event) }
        while true {
            // The member's own queue is forwarded to this one.
            guard let event = isForwarded ? closing?.poll(wait) : queue?.poll(wait) else { break }
            lost += countLost(event)
            wait = 0
        }
        while let event = deliveries?.poll(0) { lost += countLost(event) }
        return lost
    }

    private func countLost(_ event: borrowing RDKafkaEvent) -> Int {
        switch event.type {
        case RD_KAFKA_EVENT_DR:
            var failed = 0
            while let message = rd_kafka_event_message_next(event.pointer) {
                // `delivery` also stops writing if the record's topic is gapless.
                if delivery(message.pointee).error != nil { failed += 1 }
            }
            return failed
        case RD_KAFKA_EVENT_REBALANCE:
            try? unassign()
            return 0
        default:
            return 0
        }
    }
}
