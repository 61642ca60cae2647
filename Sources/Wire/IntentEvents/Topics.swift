public import IntentModel
public import RecordLog

/// The topics of one pipeline. All have the same number of partitions, and all but the catalogue and the two of the memory are keyed by session.
///
/// A class because its names are looked up for each record: a copy counts one reference instead of one for each name. Two are equal if their prefixes are.
public final class Topics: Sendable, Hashable {
    /// The part of every name before the first dot. Defaults to `intents`; another one is needed if several pipelines share a cluster.
    public let prefix: String

    public let requests: String
    /// What the person's channel writes.
    public let answers: String
    public let results: String
    public let resolve: String
    public let confirm: String
    public let handle: String
    public let resolveInApp: String
    public let confirmInApp: String
    public let handleInApp: String
    public let outcomes: String
    public let sessions: String
    /// What workers serve. Its keys are services with their intents and workers, not sessions.
    public let catalog: String
    /// What is remembered about people. Its keys are principals with positions, not sessions.
    public let memory: String
    /// The changes of that, in the order in which they count. Its keys are principals.
    public let memoryChanges: String
    /// The keys of sessions, if values are encrypted.
    public let keys: String
    public let deadLetters: String

    public init(prefix: String = "intents") {
        self.prefix = prefix
        requests = "\(prefix).requests"
        answers = "\(prefix).answers"
        results = "\(prefix).results"
        resolve = "\(prefix).resolve"
        confirm = "\(prefix).confirm"
        handle = "\(prefix).handle"
        resolveInApp = "\(prefix).resolve-in-app"
        confirmInApp = "\(prefix).confirm-in-app"
        handleInApp = "\(prefix).handle-in-app"
        outcomes = "\(prefix).outcomes"
        sessions = "\(prefix).sessions"
        catalog = "\(prefix).catalog"
        memory = "\(prefix).memory"
        memoryChanges = "\(prefix).memory-changes"
        keys = "\(prefix).keys"
        deadLetters = "\(prefix).dead-letters"
    }

    public static func == (a: Topics, b: Topics) -> Bool { a.prefix == b.prefix }
    public func hash(into hasher: inout Hasher) { hasher.combine(prefix) }

    public var all: [String] {
        [
            requests, answers, results, resolve, confirm, handle, resolveInApp, confirmInApp, handleInApp, outcomes,
            sessions, catalog,
            memory, memoryChanges, keys, deadLetters,
        ]
    }

    /// The topics of work, for the extension's workers and for the app's.
    public var work: [String] { [resolve, confirm, handle, resolveInApp, confirmInApp, handleInApp] }

    /// The topic of a phase's work.
    public func work(_ phase: Phase, inApp: Bool) -> String {
        switch phase {
        case .resolve: inApp ? resolveInApp : resolve
        case .confirm: inApp ? confirmInApp : confirm
        case .handle: inApp ? handleInApp : handle
        }
    }

    /// The partitions of every topic, where nothing else is said.
    public static let usualPartitions: Int32 = 12

    /// Milliseconds for which compaction leaves a record of `intents.sessions` alone, and with it what it overwrites. A coordinator that lost a partition
    /// may write after its successor has written; the successor notices within seconds and writes it again. Until then its record must be kept.
    public static let compactionLag = 600_000

    /// The largest record of `intents.dead-letters`, in bytes. It is more than the topics of input take by default (1 MiB), because a dead letter is the
    /// original and the reason.
    public static let maximumDeadLetterBytes = 2_000_000

    /// The topics whose records the pipeline reads, and writes to the dead letters if it can't.
    public var inputs: [String] { [requests, answers, outcomes] + work }

    /// The topics that anyone but a coordinator may write. They are created with ``compressionType``, so that Kafka itself decompresses what comes, and refuses a batch that
    /// inflates beyond `max.message.bytes` or can't be decompressed. No client can bound the memory that such a batch takes.
    public var writtenByOthers: [String] { [requests, answers, outcomes, catalog, keys, deadLetters] }

    /// The setting that says how Kafka stores batches, and the value of ``writtenByOthers``.
    public static let compressionType = "compression.type", uncompressed = "uncompressed"

