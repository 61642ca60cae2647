import CRDKafka
import RecordLog
import Synchronization

/// A ``LogClient`` on librdkafka: a producer, a member of a group if there is one, and a reader of single partitions, opened when first needed.
///
/// One thread at a time drives it; only ``wake()`` is for all threads, and that is what makes it `Sendable`. All events come from one queue, the
/// member's own (librdkafka takes a poll of it as the sign of life that its group wants), or the producer's where there is no group. A member's
/// client has the producer's queue beside it, which is never waited for: what arrives there ends the wait for the other.
///
/// Bounds: unsent records `queue.buffering.max.messages` and `…kbytes`, fetched ones `queued.max.messages.kbytes` a handle.
final class KafkaClient: LogClient, @unchecked Sendable {
    let configuration: KafkaConfiguration
    let clientID: String
    let destroyer = HandleDestroyer()

    // Everything made of a handle is destroyed before it, and all of it is gone after ``close(timeout:)``.
    var producer: RDKafkaHandle?
    var member: RDKafkaHandle?
    var reader: RDKafkaHandle?
    /// The queue that is waited for.
    var queue: RDKafkaQueue?
    /// The producer's queue, where that is another one.
    var deliveries: RDKafkaQueue?
    /// The queue that the member's is forwarded to while it leaves.
    var closing: RDKafkaQueue?
    var writer: RecordWriter?

    /// Topics that records come from, by their addresses.
    var streams: [OpaquePointer: TopicStream] = [:]
    var lastStream: TopicStream?
    var memberStreams: [String: TopicStream] = [:]
    var readerStreams: [String: TopicStream] = [:]
    var rebalance = Rebalance.settled
    /// Positions of the group that the log could not serve; the assignment is renewed after this batch of events.
    var isAssignmentBroken = false

    var headerNames = HeaderNames()
    /// Events that did not fit into an answer of ``poll(maximum:timeout:)``, the next one last. One event of librdkafka's may be many of ours.
    var overflow: [LogEvent] = []
    /// What ended the client, told by the next poll once all events before it are.
    var fatalError: LogError?
    var isClosed = false

    /// Which of the two queues was last looked at first.
    var drainsDeliveriesFirst = false

    private let wakeRequested = Atomic<Bool>(false)
    /// The queue for ``wake()``, which may come from any thread, also while the client closes.
    private let wakeable: Mutex<WakeableQueue>

    /// What the group expects of this member.
    enum Rebalance {
        case settled
        /// It has been given partitions, and has not accepted them.
        case assigning([TopicPartition])
        /// It must give back what it has.
        case revoking
    }

    struct WakeableQueue: @unchecked Sendable {
        var pointer: OpaquePointer?
    }

    init(_ configuration: KafkaConfiguration, _ client: ClientConfiguration) throws(LogError) {
        self.configuration = configuration
        clientID = client.clientID
        let producer = try RDKafkaConfiguration(configuration, scope: .producer, clientID: client.clientID).makeHandle(destroyer)
        let producerQueue = try RDKafkaQueue(rd_kafka_queue_get_main(producer.pointer))
        rd_kafka_set_log_queue(producer.pointer, producerQueue.pointer)
        writer = RecordWriter(producer)
        self.producer = consume producer
        guard let group = client.group else {
            wakeable = Mutex(WakeableQueue(pointer: producerQueue.pointer))
            queue = consume producerQueue
            return
        }
        wakeable = Mutex(WakeableQueue())
        deliveries = consume producerQueue
        do {
            try join(group.id, group.topics)
        } catch {
            tearDown()
            isClosed = true
            throw error
        }
    }

    deinit {
        if isClosed { return }
        report(level: 4, "CLOSE", "client \(clientID) was dropped without being closed: what it had not sent is lost")
        tearDown()
    }

    private func join(_ id: String, _ topics: [String]) throws(LogError) {
        let member = try RDKafkaConfiguration(configuration, scope: .member, clientID: clientID, group: id).makeHandle(destroyer)
        let pointer = member.pointer
        self.member = consume member
        // Errors and logs of the handle come where its records come.
        rd_kafka_poll_set_consumer(pointer)
        let own = try RDKafkaQueue(rd_kafka_queue_get_consumer(pointer))
        let queuePointer = own.pointer
        queue = consume own
        rd_kafka_set_log_queue(pointer, queuePointer)
        wakeable.withLock { $0.pointer = queuePointer }
        deliveries?.wakes(queuePointer)
        for name in topics {
            let stream = TopicStream(try RDKafkaTopic(name, of: pointer), isReader: false)
            memberStreams[name] = stream
            streams[stream.pointer] = stream
        }
        let list = TopicPartitionList(topics.map { TopicPartition($0, -1) })
        let error = rd_kafka_subscribe(pointer, list.pointer)
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR else { throw LogError(error, "subscribing to \(topics.joined(separator: ", "))") }
    }

    // MARK: Sending

    func send(_ record: Record, token: UInt64) throws(LogError) {
        do throws(LogError) {
            guard try writer?.send(record, token: token) != nil else { throw Self.closed }
        } catch {
            if error.code == .queueFull || error.disposition == .fatal { throw error }
            // Refused on the spot (too large, no such partition) or by the broker later: to the sender it is the same.
            let refusal = Delivery(token: token, topic: record.topic, partition: record.partition ?? -1, offset: nil, error: error)
            overflow.insert(.delivered(refusal), at: 0)
        }
    }

    // MARK: Waking

    func wake() {
        wakeRequested.store(true, ordering: .releasing)
        // Also if no poll waits: the queue keeps it for the next one.
        wakeable.withLock { if let pointer = $0.pointer { rd_kafka_queue_yield(pointer) } }
    }

    /// Whether ``wake()`` was called since this was last asked.
    func takeWake() -> Bool {
        wakeRequested.exchange(false, ordering: .acquiringAndReleasing)
    }

    func forgetWakeable() {
        wakeable.withLock { $0.pointer = nil }
    }

    // MARK: Common

    static let closed = LogError(.closed, "the client is closed", disposition: .fatal)

    func report(level: Int, _ facility: String, _ message: String) {
        configuration.report(level: level, facility, message)
    }
}
