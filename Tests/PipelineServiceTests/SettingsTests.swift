import ArgumentParser
import Foundation
import IntentEvents
import Logging
import PipelineService
import RDKafkaLog
import RecordLog
import Testing

/// ``ReferenceTests`` holds the finding of each setting that is wrong, with its message, for each topic.
@Suite("The check of the topics at the start") struct TopicCheckTests {
    private let topics = Topics()

    /// A log with the pipeline's topics; `changes` replaces settings by topic.
    private func log(
        replicas: Int = 3, inSync: Int? = nil, _ changes: [String: [String: String]] = [:]
    ) async throws -> InMemoryLog {
        let log = InMemoryLog(clock: { 0 })
        var specifications = specifications(replicas, inSync)
        for index in specifications.indices {
            specifications[index].configuration.merge(changes[specifications[index].name] ?? [:]) { $1 }
        }
        try await log.createTopics(specifications)
        return log
    }

    private func specifications(_ replicas: Int, _ inSync: Int?) -> [TopicSpecification] {
        topics.specifications(partitions: 4, replicationFactor: replicas, minimumInSyncReplicas: inSync)
    }

    private func findings(_ log: InMemoryLog) async throws -> TopicCheck.Findings {
        TopicCheck.findings(try await log.topics(), try await log.configurations(of: topics.all), topics)
    }

    private func wait(_ log: any LogCluster) async throws -> Int32 {
        try await TopicCheck.wait(for: topics, as: [.coordinator], in: log, patience: .zero, logger: quiet)
    }

    @Test(arguments: [1, 2, 3, 5])
    func `created topics have no findings`(replicas: Int) async throws {
        #expect(try await findings(try await log(replicas: replicas)) == TopicCheck.Findings())
    }

    @Test func `the number of partitions is returned`() async throws {
        #expect(try await wait(try await log()) == 4)
        #expect(try await TopicCheck.untilReady(topics, as: [.coordinator], in: try await log(), logger: quiet) == 4)
    }

    @Test func `the topics that are stored uncompressed are those that the ACLs let anyone but a coordinator write`() {
        let roles = AccessRole.allCases.filter { $0 != .coordinator }
        #expect(Set(roles.flatMap { $0.access(topics).writes }) == Set(topics.writtenByOthers))
    }

