import RecordLog

/// librdkafka's properties: the kinds of handles that each applies to, the properties that this module sets itself, and
/// the reasons.
enum KafkaProperties {
    /// The kind of a handle. librdkafka warns about each property that is for another kind.
    enum Scope {
        case producer
        /// A producer of a client with ``ClientConfiguration/gaplessTopics``.
        case gaplessProducer
        /// The member of a group.
        case member
        /// The consumer that reads single partitions without a group.
        case reader
        /// A reader of a client with ``ClientConfiguration/isFollower``.
        case follower
        /// The consumer that searches the ends of unreadable batches (``UnreadableScout``).
        case scout
        /// A handle that neither produces nor consumes.
        case admin

        var isConsumer: Bool {
            switch self {
            case .member, .reader, .follower, .scout: true
            case .producer, .gaplessProducer, .admin: false
            }
        }
    }

    /// Properties that this module sets itself, with the reason why the user can't set them.
    static let owned: [String: String] = [
        "enable.idempotence": "each record must be written exactly once, and in order",
        "acks": "a record counts as written only when all in-sync replicas have it",
        "request.required.acks": "a record counts as written only when all in-sync replicas have it",
        "partitioner":
            "a session must be in the same partition number for every client, including Java clients: murmur2_random",
        "enable.gapless.guarantee": "it is determined by the idempotent producer",
        "transactional.id": "the pipeline needs no transactions",
        "delivery.report.only.error": "every record needs its delivery report",
        "produce.offset.report": "every acknowledgement needs its offset",
        "group.id": "the pipeline names its groups",
        "enable.auto.commit": "positions are committed when the work is done, not when it was fetched",
        "auto.commit.enable": "positions are committed when the work is done, not when it was fetched",
        "enable.auto.offset.store": "positions are committed when the work is done, not when it was fetched",
        "offset.store.method": "positions are stored by the broker",
        "auto.offset.reset": "a position that the log no longer has must be reported, never skipped silently",
        "isolation.level": "records of aborted transactions must not be read",
        "partition.assignment.strategy": "range assigns partition i of every topic to the same member",
        "enable.partition.eof": "the end of a partition is reported only to readers",
        "allow.auto.create.topics": "reading a topic must not create it",
        "client.id": "it is set by the client's configuration",
        "log.queue": "logs are delivered with the events",
    ]

    /// Further properties that this module sets itself for gapless producers, with the reason.
    static let ownedIfGapless: [String: String] = {
        let reason = "this client must leave no gap, so a record must not fail while later ones are written"
        return Dictionary(
            uniqueKeysWithValues: ["message.timeout.ms", "delivery.timeout.ms", "message.send.max.retries", "retries"]
                .map { ($0, reason) })
    }()

    /// Properties for consumers only.
    private static let forConsumers: Set<String> = [
        "allow.auto.create.topics", "auto.commit.enable", "auto.commit.interval.ms", "auto.offset.reset", "check.crcs",
        "consume.callback.max.messages", "coordinator.query.interval.ms", "enable.auto.commit",
        "enable.auto.offset.store",
        "enable.partition.eof", "fetch.error.backoff.ms", "fetch.max.bytes", "fetch.message.max.bytes",
        "fetch.min.bytes",
        "fetch.queue.backoff.ms", "fetch.wait.max.ms", "group.id", "group.instance.id", "group.protocol",
        "group.protocol.type",
        "group.remote.assignor", "heartbeat.interval.ms", "isolation.level", "max.partition.fetch.bytes",
        "max.poll.interval.ms",
        "offset.store.method", "offset.store.path", "offset.store.sync.interval.ms", "partition.assignment.strategy",
        "queued.max.messages.kbytes", "queued.min.messages", "session.timeout.ms",
    ]

    /// Properties for producers only.
    private static let forProducers: Set<String> = [
        "acks", "batch.num.messages", "batch.size", "compression.codec", "compression.level", "compression.type",
        "delivery.report.only.error", "delivery.timeout.ms", "enable.gapless.guarantee", "enable.idempotence",
        "linger.ms",
        "message.send.max.retries", "message.timeout.ms", "partitioner", "produce.offset.report",
        "queue.buffering.backpressure.threshold", "queue.buffering.max.kbytes", "queue.buffering.max.messages",
        "queue.buffering.max.ms", "queuing.strategy", "request.required.acks", "request.timeout.ms", "retries",
        "retry.backoff.max.ms", "retry.backoff.ms", "sticky.partitioning.linger.ms", "transaction.timeout.ms",
        "transactional.id",
    ]

