import RecordLog

/// What is known here of librdkafka's properties: who they are for, which of them this module sets itself, and why.
enum KafkaProperties {
    /// Handles that properties are given to. librdkafka warns about each property that is for the other kind.
    enum Scope {
        case producer
        /// The member of a group.
        case member
        /// The consumer that reads single partitions without a group.
        case reader
        /// Neither produces nor consumes.
        case admin
    }

    /// Properties that this module sets, and what would break if someone else did.
    static let owned: [String: String] = [
        "enable.idempotence": "each record must be written exactly once, and in order",
        "acks": "a record counts as written only when all in-sync replicas have it",
        "request.required.acks": "a record counts as written only when all in-sync replicas have it",
        "partitioner": "a session must sit in the same partition number for every client, Java ones included: murmur2_random",
        "enable.gapless.guarantee": "the idempotent producer decides it",
        "transactional.id": "the pipeline needs no transactions",
        "delivery.report.only.error": "every record is answered",
        "produce.offset.report": "every acknowledgement carries its offset",
        "group.id": "the pipeline names its groups",
        "enable.auto.commit": "positions are committed when the work is done, not when it was fetched",
        "auto.commit.enable": "positions are committed when the work is done, not when it was fetched",
        "enable.auto.offset.store": "positions are committed when the work is done, not when it was fetched",
        "offset.store.method": "positions are kept by the broker",
        "auto.offset.reset": "a position that the log no longer has is told, never skipped silently",
        "isolation.level": "records of aborted transactions must not be seen",
        "partition.assignment.strategy": "range gives partition i of every topic to the same member",
        "enable.partition.eof": "the end of a partition is told where it was asked for",
        "allow.auto.create.topics": "reading a topic must not create it",
        "client.id": "the client's configuration names it",
        "log.queue": "logs come with the events",
    ]

    /// Properties with a meaning only for consumers.
    private static let forConsumers: Set<String> = [
        "allow.auto.create.topics", "auto.commit.enable", "auto.commit.interval.ms", "auto.offset.reset", "check.crcs",
        "consume.callback.max.messages", "coordinator.query.interval.ms", "enable.auto.commit", "enable.auto.offset.store",
        "enable.partition.eof", "fetch.error.backoff.ms", "fetch.max.bytes", "fetch.message.max.bytes", "fetch.min.bytes",
        "fetch.queue.backoff.ms", "fetch.wait.max.ms", "group.id", "group.instance.id", "group.protocol", "group.protocol.type",
        "group.remote.assignor", "heartbeat.interval.ms", "isolation.level", "max.partition.fetch.bytes", "max.poll.interval.ms",
        "offset.store.method", "offset.store.path", "offset.store.sync.interval.ms", "partition.assignment.strategy",
        "queued.max.messages.kbytes", "queued.min.messages", "session.timeout.ms",
    ]

    /// Properties with a meaning only for producers.
    private static let forProducers: Set<String> = [
        "acks", "batch.num.messages", "batch.size", "compression.codec", "compression.level", "compression.type",
        "delivery.report.only.error", "delivery.timeout.ms", "enable.gapless.guarantee", "enable.idempotence", "linger.ms",
        "message.send.max.retries", "message.timeout.ms", "partitioner", "produce.offset.report",
        "queue.buffering.backpressure.threshold", "queue.buffering.max.kbytes", "queue.buffering.max.messages",
        "queue.buffering.max.ms", "queuing.strategy", "request.required.acks", "request.timeout.ms", "retries",
        "retry.backoff.max.ms", "retry.backoff.ms", "sticky.partitioning.linger.ms", "transaction.timeout.ms", "transactional.id",
    ]

    /// Whether a handle of this kind understands the property. One that is not known here is for all.
    static func applies(_ name: String, to scope: Scope) -> Bool {
        switch scope {
        case .producer: !forConsumers.contains(name)
        case .member: !forProducers.contains(name)
        case .reader: !forProducers.contains(name) && name != "group.instance.id"
        case .admin: !forProducers.contains(name) && !forConsumers.contains(name)
        }
    }

    /// What a handle has unless the user says otherwise.
    static func defaults(for scope: Scope) -> [(String, String)] {
        // The default of 10 s makes a short outage a long one.
        let all = [("reconnect.backoff.max.ms", "500"), ("socket.nagle.disable", "true"), ("statistics.interval.ms", "0")]
        return switch scope {
        case .producer:
            // A batch forms while the one before is under way; waiting for more only adds latency at each of an intent's hops.
            all + [
                ("linger.ms", "0"), ("queue.buffering.max.messages", "100000"), ("queue.buffering.max.kbytes", "65536"),
            ]
        case .member, .reader:
            // The broker answers an empty fetch after this time at the latest, some only then.
            all + [("fetch.wait.max.ms", "10"), ("queued.max.messages.kbytes", "16384")]
        case .admin: all
        }
    }

    /// What a handle has whatever the user says.
    static func fixed(for scope: Scope) -> [(String, String)] {
        switch scope {
        case .producer: [("enable.idempotence", "true"), ("acks", "all"), ("partitioner", "murmur2_random")]
        case .member, .reader:
            [
                ("enable.auto.commit", "false"), ("enable.auto.offset.store", "false"), ("auto.offset.reset", "error"),
                ("isolation.level", "read_committed"), ("partition.assignment.strategy", "range"),
                ("enable.partition.eof", scope == .reader ? "true" : "false"),
                // allow.auto.create.topics is false for consumers; saying so makes librdkafka warn about old brokers.
            ]
        case .admin: []
        }
    }
}
