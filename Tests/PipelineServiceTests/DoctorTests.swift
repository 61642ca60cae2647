import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineService
import RDKafkaLog
import RecordLog
import Testing

@Suite("The doctor")
struct DoctorTests {
    private let topics = Topics(prefix: "home")
    private let now = Instant(milliseconds: 1_772_366_400_000)
    private let log: InMemoryLog

    init() {
        let time = now.milliseconds
        log = InMemoryLog { time }
    }

    private func examine(
        _ role: AccessRole = .operator, _ log: (any LogCluster)? = nil, patience: Duration = .seconds(5)
    ) async -> (found: [Diagnosis], isFine: Bool) {
        let now = now
        let doctor = Doctor(
            log: log ?? self.log, topics: topics, role: role, library: RDKafkaVersion(number: 0x02_0f_00_ff),
            patience: patience,
            now: { now })
        var found: [Diagnosis] = []
        let isFine = await doctor.examine { found.append($0) }
        return (found, isFine)
    }

    private func status(_ check: String, _ found: [Diagnosis]) -> Diagnosis.Status? {
        found.first { $0.check == check }?.status
    }

    private func write(_ records: [Record]) throws {
        let client = try log.connect(ClientConfiguration(clientID: "writer"))
        for record in records { try client.send(record, token: 0) }
        _ = try client.poll(maximum: 1_000, timeout: .zero)
        try client.close(timeout: .zero)
    }

    /// The record that an owner writes when it takes a partition over.
    private func fence(_ partition: Int32, epoch: Int = 1, number: Int = 1) -> Record {
        let stamp = JournalStamp(
            epoch: epoch, owner: "c-\(epoch)", number: number, requests: 0, outcomes: 0, settled: 0, results: 0)
        return JournalOutline(stamp: stamp, subject: .fence(epoch: epoch, owner: "c-\(epoch)"))
            .record(value: FenceTerms(partitions: 2).bytes, topic: topics.sessions, partition: partition, at: now)
    }

    /// Starts a pipeline of two partitions with a coordinator and a worker.
    private func run() async throws -> [any LogClient] {
        try await log.createTopics(topics.specifications(partitions: 2))
        var encoder = EventEncoder(source: "/test")
        try write([
            fence(0), fence(1),
            encoder.record(WorkerLease(instance: "w", intents: ["OrderTea"]), topics: topics, at: now),
        ])
        let groups = [
            ("home.coordinator", [topics.requests, topics.answers, topics.outcomes]),
            ("home.resolver", [topics.resolve]),
            ("home.confirmer", [topics.confirm]), ("home.handler", [topics.handle]),
            ("home.memory", [topics.memoryChanges]),
        ]
        return try groups.map { id, topics in
            try log.connect(ClientConfiguration(clientID: id, group: (id: id, topics: topics)))
        }
    }

    @Test("a running pipeline is fine, and each check is told once and in its order")
    func fine() async throws {
        let clients = try await run()
        defer { for client in clients { try? client.close(timeout: .zero) } }
        let (found, isFine) = await examine()
        #expect(isFine, "\(found.filter { $0.status == .failed })")
        let groups = [
            "group home.memory", "group home.coordinator", "group home.resolver", "group home.confirmer",
            "group home.handler",
        ]
        let own = try #require(Doctor.checks.firstIndex(of: "own group"))
        #expect(found.map(\.check) == Doctor.checks[...own] + groups + Doctor.checks[(own + 1)...])
        let skipped = found.filter { $0.status == .skipped }.map(\.check)
        #expect(skipped == ["broker version", "writing", "own group"])
        #expect(found.filter { $0.status == .warning }.isEmpty)
        #expect(found.first { $0.check == "coordinators" }?.message.contains("c-1 2") == true)
    }

    @Test("looking leaves no trace: nothing is written, and no partition moves")
    func trace() async throws {
        let clients = try await run()
        defer { for client in clients { try? client.close(timeout: .zero) } }
        func state() async throws -> [String] {
            var state: [String] = []
            let client = try log.connect(ClientConfiguration(clientID: "looker"))
            defer { try? client.close(timeout: .zero) }
            for topic in topics.all {
                for number in Int32(0)..<2 { state.append("\(try client.range(of: TopicPartition(topic, number)))") }
            }
            for name in ["coordinator", "memory", "resolver", "handler"] {
                state.append("\(try await log.members(of: "home.\(name)"))")
            }
            return state
        }
        let before = try await state()
        for role in AccessRole.allCases { _ = await examine(role) }
        #expect(try await state() == before)
    }

