public import RecordLog
import Synchronization

/// A capability that a log may lack. A case is skipped if its log lacks a capability that the case needs.
public enum LogCapability: String, Sendable, Hashable, CaseIterable {
    /// Topics are created with the requested partition count.
    case createTopics
    /// A client can look up the members of a group.
    case describeGroups
    /// The metadata of a commit is returned with the committed offset.
    case commitMetadata
    /// A member can still commit between a revocation and its release.
    case commitWhileRevoking
    /// The end of a partition is known exactly, by `range(of:)` and by reads from the end.
    case listOffsetsLatest
    /// An offset that the log does not have is detected.
    case offsetOutOfRange
    /// Records above the log's size limit are refused.
    case recordSizeLimit
    /// Records of half a MiB are accepted.
    case largeRecords
    /// `poll` waits for its timeout if there is no event. (The in-memory log's `poll` returns at once, because its
    /// tests go step by step.)
    case waitingPoll
    /// The suite can make the log compact a topic: see
    /// ``LogUnderTest/init(_:name:prefix:missing:patience:queueLimit:makeTopic:compact:)``.
    case compaction
    /// The suite can write batches that no client can read.
    case unreadableBatches
}

/// A log that the conformance suite tests, with the facts that the suite needs.
public struct LogUnderTest: Sendable {
    /// Makes a topic with this many partitions.
    public typealias MakeTopic = @Sendable (_ name: String, _ partitions: Int32) async throws -> Void
    /// Makes the log compact a topic, which then has only the newest record of each key.
    public typealias Compact = @Sendable (_ topic: String) async throws -> Void
    /// Writes a batch of this many records that no client can read.
    public typealias AppendUnreadable = @Sendable (_ partition: TopicPartition, _ count: Int) async throws -> Void

    public let log: any LogCluster
    /// The log's name in the suite's output.
    public let name: String
    public let missing: Set<LogCapability>
    /// The time in which a condition must become true.
    public let patience: Duration
    /// The maximum number of unsent records that a client holds.
    public let queueLimit: Int
    let prefix: String
    let makeTopic: MakeTopic
    let compact: Compact?
    let appendUnreadable: AppendUnreadable?
    let counter = NameCounter()
    let report = ConformanceReport()

    /// Declares a log for the suite.
    ///
    /// - Parameters:
    ///   - log: The log, shared by all cases. Each case uses its own topics and groups.
    ///   - name: The log's name in the suite's output.
    ///   - prefix: The prefix of topic and group names. On a log that outlives the test run, the prefix must be new for
    ///     each run.
    ///   - missing: The capabilities that the log lacks.
    ///   - patience: The time in which a condition must become true.
    ///   - queueLimit: The maximum number of unsent records that a client of this log holds.
    ///   - makeTopic: Creates a topic if the log itself can't; `nil` uses ``RecordLog/RecordLog/createTopics(_:)``.
    ///   - compact: Makes the log compact a topic; `nil` if the log can't, so that ``LogCapability/compaction`` is
    ///     missing.
    ///   - appendUnreadable: Writes an unreadable batch; `nil` if ``LogCapability/unreadableBatches`` is missing.
    public init(
        _ log: any LogCluster, name: String, prefix: String = "conformance", missing: Set<LogCapability> = [],
        patience: Duration = .seconds(30), queueLimit: Int = 100_000, makeTopic: MakeTopic? = nil,
        compact: Compact? = nil,
        appendUnreadable: AppendUnreadable? = nil
    ) {
        self.log = log
        self.name = name
        var lacking = missing
        if compact == nil { lacking.insert(.compaction) }
        if appendUnreadable == nil { lacking.insert(.unreadableBatches) }
        self.missing = lacking
        self.patience = patience
        self.queueLimit = queueLimit
        self.prefix = prefix
        self.makeTopic =
            makeTopic ?? { name, partitions in
                try await log.createTopics([TopicSpecification(name: name, partitions: partitions)])
            }
        self.compact = compact
        self.appendUnreadable = appendUnreadable
    }

    /// A name that is unique on this log.
    func uniqueName(_ what: String) -> String { "\(prefix)-\(what)-\(counter.next())" }

    /// Creates a topic, and waits until the log knows it. The suite uses four partitions where the number does not
    /// matter, because brokers that create topics automatically use four.
    func uniqueTopic(partitions: Int32 = 4) async throws -> String {
        let topic = uniqueName("topic")
        try await makeTopic(topic, partitions)
        guard !missing.contains(.createTopics) else { return topic }
        // A cluster has created a topic before all of its brokers know the topic.
        let deadline = ContinuousClock.now + patience
        while try await !log.topics().contains(where: { $0.name == topic && $0.partitions == partitions }) {
            guard ContinuousClock.now < deadline else {
                throw NeverHappened(what: "the new topic \(topic)", client: name, patience: patience, failures: [])
            }
            await Task.yield()
        }
        return topic
    }

    /// A new client for the case to drive.
    func probe(
        _ name: String = "probe", group: (id: String, topics: [String])? = nil, gaplessTopics: Set<String> = []
    ) throws -> LogProbe {
        let configuration = ClientConfiguration(clientID: name, group: group, gaplessTopics: gaplessTopics)
        return LogProbe(try log.connect(configuration), name: name, patience: patience)
    }
}

final class NameCounter: Sendable {
    private let count = Atomic<Int>(0)
    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
