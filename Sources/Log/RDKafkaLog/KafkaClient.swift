import CRDKafka
import RecordLog
import Synchronization

/// A ``LogClient`` on librdkafka: a producer, a group member if there is a group, and a reader of single partitions, opened when first needed.
///
/// One thread at a time drives it. Only ``wake()`` may be called from any thread, which is why it is `Sendable`. A client with a group waits for
/// events of the member's queue (librdkafka counts a poll of it as the member's sign of life). It also has the producer's queue, and never waits
/// for it: a delivery report that arrives there ends the wait for the member's queue. A client without a group waits for the producer's queue.
///
/// Limits: unsent records by `queue.buffering.max.messages` and `…kbytes`, fetched records by `queued.max.messages.kbytes` per handle.
final class KafkaClient: LogClient, @unchecked Sendable {
    let configuration: KafkaConfiguration
    let clientID: String
    /// See ``ClientConfiguration/gaplessTopics``.
    let gaplessTopics: Set<String>
    /// See ``ClientConfiguration/isReadOnly``.
    let isReadOnly: Bool
    /// See ``ClientConfiguration/isFollower``.
    let isFollower: Bool
    let destroyer: HandleDestroyer
    let questions: Questions

    // Objects that belong to a handle are destroyed before it, and all of them are destroyed by ``close(timeout:)``.
    /// The producer. In a client that only reads, it is one without idempotence, which asks the broker for nothing and is never given a record.
    var producer: RDKafkaHandle?
    var member: RDKafkaHandle?
    var reader: RDKafkaHandle?
    /// The queue that ``poll(maximum:timeout:)`` waits for.
    var queue: RDKafkaQueue?
    /// The producer's queue, if it is another one.
    var deliveries: RDKafkaQueue?
    /// Searches the ends of batches that can't be read; `nil` until there was one.
    var scout: UnreadableScout?
    /// The queue that the member's is forwarded to while it leaves.
    var closing: RDKafkaQueue?
    var writer: RecordWriter?

    /// The topics of fetched records, by their addresses.
    var streams: [OpaquePointer: TopicStream] = [:]
    var lastStream: TopicStream?
    var memberStreams: [String: TopicStream] = [:]
    var readerStreams: [String: TopicStream] = [:]
    var rebalance = Rebalance.settled
    /// Assigned partitions that librdkafka is not told of yet.
    var startsLater: Set<TopicPartition> = []
    /// Whether the log does not have a position of the group; the assignment is renewed after the current batch of events.
    var isAssignmentBroken = false

    var headerNames = HeaderNames()
    /// Events that exceeded the maximum of ``poll(maximum:timeout:)``, the next one last. One event of librdkafka can contain many events.
    var overflow: [LogEvent] = []
    /// The fatal error of the client. The next poll throws it when all earlier events were returned.
    var fatalError: LogError?
    /// Why nothing more may be written: a record of a gapless topic has failed.
    var stopped: LogError?
    var isClosed = false

    /// Whether the deliveries were drained first the last time.
    var drainsDeliveriesFirst = false

    private let wakeRequested = Atomic<Bool>(false)
    /// The queue for ``wake()``, which any thread may call, also while the client closes.
    private let wakeable: Mutex<WakeableQueue>

    /// The answer that the group expects of this member.
    enum Rebalance {
        case settled
        /// It was assigned partitions and has not accepted them.
        case assigning([TopicPartition])
        /// It has to release its partitions.
        case revoking
    }

    struct WakeableQueue: @unchecked Sendable {
        var pointer: OpaquePointer?
    }

    init(_ configuration: KafkaConfiguration, _ client: ClientConfiguration) throws(LogError) {
        self.configuration = configuration
        clientID = client.clientID
        destroyer = HandleDestroyer()
        questions = Questions(destroyer)
        gaplessTopics = client.gaplessTopics
        let scope: KafkaProperties.Scope = client.isReadOnly ? .admin : gaplessTopics.isEmpty ? .producer : .gaplessProducer
        let producer = try RDKafkaConfiguration(configuration, scope: scope, clientID: client.clientID).makeHandle(destroyer)
        let producerQueue = try RDKafkaQueue(rd_kafka_queue_get_main(producer.pointer))
        rd_kafka_set_log_queue(producer.pointer, producerQueue.pointer)
        isReadOnly = client.isReadOnly
        isFollower = client.isFollower
        writer = isReadOnly ? nil : RecordWriter(producer)
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
        report(level: 4, "CLOSE", "client \(clientID) was released without being closed: its unsent records are lost")
        tearDown()
    }

    private func join(_ id: String, _ topics: [String]) throws(LogError) {
        let member = try RDKafkaConfiguration(configuration, scope: .member, clientID: clientID, group: id).makeHandle(destroyer)
        let pointer = member.pointer
        self.member = consume member
        // Errors and logs of the handle go to the same queue as its records.
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
        if isReadOnly, !isClosed { throw .readOnly }
        if let stopped, !isClosed { throw stopped }
        do throws(LogError) {
            guard try writer?.send(record, token: token) != nil else { throw Self.closed }
        } catch {
            if error.code == .queueFull || error.disposition == .fatal { throw error }
            // A record that is rejected immediately (too large, no such partition) is reported like one that the broker rejects later.
            var refusal = Delivery(token: token, topic: record.topic, partition: record.partition ?? -1, offset: nil, error: error)
            stopIfGapless(&refusal)
            overflow.insert(.delivered(refusal), at: 0)
        }
    }

    /// Stops writing if a record of a gapless topic has failed: drops everything that was not sent, and what is under way, whose acknowledgements
    /// no longer matter. Must be called for each failed delivery as soon as it is known, because librdkafka goes on sending until then.
    func stopIfGapless(_ delivery: inout Delivery) {
        if delivery.error == nil { return }
        if let stopped {
            delivery.error = stopped
            return
        }
        guard gaplessTopics.contains(delivery.topic) else { return }
        delivery.error?.disposition = .fatal
        stopped = .stopped(after: delivery)
        rd_kafka_purge(producer?.pointer, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT | RD_KAFKA_PURGE_F_NON_BLOCKING)
    }

    // MARK: Waking

    func wake() {
        wakeRequested.store(true, ordering: .releasing)
        // Also if no poll waits: the queue keeps the signal for the next one.
        wakeable.withLock { if let pointer = $0.pointer { rd_kafka_queue_yield(pointer) } }
    }

    /// Whether ``wake()`` was called since the last call of this method.
    func takeWake() -> Bool {
        wakeRequested.exchange(false, ordering: .acquiringAndReleasing)
    }

    func forgetWakeable() {
        wakeable.withLock { $0.pointer = nil }
    }

    // MARK: Common

    /// How long a question waits for the broker that the thread which polls does not wait for. Closing may have to wait for it.
    static let questionTimeout = Duration.seconds(5)

    static let closed = LogError(.closed, "the client is closed", disposition: .fatal)

    func report(level: Int, _ facility: String, _ message: String) {
        configuration.report(level: level, facility, message)
    }
}