    @Test("without topics, it says which command creates them, and asks no more")
    func noTopics() async {
        let (found, isFine) = await examine()
        #expect(!isFine && status("topics", found) == .failed && status("journal", found) == .skipped)
        #expect(status("settings", found) == .skipped)
        #expect(found.first { $0.check == "topics" }?.advice?.contains("intents topics apply") == true)
        #expect(found.filter { $0.status == .failed }.map(\.check) == ["topics"])
    }

    @Test("topics with different numbers of partitions fail")
    func partitions() async throws {
        var specifications = topics.specifications(partitions: 2)
        specifications[3].partitions = 3
        try await log.createTopics(specifications)
        let (found, isFine) = await examine()
        #expect(!isFine && status("topics", found) == .ok && status("partitions", found) == .failed)
    }

    @Test("a setting that breaks the journal fails, and is named")
    func settings() async throws {
        var specifications = topics.specifications(partitions: 2)
        for index in specifications.indices where specifications[index].name == topics.sessions {
            specifications[index].configuration["cleanup.policy"] = "delete"
        }
        try await log.createTopics(specifications)
        let found = await examine().found.first { $0.check == "settings" }
        #expect(found?.status == .failed && found?.message.contains("cleanup.policy=compact") == true)
    }

    @Test("topics alone are no pipeline: coordinators and workers are missing, with what to start")
    func empty() async throws {
        try await log.createTopics(topics.specifications(partitions: 2))
        let (found, isFine) = await examine()
        #expect(!isFine && status("coordinators", found) == .failed && status("workers", found) == .failed)
        #expect(found.first { $0.check == "coordinators" }?.message.contains("partition 0, 1 of 2") == true)
        #expect(found.first { $0.check == "workers" }?.advice?.contains("sample-worker") == true)
        #expect(status("clock", found) == .skipped && status("dead letters", found) == .ok)
        // No pipeline works without a coordinator. Another process may do the work of the default service.
        #expect(status("group home.coordinator", found) == .failed && status("group home.resolver", found) == .warning)
    }

    @Test("records that nobody reads fail the group")
    func lag() async throws {
        try await log.createTopics(topics.specifications(partitions: 2))
        try write(
            (0..<3).map { Record(topic: topics.requests, partition: $0 % 2, key: [0x61], value: [0x31], headers: []) })
        let found = await examine().found.first { $0.check == "group home.coordinator" }
        #expect(found?.status == .failed && found?.message.contains("3 records wait") == true)
    }

