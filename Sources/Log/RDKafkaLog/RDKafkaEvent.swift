import CRDKafka
import RecordLog

/// Owns an event that a queue has returned, with its messages.
struct RDKafkaEvent: ~Copyable {
    let pointer: OpaquePointer

    @inline(__always)
    init?(_ pointer: OpaquePointer?) {
        guard let pointer else { return nil }
        self.pointer = pointer
    }

    @inline(__always)
    deinit {
        rd_kafka_event_destroy(pointer)
    }

    /// One of `RD_KAFKA_EVENT_…`.
    @inline(__always)
    var type: Int32 { rd_kafka_event_type(pointer) }

    var error: rd_kafka_resp_err_t { rd_kafka_event_error(pointer) }

    var errorText: String { rd_kafka_event_error_string(pointer).map { String(cString: $0) } ?? "" }

    var isFatal: Bool { rd_kafka_event_error_is_fatal(pointer) != 0 }

    /// The partition and the offset of an error.
    var place: (TopicPartition, offset: Int64)? {
        guard let partition = rd_kafka_event_topic_partition(pointer) else { return nil }
        defer { rd_kafka_topic_partition_destroy(partition) }
        return (
            TopicPartition(String(cString: partition.pointee.topic), partition.pointee.partition),
            partition.pointee.offset
        )
    }

    /// The partitions of a rebalance.
    var partitions: [TopicPartition] {
        guard let list = rd_kafka_event_topic_partition_list(pointer) else { return [] }
        return UnsafeBufferPointer(start: list.pointee.elems, count: Int(list.pointee.cnt)).map {
            TopicPartition(String(cString: $0.topic), $0.partition)
        }
    }

    /// The committed offsets in the answer to a request about one group. Partitions without a commit are omitted.
    ///
    /// - Parameter what: The name of the request in errors.
    func committedOffsets(_ what: String) throws(LogError) -> [TopicPartition: CommittedOffset] {
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR else { throw LogError(error, "\(what): \(errorText)") }
        var count = 0
        guard
            let results = rd_kafka_ListConsumerGroupOffsets_result_groups(
                rd_kafka_event_ListConsumerGroupOffsets_result(pointer), &count),
            count == 1
        else { return [:] }
        try KafkaAdmin.check(rd_kafka_group_result_error(results[0]), what)
        guard let found = rd_kafka_group_result_partitions(results[0]) else { return [:] }
        return try UnsafeBufferPointer(start: found.pointee.elems, count: Int(found.pointee.cnt)).committedOffsets(what)
    }

    /// The error of a commit: the error of the whole commit, or of the first partition that failed.
    var commitError: LogError? {
        if error == RD_KAFKA_RESP_ERR__NO_OFFSET { return nil }  // There was nothing to commit.
        if error != RD_KAFKA_RESP_ERR_NO_ERROR { return LogError(error) }
        guard let list = rd_kafka_event_topic_partition_list(pointer) else { return nil }
        for element in UnsafeBufferPointer(start: list.pointee.elems, count: Int(list.pointee.cnt))
        where element.err != RD_KAFKA_RESP_ERR_NO_ERROR {
            let place = TopicPartition(String(cString: element.topic), element.partition)
            return LogError(element.err, "\(place): \(String(cString: rd_kafka_err2str(element.err)))")
        }
        return nil
    }
}
