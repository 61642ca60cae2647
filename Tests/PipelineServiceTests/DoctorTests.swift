import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineService
import RDKafkaLog
import RecordLog
import Testing

@Suite("The doctor") struct DoctorTests {
    private let topics = Topics(prefix: "home")
    private let now = Instant(milliseconds: 1_772_366_400_000)
    private let log = InMemoryLog { 1_772_366_400_000 }
    private let garbage = Record(topic: "home.requests", partition: 1, key: [0x61], value: [0x31])

    /// The diagnoses of one examination.
    private struct Findings {
        var all: [Diagnosis] = []
        var isFine = true

        subscript(check: String) -> Diagnosis? { all.first { $0.check == check } }
        func checks(_ status: Diagnosis.Status) -> [String] { all.filter { $0.status == status }.map(\.check) }

        /// Expects the status of a check, and parts of its message and advice.
        func expect(
            _ check: String, _ status: Diagnosis.Status, _ message: String = "", advice: String = "",
            at location: SourceLocation = #_sourceLocation
        ) {
            let found = self[check]
            let isFound =
                found?.status == status && found?.message.contains(message) == true
                && (advice.isEmpty || found?.advice?.contains(advice) == true)
            #expect(isFound, "\(found?.text ?? "no \(check)")", sourceLocation: location)
        }
    }

    private func examine(
        _ role: AccessRole = .operator, _ log: (any LogCluster)? = nil, patience: Duration = .seconds(5)
    ) async -> Findings {
        let now = now
        var doctor = Doctor(
            log: log ?? self.log, topics: topics, role: role, library: RDKafkaVersion(number: 0x02_0f_00_ff),
            patience: patience, now: { now })
        doctor.watching = .zero
        var found = Findings()
        found.isFine = await doctor.examine { found.all.append($0) }
        return found
    }

    private func createTopics(_ change: (inout TopicSpecification) -> Void = { _ in }) async throws {
        var specifications = topics.specifications(partitions: 2)
        for index in specifications.indices { change(&specifications[index]) }
        try await log.createTopics(specifications)
    }

    /// The record that an owner writes when it takes a partition over.
    private func fence(_ partition: Int32) -> Record {
        let stamp = JournalStamp(epoch: 1, owner: "c-1", number: 1, requests: 0, outcomes: 0, settled: 0, results: 0)
        return JournalOutline(stamp: stamp, subject: .fence(epoch: 1, owner: "c-1"))
            .record(value: FenceTerms(partitions: 2).bytes, topic: topics.sessions, partition: partition, at: now)
    }

    /// The lease of a worker, or of a coordinator, by a clock that is this many seconds ahead.
    private func lease(_ lease: WorkerLease, ahead: Int = 0) -> Record {
        var encoder = EventEncoder(source: "/test")
        return encoder.record(lease, topics: topics, at: now.advanced(by: .seconds(ahead)))
    }
    private func worker(_ instance: String, _ phases: [String] = ["resolve", "confirm", "handle"]) -> WorkerLease {
        WorkerLease(instance: instance, intents: ["OrderTea"], phases: phases)
    }

    /// The lease of a coordinator that owns these partitions.
    private func owner(_ partitions: [Int32] = [0, 1], _ stalls: [WorkerLease.Stall] = []) -> WorkerLease {
        var lease = WorkerLease.ofCoordinator("c-1", started: now)
        lease.ownership = WorkerLease.Ownership(partitions: partitions, stalls: stalls)
        return lease
    }

    /// Starts a pipeline of two partitions with a coordinator and a worker. Returns the members of its groups, the
    /// coordinator first.
    @discardableResult
    private func run(worker: WorkerLease? = nil, owner: WorkerLease? = nil) async throws -> [any LogClient] {
        try await createTopics()
        try log.write(fence(0), fence(1), lease(worker ?? self.worker("w")), lease(owner ?? self.owner()))
        let groups = [
            ("home.coordinator", [topics.requests, topics.answers, topics.outcomes]),
            ("home.resolver", [topics.resolve]), ("home.confirmer", [topics.confirm]),
            ("home.handler", [topics.handle]), ("home.memory", [topics.memoryChanges]),
        ]
        return try groups.map { id, topics in
            try log.connect(ClientConfiguration(clientID: id, group: (id: id, topics: topics)))
        }
    }

