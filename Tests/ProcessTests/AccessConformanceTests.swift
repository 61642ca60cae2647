import AsyncHTTPClient
import Conversation
import Foundation
import IntentEvents
import IntentModel
import NIOCore
import NIOHTTP1
import PipelineService
import RDKafkaLog
import RecordLog
import Testing

/// Runs on a Kafka with authentication and ACLs: see ``SecuredKafka``.
@Suite("Rights of roles", .tags(.processes, .slow), .serialized, .timeLimit(.minutes(10)), SecuredKafka.needed)
struct AccessConformanceTests {
    /// The rights of a role, declared independently of the program. The printed ACLs must equal this table.
    private struct Row {
        var reads: [String]
        var writes: [String]
        var groups: [String]

        init(reads: String = "", writes: String = "", groups: String = "") {
            func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
            (self.reads, self.writes, self.groups) = (words(reads), words(writes), words(groups))
        }
    }

    private static let work = "resolve confirm handle resolve-in-app confirm-in-app handle-in-app"
    private static let all =
        "requests answers results \(work) outcomes sessions catalog memory memory-changes keys dead-letters"
    private static let table: [String: Row] = [
        "coordinator": Row(
            reads: "requests answers outcomes sessions keys results catalog memory memory-changes",
            writes: "sessions memory memory-changes keys \(work) results catalog dead-letters",
            groups: "coordinator memory"), "callback": Row(writes: "outcomes"),
        "producer": Row(reads: "catalog", writes: "requests"),
        "agent": Row(reads: "results keys catalog", writes: "requests"),
        "person": Row(reads: "results keys catalog", writes: "requests answers"),
        "console": Row(
            reads: "results keys catalog requests answers dead-letters", writes: "requests answers dead-letters"),
        "observer": Row(reads: "results keys catalog"),
        "operator": Row(reads: all, writes: "requests answers keys dead-letters"), "topic-admin": Row(),
    ].merging(
        SecuredKafka.workers.map { role, topic in
            (role, Row(reads: "\(topic) keys catalog", writes: "outcomes catalog dead-letters", groups: role))
        }
    ) { $1 }

