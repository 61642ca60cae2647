import CRDKafka
import RecordLog

/// Owns a reference to one of librdkafka's queues.
struct RDKafkaQueue: ~Copyable {
    let pointer: OpaquePointer

    /// Takes ownership of a reference that a `rd_kafka_queue_…` call has returned.
    init(_ pointer: OpaquePointer?) throws(LogError) {
        guard let pointer else { throw LogError(.other, "librdkafka returned no queue", disposition: .fatal) }
        self.pointer = pointer
    }

    deinit {
        rd_kafka_queue_destroy(pointer)
    }

    /// The next event, or `nil` if there was none within `timeout` milliseconds.
    @inline(__always)
    func poll(_ timeout: Int32) -> RDKafkaEvent? {
        RDKafkaEvent(rd_kafka_queue_poll(pointer, timeout))
    }

    /// Ends a waiting poll of `other` whenever something arrives in this queue.
    ///
    /// librdkafka can forward queues, but a delivery report that it forwards from a producer to a consumer's queue is counted for the consumer: the
    /// producer's count of unsent records never decreases, and after `queue.buffering.max.messages` records its queue stays full (measured with
    /// 2.0.2). So the queues stay separate, and only the wait is shared.
    func wakes(_ other: OpaquePointer) {
        rd_kafka_queue_cb_event_enable(
            pointer, { _, other in rd_kafka_queue_yield(OpaquePointer(other)) }, UnsafeMutableRawPointer(other))
    }

    /// Ends ``wakes(_:)``. After this call the other queue may be destroyed.
    func wakesNothing() {
        rd_kafka_queue_cb_event_enable(pointer, nil, nil)
    }
}
