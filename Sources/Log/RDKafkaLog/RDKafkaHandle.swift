import CRDKafka
import Dispatch

/// Owns an `rd_kafka_t`: a producer or a consumer with its threads.
///
/// All objects that belong to the handle (queues, events, topics) must be destroyed before it: librdkafka waits for
/// them without a limit.
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

/// Destroys the handles of one client in the background, one after the other, in the order of their release.
///
/// Destruction is in the background, because it takes some milliseconds and has no upper bound. It is in order, because
/// an event in the queue of one handle may still reference a partition of another: the handle that owns the queue must
/// be released first.
struct HandleDestroyer: Sendable {
    private let queue = DispatchQueue(label: "rdkafka.destroy")
    /// The requests of other threads to the handles. No handle is destroyed before all requests are answered.
    let questions = DispatchGroup()

    func destroy(_ pointer: OpaquePointer) {
        nonisolated(unsafe) let pointer = pointer
        queue.async { [questions] in
            questions.wait()
            // A closed member has left its group already; otherwise the broker detects the end of the member.
            rd_kafka_destroy_flags(pointer, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE)
        }
    }

    /// Waits up to `timeout` milliseconds for the destruction of all released handles. Returns `true` if all are
    /// destroyed.
    func wait(_ timeout: Int32) -> Bool {
        let group = DispatchGroup()
        group.enter()
        queue.async { group.leave() }
        return group.wait(timeout: .now() + .milliseconds(Int(timeout))) == .success
    }
}
