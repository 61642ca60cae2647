import Conversation
import Foundation
import IntentEvents
import IntentModel
import PipelineService
import RDKafkaLog
import RecordLog
import Testing

/// Tries the rights of a role's credentials, as a program outside of this package would.
struct AccessProbe {
    let log: KafkaLog

    /// Returns `true` if the broker accepts a record. The record is unreadable for the pipeline.
    func mayWrite(_ topic: String) async throws -> Bool {
        try await write(Record(topic: topic, partition: 0, key: Array("s".utf8), value: Array("not JSON".utf8)))
    }

    private func write(_ record: Record) async throws -> Bool {
        try await attempt(ClientConfiguration(clientID: "probe"), { try $0.send(record, token: 1) }) { event in
            // A client without any right to write gets no producer id, which ends the producer: the record is dropped,
            // and the reason follows.
            guard case .delivered(let delivery) = event, delivery.error?.code != .closed else { return nil }
            return (delivery.error == nil, delivery.error)
        }
    }

    /// Returns `true` if the broker lets the client read the topic.
    func mayRead(_ topic: String) async throws -> Bool {
        try await attempt(reader(), { try $0.read(TopicPartition(topic, 0), from: .beginning) }) { event in
            switch event {
            case .read, .readEnd: (true, nil)
            default: nil
            }
        }
    }

    /// Returns `true` if the broker accepts a member of the group that reads this topic.
    func mayJoin(_ group: String, _ topic: String) async throws -> Bool {
        try await attempt(reader(in: (group, [topic])), { _ in }) { event in
            if case .assigned = event { (true, nil) } else { nil }
        }
    }

    func mayCreate(_ topic: String) async throws -> Bool {
        do {
            try await log.createTopics([TopicSpecification(name: topic, partitions: 1)])
            return true
        } catch {
            guard error.isRefusal else { throw error }
            return false
        }
    }

    func write(_ event: SessionEvent, session: Identifier, id: Identifier, _ topics: Topics) async throws {
        var encoder = EventEncoder(source: "/probe")
        guard let record = encoder.record(event, session: session, id: id, topics: topics, at: .now) else { return }
        _ = try await write(record)
    }

    /// Reports an outcome of a phase with the ticket of this work.
    func report(_ phase: Phase, of work: WorkItem, step: Int, session: Identifier, _ partition: Int32, _ topics: Topics)
        async throws
    {
        let response = IntentResponse(phase == .confirm ? .ready : .success)
        let end = Outcome.Content.finished(phase == .resolve ? .resolved([]) : .responded(response, confirmation: nil))
        let outcome = Outcome(request: work.request, step: step, phase: phase, content: end, ticket: work.ticket)
        var encoder = EventEncoder(source: "/probe")
        _ = try await write(encoder.record(outcome, session: session, topics: topics, partition: partition, at: .now))
    }

    /// The first work item of a session, and the partition of the work item.
    func work(_ topic: String, session: Identifier) async throws -> (item: WorkItem, partition: Int32)? {
        for record in try await records(topic) {
            if let event = try? WorkEvent(record), event.session == session, let item = event.work.item {
                return (item, record.partition)
            }
        }
        return nil
    }

    /// All records of a topic with two partitions.
    func records(_ topic: String) async throws -> [ConsumedRecord] {
        var records: [ConsumedRecord] = []
        for partition in 0..<Int32(2) {
            _ = try await attempt(reader(), { try $0.read(TopicPartition(topic, partition), from: .beginning) }) {
                event in
                switch event {
                case .read(let record):
                    records.append(record)
                    return nil
                case .readEnd: return (true, nil)
                default: return nil
                }
            }
        }
        return records
    }

    private func reader(in group: (String, [String])? = nil) -> ClientConfiguration {
        var configuration = ClientConfiguration(clientID: "probe", group: group)
        configuration.isReadOnly = true
        return configuration
    }

    /// Begins an operation with a new client, and polls until the broker has allowed or refused the operation.
    private func attempt(
        _ configuration: ClientConfiguration, _ begin: (any LogClient) throws -> Void,
        _ outcome: (LogEvent) -> (Bool, LogError?)?
    ) async throws -> Bool {
        let client = try log.connect(configuration)
        defer { try? client.close(timeout: .seconds(5)) }
        try begin(client)
        return try await found("the broker says whether that is allowed", within: 180) {
            var isAllowed: Bool?
            do {
                for event in try client.poll(maximum: 100, timeout: .milliseconds(50)) {
                    if case .failed(let error) = event, error.isRefusal { isAllowed = false }
                    guard let (allowed, error) = outcome(event) else { continue }
                    if let error, !error.isRefusal { throw error }
                    isAllowed = isAllowed ?? allowed
                }
            } catch let error as LogError where error.isRefusal { return false }
            return isAllowed
        }
    }
}

extension LogError {
    /// `true` if the broker refuses the operation for lack of rights. A producer that has ended for this reason has an
    /// error that says so only in its message.
    fileprivate var isRefusal: Bool {
        code == .unauthorized || disposition == .fatal && message.contains("authorization failed")
    }
}

/// A client of a test's broker that reads and writes whole records.
final class RawLog {
    private let client: any LogClient
    private var tokens: UInt64 = 0

    init(_ servers: String) throws {
        client = try KafkaLog(KafkaConfiguration(bootstrapServers: servers) { _, _, _ in })
            .connect(ClientConfiguration(clientID: "test"))
    }

