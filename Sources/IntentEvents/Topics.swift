public import RecordLog

/// The topics of one pipeline. All have the same number of partitions and are keyed by session.
public struct Topics: Sendable, Hashable {
    /// The part of every name before the first dot. Defaults to `intents`; another one is needed if several pipelines share a cluster.
    public let prefix: String

    public let requests: String
    public let results: String
    public let resolve: String
    public let confirm: String
    public let handle: String
    public let handleInApp: String
    public let outcomes: String
    public let sessions: String
    public let deadLetters: String

    public init(prefix: String = "intents") {
        self.prefix = prefix
        requests = "\(prefix).requests"
        results = "\(prefix).results"
        resolve = "\(prefix).resolve"
        confirm = "\(prefix).confirm"
        handle = "\(prefix).handle"
        handleInApp = "\(prefix).handle-in-app"
        outcomes = "\(prefix).outcomes"
        sessions = "\(prefix).sessions"
        deadLetters = "\(prefix).dead-letters"
    }

    public var all: [String] {
        [requests, results, resolve, confirm, handle, handleInApp, outcomes, sessions, deadLetters]
    }

    /// Milliseconds for which compaction leaves a record of `intents.sessions` alone, and with it what it overwrites. A coordinator that lost a partition
    /// may write after its successor has written; the successor notices within seconds and writes it again. Until then its record must be kept.
    public static let compactionLag = 600_000

    /// The largest record of `intents.dead-letters`, in bytes. It is more than the topics of input take by default (1 MiB), because a dead letter is the
    /// original and the reason.
    public static let maximumDeadLetterBytes = 2_000_000

    /// How the topics are to be created: `intents.sessions` is compacted, the others keep a week.
    public func specifications(partitions: Int32, replicationFactor: Int = -1) -> [TopicSpecification] {
        all.map { name in
            var configuration = ["cleanup.policy": "delete", "retention.ms": "604800000"]
            if name == sessions {
                configuration = [
                    "cleanup.policy": "compact", "min.cleanable.dirty.ratio": "0.1", "segment.ms": "3600000",
                    "min.compaction.lag.ms": "\(Self.compactionLag)",
                    "max.message.bytes": "4000000",
                ]
            }
            if name == deadLetters { configuration["max.message.bytes"] = "\(Self.maximumDeadLetterBytes)" }
            return TopicSpecification(
                name: name, partitions: partitions, replicationFactor: replicationFactor, configuration: configuration)
        }
    }
}