    @Test func `settings that break the journal prevent the start, and each is named with its fix`() async throws {
        let wrong = ["cleanup.policy": "compact,delete", "min.compaction.lag.ms": "1", "max.message.bytes": "1000000"]
        let log = try await log([topics.sessions: wrong])
        #expect(try await findings(log).problems.count == 3)
        let error = try await #require(throws: LogError.self) { try await wait(log) }
        #expect(error.code == .invalidConfiguration && error.disposition == .fatal)
        for part in [
            "intents.sessions has cleanup.policy=compact,delete", "set cleanup.policy=compact on intents.sessions",
            "intents.sessions has min.compaction.lag.ms=1", "set min.compaction.lag.ms=600000 on intents.sessions",
            "intents.sessions has max.message.bytes=1000000", "set max.message.bytes=4000000 on intents.sessions",
        ] { #expect(error.message.contains(part), "\(error)") }
    }

    @Test(arguments: [
        ("sessions", "max.message.bytes", "1048588", 0, 0), ("dead-letters", "max.message.bytes", "500000", 1, 0),
        ("dead-letters", "max.message.bytes", "1048588", 0, 1), ("requests", "max.message.bytes", "100000", 0, 0),
        ("results", "max.message.bytes", "1000", 0, 1), ("results", "max.message.bytes", "9000000", 0, 0),
        ("answers", "max.message.bytes", "2000000", 0, 1), ("answers", "retention.ms", "3599999", 0, 1),
        ("answers", "retention.ms", "3600000", 0, 0), ("answers", "retention.ms", "-1", 0, 0),
        ("requests", "cleanup.policy", "compact,delete", 1, 0),
        ("resolve-in-app", "cleanup.policy", "compact,delete", 1, 0),
        ("memory-changes", "cleanup.policy", "compact,delete", 1, 0),
        ("dead-letters", "cleanup.policy", "compact,delete", 1, 0),
        ("catalog", "message.timestamp.type", "CreateTime", 0, 1), ("requests", "compression.type", "producer", 0, 1),
        ("keys", "cleanup.policy", "delete", 0, 1), ("results", "unclean.leader.election.enable", "true", 0, 1),
    ])
    func `a setting is wrong beyond its limit, and not at the limit`(
        topic: String, setting: String, value: String, problems: Int, warnings: Int
    ) async throws {
        let found = try await findings(try await log(["intents.\(topic)": [setting: value]]))
        // The inputs have more room than dead letters with a small limit, which is a finding of the inputs.
        let counts = [found.problems, found.warnings].map { texts in
            texts.count { topic != "dead-letters" || $0.hasPrefix("intents.dead-letters ") }
        }
        #expect(counts == [problems, warnings])
    }

    @Test func `a topic that can't be written prevents the start`() async throws {
        let found = try await findings(try await log(replicas: 1, [topics.results: ["min.insync.replicas": "2"]]))
        let problem = try #require(found.problems.count == 1 ? found.problems.first : nil)
        #expect(problem.contains("intents.results has min.insync.replicas=2 and a replication factor of 1"))
        #expect(problem.contains("set min.insync.replicas=1 on intents.results"))
    }

    @Test func `three replicas of which one suffices for a write are a warning, two are not`() async throws {
        let found = try await findings(try await log(inSync: 1))
        #expect(found.problems.isEmpty && found.warnings.count == 1)
        let warning = try #require(found.warnings.first)
        #expect(warning.contains("intents.sessions") && warning.contains("min.insync.replicas=2"))
        #expect(try await findings(try await log(replicas: 2, inSync: 1)) == TopicCheck.Findings())
    }

    @Test func `missing topics get as many partitions as the others, and another number is refused`() throws {
        func count(_ wanted: Int32?, _ counts: Int32...) throws -> Int32 {
            let existing =
                zip(topics.all, counts).map { TopicDescription(name: $0, partitions: $1, replicationFactor: 1) }
                + [TopicDescription(name: "other", partitions: 9, replicationFactor: 1)]
            return try TopicCheck.partitions(wanted, beside: existing, topics)
        }
        #expect(try count(nil) == Topics.usualPartitions && count(3) == 3)
        #expect(try count(nil, 2, 2) == 2 && count(2, 2, 2) == 2)
        let other = try #require(throws: LogError.self) { try count(12, 2, 2) }
        #expect(other.code == .topicAlreadyExists)
        #expect(other.message.contains("\"intents.requests\" has 2 partitions, not 12"))
        #expect(other.message.contains("leave --partitions out"))
        let mixed = try #require(throws: LogError.self) { try count(nil, 2, 5) }
        #expect(mixed.message.contains("\"intents.answers\" has 5 partitions, intents.requests has 2"), "\(mixed)")
    }

    @Test(arguments: AccessRole.allCases)
    func `a role without topics is told which commands create topics and grant rights`(role: AccessRole) throws {
        let error = try #require(throws: LogError.self) { try TopicCheck.check([], topics, as: [role]) }
        #expect(error.code == .unknownTopicOrPartition)
        for part in role.access(topics).describes + [
            "'intents topics apply';", "'intents acl print --role \(role.rawValue)'",
        ] { #expect(error.message.contains(part), "\(error)") }
        let other = try #require(throws: LogError.self) { try TopicCheck.check([], Topics(prefix: "home"), as: [role]) }
        for command in ["topics apply", "acl print --role \(role.rawValue)"] {
            #expect(other.message.contains("'intents \(command) --topic-prefix home'"), "\(other)")
        }
    }

    @Test(arguments: [LogError.Code.unsupported, .unauthorized, .timedOut])
    func `settings that can't be read are reported, and are no error`(code: LogError.Code) async throws {
        let log = UnwillingLog(try await log([topics.sessions: ["cleanup.policy": "delete"]]), code)
        #expect(try await wait(log) == 4)
        let reports = try await reports(of: .coordinator, in: log)
        #expect(reports.map(\.level) == [.notice])
        #expect(reports.first?.text.contains("\(code.rawValue) by the test") == true)
    }

    @Test(arguments: AccessRole.allCases)
    func `a role whose row does not have the settings does not read them`(role: AccessRole) async throws {
        let reports = try await reports(of: role, in: UnwillingLog(try await log(), .unauthorized))
        #expect(reports.count == (role.access(topics).checksSettings ? 1 : 0))
    }

    private typealias Report = (level: Logger.Level, text: String)

    private func reports(of role: AccessRole, in log: any LogCluster) async throws -> [Report] {
        var reports: [Report] = []
        try await TopicCheck.checkSettings(of: topics, as: [role], try await log.topics(), in: log) {
            reports.append(($0, $1))
        }
        return reports
    }

    @Test func `with three replicas or more, a write needs two, unless another number is given`() {
        func values(_ replicas: Int, _ inSync: Int?) -> Set<String?> {
            Set(specifications(replicas, inSync).map { $0.configuration["min.insync.replicas"] })
        }
        #expect(values(3, nil) == ["2"] && values(5, nil) == ["2"])
        #expect(values(1, nil) == [nil] && values(2, nil) == [nil] && values(-1, nil) == [nil])
        #expect(values(-1, 2) == ["2"] && values(5, 3) == ["3"])
    }
}

@Suite("Secrets of the connection to Kafka") struct SecretTests {
    private let files = PropertiesFiles()

    @Test(arguments: [
        "sasl.password", "ssl.key.password", "ssl.keystore.password", "sasl.oauthbearer.client.secret", "ssl.key.pem",
    ])
    func `a secret on the command line is refused without repeating it, with its right place`(name: String) throws {
        for argument in ["\(name)=hunter2", " \(name) =hunter2"] {
            let error = try #require(throws: (any Error).self) {
                try KafkaOptions.parse(["-b", "h:1", "-X", argument])
            }
            let text = KafkaOptions.fullMessage(for: error)
            for part in [name, "--kafka-config", "INTENTS_KAFKA_CONFIG"] { #expect(text.contains(part), "\(text)") }
            #expect(!text.contains("hunter2"), "\(text)")
        }
    }

    @Test(arguments: ["sasl.username=me", "ssl.key.location=/k", "sasl.mechanisms=PLAIN"])
    func `what is no secret may be on the command line`(property: String) throws {
        #expect(try KafkaOptions.parse(["-X", property]).properties == [property])
    }

    @Test func `a secret of a file is used, and an error about the file does not repeat it`() throws {
        let file = try files.write("bootstrap.servers=h:1\nsasl.mechanisms=PLAIN\nsasl.password=hunter2")
        let options = try KafkaOptions.parse(["--kafka-config", file])
        #expect(try options.configuration().properties["sasl.password"] == "hunter2")
        let misspelt = try files.write("bootstrap.servers=h:1\nsasl.pasword=hunter2")
        let error = try #require(throws: (any Error).self) {
            try KafkaOptions.parse(["--kafka-config", misspelt]).configuration()
        }
        let text = KafkaOptions.fullMessage(for: error)
        #expect(text.contains("sasl.pasword") && !text.contains("hunter2"), "\(text)")
    }

    @Test(arguments: [(0o600, false), (0o400, false), (0o640, true), (0o604, true), (0o644, true)])
    func `a file with a secret that others can read is worth a warning`(mode: Int, warns: Bool) throws {
        let secret = try files.write("sasl.password=hunter2", mode: mode)
        let warning = try PropertiesFile(secret).warning
        #expect((warning != nil) == warns, "\(warning ?? "")")
        if let warning { #expect(warning.contains("chmod 600 \(secret)") && !warning.contains("hunter2")) }
        #expect(try PropertiesFile(files.write("linger.ms=5", mode: mode)).warning == nil)
    }

    @Test func `the combined program looks for certificates itself unless some are named`() {
        #expect(KafkaOptions.mustProbeCertificates(["security.protocol": "ssl"], [:]))
        #expect(!KafkaOptions.mustProbeCertificates(["ssl.ca.location": "/ca.pem"], [:]))
        #expect(!KafkaOptions.mustProbeCertificates(["ssl.ca.pem": "…"], [:]))
        #expect(!KafkaOptions.mustProbeCertificates([:], ["SSL_CERT_FILE": "/ca.pem"]))
    }

    @Test func `a copy of the file for other processes can be read by this user alone`() throws {
        let original = try files.write("bootstrap.servers=h:1\nsasl.password=hunter2", mode: 0o644)
        let copy = original + "-copy"
        let options = try KafkaOptions.parse(["--kafka-config", original, "-X", "linger.ms=5"])
        let arguments = try options.copyingPropertiesFile(to: copy).arguments(bootstrapServers: "h:1")
        #expect(arguments == ["--bootstrap-servers", "h:1", "-X", "linger.ms=5", "--kafka-config", copy])
        let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int
        #expect(try mode == 0o600 && PropertiesFile(copy).properties == PropertiesFile(original).properties)
        // An existing file at the path of the copy is not used.
        #expect(throws: (any Error).self) {
            try KafkaOptions.parse(["--kafka-config", original]).copyingPropertiesFile(to: copy)
        }
    }
}

/// The properties files of one test, removed with this object.
private final class PropertiesFiles {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "intents-test-\(UUID().uuidString)")

    /// Writes a file, and returns its path.
    func write(_ text: String, mode: Int = 0o600) throws -> String {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "\(UUID().uuidString).properties")
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        return file.path
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