    func records(_ topic: String, partitions: Int32 = 4) async throws -> [ConsumedRecord] {
        var records: [ConsumedRecord] = []
        for partition in (0..<partitions).map({ TopicPartition(topic, $0) }) {
            let end = try client.range(of: partition).upperBound
            try client.read(partition, from: .beginning)
            var next: Int64 = 0
            try await eventually("\(partition) is read") {
                for event in try client.poll(maximum: 1_000, timeout: .milliseconds(50)) {
                    if case .read(let record) = event, record.topicPartition == partition {
                        records.append(record)
                        next = record.offset + 1
                    } else if case .readEnd(partition, let reached) = event {
                        next = reached
                    }
                }
                return next >= end
            }
            try client.stopReading(partition)
        }
        return records
    }

    /// Writes a record, and waits for its acknowledgement.
    func write(_ record: Record) async throws -> Delivery {
        tokens += 1
        try client.send(record, token: tokens)
        return try await found("\(record.topic) has acknowledged a record") {
            for event in try client.poll(maximum: 1_000, timeout: .milliseconds(50)) {
                if case .delivered(let delivery) = event, delivery.token == tokens { return delivery }
            }
            return nil
        }
    }

    func close() { try? client.close(timeout: .seconds(5)) }
}

/// A Kafka with authentication and ACLs, and topics of a new prefix on it.
///
/// `KAFKA_SASL_BOOTSTRAP_SERVERS` is its address. The folder `KAFKA_SASL_FOLDER` has `ROLE.properties` for each role,
/// with librdkafka's properties of a user `intents-ROLE`, and `admin.properties` for `kafka-acls.sh`, with the
/// properties of a superuser. `KAFKA_ACLS` names `kafka-acls.sh` if it is not in the `PATH`.
struct SecuredKafka {
    let servers: String
    let folder: URL
    let topics = Topics(prefix: "acl-\(UUID().uuidString.prefix(8).lowercased())")

    /// The key file with which programs encrypt; `nil` if they don't encrypt.
    var encryptionKeys: String?

    static let needed: ConditionTrait = .enabled(
        if: SecuredKafka() != nil, "KAFKA_SASL_BOOTSTRAP_SERVERS and KAFKA_SASL_FOLDER name no Kafka with ACLs")
    /// The names of all roles. A role that the tests don't know fails them.
    static let roles = AccessRole.allCases.map(\.rawValue)

    init?() {
        let environment = ProcessInfo.processInfo.environment
        guard let servers = environment["KAFKA_SASL_BOOTSTRAP_SERVERS"], let folder = environment["KAFKA_SASL_FOLDER"]
        else { return nil }
        (self.servers, self.folder) = (servers, URL(fileURLWithPath: folder))
    }

    /// Calls `body` with created topics and the ACLs that `intents acl print` prints. The ACLs are removed at the end,
    /// and the topics stay.
    static func with(encryptionKeys: String? = nil, _ body: (SecuredKafka) async throws -> Void) async throws {
        guard var kafka = SecuredKafka() else { throw TimedOut(description: "there is no secured Kafka") }
        kafka.encryptionKeys = encryptionKeys
        try await kafka.setACLs()
        do {
            try await kafka.intents("topic-admin", "topics apply --partitions 2")
            try await body(kafka)
        } catch {
            try await kafka.setACLs("--remove")
            throw error
        }
        try await kafka.setACLs("--remove")
    }

    private func setACLs(_ options: String = "") async throws {
        let print = "intents acl print --topic-prefix \(topics.prefix) --principal-prefix intents- \(options)"
        let admin = folder.appendingPathComponent("admin.properties").path
        try await Programs.run(
            "/bin/sh -s --", ["--bootstrap-server", servers, "--command-config", admin],
            input: Programs.run(print).output, within: 300)
    }

    /// The options that connect a program with the credentials of a role.
    func options(_ role: String) -> [String] {
        ["-b", servers, "--kafka-config", file(role).path, "--topic-prefix", topics.prefix]
            + (encryptionKeys.map { ["--encryption-key-file", $0] } ?? [])
    }

    /// Starts a program with the credentials of a role. The program ends with the tests.
    func start(_ command: String, as role: String) throws -> RunningProgram {
        try RunningProgram(command, options(role), stopsWithInput: true)
    }

    static let workers = [
        "resolver": "resolve", "confirmer": "confirm", "handler": "handle", "app-resolver": "resolve-in-app",
        "app-confirmer": "confirm-in-app", "app-handler": "handle-in-app",
    ]

    /// Starts the coordinator, and workers with the credentials of roles.
    func startPipeline(_ roles: [String]) throws -> [RunningProgram] {
        let coordinator = try start("intent-coordinator --trust separate --open-handoffs", as: "coordinator")
        return try [coordinator] + roles.map { try start("sample-worker --phase \(Self.workers[$0] ?? "")", as: $0) }
    }

    /// Runs the tool with the credentials of a role, and expects its exit status.
    @discardableResult
    func intents(
        _ role: String, _ command: String, input: String = "", exits expected: Int32? = 0,
        at place: SourceLocation = #_sourceLocation
    ) async throws -> Programs.Ending {
        try await Programs.run("intents \(command)", options(role), input: input, exits: expected, at: place)
    }

    func log(_ role: String) throws -> KafkaLog {
        let properties = try KafkaConfiguration.properties(parsing: try String(contentsOf: file(role), encoding: .utf8))
        return KafkaLog(KafkaConfiguration(bootstrapServers: servers, properties: properties) { _, _, _ in })
    }

    func probe(_ role: String) throws -> AccessProbe { AccessProbe(log: try log(role)) }

    private func file(_ role: String) -> URL { folder.appendingPathComponent("\(role).properties") }
}