    @Test("an open transaction whose last stable offset stands still fails, and the partition is named")
    func transaction() async throws {
        let clients = try await run()
        defer { for client in clients { try? client.close(timeout: .zero) } }
        let place = TopicPartition(topics.requests, 1)
        log.beginTransaction(in: place)
        try write([Record(topic: topics.requests, partition: 1, key: [0x61], value: [0x31], headers: [])])
        var found = await examine(patience: .milliseconds(200)).found.first { $0.check == "transactions" }
        #expect(
            found?.status == .failed
                && found?.message.contains("home.requests[1] from offset 0 on (1 offsets)") == true,
            "\(String(describing: found))")
        #expect(
            found?.advice?.contains("kafka-transactions.sh describe-producers --topic home.requests --partition 1")
                == true)
        log.endTransaction(in: place)
        found = await examine(patience: .milliseconds(200)).found.first { $0.check == "transactions" }
        #expect(found?.status == .ok)
    }

    @Test("a journal that has lost records fails, with the way to go on")
    func lostJournal() async throws {
        let clients = try await run()
        defer { for client in clients { try? client.close(timeout: .zero) } }
        let coordinator = try #require(clients.first)
        _ = try coordinator.poll(maximum: 10, timeout: .zero)
        try coordinator.assign([:], later: [])
        try coordinator.commit([
            TopicPartition(topics.requests, 1): CommittedOffset(offset: 7, metadata: "journalled inputs=0")
        ])
        let found = await examine().found.first { $0.check == "journal" }
        #expect(
            found?.status == .failed && found?.message.contains("partition 1: records of the journal are lost") == true)
        #expect(found?.advice?.contains("intents journal repair --partition") == true)
    }

    @Test("dead letters count until they are dealt with")
    func deadLetters() async throws {
        let clients = try await run()
        defer { for client in clients { try? client.close(timeout: .zero) } }
        let original = ConsumedRecord(
            topic: topics.requests, partition: 1, offset: 7, timestamp: 0, key: [0x61], value: [0x31], headers: [])
        let letter = DeadLetter.record(
            original, Rejection(.unparseable, "no object"), stage: "coordinator", topics: topics)
        try write([letter, letter])
        var found = await examine().found.first { $0.check == "dead letters" }
        #expect(found?.status == .warning && found?.message.contains("unparseable 2") == true)
        for offset in Int64(0)..<2 {
            try write([
                DeadLetterMark(.dropped, partition: 1, offset: offset, by: "test", at: now).record(
                    key: nil, topics: topics)
            ])
        }
        found = await examine().found.first { $0.check == "dead letters" }
        #expect(found?.status == .ok)
    }

    @Test(
        "a role is asked only for what it may see: the rest is skipped, with who to ask as",
        arguments: AccessRole.allCases)
    func roles(_ role: AccessRole) async throws {
        let clients = try await run()
        defer { for client in clients { try? client.close(timeout: .zero) } }
        let (found, _) = await examine(role)
        let reads = role.access(topics).reads
        #expect((status("journal", found) == .skipped) == !reads.contains(topics.sessions))
        #expect((status("workers", found) == .skipped) == !reads.contains(topics.catalog))
        #expect((status("dead letters", found) == .skipped) == !reads.contains(topics.deadLetters))
        #expect((status("own group", found) == .ok) == (role.access(topics).group != nil))
        #expect(found.filter { $0.status == .failed }.isEmpty, "\(found)")
    }

    @Test("a broker that refuses is told by the missing right, and one that can't answer is skipped")
    func refused() async throws {
        let clients = try await run()
        defer { for client in clients { try? client.close(timeout: .zero) } }
        let refused = await examine(.coordinator, UnwillingLog(log, .unauthorized)).found
        #expect(status("own group", refused) == .failed && status("settings", refused) == .failed)
        #expect(
            refused.first { $0.check == "own group" }?.advice?.contains(
                "intents acl print --role coordinator --topic-prefix home") == true)
        let other = refused.first { $0.check == "group home.handler" }
        #expect(other?.status == .skipped, "a coordinator needs no right to it")
        #expect(other?.message.hasSuffix("ask as console or operator") == true)
        #expect(
            status("group home.handler", await examine(.operator, UnwillingLog(log, .unauthorized)).found) == .failed)
        let unable = await examine(.coordinator, UnwillingLog(log, .unsupported)).found
        #expect(["settings", "own group", "group home.coordinator"].allSatisfy { status($0, unable) == .skipped })
    }

    @Test("without a broker, that alone fails")
    func noBroker() async {
        let (found, isFine) = await examine(.operator, UnwillingLog(log, .disconnected))
        #expect(!isFine && found.map(\.check) == Doctor.checks)
        #expect(found.filter { $0.status == .failed }.map(\.check) == ["brokers"])
        #expect(found.first { $0.check == "brokers" }?.advice?.contains("advertised.listeners") == true)
    }

    @Test("a group that lacks members, or shares not all, or is late, is told apart")
    func groups() {
        let places = [TopicPartition("t", 0), TopicPartition("t", 1)]
        func status(_ lag: Int64, _ members: [GroupMember]?) -> Diagnosis.Status {
            Doctor.diagnosis(of: "g", lag: lag, members: members, places: places, start: "one").status
        }
        let whole = [GroupMember(clientID: "a", partitions: places)]
        #expect(status(0, whole) == .ok && status(999, whole) == .ok && status(1_000, whole) == .warning)
        #expect(status(0, [GroupMember(clientID: "a", partitions: [places[0]])]) == .warning)
        #expect(status(0, []) == .warning && status(1, []) == .failed)
        #expect(status(0, nil) == .ok && status(1_000, nil) == .warning)
    }

    @Test("each process whose clock differs from the broker's is named, and by how much; those that are gone are not")
    func clocks() async throws {
        let clients = try await run()
        defer { for client in clients { try? client.close(timeout: .zero) } }
        // The log sets the timestamps of leases. The events have the times of the processes.
        func lease(_ instance: String, ahead: Int) -> Record {
            var encoder = EventEncoder(source: "/test")
            return encoder.record(
                WorkerLease(instance: instance, intents: ["OrderTea"]), topics: topics,
                at: now.advanced(by: .seconds(ahead)))
        }
        var encoder = EventEncoder(source: "/test")
        let coordinator = WorkerLease.ofCoordinator("c", started: now)
        try write([
            lease("near", ahead: 10), lease("late", ahead: -3_600), lease("gone", ahead: 3_600),
            encoder.record(coordinator, topics: topics, at: now.advanced(by: .seconds(11))),
            encoder.withdrawal(of: .worker(service: nil, instance: "gone"), topics: topics, at: now),
        ])
        let (found, isFine) = await examine()
        let clock = found.first { $0.check == "clock" }
        #expect(!isFine && clock?.status == .failed)
        #expect(
            clock?.message
                == "clocks differ from the broker's: coordinator-c is 11 s ahead, worker late is 3600 s behind")
    }

    @Test("a clock that is ahead of this machine's is told, and one that is far ahead fails")
    func clock() {
        func status(_ ahead: Int64?) -> Diagnosis.Status {
            Doctor.clock(newest: ahead.map { now.advanced(byMilliseconds: $0) }, at: now).status
        }
        #expect(status(nil) == .skipped && status(-3_600_000) == .ok && status(0) == .ok && status(5_000) == .ok)
        #expect(status(5_001) == .warning && status(299_999) == .warning && status(300_000) == .failed)
    }

    @Test(
        "the known faults of a version are told with their source, if the settings bring them up",
        arguments: [
            (0x02_00_02_ff, [:], Diagnosis.Status.warning, "#4438"), (0x02_01_00_ff, [:], .failed, "#4256"),
            (0x01_09_02_ff, [:], .failed, "2.0.2"),
            (0x02_0f_00_ff, [:], .ok, "2.15.0"), (0x02_04_00_ff, [:], .warning, "#4970"),
            (0x02_0a_00_ff, [:], .ok, "2.10.0"),
            (0x02_0a_00_ff, ["sasl.mechanisms": "GSSAPI"], .warning, "#5131"),
            (0x02_0b_00_ff, ["sasl.mechanism": "GSSAPI"], .ok, "2.11.0"),
            (0x02_06_00_ff, ["sasl.mechanism": "SCRAM-SHA-512"], .warning, "#4895"),
            (0x02_0b_00_ff, ["group.protocol": "consumer"], .failed, "#4610"),
        ] as [(Int32, [String: String], Diagnosis.Status, String)])
    func library(_ version: Int32, _ properties: [String: String], _ status: Diagnosis.Status, _ text: String) {
        let found = LibraryFault.diagnosis(RDKafkaVersion(number: version), properties)
        #expect(found.status == status && found.message.contains(text), "\(found)")
        #expect((found.advice != nil) == (status != .ok))
    }

    @Test("a result is one line, with what to do below it, and moves no cursor")
    func text() {
        let result = Diagnosis("topics", .failed, "no \u{1B}[2J topics", advice: "intents topics apply")
        #expect(result.text == "failed\ttopics\tno \\u{1B}[2J topics\n\t\t→ intents topics apply")
        #expect(
            result.json.view["status"]?.string == "failed"
                && result.json.view["advice"]?.string == "intents topics apply")
    }
}

/// A log that rejects administrative requests with an error.
private struct UnwillingLog: LogCluster {
    private let log: InMemoryLog
    private let code: LogError.Code

    init(_ log: InMemoryLog, _ code: LogError.Code) {
        self.log = log
        self.code = code
    }

    private var error: LogError { LogError(code, "\(code.rawValue) by the test") }

    func connect(_ configuration: ClientConfiguration) throws(LogError) -> any LogClient {
        try log.connect(configuration)
    }
    func createTopics(_ topics: [TopicSpecification]) async throws(LogError) { throw error }
    func topics() async throws(LogError) -> [TopicDescription] {
        if code == .disconnected { throw error }
        return try await log.topics()
    }
    func configurations(of topics: [String]) async throws(LogError) -> [String: [String: String]] { throw error }
    func committed(by group: String, _ partitions: [TopicPartition]) async throws(LogError) -> [TopicPartition:
        CommittedOffset]
    {
        throw error
    }
    func members(of group: String) async throws(LogError) -> [GroupMember] { throw error }
}
