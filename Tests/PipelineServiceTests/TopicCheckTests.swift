import IntentEvents
import Logging
import PipelineService
import RecordLog
import Testing

@Suite("The check of the topics at the start")
struct TopicCheckTests {
    @Test("a catalogue that the broker does not date is named, because clocks can't be compared then")
    func undated() async throws {
        let found = try await findings(try await log(["intents.catalog": ["message.timestamp.type": "CreateTime"]]))
        #expect(found.problems == [] && found.warnings.count == 1)
        #expect(found.warnings.first?.contains("set message.timestamp.type=LogAppendTime on intents.catalog") == true)
    }

    @Test(
        "a topic that anyone but a coordinator writes, and that stores compressed batches, is named",
        arguments: Topics().writtenByOthers)
    func compressed(topic: String) async throws {
        let found = try await findings(try await log([topic: ["compression.type": "producer"]]))
        #expect(found.problems == [] && found.warnings.count == 1)
        #expect(found.warnings.first?.hasPrefix("\(topic) is not stored with compression.type=uncompressed") == true)
        // Only coordinators write the other topics.
        let others = topics.all.filter { !topics.writtenByOthers.contains($0) }
        let settings = Dictionary(uniqueKeysWithValues: others.map { ($0, ["compression.type": "producer"]) })
        #expect(try await findings(try await log(settings)) == TopicCheck.Findings())
    }

    @Test("the topics that are stored uncompressed are those that the ACLs let anyone but a coordinator write")
    func writtenByOthers() {
        let roles = AccessRole.allCases.filter { $0 != .coordinator }
        #expect(Set(roles.flatMap { $0.access(topics).writes }) == Set(topics.writtenByOthers))
    }

    private let topics = Topics()
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// A log with the pipeline's topics; `changes` replaces settings by topic.
    private func log(
        replicas: Int = 3, inSync: Int? = nil, _ changes: [String: [String: String]] = [:]
    ) async throws -> InMemoryLog {
        let log = InMemoryLog(clock: { 0 })
        var specifications = topics.specifications(
            partitions: 4, replicationFactor: replicas, minimumInSyncReplicas: inSync)
        for index in specifications.indices {
            specifications[index].configuration.merge(changes[specifications[index].name] ?? [:]) { $1 }
        }
        try await log.createTopics(specifications)
        return log
    }

    private func findings(_ log: InMemoryLog) async throws -> TopicCheck.Findings {
        TopicCheck.findings(try await log.topics(), try await log.configurations(of: topics.all), topics)
    }

    @Test("topics as they are created have nothing wrong", arguments: [1, 2, 3, 5])
    func created(replicas: Int) async throws {
        #expect(try await findings(try await log(replicas: replicas)) == TopicCheck.Findings())
    }

    @Test("the number of partitions is returned")
    func partitions() async throws {
        let count = try await TopicCheck.wait(
            for: topics, as: [.coordinator], in: try await log(), patience: .zero, logger: logger)
        #expect(count == 4)
        #expect(try await TopicCheck.untilReady(topics, as: [.coordinator], in: try await log(), logger: logger) == 4)
    }

