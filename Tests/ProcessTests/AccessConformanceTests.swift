import Conversation
import Foundation
import IntentEvents
import IntentModel
import PipelineService
import RDKafkaLog
import RecordLog
import Testing

/// Runs on a Kafka with authentication and ACLs: see ``SecuredKafka``.
@Suite(
    "Roles with their own rights alone", .tags(.processes, .slow), .serialized, .timeLimit(.minutes(10)),
    .enabled(if: SecuredKafka.isThere, "KAFKA_SASL_BOOTSTRAP_SERVERS and KAFKA_SASL_FOLDER name no Kafka with ACLs"))
struct AccessConformanceTests {
    /// The rights of a role, declared independently of the program. The printed ACLs must equal this table.
    private struct Row {
        var reads: [String] = []
        var writes: [String] = []
        var group: String?
        /// Further consumer groups of the role.
        var otherGroups: [String] = []
    }

    private static let all = [
        "requests", "answers", "results", "resolve", "confirm", "handle", "resolve-in-app", "confirm-in-app",
        "handle-in-app", "outcomes",
        "sessions", "catalog", "memory", "memory-changes", "keys", "dead-letters",
    ]
    private static let table = [
        "coordinator": Row(
            reads: [
                "requests", "answers", "outcomes", "sessions", "keys", "results", "catalog", "memory", "memory-changes",
            ],
            writes: [
                "sessions", "memory", "memory-changes", "keys", "resolve", "confirm", "handle", "resolve-in-app",
                "confirm-in-app",
                "handle-in-app", "results", "catalog", "dead-letters",
            ], group: "coordinator", otherGroups: ["memory"]),
        "resolver": Row(
            reads: ["resolve", "keys", "catalog"], writes: ["outcomes", "catalog", "dead-letters"], group: "resolver"),
        "confirmer": Row(
            reads: ["confirm", "keys", "catalog"], writes: ["outcomes", "catalog", "dead-letters"], group: "confirmer"),
        "handler": Row(
            reads: ["handle", "keys", "catalog"], writes: ["outcomes", "catalog", "dead-letters"], group: "handler"),
        "app-handler": Row(
            reads: ["handle-in-app", "keys", "catalog"], writes: ["outcomes", "catalog", "dead-letters"],
            group: "app-handler"),
        "app-resolver": Row(
            reads: ["resolve-in-app", "keys", "catalog"], writes: ["outcomes", "catalog", "dead-letters"],
            group: "app-resolver"),
        "app-confirmer": Row(
            reads: ["confirm-in-app", "keys", "catalog"], writes: ["outcomes", "catalog", "dead-letters"],
            group: "app-confirmer"),
        "callback": Row(writes: ["outcomes"]),
        "producer": Row(reads: ["catalog"], writes: ["requests"]),
        "agent": Row(reads: ["results", "keys", "catalog"], writes: ["requests"]),
        "person": Row(reads: ["results", "keys", "catalog"], writes: ["requests", "answers"]),
        "console": Row(
            reads: ["results", "keys", "catalog", "requests", "answers", "dead-letters"],
            writes: ["requests", "answers", "dead-letters"]),
        "observer": Row(reads: ["results", "keys", "catalog"]),
        "operator": Row(reads: all, writes: ["requests", "answers", "keys", "dead-letters"]),
        "topic-admin": Row(),
    ]

