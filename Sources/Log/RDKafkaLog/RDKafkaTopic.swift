import CRDKafka
import RecordLog

/// Owns an `rd_kafka_topic_t`: a topic of one handle.
///
/// While the topic is alive, its address identifies it, so records and delivery reports can be matched without
/// comparing names.
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