    /// `true` if a handle of this kind supports the property. A property that is in neither list applies to all kinds.
    static func applies(_ name: String, to scope: Scope) -> Bool {
        switch scope {
        case .producer, .gaplessProducer: !forConsumers.contains(name)
        case .member: !forProducers.contains(name)
        case .reader, .follower, .scout: !forProducers.contains(name) && name != "group.instance.id"
        case .admin: !forProducers.contains(name) && !forConsumers.contains(name)
        }
    }

    /// The default properties of a handle. The user can override them.
    static func defaults(for scope: Scope) -> [(String, String)] {
        // With librdkafka's default of 10 s, recovery from a short outage takes too long.
        let all = [
            ("reconnect.backoff.max.ms", "500"), ("socket.nagle.disable", "true"), ("statistics.interval.ms", "0"),
        ]
        return switch scope {
        case .producer, .gaplessProducer:
            // A batch forms while the previous one is in flight. Waiting for more records only adds latency to each of
            // an intent's hops.
            all + [
                ("linger.ms", "0"), ("queue.buffering.max.messages", "100000"), ("queue.buffering.max.kbytes", "65536"),
            ]
        case .member:
            all + [errorBackoff, ("fetch.wait.max.ms", memberFetchWait), ("queued.max.messages.kbytes", "16384")]
        case .reader:
            all + [errorBackoff, ("fetch.wait.max.ms", readerFetchWait), ("queued.max.messages.kbytes", readerQueue)]
        case .follower:
            all + [errorBackoff, ("fetch.wait.max.ms", followerFetchWait), ("queued.max.messages.kbytes", readerQueue)]
        case .scout: all
        case .admin: all
        }
    }

    /// The queue size of each partition, in KiB. After the queue was full, librdkafka before 2.2 checks only once a
    /// second for free space, so this is the amount that is read in a second. A size of 16 MiB would use a third of the
    /// throughput of a core.
    private static let readerQueue = "65536"

    /// The delay of a partition's next fetch after an error. librdkafka's own 500 ms would be the cost of each
    /// unreadable batch: up to version 2.0.2, a partition waits even if it was moved past the batch.
    private static let errorBackoff = ("fetch.error.backoff.ms", "100")

    /// The time that a broker holds a fetch of a group's member without records. The broker answers as soon as there
    /// are records, so the wait does not delay them.
    ///
    /// A handle has one fetch in flight to each broker. A partition that was assigned or resumed is part of the next
    /// fetch: this is its longest delay while the other partitions are silent. 100 ms are ten requests a second of an
    /// idle member.
    private static let memberFetchWait = "100"

    /// The time that a broker holds a fetch of the reader. The reader has partitions open for a short time only, mostly
    /// one after the other, and librdkafka reports the end of a partition after an empty fetch: each takeover waits
    /// this long several times.
    private static let readerFetchWait = "10"

    /// The time that a broker holds a fetch of a follower, which stays open. The wait delays no record, only the start
    /// of reading and the report of an end.
    private static let followerFetchWait = "100"

    /// Defaults that only newer versions of librdkafka know.
    static func newerDefaults(for scope: Scope) -> [(String, String)] {
        switch scope {
        // Since 2.2: after `queued.max.messages.kbytes` of a partition were queued, the partition is fetched again
        // after this time. The default is a second, although the queue is empty much earlier.
        case .member, .reader, .follower: [("fetch.queue.backoff.ms", "10")]
        case .producer, .gaplessProducer, .scout, .admin: []
        }
    }

    /// The fixed properties of a handle. The user can't override them.
    static func fixed(for scope: Scope) -> [(String, String)] {
        switch scope {
        case .producer: [("enable.idempotence", "true"), ("acks", "all"), ("partitioner", "murmur2_random")]
        // 0 is no timeout. enable.gapless.guarantee does not help: it does not cover timeouts, and makes each rejection
        // in any topic fatal.
        case .gaplessProducer: fixed(for: .producer) + [("message.timeout.ms", "0")]
        case .member, .reader, .follower:
            [
                ("enable.auto.commit", "false"), ("enable.auto.offset.store", "false"), ("auto.offset.reset", "error"),
                ("isolation.level", "read_committed"), ("partition.assignment.strategy", "range"),
                ("enable.partition.eof", scope == .member ? "false" : "true"),
                // allow.auto.create.topics is false for consumers by default; setting it makes librdkafka warn about
                // old brokers.
            ]
        // The scout's fetches fail one after the other. While a partition's queue counts as full, librdkafka checks the
        // partition only once a second.
        case .scout:
            fixed(for: .reader) + [
                ("fetch.error.backoff.ms", "1"), ("fetch.wait.max.ms", readerFetchWait),
                ("queued.min.messages", "1000"),
            ]
        case .admin: []
        }
    }
}
