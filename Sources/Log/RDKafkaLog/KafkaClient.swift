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
    let client: ClientConfiguration
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

    var streams = Streams()
    var assignment = Assignment()
    var headerNames = HeaderNames()
    /// Events that exceeded the maximum of ``poll(maximum:timeout:)``, the next one last. One event of librdkafka can
    /// contain many events.
    var overflow: [LogEvent] = []
    var failure = Failure()
    var isClosed = false

    /// `true` if the last poll drained the deliveries first.
    var drainsDeliveriesFirst = false

    private let wakeup = Wakeup()

    /// The topics that the client has open.
    struct Streams {
        /// All of them, by the address of librdkafka's topic in a fetched record.
        var byAddress: [OpaquePointer: TopicStream] = [:]
        /// The topic of the last fetched record.
        var last: TopicStream?
        var ofMember: [String: TopicStream] = [:]
        var ofReader: [String: TopicStream] = [:]
    }

    /// The partitions that the group has assigned.
    struct Assignment {
        var rebalance = Rebalance.settled
        /// Assigned partitions that are not passed to librdkafka yet.
        var startsLater: Set<TopicPartition> = []
        /// `true` if a position of the group is out of the log's range. The assignment is renewed after the current batch
        /// of events.
        var isBroken = false
    }

    /// The errors that end the client.
    struct Failure {
        /// A fatal error. The next poll throws the error after all earlier events were returned.
        var pending: LogError?
        /// The error of all sends after a record of a gapless topic has failed.
        var stopped: LogError?
    }

    /// The pending answer of this member to its group.
    enum Rebalance {
        case settled
        /// The member was assigned partitions and has not accepted them.
        case assigning([TopicPartition])
        /// The member has to release its partitions.
        case revoking
    }

    init(_ configuration: KafkaConfiguration, _ client: ClientConfiguration) throws(LogError) {
        self.configuration = configuration
        self.client = client
        destroyer = HandleDestroyer()
        questions = Questions(destroyer)
        let scope: KafkaProperties.Scope =
            client.isReadOnly ? .admin : client.gaplessTopics.isEmpty ? .producer : .gaplessProducer
        let producer = try RDKafkaConfiguration(configuration, scope: scope, clientID: client.clientID).makeHandle(
            destroyer)
        let producerQueue = try RDKafkaQueue(rd_kafka_queue_get_main(producer.pointer))
        rd_kafka_set_log_queue(producer.pointer, producerQueue.pointer)
        writer = client.isReadOnly ? nil : RecordWriter(producer)
        self.producer = consume producer
        guard let group = client.group else {
            wakeup.wakes(producerQueue.pointer)
            queue = consume producerQueue
            return
        }
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
        report(
            level: 4, "CLOSE",
            "client \(client.clientID) was released without being closed: its unsent records are lost")
        tearDown()
    }

    private func join(_ id: String, _ topics: [String]) throws(LogError) {
        let member = try RDKafkaConfiguration(configuration, scope: .member, clientID: client.clientID, group: id)
            .makeHandle(
                destroyer)
        let pointer = member.pointer
        self.member = consume member
        // Errors and logs of the handle go to the same queue as its records.
        rd_kafka_poll_set_consumer(pointer)
        let own = try RDKafkaQueue(rd_kafka_queue_get_consumer(pointer))
        let queuePointer = own.pointer
        queue = consume own
        rd_kafka_set_log_queue(pointer, queuePointer)
        wakeup.wakes(queuePointer)
        deliveries?.enableWakeup(of: queuePointer)
        for name in topics {
            let stream = TopicStream(try RDKafkaTopic(name, of: pointer), isReader: false)
            streams.ofMember[name] = stream
            streams.byAddress[stream.pointer] = stream
        }
        let list = TopicPartitionList(topics.map { TopicPartition($0, -1) })
        let error = rd_kafka_subscribe(pointer, list.pointer)
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR else {
            throw LogError(error, "subscribing to \(topics.joined(separator: ", "))")
        }
    }

    // MARK: Sending

    func send(_ record: Record, token: UInt64) throws(LogError) {
        if client.isReadOnly, !isClosed { throw .readOnly }
        if let stopped = failure.stopped, !isClosed { throw stopped }
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
        if let stopped = failure.stopped {
            delivery.error = stopped
            return
        }
        guard client.gaplessTopics.contains(delivery.topic) else { return }
        delivery.error?.disposition = .fatal
        failure.stopped = .stopped(after: delivery)
        rd_kafka_purge(
            producer?.pointer, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT | RD_KAFKA_PURGE_F_NON_BLOCKING)
    }

    // MARK: Waking

    func wake() { wakeup.request() }

    /// Returns `true` if ``wake()`` was called since the last call of this method.
    func consumeWakeRequest() -> Bool { wakeup.consumeRequest() }

    func clearWakeableQueue() { wakeup.wakes(nil) }

    // MARK: Common

    /// The timeout of requests that run on a thread beside the polling thread. Closing may have to wait for them.
    static let questionTimeout = Duration.seconds(5)

    static let closed = LogError(.closed, "the client is closed", disposition: .fatal)

    func report(level: Int, _ facility: String, _ message: String) {
        configuration.report(level: level, facility, message)
    }
}

/// The requests of other threads that end the wait of a poll.
private final class Wakeup: Sendable {
    private struct Queue: @unchecked Sendable {
        var pointer: OpaquePointer?
    }

    private let isRequested = Atomic<Bool>(false)
    /// The queue that a poll waits for. Any thread may request a wakeup, even while the client closes.
    private let queue = Mutex(Queue())

    func wakes(_ pointer: OpaquePointer?) { queue.withLock { $0.pointer = pointer } }

    func request() {
        isRequested.store(true, ordering: .releasing)
        // The signal is needed even if no poll waits: the queue stores it for the next poll.
        queue.withLock { if let pointer = $0.pointer { rd_kafka_queue_yield(pointer) } }
    }

    /// Returns `true` if a wakeup was requested since the last call of this method.
    func consumeRequest() -> Bool { isRequested.exchange(false, ordering: .acquiringAndReleasing) }
}
