import CRDKafka
import RecordLog

extension KafkaClient {
    func poll(maximum: Int, timeout: Duration) throws(LogError) -> [LogEvent] {
        if isClosed { throw Self.closed }
        let maximum = max(1, maximum)
        var events: [LogEvent] = []
        while events.count < maximum, let event = overflow.popLast() { events.append(event) }
        handleAnswers(into: &events, maximum)
        if events.count < maximum { drain(into: &events, maximum) }
        if scout != nil { serveSearches(into: &events, maximum) }
        if events.isEmpty, failure.pending == nil, timeout > .zero { wait(timeout, into: &events, maximum) }
        if consumeWakeRequest() { handleAnswers(into: &events, maximum) }
        if assignment.isBroken { repairAssignment() }
        if events.isEmpty, let error = failure.pending { throw error }
        return events
    }

    /// Polls pending events of both queues. The queues alternate in being first, so that neither starves.
    private func drain(into events: inout [LogEvent], _ maximum: Int) {
        drainsDeliveriesFirst.toggle()
        if drainsDeliveriesFirst {
            drain(deliveries, into: &events, maximum)
            drain(queue, into: &events, maximum)
        } else {
            drain(queue, into: &events, maximum)
            drain(deliveries, into: &events, maximum)
        }
    }

    @inline(__always)
    private func drain(_ queue: borrowing RDKafkaQueue?, into events: inout [LogEvent], _ maximum: Int) {
        while events.count < maximum, let event = queue?.poll(0) {
            handle(event, into: &events, maximum)
        }
    }

    /// Waits until there is an event for the caller.
    private func wait(_ timeout: Duration, into events: inout [LogEvent], _ maximum: Int) {
        let deadline = ContinuousClock.now + timeout.bounded
        var remaining = timeout.bounded
        repeat {
            // A new delivery ends the wait for the member's queue, but a poll without waiting consumes that signal. The
            // deliveries must therefore be checked after the last such poll: here.
            drain(deliveries, into: &events, maximum)
            if scout != nil { serveSearches(into: &events, maximum) }
            if !events.isEmpty || consumeWakeRequest() || failure.pending != nil { return }
            if let event = queue?.poll(remaining.milliseconds) {
                handle(event, into: &events, maximum)
                drain(queue, into: &events, maximum)
                drain(deliveries, into: &events, maximum)
            }
            if !events.isEmpty || consumeWakeRequest() || assignment.isBroken { return }
            remaining = ContinuousClock.now.duration(to: deadline)
        } while remaining > .zero
    }

    @inline(__always)
    private func handle(_ event: borrowing RDKafkaEvent, into events: inout [LogEvent], _ maximum: Int) {
        switch event.type {
        case RD_KAFKA_EVENT_FETCH: handleRecord(event, into: &events)
        case RD_KAFKA_EVENT_DR: handleDeliveries(event, into: &events, maximum)
        default: handleRareEvent(event, into: &events)
        }
    }

    @inline(__always)
    private func handleRecord(_ event: borrowing RDKafkaEvent, into events: inout [LogEvent]) {
        guard let message = rd_kafka_event_message_next(event.pointer),
            message.pointee.err == RD_KAFKA_RESP_ERR_NO_ERROR,
            let stream = stream(message.pointee.rkt)
        else { return }
        if !stream.acceptRecord(message.pointee.partition, message.pointee.offset) { return }
        let record = ConsumedRecord(message, topic: stream.name, names: &headerNames)
        guard stream.isReader else { return events.append(.record(record)) }
        events.append(.read(record))
        guard client.isFollower else { return }
        let end = TopicPartition(stream.name, record.partition)
        guard isEnd(record.offset + 1, of: end) else { return }
        stream[record.partition].reportedEnd = record.offset + 1
        events.append(.readEnd(end, next: record.offset + 1))
    }

    /// `true` if the newest fetch ended at this offset. librdkafka reports an end only after an empty fetch, and a busy
    /// partition has no empty fetches.
    private func isEnd(_ next: Int64, of partition: TopicPartition) -> Bool {
        guard let handle = reader?.pointer else { return false }
        var (low, high): (Int64, Int64) = (0, 0)
        let error = rd_kafka_get_watermark_offsets(handle, partition.topic, partition.partition, &low, &high)
        return error == RD_KAFKA_RESP_ERR_NO_ERROR && high == next
    }

    @inline(__always)
    private func stream(_ topic: OpaquePointer?) -> TopicStream? {
        if let last = streams.last, last.pointer == topic { return last }
        guard let topic, let stream = streams.byAddress[topic] else { return nil }
        streams.last = stream
        return stream
    }

