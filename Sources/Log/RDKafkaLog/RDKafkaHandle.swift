import CRDKafka
import Dispatch

/// Owns an `rd_kafka_t`: a producer or a consumer with its threads.
///
/// All objects that belong to it (queues, events, topics) must be destroyed before it: librdkafka waits for them without a limit.
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

/// Destroys the handles of one client in the background, one after the other, in the order in which they are released.
///
/// In the background, because it takes some milliseconds and has no upper bound. In order, because an event in the queue of one handle may still
/// reference a partition of another: the handle that owns the queue must be released first.
struct HandleDestroyer: Sendable {
    private let queue = DispatchQueue(label: "rdkafka.destroy")
    /// What the handles are asked by other threads. None of them is destroyed before all is answered.
    let questions = DispatchGroup()

    func destroy(_ pointer: OpaquePointer) {
        nonisolated(unsafe) let pointer = pointer
        queue.async { [questions] in
            questions.wait()
            // A member that is closed has left its group before; otherwise the broker detects its end.
            rd_kafka_destroy_flags(pointer, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE)
        }
    }

    /// Waits up to `timeout` milliseconds until all handles released so far are destroyed, and returns whether they are.
    func wait(_ timeout: Int32) -> Bool {
        let group = DispatchGroup()
        group.enter()
        queue.async { group.leave() }
        return group.wait(timeout: .now() + .milliseconds(Int(timeout))) == .success
    }
}