    @Test(arguments: [false, true])
    func `each role does its work with only its own rights, in plain and encrypted`(isEncrypted: Bool) async throws {
        let keys = try Scratch.encryptionKeys()
        try await SecuredKafka.with(encryptionKeys: isEncrypted ? keys : nil) { kafka in
            let processes = try kafka.startPipeline(["resolver", "confirmer", "handler", "app-handler"])
            defer { for process in processes { process.end() } }
            for process in processes {
                try? await eventually("\(process.name) serves both partitions", within: 90) {
                    process.output.contains(#""partitions":[0, 1]"#) || !process.isRunning
                }
                let log = "\(process.name): \(process.output)\(process.errors)"
                try #require(process.output.contains(#""partitions":[0, 1]"#), "\(log)")
                #expect(!process.errors.contains("settings of the topics were not checked"), "\(log)")
            }

            let ride = "RequestRide -p dropOff=Heuston -p ride=Comfort"
            try await kafka.intents("person", "chat --session s1 \(ride)", input: "y\n")
            func shown(_ session: String, as role: String) async throws -> [JSONView] {
                let options = "--from-beginning --exit-at-end --output json"
                return try await kafka.intents(role, "watch --session \(session) \(options)").json
            }
            func has(_ type: String, _ session: String, as role: String) async throws -> Bool {
                try await shown(session, as: role).contains { $0["type"]?.string == type }
            }
            #expect(try await shown("s1", as: "observer").last?["type"]?.string == "intent.completed.v1")
            // Producers and agents may ask. They may not agree for the person, although they know the prompt.
            for (role, session) in [("producer", "s2"), ("agent", "s3")] {
                let reader = role == "agent" ? role : "observer"
                try await kafka.intents(role, "send --session \(session) \(ride)")
                try await eventually("the person is asked") { try await has("prompt.issued.v1", session, as: reader) }
                let prompts = try await shown(session, as: reader).compactMap {
                    $0["data"]?["prompt"]?.string ?? $0["prompt"]?.string
                }
                let yes = SessionEvent.answered(Answer(prompt: Identifier(try #require(prompts.last)), action: .accept))
                try await kafka.probe(role).write(yes, session: Identifier(session), id: "agreed", kafka.topics)
                try await eventually("the \(role) is refused") {
                    try await has("request.rejected.v1", session, as: reader)
                }
                #expect(try await !has("intent.completed.v1", session, as: reader))
                let answered = try await kafka.intents(role, "reply --session \(session) --yes", exits: nil)
                #expect(answered.status != 0, "\(role) writes answers: \(answered.output)")
                try await kafka.intents("person", "reply --session \(session) --yes")
                try await eventually("the request is completed") {
                    try await has("intent.completed.v1", session, as: reader)
                }
            }

            // The work of the operator and of the topic administrator.
            #expect(try await kafka.intents("operator", "session list --output json").json.count == 3)
            try await kafka.intents("operator", "session end s2")
            let purged = try await kafka.intents("operator", "session purge s1 --output json")
            #expect((purged.json.last?["destroyedKeys"]?.int == 1) == isEncrypted, "\(purged.all)")
            try await kafka.intents("operator", "journal check")
            #expect(try await kafka.probe("agent").mayWrite(kafka.topics.requests))
            try await eventually("what can't be read is a dead letter") {
                try await !kafka.intents("operator", "dead-letters list").output.isEmpty
            }
            try await kafka.intents("operator", "dead-letters drop --all")
            let listed = try await kafka.intents("topic-admin", "topics list")
            #expect(listed.errors.isEmpty, "\(listed.errors)")
            for process in processes { #expect(process.isRunning, "\(process.name): \(process.errors)") }
        }
    }

    @Test func `with the resolver's credential alone, no order of records handles anything`() async throws {
        try await SecuredKafka.with { kafka in
            let processes = try kafka.startPipeline([])
            defer { for process in processes { process.end() } }
            try await eventually("the coordinator serves both partitions") {
                processes[0].output.contains(#""partitions":[0, 1]"#)
            }
            let probe = try kafka.probe("resolver")
            let orders: [[Phase]] = [
                [.handle], [.confirm, .handle], [.handle, .confirm, .handle], [.resolve, .handle],
                [.resolve, .confirm, .handle], [.confirm, .resolve, .confirm, .handle],
            ]
            for (number, order) in orders.enumerated() {
                let session = Identifier("s\(number)")
                try await kafka.intents("person", "send Ride --session \(session)")
                let (item, partition) = try await found("the work is dispatched") {
                    try await probe.work(kafka.topics.resolve, session: session)
                }
                var step = item.step
                for phase in order {
                    try await probe.report(phase, of: item, step: step, session: session, partition, kafka.topics)
                    // Only an outcome of `resolve` is accepted, and the next step follows.
                    if phase == .resolve { step += 1 }
                }
            }
            // Only outcomes of the resolver's own phase are accepted.
            let refused = orders.reduce(0) { $0 + $1.count { $0 != .resolve } }
            let operatorProbe = try kafka.probe("operator")
            try await eventually("the others are dead letters") {
                try await operatorProbe.records(kafka.topics.deadLetters).count == refused
            }
            #expect(try await operatorProbe.records(kafka.topics.handle).isEmpty)
            let watched = try await kafka.intents(
                "observer", "watch --from-beginning --exit-at-end --output json", exits: nil)
            #expect(!watched.json.contains { $0["type"]?.string == "intent.completed.v1" }, "\(watched.output)")
        }
    }

    @Test func `refused credentials are reported as such, and not as a broker that is down`() async throws {
        var configuration = try #require(SecuredKafka()).log("operator").configuration
        configuration.properties["sasl.password"] = "wrong"
        configuration.requestTimeout = .seconds(3)
        let log = KafkaLog(configuration)
        let error = await #expect(throws: LogError.self) { try await log.topics() }
        #expect(error?.code == .unauthorized && error?.disposition == .retry, "\(error!)")
    }

    @Test func `only the console and the operator may describe the groups of other roles`() async throws {
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
                    } catch let error as LogError where error.code == .unauthorized { isAllowed = false }
                    let isOwn = access.group == group || access.otherGroups.contains(group)
                    #expect(isAllowed == (isOwn || [.console, .operator].contains(role)), "\(role) describes \(group)")
                }
            }
        }
    }

    @Test func `the broker refuses each step beyond a role's rights`() async throws {
        try await SecuredKafka.with { kafka in
            #expect(Set(Self.table.keys) == Set(SecuredKafka.roles))
            for (role, row) in Self.table.sorted(by: { $0.key < $1.key }) {
                let probe = try kafka.probe(role)
                for name in Row(reads: Self.all).reads {
                    let topic = "\(kafka.topics.prefix).\(name)"
                    #expect(try await probe.mayWrite(topic) == row.writes.contains(name), "\(role) writes \(name)")
                    #expect(try await probe.mayRead(topic) == row.reads.contains(name), "\(role) reads \(name)")
                }
                for group in ["coordinator", "memory"] + SecuredKafka.workers.keys {
                    let topic = "\(kafka.topics.prefix).\(row.reads.first ?? "results")"
                    let isAllowed = try await probe.mayJoin("\(kafka.topics.prefix).\(group)", topic)
                    #expect(isAllowed == row.groups.contains(group), "\(role) joins \(group)")
                }
                #expect(try await !probe.mayCreate("\(kafka.topics.prefix).another"), "\(role) creates a topic")
            }
        }
    }
}

/// Runs on a Kafka with authentication and ACLs: see ``SecuredKafka``.
@Suite("Rights of consoles", .tags(.processes, .slow), .serialized, .timeLimit(.minutes(10)), SecuredKafka.needed)
struct ConsoleAccessTests {
    @Test func `the role 'console' can watch, request, answer, and resolve dead letters`() async throws {
        try await Self.withConsole(as: "console") { kafka, console in
            try await Self.ride("c1", console)
            #expect(try await kafka.probe("agent").mayWrite(kafka.topics.requests))
            let position = try await found("what can't be read is shown as a dead letter") {
                try await console.get("inbox")["deadLetters"]?.elements.first?["position"]?.string
            }
            let replayed = try await console.post("dead-letters/\(position)/replay", "{}")
            #expect(replayed == 400, "it can't be read today either")
            #expect(try await console.post("dead-letters/\(position)/drop", "{}") == 202)
            try await eventually("nothing is left to deal with") {
                try await console.get("overview")["deadLetters"]?.int == 0
            }
        }
    }

    @Test func `the role 'person' runs a console with --results-only, which has no dead letters`() async throws {
        try await Self.withConsole(as: "person", "--results-only") { kafka, console in
            try await Self.ride("p1", console)
            #expect(try await kafka.probe("agent").mayWrite(kafka.topics.requests))
            let letters = try kafka.probe("operator")
            let letter = try await found("there is a dead letter") {
                try await letters.records(kafka.topics.deadLetters).first
            }
            // A reader that was refused once is refused again.
            for _ in 0..<2 {
                #expect(try await console.post("dead-letters/\(letter.partition):\(letter.offset)/drop", "{}") == 403)
            }
            #expect(try await console.get("inbox")["deadLetters"]?.elements.isEmpty == true)
        }
    }

    /// Asks for a ride and agrees to it, as the page does.
    private static func ride(_ session: String, _ console: ConsoleCalls) async throws {
        let ride = #""intent":"RequestRide","parameters":{"dropOff":"Heuston","ride":"Comfort"}"#
        #expect(try await console.post("requests", #"{"session":"\#(session)",\#(ride)}"#) == 202)
        let prompt = try await found("the person is asked") {
            try await console.get("sessions/\(session)")["prompt"]?["prompt"]?.string
        }
        let answer = #"{"prompt":"\#(prompt)","action":"accept"}"#
        #expect(try await console.post("sessions/\(session)/answers", answer) == 202)
        try await eventually("the ride is ordered") {
            try await console.get("sessions/\(session)")["requests"]?.elements.first?["status"]?.string == "success"
        }
        let overview = try await console.get("overview")
        #expect(overview["completions"]?["success"]?.int == 1, "\(overview.json)")
    }

    /// Calls `body` with a console that has the rights of a role. The pipeline's coordinators run with
    /// `--trust separate`.
    private static func withConsole(
        as role: String, _ options: String = "", _ body: (SecuredKafka, ConsoleCalls) async throws -> Void
    ) async throws {
        try await SecuredKafka.with { kafka in
            let console = try kafka.start("intents-console --listen 127.0.0.1:0 \(options)", as: role)
            let processes = try kafka.startPipeline(["resolver", "confirmer", "handler"]) + [console]
            defer { for process in processes { process.end() } }
            try await eventually("the console tells its address") {
                console.value("console") != nil || !console.isRunning
            }
            let calls = ConsoleCalls(url: try #require(console.value("console"), "\(console.errors)"))
            try await eventually("the console serves") { try await calls.get("overview")["topics"] != nil }
            try await body(kafka, calls)
            for process in processes { #expect(process.isRunning, "\(process.name): \(process.errors)") }
            #expect(!console.errors.contains("AUTHORIZATION_FAILED"), "\(console.errors)")
        }
    }
}

private struct ConsoleCalls {
    let url: String

    func get(_ path: String) async throws -> JSONView {
        let request = HTTPClientRequest(url: "\(url)/api/v1/\(path)")
        let body = try await HTTPClient.shared.execute(request, timeout: .seconds(30)).body
        return try JSONView(parsing: Array(try await body.collect(upTo: 1 << 22).readableBytesView), limits: .journal)
    }

    func post(_ path: String, _ body: String) async throws -> Int {
        var request = HTTPClientRequest(url: "\(url)/api/v1/\(path)")
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(string: body))
        return Int(try await HTTPClient.shared.execute(request, timeout: .seconds(30)).status.code)
    }
}
