import CRDKafka
import RecordLog
import Synchronization

/// A ``LogClient`` on librdkafka. It has a producer, a group member if its configuration has a group, and a reader of
/// single partitions that is opened on demand.
///
/// One thread at a time drives the client. Only ``wake()`` may be called from any thread, which is why the client is
/// `Sendable`. A client with a group waits for events of the member's queue (librdkafka counts a poll of that queue as
/// the member's sign of life). Such a client never waits for the producer's queue: a delivery report that arrives there
/// ends the wait for the member's queue. A client without a group waits for the producer's queue.
///
/// Limits: unsent records by `queue.buffering.max.messages` and `…kbytes`, fetched records by
/// `queued.max.messages.kbytes` per handle.
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

    // Objects that belong to a handle are destroyed before the handle. ``close(timeout:)`` destroys them all.
    /// The producer. A read-only client has a producer without idempotence, which requests no producer id and gets no
    /// record.
    var producer: RDKafkaHandle?
    var member: RDKafkaHandle?
    var reader: RDKafkaHandle?
    /// The queue that ``poll(maximum:timeout:)`` waits for.
    var queue: RDKafkaQueue?
    /// The producer's queue, if it differs from ``queue``.
    var deliveries: RDKafkaQueue?
    /// The scout that searches the ends of unreadable batches; `nil` until there is an unreadable batch.
    var scout: UnreadableScout?
    /// The queue to which the member's queue is forwarded while the member leaves.
    var closing: RDKafkaQueue?
    var writer: RecordWriter?

    /// The topics of fetched records, by their addresses.
    var streams: [OpaquePointer: TopicStream] = [:]
    var lastStream: TopicStream?
    var memberStreams: [String: TopicStream] = [:]
    var readerStreams: [String: TopicStream] = [:]
    var rebalance = Rebalance.settled
    /// Assigned partitions that are not passed to librdkafka yet.
    var startsLater: Set<TopicPartition> = []
    /// `true` if a position of the group is out of the log's range. The assignment is renewed after the current batch
    /// of events.
    var isAssignmentBroken = false

    var headerNames = HeaderNames()
    /// Events that exceeded the maximum of ``poll(maximum:timeout:)``, the next one last. One event of librdkafka can
    /// contain many events.
    var overflow: [LogEvent] = []
    /// The fatal error of the client. The next poll throws it after all earlier events were returned.
    var fatalError: LogError?
    /// The error of all sends after a record of a gapless topic has failed.
    var stopped: LogError?
    var isClosed = false

    /// `true` if the last poll drained the deliveries first.
    var drainsDeliveriesFirst = false

    private let wakeRequested = Atomic<Bool>(false)
    /// The queue for ``wake()``. Any thread may call ``wake()``, even while the client closes.
    private let wakeable: Mutex<WakeableQueue>

    /// The pending answer of this member to its group.
    enum Rebalance {
        case settled
        /// The member was assigned partitions and has not accepted them.
        case assigning([TopicPartition])
        /// The member has to release its partitions.
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
        let scope: KafkaProperties.Scope =
            client.isReadOnly ? .admin : gaplessTopics.isEmpty ? .producer : .gaplessProducer
        let producer = try RDKafkaConfiguration(configuration, scope: scope, clientID: client.clientID).makeHandle(
            destroyer)
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
        let member = try RDKafkaConfiguration(configuration, scope: .member, clientID: clientID, group: id).makeHandle(
            destroyer)
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
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR else {
            throw LogError(error, "subscribing to \(topics.joined(separator: ", "))")
        }
    }

    // MARK: Sending

    func send(_ record: Record, token: UInt64) throws(LogError) {
        if isReadOnly, !isClosed { throw .readOnly }
        if let stopped, !isClosed { throw stopped }
        do throws(LogError) {
            guard try writer?.send(record, token: token) != nil else { throw Self.closed }
        } catch {
            if error.code == .queueFull || error.disposition == .fatal { throw error }
            // A record that librdkafka rejects immediately (too large, no such partition) is reported like a record
            // that the broker rejects later.
            var refusal = Delivery(
                token: token, topic: record.topic, partition: record.partition ?? -1, offset: nil, error: error)
            stopIfGapless(&refusal)
            overflow.insert(.delivered(refusal), at: 0)
        }
    }

    /// Stops writing if a record of a gapless topic has failed: drops all unsent records and all records in flight,
    /// whose acknowledgements no longer matter. Must be called for each failed delivery as soon as it is known, because
    /// librdkafka continues sending until then.
    func stopIfGapless(_ delivery: inout Delivery) {
        if delivery.error == nil { return }
        if let stopped {
            delivery.error = stopped
            return
        }
        guard gaplessTopics.contains(delivery.topic) else { return }
        delivery.error?.disposition = .fatal
        stopped = .stopped(after: delivery)
        rd_kafka_purge(
            producer?.pointer, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT | RD_KAFKA_PURGE_F_NON_BLOCKING)
    }

    // MARK: Waking

    func wake() {
        wakeRequested.store(true, ordering: .releasing)
        // The signal is needed even if no poll waits: the queue stores it for the next poll.
        wakeable.withLock { if let pointer = $0.pointer { rd_kafka_queue_yield(pointer) } }
    }

    /// Returns `true` if ``wake()`` was called since the last call of this method.
    func takeWake() -> Bool {
        wakeRequested.exchange(false, ordering: .acquiringAndReleasing)
    }

    func forgetWakeable() {
        wakeable.withLock { $0.pointer = nil }
    }

    // MARK: Common

    /// The timeout of requests that run on a thread beside the polling thread. Closing may have to wait for them.
    static let questionTimeout = Duration.seconds(5)

    static let closed = LogError(.closed, "the client is closed", disposition: .fatal)

    func report(level: Int, _ facility: String, _ message: String) {
        configuration.report(level: level, facility, message)
    }
}