    @Test(
        "a setting that breaks the journal refuses the start, and the message says what to set",
        arguments: [
            ("cleanup.policy", "delete", "cleanup.policy=compact"),
            ("cleanup.policy", "compact,delete", "cleanup.policy=compact"),
            ("min.compaction.lag.ms", "0", "min.compaction.lag.ms=600000"),
            ("max.message.bytes", "1000000", "max.message.bytes=4000000"),
        ])
    func journal(name: String, value: String, remedy: String) async throws {
        let log = try await log(["intents.sessions": [name: value]])
        let error = await #expect(throws: LogError.self) {
            try await TopicCheck.wait(for: topics, as: [.coordinator], in: log, patience: .zero, logger: logger)
        }
        #expect(error?.code == .invalidConfiguration && error?.disposition == .fatal)
        for part in ["intents.sessions has \(name)=\(value)", "set \(remedy) on intents.sessions"] {
            #expect(error?.message.contains(part) == true, "\(error!)")
        }
    }

    @Test(
        "a topic that keeps one record of each session only refuses the start",
        arguments: ["requests", "answers", "outcomes", "results", "resolve-in-app", "memory-changes", "dead-letters"],
        ["compact", "compact,delete"])
    func compacted(name: String, policy: String) async throws {
        let problems = try await findings(try await log(["intents.\(name)": ["cleanup.policy": policy]])).problems
        #expect(problems.count == 1)
        #expect(problems.first?.contains("intents.\(name) has cleanup.policy=compact") == true)
        #expect(problems.first?.contains("set cleanup.policy=delete on it") == true)
    }

    @Test(
        "a table that is not compacted is warned of: what is destroyed in it stays",
        arguments: ["catalog", "memory", "keys"])
    func uncompacted(name: String) async throws {
        let found = try await findings(try await log(["intents.\(name)": ["cleanup.policy": "delete"]]))
        #expect(found.problems.isEmpty && found.warnings.count == 1)
        #expect(found.warnings.first?.contains("intents.\(name) is not compacted") == true)
        #expect(found.warnings.first?.contains("set cleanup.policy=compact,delete on it") == true)
    }

    @Test("missing topics are created with as many partitions as the others have, and another number creates nothing")
    func beside() async throws {
        func there(_ counts: Int32...) -> [TopicDescription] {
            zip(topics.all, counts).map { TopicDescription(name: $0, partitions: $1, replicationFactor: 1) }
                + [TopicDescription(name: "other", partitions: 9, replicationFactor: 1)]
        }
        func count(_ wanted: Int32?, _ existing: [TopicDescription]) throws -> Int32 {
            try TopicCheck.partitions(wanted, beside: existing, topics)
        }
        #expect(try count(nil, there()) == Topics.usualPartitions && count(3, there()) == 3)
        #expect(try count(nil, there(2, 2)) == 2 && count(2, there(2, 2)) == 2)
        let other = #expect(throws: LogError.self) { try count(12, there(2, 2)) }
        #expect(other?.code == .topicAlreadyExists)
        #expect(other?.message.contains("\"intents.requests\" has 2 partitions, not 12") == true)
        #expect(other?.message.contains("leave --partitions out") == true)
        let mixed = #expect(throws: LogError.self) { try count(nil, there(2, 5)) }
        #expect(
            mixed?.message.contains("\"intents.answers\" has 5 partitions, intents.requests has 2") == true, "\(mixed!)"
        )
    }

    @Test("what is missing is told with the command that creates it, also for another prefix")
    func command() throws {
        let error = #expect(throws: LogError.self) { try TopicCheck.check([], Topics(prefix: "home"), as: [.person]) }
        #expect(error?.message.contains("'intents topics apply --topic-prefix home'") == true)
        #expect(error?.message.contains("'intents acl print --role person --topic-prefix home'") == true)
        let usual = #expect(throws: LogError.self) { try TopicCheck.check([], topics, as: [.person]) }
        #expect(usual?.message.contains("'intents topics apply';") == true)
    }

    @Test("every problem is named, not only the first")
    func several() async throws {
        let log = try await log(["intents.sessions": ["cleanup.policy": "delete", "min.compaction.lag.ms": "1"]])
        #expect(try await findings(log).problems.count == 2)
    }

    @Test("dead letters need room for an excerpt, and should have room for any record")
    func deadLetters() async throws {
        let small = try await findings(try await log(["intents.dead-letters": ["max.message.bytes": "500000"]]))
        #expect(small.problems.count == 1)
        let usual = try await findings(try await log(["intents.dead-letters": ["max.message.bytes": "1048588"]]))
        #expect(usual.problems.isEmpty)
        #expect(usual.warnings.first?.contains("max.message.bytes=2000000") == true)
    }

    @Test("a topic that Kafka lets nothing be written to refuses the start")
    func unwritable() async throws {
        let found = try await findings(try await log(replicas: 1, ["intents.results": ["min.insync.replicas": "2"]]))
        #expect(found.problems.count == 1)
        #expect(
            found.problems.first?.contains("intents.results has min.insync.replicas=2 and a replication factor of 1")
                == true)
        #expect(found.problems.first?.contains("set min.insync.replicas=1 on intents.results") == true)
    }

    @Test(
        "a topic whose largest records can't be written is warned of",
        arguments: ["results", "outcomes", "handle", "memory"])
    func small(name: String) async throws {
        let found = try await findings(try await log(["intents.\(name)": ["max.message.bytes": "1000"]]))
        #expect(found.problems.isEmpty && found.warnings.count == 1)
        #expect(found.warnings.first?.hasPrefix("intents.\(name) has a max.message.bytes of less than 1048576") == true)
        let requests = try await findings(try await log(["intents.requests": ["max.message.bytes": "100000"]]))
        #expect(requests == TopicCheck.Findings())
    }

    @Test(
        "a topic that deletes what waits for a process is warned of",
        arguments: ["requests", "outcomes", "results", "dead-letters"])
    func brief(name: String) async throws {
        let found = try await findings(try await log(["intents.\(name)": ["retention.ms": "1000"]]))
        #expect(found.problems.isEmpty && found.warnings.count == 1)
        #expect(found.warnings.first?.hasPrefix("intents.\(name) keeps records for less than an hour") == true)
        for kept in ["3600000", "-1"] {
            #expect(
                try await findings(try await log(["intents.\(name)": ["retention.ms": kept]])) == TopicCheck.Findings())
        }
    }

    @Test("dead letters have more room than each of the inputs, as the topics are created and if an input takes more")
    func inputs() async throws {
        #expect(try await findings(try await log([:])).warnings.isEmpty)
        let large = try await findings(
            try await log([
                "intents.answers": ["max.message.bytes": "2000000"],
                "intents.results": ["max.message.bytes": "9000000"],
            ]))
        #expect(large.problems.isEmpty && large.warnings.count == 1)
        #expect(large.warnings.first?.hasPrefix("intents.answers has a max.message.bytes that is not below") == true)
        #expect(large.warnings.first?.contains("set max.message.bytes=1048588 on it") == true)
    }

    @Test("Kafka's default size limit is enough for the journal")
    func usualLimit() async throws {
        let found = try await findings(try await log(["intents.sessions": ["max.message.bytes": "1048588"]]))
        #expect(found == TopicCheck.Findings())
    }

    @Test("three replicas of which one suffices for a write are a warning, and so are unclean elections")
    func durability() async throws {
        let found = try await findings(
            try await log(inSync: 1, ["intents.results": ["unclean.leader.election.enable": "true"]]))
        #expect(found.problems.isEmpty)
        #expect(found.warnings.count == 2)
        #expect(found.warnings.first?.contains("intents.sessions") == true)
        #expect(found.warnings.first?.contains("min.insync.replicas=2") == true)
        #expect(found.warnings.last?.hasPrefix("intents.results has unclean.leader.election.enable=true") == true)
        #expect(try await findings(try await log(replicas: 2, inSync: 1)) == TopicCheck.Findings())
    }

    @Test(
        "settings that can't be read are reported, and are no error",
        arguments: [LogError.Code.unsupported, .unauthorized, .timedOut])
    func unreadable(code: LogError.Code) async throws {
        let log = SecretiveLog(
            log: try await log(["intents.sessions": ["cleanup.policy": "delete"]]), error: LogError(code, "not told"))
        #expect(
            try await TopicCheck.wait(for: topics, as: [.coordinator], in: log, patience: .zero, logger: logger) == 4)
        var reports: [(level: Logger.Level, text: String)] = []
        try await TopicCheck.checkSettings(of: topics, as: [.coordinator], try await log.topics(), in: log) {
            reports.append(($0, $1))
        }
        #expect(reports.map(\.level) == [.notice])
        #expect(reports.first?.text.contains("not told") == true)
    }

    @Test(
        "a role that finds topics missing is told that it may lack rights, and who prints them",
        arguments: AccessRole.allCases)
    func missing(role: AccessRole) async throws {
        let error = #expect(throws: LogError.self) { try TopicCheck.check([], topics, as: [role]) }
        #expect(error?.code == .unknownTopicOrPartition)
        for part in role.access(topics).describes + [
            "intents topics apply", "'intents acl print --role \(role.rawValue)'",
        ] {
            #expect(error?.message.contains(part) == true, "\(error!)")
        }
    }

    @Test("a role whose row does not have the settings does not read them")
    func unchecked() async throws {
        let log = SecretiveLog(log: try await log(), error: LogError(.unauthorized, "not told"))
        for role in AccessRole.allCases {
            var reports = 0
            try await TopicCheck.checkSettings(of: topics, as: [role], try await log.topics(), in: log) { _, _ in
                reports += 1
            }
            #expect(reports == (role.access(topics).checksSettings ? 1 : 0), "\(role)")
        }
    }

    @Test("with three replicas or more, a write needs two, unless another number is given")
    func inSync() {
        func values(_ replicas: Int, _ inSync: Int?) -> Set<String?> {
            let specifications = topics.specifications(
                partitions: 1, replicationFactor: replicas, minimumInSyncReplicas: inSync)
            return Set(specifications.map { $0.configuration["min.insync.replicas"] })
        }
        #expect(values(3, nil) == ["2"] && values(5, nil) == ["2"])
        #expect(values(1, nil) == [nil] && values(2, nil) == [nil] && values(-1, nil) == [nil])
        #expect(values(-1, 2) == ["2"] && values(5, 3) == ["3"])
        #expect(
            topics.specifications(partitions: 1, replicationFactor: 3).allSatisfy {
                $0.configuration["min.insync.replicas"] == "2"
            })
    }
}

/// A log that does not return the settings of its topics.
private struct SecretiveLog: LogCluster {
    let log: InMemoryLog
    let error: LogError

    func connect(_ configuration: ClientConfiguration) throws(LogError) -> any LogClient {
        try log.connect(configuration)
    }
    func createTopics(_ topics: [TopicSpecification]) async throws(LogError) { try await log.createTopics(topics) }
    func topics() async throws(LogError) -> [TopicDescription] { try await log.topics() }
    func configurations(of topics: [String]) async throws(LogError) -> [String: [String: String]] { throw error }
}