    @Test("each role does its work with only its own rights, in plain and encrypted", arguments: [false, true])
    func work(isEncrypted: Bool) async throws {
        let keys = try Programs.temporaryFile()
        defer { try? FileManager.default.removeItem(at: keys) }
        try Data(String(repeating: "0a", count: 32).utf8).write(to: keys)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keys.path)
        try await SecuredKafka.with(encryptionKeys: isEncrypted ? keys : nil) { kafka in
            var processes: [RoleProcess] = []
            defer { for process in processes { process.end() } }
            processes.append(try RoleProcess("intent-coordinator", Self.coordinator + kafka.options("coordinator")))
            for (role, phase) in [
                ("resolver", "resolve"), ("confirmer", "confirm"), ("handler", "handle"),
                ("app-handler", "handle-in-app"),
            ] {
                processes.append(try RoleProcess("sample-worker", ["--phase", phase] + kafka.options(role)))
            }
            for process in processes {
                try? await eventually("\(process.name) serves both partitions", within: 90) {
                    process.output.contains(#""partitions":[0, 1]"#) || !process.isRunning
                }
                try #require(
                    process.output.contains(#""partitions":[0, 1]"#),
                    "\(process.name): \(process.output)\(process.errors)")
                #expect(
                    !process.errors.contains("settings of the topics were not checked"),
                    "\(process.name): \(process.errors)")
            }

            let ride = ["RequestRide", "-p", "dropOff=Heuston", "-p", "ride=Comfort"]
            let talk = try await kafka.intents("person", ["chat", "--session", "s1"] + ride, input: "y\n")
            #expect(talk.status == 0, "\(talk.output)\(talk.errors)")
            func shown(_ session: String, as role: String) async throws -> [JSONView] {
                let watched = try await kafka.intents(
                    role, ["watch", "--session", session, "--from-beginning", "--exit-at-end", "--output", "json"])
                #expect(watched.status == 0, "\(role): \(watched.errors)")
                return watched.json
            }
            func results(_ session: String, as role: String) async throws -> [String] {
                try await shown(session, as: role).compactMap { $0["type"]?.string }
            }
            #expect(try await results("s1", as: "observer").last == "intent.completed.v1")
            // Producers and agents may ask. They may not agree for the person, although they know the prompt.
            for (role, session) in [("producer", "s2"), ("agent", "s3")] {
                let reader = role == "agent" ? role : "observer"
                let asked = try await kafka.intents(role, ["send", "--session", session] + ride)
                #expect(asked.status == 0, "\(asked.errors)")
                try await until("the person is asked") {
                    try await results(session, as: reader).contains("prompt.issued.v1")
                }
                let prompts = try await shown(session, as: reader).compactMap {
                    $0["data"]?["prompt"]?.string ?? $0["prompt"]?.string
                }
                let prompt = try #require(prompts.last)
                let probe = AccessProbe(log: try kafka.log(role))
                let agreement = SessionEvent.answered(Answer(prompt: Identifier(prompt), action: .accept))
                try await probe.write(agreement, session: Identifier(session), id: "agreed", kafka.topics)
                try await until("the \(role) is refused") {
                    try await results(session, as: reader).contains("request.rejected.v1")
                }
                #expect(try await !results(session, as: reader).contains("intent.completed.v1"))
                let answered = try await kafka.intents(role, ["reply", "--session", session, "--yes"])
                #expect(answered.status != 0, "\(role) writes answers: \(answered.output)")
                #expect(try await kafka.intents("person", ["reply", "--session", session, "--yes"]).status == 0)
                try await until("the request is completed") {
                    try await results(session, as: reader).contains("intent.completed.v1")
                }
            }

            // The work of the operator and of the topic administrator.
            let sessions = try await kafka.intents("operator", ["session", "list", "--output", "json"])
            #expect(sessions.status == 0 && sessions.json.count == 3, "\(sessions.output)\(sessions.errors)")
            #expect(try await kafka.intents("operator", ["session", "end", "s2"]).status == 0)
            let purged = try await kafka.intents("operator", ["session", "purge", "s1", "--output", "json"])
            #expect(
                purged.status == 0 && (purged.json.last?["destroyedKeys"]?.int == 1) == isEncrypted,
                "\(purged.output)\(purged.errors)")
            #expect(try await kafka.intents("operator", ["journal", "check"]).status == 0)
            #expect(try await AccessProbe(log: try kafka.log("agent")).mayWrite(kafka.topics.requests))
            try await until("what can't be read is a dead letter") {
                try await !kafka.intents("operator", ["dead-letters", "list"]).output.isEmpty
            }
            #expect(try await kafka.intents("operator", ["dead-letters", "drop", "--all"]).status == 0)
            let listed = try await kafka.intents("topic-admin", ["topics", "list"])
            #expect(listed.status == 0 && listed.errors.isEmpty, "\(listed.errors)")
            for process in processes { #expect(process.isRunning, "\(process.name): \(process.errors)") }
        }
    }

    @Test("with the resolver's credential alone, no order of records handles anything")
    func forged() async throws {
        try await SecuredKafka.with { kafka in
            let coordinator = try RoleProcess("intent-coordinator", Self.coordinator + kafka.options("coordinator"))
            defer { coordinator.end() }
            try await until("the coordinator serves both partitions") {
                coordinator.output.contains(#""partitions":[0, 1]"#)
            }
            let probe = AccessProbe(log: try kafka.log("resolver"))
            let orders: [[Phase]] = [
                [.handle], [.confirm, .handle], [.handle, .confirm, .handle], [.resolve, .handle],
                [.resolve, .confirm, .handle],
                [.confirm, .resolve, .confirm, .handle],
            ]
            for (number, order) in orders.enumerated() {
                let session = "s\(number)"
                let asked = try await kafka.intents("person", ["send", "Ride", "--session", session])
                #expect(asked.status == 0, "\(asked.errors)")
                var work: (item: WorkItem, partition: Int32)?
                try await until("the work is dispatched") {
                    work = try await probe.work(kafka.topics.resolve, session: Identifier(session))
                    return work != nil
                }
                let (item, partition) = try #require(work)
                var step = item.step
                for phase in order {
                    try await probe.report(
                        phase, of: item, step: step, session: Identifier(session), partition, kafka.topics)
                    // Only an outcome of `resolve` is accepted, and the next step follows.
                    if phase == .resolve { step += 1 }
                }
            }
            // Only outcomes of the resolver's own phase are accepted.
            let refused = orders.reduce(0) { $0 + $1.count { $0 != .resolve } }
            let operatorProbe = AccessProbe(log: try kafka.log("operator"))
            try await until("the others are dead letters") {
                try await operatorProbe.records(kafka.topics.deadLetters).count == refused
            }
            #expect(try await operatorProbe.records(kafka.topics.handle).isEmpty)
            let watched = try await kafka.intents(
                "observer", ["watch", "--from-beginning", "--exit-at-end", "--output", "json"])
            #expect(!watched.json.contains { $0["type"]?.string == "intent.completed.v1" }, "\(watched.output)")
        }
    }

    private static let coordinator = ["--trust", "separate", "--open-handoffs"]

    @Test("credentials that Kafka refuses are told as such, and not as a broker that is down")
    func wrongPassword() async throws {
        let kafka = try #require(SecuredKafka())
        var configuration = try kafka.log("operator").configuration
        configuration.properties["sasl.password"] = "wrong"
        configuration.requestTimeout = .seconds(3)
        let log = KafkaLog(configuration)
        let error = await #expect(throws: LogError.self) { try await log.topics() }
        #expect(error?.code == .unauthorized && error?.disposition == .retry, "\(error!)")
    }

    @Test("only those who look after a pipeline are told the members and offsets of its groups")
    func groups() async throws {
        try await SecuredKafka.with { kafka in
            for role in AccessRole.allCases {
                let access = role.access(kafka.topics)
                let log = try kafka.log(role.rawValue)
                for group in AccessRole.groups(kafka.topics, [nil]) {
                    let isAllowed: Bool
                    do {
                        _ = try await log.committed(by: group, [TopicPartition(kafka.topics.requests, 0)])
                        _ = try await log.members(of: group)
                        isAllowed = true
                    } catch let error as LogError where error.code == .unauthorized {
                        isAllowed = false
                    }
                    let isOwn = access.group == group || access.otherGroups.contains(group)
                    #expect(isAllowed == (isOwn || [.console, .operator].contains(role)), "\(role) describes \(group)")
                }
            }
        }
    }

    @Test("the broker refuses each step beyond a role's rights")
    func refusals() async throws {
        try await SecuredKafka.with { kafka in
            let groups = [
                "coordinator", "memory", "resolver", "confirmer", "handler", "app-resolver", "app-confirmer",
                "app-handler",
            ]
            #expect(Set(Self.table.keys) == Set(SecuredKafka.roles))
            for (role, row) in Self.table.sorted(by: { $0.key < $1.key }) {
                let probe = AccessProbe(log: try kafka.log(role))
                for name in Self.all {
                    let topic = "\(kafka.topics.prefix).\(name)"
                    #expect(try await probe.mayWrite(topic) == row.writes.contains(name), "\(role) writes \(name)")
                    #expect(try await probe.mayRead(topic) == row.reads.contains(name), "\(role) reads \(name)")
                }
                for group in groups {
                    let topic = "\(kafka.topics.prefix).\(row.reads.first ?? "results")"
                    let isAllowed = try await probe.mayJoin("\(kafka.topics.prefix).\(group)", topic)
                    #expect(
                        isAllowed == (row.group == group || row.otherGroups.contains(group)), "\(role) joins \(group)")
                }
                #expect(try await !probe.mayCreate("\(kafka.topics.prefix).another"), "\(role) creates a topic")
            }
        }
    }
}
