import RecordLog
import Synchronization
import Testing

/// A log that the conformance suite tests, with the facts that the suite needs. All cases share the log; each case uses
/// its own topics and groups.
struct LogUnderTest: Sendable {
    /// A capability that a log may lack. A case is skipped if its log lacks a capability that the case needs.
    enum Capability: String, Sendable {
        /// Topics are created with the requested partition count.
        case createTopics
        /// A client can look up the members of a group.
        case describeGroups
        /// The suite can write batches that no client can read.
        case unreadableBatches
    }

    let log: any LogCluster
    /// The log's name in the suite's output.
    let name: String
    /// The prefix of topic and group names. On a log that outlives the test run, the prefix must be new for each run.
    var prefix = "conformance"
    var missing: Set<Capability> = []
    /// The time in which a condition must become true.
    var patience = Duration.seconds(90)
    /// The maximum number of unsent records that a client holds.
    let queueLimit = 12_000
    /// Makes a topic with this many partitions; `nil` uses ``RecordLog/RecordLog/createTopics(_:)``.
    var makeTopic: (@Sendable (_ name: String, _ partitions: Int32) async throws -> Void)?
    /// Writes a batch of this many records that no client can read.
    var appendUnreadable: @Sendable (_ partition: TopicPartition, _ count: Int) async throws -> Void = { _, _ in }
}

/// One requirement that every log must meet.
struct ConformanceCase: Sendable, CustomTestStringConvertible {
    /// The requirement, as a sentence.
    let testDescription: String
    let needs: Set<LogUnderTest.Capability>
    let body: @Sendable (ConformanceScene) async throws -> Void

    init(
        _ requirement: String, needs: Set<LogUnderTest.Capability> = [],
        body: @escaping @Sendable (ConformanceScene) async throws -> Void
    ) {
        testDescription = requirement
        self.needs = needs
        self.body = body
    }

    static let all: [ConformanceCase] =
        writing + gaps + contents + reading + unreadable + groups + rebalances + commits + topics + lifecycle

    /// Tests the requirement on this log. If the log lacks a needed capability, the test is cancelled, and shown as
    /// skipped with the reason.
    func run(on log: LogUnderTest) async throws {
        let lacking = needs.intersection(log.missing).map(\.rawValue).sorted()
        guard lacking.isEmpty else {
            try Test.cancel("\(log.name) can't do \(lacking.joined(separator: ", ")): skipped '\(testDescription)'")
        }
        let scene = ConformanceScene(log)
        defer { scene.close() }
        try await body(scene)
    }
}

/// The topics and clients of one case on a log. All clients are closed when the case ends.
final class ConformanceScene {
    private static let names = Atomic<Int>(0)
    let log: any LogCluster
    let under: LogUnderTest
    private var probes: [LogProbe] = []

    init(_ under: LogUnderTest) {
        self.under = under
        log = under.log
    }

    func close() { for probe in probes { try? probe.client.close(timeout: .seconds(5)) } }

    /// A name that is unique on this log.
    func name(_ kind: String) -> String { "\(under.prefix)-\(kind)-\(Self.names.add(1, ordering: .relaxed).newValue)" }

    /// Creates a topic of four partitions, as brokers do that create topics automatically, and waits until the log
    /// knows the topic.
    func topic() async throws -> String {
        let topic = name("topic")
        if let makeTopic = under.makeTopic {
            try await makeTopic(topic, 4)
            return topic
        }
        try await log.createTopics([TopicSpecification(name: topic, partitions: 4)])
        // A cluster has created a topic before all of its brokers know the topic.
        let deadline = ContinuousClock.now + under.patience
        while try await !log.topics().contains(where: { $0.name == topic && $0.partitions == 4 }) {
            guard ContinuousClock.now < deadline else { throw Missing("the new topic \(topic) on \(under.name)") }
            await Task.yield()
        }
        return topic
    }

    func probe(_ configuration: ClientConfiguration) throws -> LogProbe {
        let probe = LogProbe(try log.connect(configuration), configuration, patience: under.patience)
        probes.append(probe)
        return probe
    }

    func probe(_ name: String = "probe", gapless: Set<String> = []) throws -> LogProbe {
        try probe(ClientConfiguration(clientID: name, gaplessTopics: gapless))
    }

    /// A client that only reads.
    func reader(isFollower: Bool = false) throws -> LogProbe {
        var configuration = ClientConfiguration(clientID: "reader")
        configuration.isReadOnly = true
        configuration.isFollower = isFollower
        return try probe(configuration)
    }

    /// A partition of a new topic, and a client that has written this many records to it.
    func partition(_ number: Int32 = 0, filled count: Int = 0) async throws -> (TopicPartition, LogProbe) {
        let (partition, probe) = (TopicPartition(try await topic(), number), try probe())
        try await probe.write(partition.numbered(0..<count))
        return (partition, probe)
    }

    /// A client in a group, which has not been assigned anything yet. Without a group, the group is new.
    func member(_ name: String = "member", of topics: [String], in group: String? = nil) throws -> LogProbe {
        try probe(ClientConfiguration(clientID: name, group: (group ?? self.name("group"), topics)))
    }

    /// A new topic, and the single member of a new group, which has been assigned all partitions, and has written this
    /// many records to each.
    ///
    /// - Parameter answers: `true` to answer the assignment.
    func owner(answers: Bool = true, filled count: Int = 0) async throws -> (topic: String, LogProbe) {
        let topic = try await topic()
        let member = try member(of: [topic])
        member.answersAssigned = answers
        try await member.eventually("all partitions") { member.owned == partitions(topic) }
        try await member.write(every(topic, 0..<count))
        return (topic, member)
    }

    /// A new topic, and two members of a new group, which share the partitions.
    func owners() async throws -> (topic: String, LogProbe, LogProbe) {
        let topic = try await topic()
        let a = try member("a", of: [topic])
        let b = try a.another(in: self)
        try await a.eventually("half of the partitions", with: [b]) { a.owned?.count == 2 && b.owned?.count == 2 }
        return (topic, a, b)
    }
}

/// The UTF-8 of a text.
func text(_ string: String) -> Bytes { Bytes(string.utf8) }

/// The four partitions of a topic that ``ConformanceScene/topic()`` has created.
func partitions(_ topic: String) -> [TopicPartition] { (0..<4).map { TopicPartition(topic, $0) } }

/// Numbered records for each of the four partitions.
func every(_ topic: String, _ numbers: Range<Int>) -> [Record] { partitions(topic).flatMap { $0.numbered(numbers) } }

extension TopicPartition {
    func record(
        key: Bytes? = nil, _ value: Bytes? = [0x76], headers: [RecordHeader] = [], timestamp: Int64? = nil
    ) -> Record {
        Record(topic: topic, partition: partition, key: key, value: value, headers: headers, timestamp: timestamp)
    }

    /// Records with these numbers as values.
    func numbered(_ numbers: Range<Int>) -> [Record] { numbers.map { record(key: text("k\($0)"), text("\($0)")) } }
}
