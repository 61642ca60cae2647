import CRDKafka
import Dispatch

/// Owns an `rd_kafka_t`: a producer or a consumer with its threads.
///
/// Before it ends, everything made of it must have been destroyed (queues, events, topics): librdkafka waits for them without a limit.
struct RDKafkaHandle: ~Copyable {
    let pointer: OpaquePointer

    init(pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// Ends the handle and its threads, which takes some milliseconds; tells through the group when it is done.
    ///
    /// On a thread of its own, since nothing bounds the time: no caller may depend on it.
    consuming func destroy(in group: DispatchGroup) {
        let pointer = pointer
        discard self
        Self.destroy(pointer, group)
    }

    deinit {
        Self.destroy(pointer, nil)
    }

    private static func destroy(_ pointer: OpaquePointer, _ group: DispatchGroup?) {
        nonisolated(unsafe) let pointer = pointer
        group?.enter()
        // A queue of its own: a global one's threads are limited, and this one may wait.
        DispatchQueue(label: "rdkafka.destroy").async {
            // Whoever wanted to leave its group has done so before; else the broker notices by itself.
            rd_kafka_destroy_flags(pointer, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE)
            group?.leave()
        }
    }
}
