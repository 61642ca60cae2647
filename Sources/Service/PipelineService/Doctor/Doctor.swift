package import Conversation
package import IntentEvents
package import RDKafkaLog
package import RecordLog

/// Diagnoses a pipeline in one of its roles, and says what is wrong and what to do. A diagnosis changes nothing: it
/// joins no group and writes no record.
package struct Doctor {
    package var log: any LogCluster
    package var topics: Topics
    package var role: AccessRole
    /// The service of workers; `nil` for the default service.
    package var service: String?
    package var encryption: ClientEncryption?
    /// The properties of the clients. Some faults of librdkafka depend on them.
    package var properties: [String: String] = [:]
    package var library: RDKafkaVersion
    /// The time limit of one answer of the brokers.
    package var patience: Duration
    /// The time limit of watching processes that seem to make no progress: a live one renews its lease meanwhile.
    package var watching: Duration = .seconds(6)
    package var now: @Sendable () -> Instant

    package init(
        log: any LogCluster, topics: Topics, role: AccessRole, service: String? = nil,
        encryption: ClientEncryption? = nil, library: RDKafkaVersion = .current, patience: Duration = .seconds(10),
        now: @escaping @Sendable () -> Instant = { .now }
    ) {
        self.log = log
        self.topics = topics
        self.role = role
        self.service = service
        self.encryption = encryption
        self.library = library
        self.patience = patience
        self.now = now
    }

    /// The names of all checks except those of groups, in order. Each is reported in every run: once, or once for each
    /// fault that keeps requests from making progress.
    package static let checks = [
        "librdkafka", "brokers", "broker version", "leaders", "topics", "partitions", "settings", "reading",
        "transactions", "writing", "own group", "coordinators", "workers", "processes", "clocks", "journal", "clock",
        "dead letters",
    ]

    /// Runs all checks.
    ///
    /// - Parameter report: Called with each result as soon as it is known.
    /// - Returns: `true` if no check has failed.
    package func examine(_ report: (Diagnosis) -> Void) async -> Bool {
        var isFine = true
        func record(_ diagnosis: Diagnosis) {
            if diagnosis.status == .failed { isFine = false }
            report(diagnosis)
        }
        record(LibraryFault.diagnosis(library, properties))
        let existing: [TopicDescription]
        do {
            existing = try await log.topics()
            record(Diagnosis("brokers", .ok, "reachable"))
        } catch {
            record(Diagnosis("brokers", .failed, error.message, advice: Self.connectionAdvice(error)))
            for check in Self.checks.dropFirst(2) { record(Diagnosis(check, .skipped, "no broker can be asked")) }
            return false
        }
        record(
            Diagnosis(
                "broker version", .skipped,
                "librdkafka does not tell it: Apache Kafka 2.5 or newer, or a compatible broker, is needed"))
        examineLeaders(existing, record)
        let partitions = await examineTopics(existing, record)
        await examineRights(partitions, record)
        guard let partitions else {
            for check in Self.checksOfProcesses + ["journal", "clock", "dead letters"] {
                record(Diagnosis(check, .skipped, "the topics have to be right first"))
            }
            return isFine
        }
        await examineGroups(partitions, record)
        await examineProcesses(record)
        await examineJournal(partitions, record)
        examineClock(partitions, record)
        examineDeadLetters(partitions, record)
        return isFine
    }

    /// The command that prints the rights of the role.
    var rights: String {
        "\(PipelineProgram.tool) acl print --role \(role.rawValue)\(topics.option)\(service.map { " --service \($0)" } ?? "")"
    }

    var access: RoleAccess { role.access(topics, service: service) }

    /// Returns the diagnosis of a check that needs to read a topic which the role may not read.
    ///
    /// - Returns: `nil` if the role may read the topic.
    func refusal(_ check: String, of topic: String) -> Diagnosis? {
        if access.reads.contains(topic) { return nil }
        let able = AccessRole.allCases.filter { $0.access(topics).reads.contains(topic) }.map(\.rawValue)
        return Diagnosis(
            check, .skipped, "the \(role.rawValue) may not read \(topic): ask as \(able.joined(separator: " or "))")
    }

    /// Returns the diagnosis of a check that failed with an error.
    func problem(_ check: String, _ error: LogError) -> Diagnosis {
        switch error.code {
        case .unsupported: Diagnosis(check, .skipped, error.message)
        case .unauthorized:
            Diagnosis(
                check, .failed, error.message, advice: "'\(rights)' prints the rights that the \(role.rawValue) needs")
        default:
            Diagnosis(
                check, .failed, error.message, advice: "ask again; if it stays, look into the logs of the brokers")
        }
    }

    private static func connectionAdvice(_ error: LogError) -> String {
        switch error.code {
        case .unauthorized:
            "check the credentials and certificates in the file of --kafka-config, and that its security.protocol is the listener's"
        case .invalidConfiguration: "correct the settings of the connection: -X and the file of --kafka-config"
        case .unsupported: "install another librdkafka"
        default:
            "check --bootstrap-servers, the network, whether the listener needs another security.protocol (in the file of --kafka-config), and whether the brokers' advertised.listeners can be reached from here"
        }
    }
}
