import CRDKafka
import RecordLog

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Owns a list of partitions with offsets.
struct TopicPartitionList: ~Copyable {
    let pointer: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>

    init(capacity: Int = 8) {
        pointer = rd_kafka_topic_partition_list_new(Int32(clamping: capacity))
    }

    init(_ partitions: some Collection<TopicPartition>) {
        self.init(capacity: partitions.count)
        for partition in partitions { add(partition) }
    }

    deinit {
        rd_kafka_topic_partition_list_destroy(pointer)
    }

    func add(_ partition: TopicPartition, offset: Int64? = nil) {
        let element = rd_kafka_topic_partition_list_add(pointer, partition.topic, partition.partition)
        if let offset { element?.pointee.offset = offset }
    }

    func add(_ partition: TopicPartition, _ committed: CommittedOffset) {
        guard let element = rd_kafka_topic_partition_list_add(pointer, partition.topic, partition.partition) else {
            return
        }
        element.pointee.offset = committed.offset
        if committed.metadata.isEmpty { return }
        // librdkafka frees the metadata with the list, so it must come from malloc.
        let text = Array(committed.metadata.utf8)
        guard let metadata = malloc(text.count) else { return }
        memcpy(metadata, text, text.count)
        element.pointee.metadata = metadata
        element.pointee.metadata_size = text.count
    }

    var elements: UnsafeBufferPointer<rd_kafka_topic_partition_t> {
        UnsafeBufferPointer(start: pointer.pointee.elems, count: Int(pointer.pointee.cnt))
    }
}

extension rd_kafka_topic_partition_t {
    var topicPartition: TopicPartition { TopicPartition(String(cString: topic), partition) }

    /// The metadata of a committed offset. librdkafka does not terminate it with a zero byte.
    var metadataText: String {
        guard let metadata, metadata_size > 0 else { return "" }
        return String(decoding: UnsafeRawBufferPointer(start: metadata, count: metadata_size), as: UTF8.self)
    }
}

extension UnsafeBufferPointer<rd_kafka_topic_partition_t> {
    /// The committed offsets of a group in an answer. Partitions without a commit are omitted.
    ///
    /// - Parameter what: The name of the request in errors.
    func committedOffsets(_ what: String) throws(LogError) -> [TopicPartition: CommittedOffset] {
        var committed: [TopicPartition: CommittedOffset] = [:]
        for element in self {
            guard element.err == RD_KAFKA_RESP_ERR_NO_ERROR else {
                throw LogError(
                    element.err, "\(what): \(element.topicPartition): \(String(cString: rd_kafka_err2str(element.err)))"
                )
            }
            if element.offset >= 0 {
                committed[element.topicPartition] = CommittedOffset(
                    offset: element.offset, metadata: element.metadataText)
            }
        }
        return committed
    }
}

extension StartOffset {
    /// librdkafka's number for this start.
    var number: Int64 {
        switch self {
        case .beginning: -2
        case .end: -1
        case .offset(let offset): offset
        }
    }
}
