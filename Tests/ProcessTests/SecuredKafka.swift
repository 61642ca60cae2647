import Foundation
import IntentEvents
import PipelineService
import RDKafkaLog
import RecordLog

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
    var encryptionKeys: URL?

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
    static func with(encryptionKeys: URL? = nil, _ body: (SecuredKafka) async throws -> Void) async throws {
        guard var kafka = SecuredKafka() else { throw TimedOut(description: "there is no secured Kafka") }
        kafka.encryptionKeys = encryptionKeys
        try await kafka.setACLs([])
        do {
            let created = try await kafka.intents("topic-admin", ["topics", "apply", "--partitions", "2"])
            guard created.status == 0 else { throw TimedOut(description: created.errors) }
            try await body(kafka)
        } catch {
            try await kafka.setACLs(["--remove"])
            throw error
        }
        try await kafka.setACLs(["--remove"])
    }

    private func setACLs(_ options: [String]) async throws {
        let script = try await Programs.run(
            "intents", ["acl", "print", "--topic-prefix", topics.prefix, "--principal-prefix", "intents-"] + options)
        let admin = folder.appendingPathComponent("admin.properties").path
        let ending = try await Programs.run(
            URL(fileURLWithPath: "/bin/sh"), ["-s", "--", "--bootstrap-server", servers, "--command-config", admin],
            input: script.output,
            timeout: 300)
        guard script.status == 0, ending.status == 0 else {
            throw TimedOut(description: "the ACLs were not set: \(ending.errors)")
        }
    }

    /// The options that connect a program with the credentials of a role.
    func options(_ role: String) -> [String] {
        ["-b", servers, "--kafka-config", file(role).path, "--topic-prefix", topics.prefix]
            + (encryptionKeys.map { ["--encryption-key-file", $0.path] } ?? [])
    }

    /// Runs the tool with the credentials of a role.
    func intents(_ role: String, _ arguments: [String], input: String = "") async throws -> Programs.Ending {
        try await Programs.run("intents", arguments + options(role), input: input)
    }

    /// A log with the credentials of a role.
    func log(_ role: String) throws -> KafkaLog {
        let properties = try KafkaConfiguration.properties(parsing: try String(contentsOf: file(role), encoding: .utf8))
        return KafkaLog(KafkaConfiguration(bootstrapServers: servers, properties: properties) { _, _, _ in })
    }

    private func file(_ role: String) -> URL { folder.appendingPathComponent("\(role).properties") }
}

/// Waits for a condition that needs a request or a program to check.
func until(_ what: String, _ condition: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now.advanced(by: .seconds(60))
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw TimedOut(description: "not within 60 s: \(what)") }
    }
}
