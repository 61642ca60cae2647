import CRDKafka
import RecordLog

/// Owns an `rd_kafka_topic_t`: a topic as one handle knows it.
///
/// As long as it is held, its address means this topic, so that records and delivery reports can be told by it without a look at a name.
final class RDKafkaTopic {
    let name: String
    let pointer: OpaquePointer

    init(_ name: String, of handle: OpaquePointer) throws(LogError) {
        guard let pointer = rd_kafka_topic_new(handle, name, nil) else {
            throw LogError(rd_kafka_last_error(), "topic \"\(name)\"")
        }
        self.name = name
        self.pointer = pointer
    }

    deinit {
        rd_kafka_topic_destroy(pointer)
    }
}
