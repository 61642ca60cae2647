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

    /// Returns the next event, or `nil` if there is none within `timeout` milliseconds.
    @inline(__always)
    func poll(_ timeout: Int32) -> RDKafkaEvent? {
        RDKafkaEvent(rd_kafka_queue_poll(pointer, timeout))
    }

    /// Ends a waiting poll of `other` whenever an event arrives in this queue.
    ///
    /// librdkafka can forward queues, but it counts a delivery report that is forwarded from a producer to a consumer's
    /// queue for the consumer. The producer's count of unsent records then never decreases, and its queue stays full
    /// after `queue.buffering.max.messages` records (measured with 2.0.2). The queues therefore stay separate, and only
    /// the wait is shared.
    func enableWakeup(of other: OpaquePointer) {
        rd_kafka_queue_cb_event_enable(
            pointer, { _, other in rd_kafka_queue_yield(OpaquePointer(other)) }, UnsafeMutableRawPointer(other))
    }

    /// Ends the effect of ``enableWakeup(of:)``. After this call, the other queue may be destroyed.
    func disableWakeup() {
        rd_kafka_queue_cb_event_enable(pointer, nil, nil)
    }
}