    private func handleDeliveries(_ event: borrowing RDKafkaEvent, into events: inout [LogEvent], _ maximum: Int) {
        var surplus: [LogEvent] = []
        while let message = rd_kafka_event_message_next(event.pointer) {
            let delivery = LogEvent.delivered(delivery(message.pointee))
            if events.count < maximum { events.append(delivery) } else { surplus.append(delivery) }
        }
        // Queues are drained only when the overflow is empty, so the surplus precedes the overflow.
        if !surplus.isEmpty { overflow = surplus.reversed() + overflow }
    }

    @inline(__always)
    func delivery(_ message: rd_kafka_message_t) -> Delivery {
        let failed = message.err != RD_KAFKA_RESP_ERR_NO_ERROR
        var delivery = Delivery(
            token: UInt64(UInt(bitPattern: message._private)),
            topic: message.rkt.flatMap { writer?.name(of: $0) } ?? "",
            partition: message.partition,
            // If a retry finds that the broker has the record already, librdkafka does not know the offset.
            offset: failed || message.offset < 0 ? nil : message.offset, error: failed ? LogError(message.err) : nil)
        if failed { stopIfGapless(&delivery) }
        return delivery
    }

    private func handleRareEvent(_ event: borrowing RDKafkaEvent, into events: inout [LogEvent]) {
        switch event.type {
        case RD_KAFKA_EVENT_REBALANCE: handleRebalance(event, into: &events)
        case RD_KAFKA_EVENT_OFFSET_COMMIT: events.append(.committed(event.commitError))
        case RD_KAFKA_EVENT_ERROR: handleError(event, into: &events)
        case RD_KAFKA_EVENT_LOG: report(event)
        default: break
        }
    }

    private func handleError(_ event: borrowing RDKafkaEvent, into events: inout [LogEvent]) {
        if event.isFatal || event.error == RD_KAFKA_RESP_ERR__FATAL {
            var error = LogError(event.error, event.errorText)
            error.disposition = .fatal
            failure.pending = failure.pending ?? error
            return
        }
        switch event.error {
        case RD_KAFKA_RESP_ERR__PARTITION_EOF:
            guard let (partition, offset) = event.place, let stream = streams.ofReader[partition.topic],
                stream[partition.partition].isOpen, !stream[partition.partition].isSearched,
                offset >= stream[partition.partition].position,
                offset > stream[partition.partition].reportedEnd
            else { return }
            stream[partition.partition].position = offset
            events.append(.readEnd(partition, next: offset))
        case RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET:
            guard let (partition, offset) = event.place else { return }
            // librdkafka does not report the partition's range. The partition is not read further until the range is
            // known.
            guard offset >= 0, let producer = producer?.pointer else {
                return handleMissingOffset(partition, offset, nil, into: &events)
            }
            questions.askRange(
                producer, partition, missing: offset, timeout: min(configuration.requestTimeout, Self.questionTimeout)
            ) { [weak self] in self?.wake() }
        case RD_KAFKA_RESP_ERR__BAD_COMPRESSION, RD_KAFKA_RESP_ERR__BAD_MSG, RD_KAFKA_RESP_ERR__NOT_IMPLEMENTED:
            guard let (partition, offset) = event.place, offset >= 0, beginSearch(in: partition, at: offset) else {
                fallthrough
            }
        default:
            events.append(.failed(LogError(event.error, event.errorText)))
        }
    }

    private func handleAnswers(into events: inout [LogEvent], _ maximum: Int) {
        while events.count < maximum, let answer = questions.next() {
            switch answer {
            case .committed(let committed): events.append(.committedOffsets(committed))
            case .range(let place, let offset, let range): handleMissingOffset(place, offset, range, into: &events)
            }
        }
    }

    func report(_ event: borrowing RDKafkaEvent) {
        var facility: UnsafePointer<CChar>?
        var text: UnsafePointer<CChar>?
        var level: Int32 = 0
        guard rd_kafka_event_log(event.pointer, &facility, &text, &level) == 0, let facility, let text else { return }
        report(level: Int(level), String(cString: facility), String(cString: text))
    }
}

extension Duration {
    /// The duration, limited to about 30 years so that it can be added to any instant.
    var bounded: Duration { min(self, .seconds(1_000_000_000)) }

    /// Whole milliseconds, rounded up so that a wait of less than 1 ms is not zero; limited to `Int32.max`, as
    /// librdkafka requires.
    var milliseconds: Int32 {
        let (seconds, attoseconds) = components
        if seconds > Int64(Int32.max) / 1000 - 1 { return Int32.max }
        return Int32(max(0, seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }
}
