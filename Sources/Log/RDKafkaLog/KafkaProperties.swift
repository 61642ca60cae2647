import RecordLog

/// librdkafka's properties: which kind of handle they are for, which ones this module sets itself, and why.
enum KafkaProperties {
    /// The kinds of handles. librdkafka warns about each property that is for another kind.
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
        /// The consumer that searches the ends of batches that can't be read (``UnreadableScout``).
        case scout
        /// Neither produces nor consumes.
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
        "partitioner": "a session must be in the same partition number for every client, including Java clients: murmur2_random",
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

    /// Further properties that this module sets itself for producers that must leave no gap.
    static let ownedIfGapless: [String: String] = {
        let reason = "this client must leave no gap, so a record must not fail while later ones are written"
        return Dictionary(
            uniqueKeysWithValues: ["message.timeout.ms", "delivery.timeout.ms", "message.send.max.retries", "retries"].map { ($0, reason) })
    }()

    /// Properties for consumers only.
    private static let forConsumers: Set<String> = [
        "allow.auto.create.topics", "auto.commit.enable", "auto.commit.interval.ms", "auto.offset.reset", "check.crcs",
        "consume.callback.max.messages", "coordinator.query.interval.ms", "enable.auto.commit", "enable.auto.offset.store",
        "enable.partition.eof", "fetch.error.backoff.ms", "fetch.max.bytes", "fetch.message.max.bytes", "fetch.min.bytes",
        "fetch.queue.backoff.ms", "fetch.wait.max.ms", "group.id", "group.instance.id", "group.protocol", "group.protocol.type",
        "group.remote.assignor", "heartbeat.interval.ms", "isolation.level", "max.partition.fetch.bytes", "max.poll.interval.ms",
        "offset.store.method", "offset.store.path", "offset.store.sync.interval.ms", "partition.assignment.strategy",
        "queued.max.messages.kbytes", "queued.min.messages", "session.timeout.ms",
    ]

    /// Properties for producers only.
    private static let forProducers: Set<String> = [
        "acks", "batch.num.messages", "batch.size", "compression.codec", "compression.level", "compression.type",
        "delivery.report.only.error", "delivery.timeout.ms", "enable.gapless.guarantee", "enable.idempotence", "linger.ms",
        "message.send.max.retries", "message.timeout.ms", "partitioner", "produce.offset.report",
        "queue.buffering.backpressure.threshold", "queue.buffering.max.kbytes", "queue.buffering.max.messages",
        "queue.buffering.max.ms", "queuing.strategy", "request.required.acks", "request.timeout.ms", "retries",
        "retry.backoff.max.ms", "retry.backoff.ms", "sticky.partitioning.linger.ms", "transaction.timeout.ms", "transactional.id",
    ]

    /// Whether a handle of this kind supports the property. Properties that are not listed here are for all kinds.
    static func applies(_ name: String, to scope: Scope) -> Bool {
        switch scope {
        case .producer, .gaplessProducer: !forConsumers.contains(name)
        case .member: !forProducers.contains(name)
        case .reader, .follower, .scout: !forProducers.contains(name) && name != "group.instance.id"
        case .admin: !forProducers.contains(name) && !forConsumers.contains(name)
        }
    }

    /// The default properties of a handle, which the user can override.
    static func defaults(for scope: Scope) -> [(String, String)] {
        // With librdkafka's default of 10 s, recovery from a short outage takes too long.
        let all = [("reconnect.backoff.max.ms", "500"), ("socket.nagle.disable", "true"), ("statistics.interval.ms", "0")]
        return switch scope {
        case .producer, .gaplessProducer:
            // A batch forms while the previous one is in flight; waiting for more records only adds latency to each of an intent's hops.
            all + [
                ("linger.ms", "0"), ("queue.buffering.max.messages", "100000"), ("queue.buffering.max.kbytes", "65536"),
            ]
        case .member: all + [errorBackoff, ("fetch.wait.max.ms", memberFetchWait), ("queued.max.messages.kbytes", "16384")]
        case .reader: all + [errorBackoff, ("fetch.wait.max.ms", readerFetchWait), ("queued.max.messages.kbytes", readerQueue)]
        case .follower: all + [errorBackoff, ("fetch.wait.max.ms", followerFetchWait), ("queued.max.messages.kbytes", readerQueue)]
        case .scout: all
        case .admin: all
        }
    }

    /// For each partition. librdkafka before 2.2 looks only each second whether there is room again after it was full, so this is what is read in a second: at
    /// 16 MiB it is a third of what a core can take.
    private static let readerQueue = "65536"

    /// How long a partition is not fetched after an error. librdkafka's own 500 ms would be the time that each batch costs that can't be read: up to version 2.0.2 also a
    /// partition waits that was moved past the batch.
    private static let errorBackoff = ("fetch.error.backoff.ms", "100")

    /// How long a broker holds a fetch of a group's member if there are no records. It answers as soon as there are some, so this does not delay them.
    ///
    /// A handle has one fetch at a time under way to each broker. A partition that was assigned, or resumed, is part of the next one: this is the longest
    /// time that it waits while the other partitions are silent. 100 ms are ten requests a second of an idle member.
    private static let memberFetchWait = "100"

    /// The same for the reader. It has partitions open for a short time only, mostly one after the other, and librdkafka tells the end of a partition with the
    /// answer to an empty fetch: each takeover waits this long several times.
    private static let readerFetchWait = "10"

    /// The same for a reader that stays open. It delays no record either, only the beginning of a reading and the report of an end.
    private static let followerFetchWait = "100"

    /// Defaults that only newer versions of librdkafka know.
    static func newerDefaults(for scope: Scope) -> [(String, String)] {
        switch scope {
        // Since 2.2: a partition with `queued.max.messages.kbytes` in the queue is fetched again after this time, by default a second, although its queue is
        // empty much earlier.
        case .member, .reader, .follower: [("fetch.queue.backoff.ms", "10")]
        case .producer, .gaplessProducer, .scout, .admin: []
        }
    }

    /// The properties of a handle that the user can't override.
    static func fixed(for scope: Scope) -> [(String, String)] {
        switch scope {
        case .producer: [("enable.idempotence", "true"), ("acks", "all"), ("partitioner", "murmur2_random")]
        // 0 is no timeout. enable.gapless.guarantee does not help: it does not cover timeouts, and makes each refusal in any topic fatal.
        case .gaplessProducer: fixed(for: .producer) + [("message.timeout.ms", "0")]
        case .member, .reader, .follower:
            [
                ("enable.auto.commit", "false"), ("enable.auto.offset.store", "false"), ("auto.offset.reset", "error"),
                ("isolation.level", "read_committed"), ("partition.assignment.strategy", "range"),
                ("enable.partition.eof", scope == .member ? "false" : "true"),
                // allow.auto.create.topics is false for consumers by default; setting it makes librdkafka warn about old brokers.
            ]
        // Its fetches fail one after the other. With a queue that counts as full, a partition is looked at again after a second.
        case .scout:
            fixed(for: .reader) + [
                ("fetch.error.backoff.ms", "1"), ("fetch.wait.max.ms", readerFetchWait), ("queued.min.messages", "1000"),
            ]
        case .admin: []
        }
    }
}
