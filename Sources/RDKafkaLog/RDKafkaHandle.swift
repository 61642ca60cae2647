import CRDKafka
import Dispatch

/// Owns an `rd_kafka_t`: a producer or a consumer with its threads.
///
/// Before it ends, everything made of it must have been destroyed (queues, events, topics): librdkafka waits for them without a limit.
struct RDKafkaHandle: ~Copyable {
    let pointer: OpaquePointer
    private let destroyer: HandleDestroyer

    init(pointer: OpaquePointer, destroyer: HandleDestroyer) {
        self.pointer = pointer
        self.destroyer = destroyer
    }

    deinit {
        destroyer.destroy(pointer)
    }
}

/// Ends the handles of one client, one after the other, in the order in which they are dropped.
///
/// Not where they are dropped, since it takes some milliseconds and nothing bounds it. And in order, since an event in the queue of one may still
/// hold on to a partition of another: whoever owns the queue must be dropped first.
struct HandleDestroyer: Sendable {
    private let queue = DispatchQueue(label: "rdkafka.destroy")

    func destroy(_ pointer: OpaquePointer) {
        nonisolated(unsafe) let pointer = pointer
        queue.async {
            // Whoever wanted to leave its group has done so before; else the broker notices by itself.
            rd_kafka_destroy_flags(pointer, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE)
        }
    }

    /// Waits until all handles dropped so far have ended, but no longer than `timeout` milliseconds; whether they have.
    func wait(_ timeout: Int32) -> Bool {
        let group = DispatchGroup()
        group.enter()
        queue.async { group.leave() }
        return group.wait(timeout: .now() + .milliseconds(Int(timeout))) == .success
    }
}
