import CRDKafka
import Dispatch
import RecordLog

extension KafkaClient {
    func read(_ partition: TopicPartition, from start: StartOffset) throws(LogError) {
        if isClosed { throw Self.closed }
        guard partition.partition >= 0 else { throw LogError(.unknownTopicOrPartition, "\(partition)") }
        let stream = try readerStream(partition.topic)
        stop(partition, of: stream)
        stream[partition.partition].open(from: start)
        try fetch(partition, of: stream, from: start)
    }

    func stopReading(_ partition: TopicPartition) throws(LogError) {
        if isClosed { throw Self.closed }
        guard let stream = streams.ofReader[partition.topic] else { return }
        stop(partition, of: stream)
    }

    func range(of partition: TopicPartition) throws(LogError) -> Range<Int64> {
        // Not on the member's connection: the request would wait for the fetch in progress.
        guard !isClosed, let producer = producer?.pointer else { throw Self.closed }
        return try Self.range(of: partition, producer, timeout: configuration.requestTimeout)
    }

    static func range(of partition: TopicPartition, _ producer: OpaquePointer, timeout: Duration) throws(LogError)
        -> Range<Int64>
    {
        // One request for each end: rd_kafka_query_watermark_offsets sends both at once, and returns an empty range if
        // one of the answers is an error.
        let end = ContinuousClock.now + timeout
        let low = try offset(of: partition, at: Int64(RD_KAFKA_OFFSET_BEGINNING), producer, until: end)
        return low..<max(low, try offset(of: partition, at: Int64(RD_KAFKA_OFFSET_END), producer, until: end))
    }

    func offset(of partition: TopicPartition, since timestamp: Int64) throws(LogError) -> Int64 {
        guard !isClosed, let producer = producer?.pointer else { throw Self.closed }
        return try Self.offset(
            of: partition, at: max(0, timestamp), producer, until: .now + configuration.requestTimeout)
    }

    /// - Parameter place: A timestamp, or librdkafka's number for the beginning or the end. Without a record since the
    ///   timestamp, the offset is the end.
    private static func offset(
        of partition: TopicPartition, at place: Int64, _ handle: OpaquePointer, until end: ContinuousClock.Instant
    ) throws(LogError) -> Int64 {
        while true {
            let list = TopicPartitionList(capacity: 1)
            list.add(partition, offset: place)
            var error = rd_kafka_offsets_for_times(
                handle, list.pointer, max(.zero, ContinuousClock.now.duration(to: end)).milliseconds)
            if error == RD_KAFKA_RESP_ERR_NO_ERROR, let found = list.elements.first {
                if found.err == RD_KAFKA_RESP_ERR_NO_ERROR, found.offset >= 0 { return found.offset }
                if found.err == RD_KAFKA_RESP_ERR_NO_ERROR, place >= 0, found.offset == Int64(RD_KAFKA_OFFSET_END) {
                    return try offset(of: partition, at: Int64(RD_KAFKA_OFFSET_END), handle, until: end)
                }
                error = found.err == RD_KAFKA_RESP_ERR_NO_ERROR ? RD_KAFKA_RESP_ERR__BAD_MSG : found.err
            }
            // A new topic, or a topic whose leader moves, soon has another leader. librdkafka looks up the leader only
            // once in each call.
            guard
                error == RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION || error == RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE,
                ContinuousClock.now < end
            else { throw LogError(error, "\(partition): \(String(cString: rd_kafka_err2str(error)))") }
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(50))
        }
    }

    func topics(timeout: Duration) throws(LogError) -> [TopicDescription] {
        guard !isClosed, let producer = producer?.pointer else { throw Self.closed }
        var metadata: UnsafePointer<rd_kafka_metadata>?
        let error = rd_kafka_metadata(
            producer, 1, nil, &metadata, min(timeout, configuration.requestTimeout).milliseconds)
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR, let metadata else {
            throw LogError(error, "Kafka did not return its topics: \(String(cString: rd_kafka_err2str(error)))")
        }
        defer { rd_kafka_metadata_destroy(metadata) }
        return metadata.pointee.descriptions
    }

    func knownEnd(of partition: TopicPartition) -> Int64? {
        guard let handle = member?.pointer ?? reader?.pointer else { return nil }
        var (low, high): (Int64, Int64) = (0, 0)
        // The end as of the newest fetch; negative before the first fetch.
        let error = rd_kafka_get_watermark_offsets(handle, partition.topic, partition.partition, &low, &high)
        return error == RD_KAFKA_RESP_ERR_NO_ERROR && high >= 0 ? high : nil
    }

    var unwritten: Int { (producer?.pointer).map { Int(rd_kafka_outq_len($0)) } ?? 0 }

    /// Restarts a reader that stopped because its offset was missing.
    func restartReader(_ partition: TopicPartition) {
        guard let stream = streams.ofReader[partition.topic], let start = stream[partition.partition].resumption else {
            return
        }
        stopFetching(partition, of: stream)
        do {
            try fetch(partition, of: stream, from: start)
        } catch {
            overflow.insert(.failed(error), at: 0)
        }
    }

    private func fetch(_ partition: TopicPartition, of stream: TopicStream, from start: StartOffset) throws(LogError) {
        guard rd_kafka_consume_start_queue(stream.pointer, partition.partition, start.number, queue?.pointer) == 0
        else {
            throw LogError(rd_kafka_last_error(), "reading \(partition)")
        }
    }

    func stop(_ partition: TopicPartition, of stream: TopicStream) {
        guard stream[partition.partition].isOpen else { return }
        stream[partition.partition] = TopicStream.Partition()
        stopFetching(partition, of: stream)
    }

    /// Stops fetching. Waits some microseconds for librdkafka's own threads, not for the broker. librdkafka drops the
    /// records that were fetched before.
    func stopFetching(_ partition: TopicPartition, of stream: TopicStream) {
        _ = rd_kafka_consume_stop(stream.pointer, partition.partition)
    }

    private func readerStream(_ topic: String) throws(LogError) -> TopicStream {
        if let stream = streams.ofReader[topic] { return stream }
        if reader == nil {
            let scope: KafkaProperties.Scope = client.isFollower ? .follower : .reader
            let handle = try RDKafkaConfiguration(configuration, scope: scope, clientID: client.clientID).makeHandle(
                destroyer)
            // The reader's errors and logs go to the same queue as its records. Unlike delivery reports, they may be
            // forwarded.
            let main = try RDKafkaQueue(rd_kafka_queue_get_main(handle.pointer))
            rd_kafka_queue_forward(main.pointer, queue?.pointer)
            rd_kafka_set_log_queue(handle.pointer, queue?.pointer)
            reader = consume handle
        }
        guard let handle = reader?.pointer else { throw Self.closed }
        let stream = TopicStream(try RDKafkaTopic(topic, of: handle), isReader: true)
        streams.ofReader[topic] = stream
        streams.byAddress[stream.pointer] = stream
        return stream
    }
}
