import Foundation
import IntentEvents
import PipelineService
import RDKafkaLog
import RecordLog
import Testing

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

    static var isThere: Bool { SecuredKafka() != nil }
    /// The names of all roles. A role that the tests don't know fails them.
    static let roles = AccessRole.allCases.map(\.rawValue)

    init?() {
        let environment = ProcessInfo.processInfo.environment
        guard let servers = environment["KAFKA_SASL_BOOTSTRAP_SERVERS"], let folder = environment["KAFKA_SASL_FOLDER"]
        else { return nil }
        self.servers = servers
        self.folder = URL(fileURLWithPath: folder)
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

    /// Starts the coordinator, and workers with the credentials of roles and their phases.
    func startPipeline(_ workers: KeyValuePairs<String, String>) throws -> [RunningProgram] {
        let coordinator = try start("intent-coordinator --trust separate --open-handoffs", as: "coordinator")
        return try [coordinator] + workers.map { try start("sample-worker --phase \($0.value)", as: $0.key) }
    }

    /// Runs the tool with the credentials of a role, and expects its exit status.
    @discardableResult
    func intents(
        _ role: String, _ command: String, input: String = "", exits expected: Int32? = 0,
        at place: SourceLocation = #_sourceLocation
    ) async throws -> Programs.Ending {
        try await Programs.run("intents \(command)", options(role), input: input, exits: expected, at: place)
    }

    /// A log with the credentials of a role.
    func log(_ role: String) throws -> KafkaLog {
        let properties = try KafkaConfiguration.properties(parsing: try String(contentsOf: file(role), encoding: .utf8))
        return KafkaLog(KafkaConfiguration(bootstrapServers: servers, properties: properties) { _, _, _ in })
    }

    func probe(_ role: String) throws -> AccessProbe { AccessProbe(log: try log(role)) }

    private func file(_ role: String) -> URL { folder.appendingPathComponent("\(role).properties") }
}