    /// The largest batch of records of ``inputs``, in bytes: Kafka's default. It is smaller than ``maximumDeadLetterBytes``, so that each dead letter holds its
    /// record.
    public static let maximumInputBytes = 1_048_588

    /// The largest record of `intents.sessions` that the topic is created for, in bytes.
    public static let maximumSessionBytes = 4_000_000

    /// The smallest `max.message.bytes` of `intents.sessions` and `intents.dead-letters` that the pipeline works with: 1 MiB, Kafka's default for a topic
    /// less its overhead. A session with its unacknowledged results is smaller, and so is the excerpt of a dead letter that is too large.
    public static let minimumRecordLimit = 1 << 20

    /// Milliseconds for which `intents.keys` keeps a key: two days more than the other topics keep what was encrypted with it. A key that is in use is written again
    /// every day.
    public static let keyRetention = 777_600_000

    /// Milliseconds for which `intents.memory` keeps what is remembered about a person after it was changed last: a year.
    public static let memoryRetention = 31_536_000_000

    /// The setting that says whose clock dates the records of a topic, and its value for the broker's. `intents.catalog` has it: each process writes a lease there and
    /// compares its clock with the timestamp that it reads back.
    public static let timestampType = "message.timestamp.type", appendTime = "LogAppendTime"

    /// How the topics are to be created: `intents.sessions`, `intents.catalog`, `intents.memory` and `intents.keys` are compacted. All but
    /// `intents.sessions`, and `intents.memory` with its year, keep a week or little more. With three replicas or more, a write needs two of them.
    public func specifications(partitions: Int32, replicationFactor: Int = -1) -> [TopicSpecification] {
        specifications(partitions: partitions, replicationFactor: replicationFactor, minimumInSyncReplicas: nil)
    }

    /// The same.
    ///
    /// - Parameter minimumInSyncReplicas: Replicas that must have a record before it is acknowledged (`min.insync.replicas`). `nil` for 2 if
    ///   `replicationFactor` is 3 or more, and otherwise for the broker's default. With 1, the failure of one broker can lose acknowledged records; with
    ///   as many as there are replicas, it stops all writes.
    public func specifications(partitions: Int32, replicationFactor: Int, minimumInSyncReplicas: Int?)
        -> [TopicSpecification]
    {
        let inSync = minimumInSyncReplicas ?? (replicationFactor >= 3 ? 2 : nil)
        return all.map { name in
            var configuration = ["cleanup.policy": "delete", "retention.ms": "604800000"]
            if name == sessions {
                configuration = [
                    "cleanup.policy": "compact", "min.cleanable.dirty.ratio": "0.1", "segment.ms": "3600000",
                    "min.compaction.lag.ms": "\(Self.compactionLag)",
                    "max.message.bytes": "\(Self.maximumSessionBytes)",
                ]
            }
            if name == catalog {
                configuration = [
                    "cleanup.policy": "compact,delete", "retention.ms": "604800000", "min.cleanable.dirty.ratio": "0.1",
                    "segment.ms": "600000", Self.timestampType: Self.appendTime,
                ]
            }
            if name == memory {
                configuration = [
                    "cleanup.policy": "compact,delete", "retention.ms": "\(Self.memoryRetention)",
                    "min.cleanable.dirty.ratio": "0.1",
                    "segment.ms": "86400000",
                ]
            }
            if name == keys {
                configuration = [
                    "cleanup.policy": "compact,delete", "retention.ms": "\(Self.keyRetention)",
                    "min.cleanable.dirty.ratio": "0.1",
                    "segment.ms": "3600000",
                ]
            }
            if let inSync { configuration["min.insync.replicas"] = "\(inSync)" }
            if name == deadLetters { configuration["max.message.bytes"] = "\(Self.maximumDeadLetterBytes)" }
            if inputs.contains(name) { configuration["max.message.bytes"] = "\(Self.maximumInputBytes)" }
            if writtenByOthers.contains(name) { configuration[Self.compressionType] = Self.uncompressed }
            return TopicSpecification(
                name: name, partitions: partitions, replicationFactor: replicationFactor, configuration: configuration)
        }
    }
}