    @Test func `a running pipeline is fine, and each check is told once and in its order`() async throws {
        try await run()
        let found = await examine()
        #expect(found.isFine, "\(found.checks(.failed))")
        let groups = ["memory", "coordinator", "resolver", "confirmer", "handler"].map { "group home.\($0)" }
        let own = try #require(Doctor.checks.firstIndex(of: "own group"))
        #expect(found.all.map(\.check) == Doctor.checks[...own] + groups + Doctor.checks[(own + 1)...])
        #expect(found.checks(.skipped) == ["broker version", "writing", "own group"] && found.checks(.warning).isEmpty)
        found.expect("coordinators", .ok, "coordinator c-1 owns 2 partitions")
        found.expect("processes", .ok, "2 renew their leases")
    }

    @Test func `what keeps requests from making progress is told line by line, with what to do`() async throws {
        let stall = WorkerLease.Stall(partition: 0, since: now.advanced(by: .seconds(-42)), problem: "records wait")
        try await run(worker: worker("w", ["confirm", "handle"]), owner: owner([0], [stall]))
        log.setLeader(of: TopicPartition(topics.results, 1), isAway: true)
        let found = await examine(patience: .milliseconds(200))
        #expect(!found.isFine)
        let lines = found.all.filter { $0.check == "coordinators" }
        #expect(lines.map(\.status) == [.failed, .failed] && lines.allSatisfy { $0.advice?.isEmpty == false })
        #expect(lines.first?.message.hasPrefix("partition 1 has no coordinator") == true)
        #expect(
            lines.last?.message
                == "partition 0 of coordinator c-1 has made no progress for 42 s: records wait")
        found.expect("workers", .failed, "takes the phase resolve", advice: "start a worker")
        found.expect("leaders", .failed, "1 of 2 partitions of home.results (1)", advice: "--unavailable-partitions")
        found.expect("processes", .ok)
    }

    @Test func `an examination writes nothing, and moves no partition`() async throws {
        try await run()
        func state() async throws -> [String] {
            let client = try log.connect(ClientConfiguration(clientID: "looker"))
            defer { try? client.close(timeout: .zero) }
            var state = try topics.all.flatMap { topic in
                try (Int32(0)..<2).map { "\(try client.range(of: TopicPartition(topic, $0)))" }
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

    @Test func `without topics, it says which command creates them, and asks no more`() async {
        let found = await examine()
        #expect(!found.isFine && found.checks(.failed) == ["topics"])
        found.expect("topics", .failed, advice: "intents topics apply")
        found.expect("journal", .skipped)
        found.expect("settings", .skipped)
    }

    @Test func `different numbers of partitions fail, and so does a setting that breaks the journal`() async throws {
        try await createTopics {
            if $0.name == topics.results { $0.partitions = 3 }
            if $0.name == topics.sessions { $0.configuration["cleanup.policy"] = "delete" }
        }
        let found = await examine()
        #expect(!found.isFine)
        found.expect("topics", .ok)
        found.expect("partitions", .failed)
        found.expect("settings", .failed, "cleanup.policy=compact")
    }

    @Test func `topics alone lack coordinators and workers, and waiting records are counted`() async throws {
        try await createTopics()
        let found = await examine()
        #expect(!found.isFine)
        found.expect("coordinators", .failed, "all 2 partitions have no coordinator", advice: "intent-coordinator")
        found.expect("workers", .failed, advice: "sample-worker")
        found.expect("clock", .skipped)
        found.expect("dead letters", .ok)
        // No pipeline works without a coordinator. Another process may do the work of the default service.
        found.expect("group home.coordinator", .failed)
        found.expect("group home.resolver", .warning)
        try log.write(garbage, garbage, garbage)
        await examine().expect("group home.coordinator", .failed, "3 records wait")
    }

    @Test func `an open transaction that holds the last stable offset fails, naming the partition`() async throws {
        try await run()
        let place = TopicPartition(topics.requests, 1)
        log.beginTransaction(in: place)
        try log.write(garbage)
        await examine(patience: .milliseconds(200)).expect(
            "transactions", .failed, "home.requests[1] from offset 0 on (1 offsets)",
            advice: "kafka-transactions.sh describe-producers --topic home.requests --partition 1")
        log.endTransaction(in: place)
        await examine(patience: .milliseconds(200)).expect("transactions", .ok)
    }

    @Test func `a journal that has lost records fails, with the way to go on`() async throws {
        let coordinator = try await run()[0]
        _ = try coordinator.poll(maximum: 10, timeout: .zero)
        try coordinator.assign([:], later: [])
        let lost = CommittedOffset(offset: 7, metadata: "journalled inputs=0")
        try coordinator.commit([TopicPartition(topics.requests, 1): lost])
        let message = "partition 1: records of the journal are lost"
        await examine().expect("journal", .failed, message, advice: "intents journal repair --partition")
    }

    @Test func `dead letters count until they are dealt with`() async throws {
        try await run()
        let original = ConsumedRecord(
            topic: topics.requests, partition: 1, offset: 7, timestamp: 0, key: [0x61], value: [0x31], headers: [])
        let letter = DeadLetter.record(original, Rejection(.unparseable, ""), stage: "coordinator", topics: topics)
        try log.write(letter, letter)
        await examine().expect("dead letters", .warning, "unparseable 2")
        for offset in Int64(0)..<2 {
            let mark = DeadLetterMark(.dropped, partition: 1, offset: offset, by: "test", at: now)
            try log.write(mark.record(key: nil, topics: topics))
        }
        await examine().expect("dead letters", .ok)
    }

    @Test(arguments: AccessRole.allCases)
    func `a role checks only what it may see, and skips the rest with a role to use`(_ role: AccessRole) async throws {
        try await run()
        let found = await examine(role)
        let access = role.access(topics)
        for (check, topic) in [
            ("journal", topics.sessions), ("workers", topics.catalog), ("dead letters", topics.deadLetters),
        ] { #expect((found[check]?.status == .skipped) == !access.reads.contains(topic), "\(check)") }
        #expect((found["own group"]?.status == .ok) == (access.group != nil))
        #expect(found.checks(.failed).isEmpty, "\(found)")
    }

    @Test func `a refusal is reported with the missing right, and an unsupported query is skipped`() async throws {
        try await run()
        let refused = await examine(.coordinator, UnwillingLog(log, .unauthorized))
        refused.expect("settings", .failed)
        refused.expect("own group", .failed, advice: "intents acl print --role coordinator --topic-prefix home")
        // A coordinator needs no right to the groups of workers.
        refused.expect("group home.handler", .skipped, "ask as console or operator")
        await examine(.operator, UnwillingLog(log, .unauthorized)).expect("group home.handler", .failed)
        let unable = await examine(.coordinator, UnwillingLog(log, .unsupported))
        for check in ["settings", "own group", "group home.coordinator"] { unable.expect(check, .skipped) }
    }

    @Test func `without a broker, only the check of brokers fails`() async {
        let found = await examine(.operator, UnwillingLog(log, .disconnected))
        #expect(!found.isFine && found.all.map(\.check) == Doctor.checks && found.checks(.failed) == ["brokers"])
        found.expect("brokers", .failed, advice: "advertised.listeners")
    }

    @Test func `groups without members, with unassigned partitions and with lag are told apart`() {
        let places = [TopicPartition("t", 0), TopicPartition("t", 1)]
        func status(_ lag: Int64, _ members: [GroupMember]?) -> Diagnosis.Status {
            Doctor.diagnosis(of: "g", lag: lag, members: members, places: places, start: "one").status
        }
        let whole = [GroupMember(clientID: "a", partitions: places)]
        #expect(([0, 999, 1_000] as [Int64]).map { status($0, whole) } == [.ok, .ok, .warning])
        #expect(status(0, [GroupMember(clientID: "a", partitions: [places[0]])]) == .warning)
        #expect(status(0, []) == .warning && status(1, []) == .failed)
        #expect(status(0, nil) == .ok && status(1_000, nil) == .warning)
    }

    @Test func `each live process whose clock differs from the broker's is named with the difference`() async throws {
        try await run()
        // The log sets the timestamps of leases. The events have the times of the processes.
        let encoder = EventEncoder(source: "/test")
        try log.write(
            lease(worker("near"), ahead: 10), lease(worker("late"), ahead: -3_600), lease(worker("gone"), ahead: 3_600),
            lease(owner(), ahead: 11),
            encoder.withdrawal(of: .worker(service: nil, instance: "gone"), topics: topics, at: now))
        let found = await examine()
        let lines = found.all.filter { $0.check == "clocks" }.map(\.message)
        #expect(
            !found.isFine
                && lines == [
                    "the clock of coordinator c-1 is 11 s ahead of the broker's",
                    "the clock of worker late is 3600 s behind the broker's",
                ])
    }

    @Test func `a clock ahead of this machine's is a warning, and one far ahead fails`() {
        func status(_ ahead: Int64?) -> Diagnosis.Status {
            Doctor.clock(newest: ahead.map { now.advanced(byMilliseconds: $0) }, at: now).status
        }
        let ahead: [Int64?] = [nil, -3_600_000, 0, 5_000, 5_001, 299_999, 300_000]
        #expect(ahead.map(status) == [.skipped, .ok, .ok, .ok, .warning, .warning, .failed])
    }

    @Test(
        arguments: [
            (0x02_00_02_ff, [:], Diagnosis.Status.warning, "#4438"), (0x02_01_00_ff, [:], .failed, "#4256"),
            (0x01_09_02_ff, [:], .failed, "2.0.2"), (0x02_0f_00_ff, [:], .ok, "2.15.0"),
            (0x02_04_00_ff, [:], .warning, "#4970"), (0x02_0a_00_ff, [:], .ok, "2.10.0"),
            (0x02_0a_00_ff, ["sasl.mechanisms": "GSSAPI"], .warning, "#5131"),
            (0x02_0b_00_ff, ["sasl.mechanism": "GSSAPI"], .ok, "2.11.0"),
            (0x02_06_00_ff, ["sasl.mechanism": "SCRAM-SHA-512"], .warning, "#4895"),
            (0x02_0b_00_ff, ["group.protocol": "consumer"], .failed, "#4610"),
        ] as [(Int32, [String: String], Diagnosis.Status, String)])
    func `a librdkafka version's known faults are reported if the settings trigger them`(
        _ version: Int32, _ properties: [String: String], _ status: Diagnosis.Status, _ text: String
    ) {
        let found = LibraryFault.diagnosis(RDKafkaVersion(number: version), properties)
        #expect(found.status == status && found.message.contains(text), "\(found)")
        #expect((found.advice != nil) == (status != .ok))
    }

    @Test func `a result is one line, with what to do below it, and moves no cursor`() {
        let result = Diagnosis("topics", .failed, "no \u{1B}[2J topics", advice: "intents topics apply")
        #expect(result.text == "failed\ttopics\tno \\u{1B}[2J topics\n\t\t→ intents topics apply")
        #expect(result.json.view["status"]?.string == "failed")
        #expect(result.json.view["advice"]?.string == "intents topics apply")
    }
}

@Suite("Reading the catalogue once") struct CatalogueReaderTests {
    private let topics = Topics(prefix: "home")
    private let log = InMemoryLog { 1_772_366_400_000 }
    private let now = Instant(milliseconds: 1_772_366_400_000)

    private func reader(at seconds: Int) -> CatalogueReader {
        CatalogueReader(log, topics: topics) { [now] in now.advanced(by: .seconds(seconds)) }
    }

    @Test func `reads all partitions to their ends, and passes over what can't be read`() async throws {
        try await log.createTopics(topics.specifications(partitions: 3))
        var encoder = EventEncoder(source: "/test")
        for name in ["a", "b", "c", "d"] {
            let lease = WorkerLease(service: name, instance: name, intents: ["Serve-\(name)"])
            try log.write(encoder.record(lease, topics: topics, at: now))
        }
        try log.write(
            encoder.record(PublishedIntent(service: "a", intent: "Serve-a", title: "First"), topics: topics, at: now),
            Record(topic: topics.catalog, partition: 1, key: [0xFF], value: [1]),
            encoder.withdrawal(of: .worker(service: "b", instance: "b"), topics: topics, at: now))
        let entries = try await reader(at: 0).read(timeout: .seconds(5)).entries
        #expect(entries.map(\.intent) == ["Serve-a", "Serve-c", "Serve-d"] && entries[0].published?.title == "First")
        let later = try await reader(at: 301).read(timeout: .seconds(5))
        #expect(later.isEmpty && later.entries.isEmpty)
    }

    @Test func `in a pipeline of an earlier version, says which command creates the topic`() async throws {
        let error = try await #require(throws: LogError.self) {
            try await reader(at: 0).read(timeout: .seconds(1))
        }
        #expect(error.code == .unknownTopicOrPartition && error.message.contains("'intents topics apply' creates it"))
    }
}
