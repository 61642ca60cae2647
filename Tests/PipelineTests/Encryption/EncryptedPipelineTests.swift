import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@testable import RecordEncryption

@Suite("An encrypted pipeline")
struct EncryptedPipelineTests {
    @Test("holds a conversation, and only what producers and persons write can be read without the keys")
    func conversation() async throws {
        let encrypted = try await EncryptedPipeline()
        try encrypted.pipeline.startAll()
        try await encrypted.run("r")
        #expect(try encrypted.results().map(\.type) == [.promptIssued, .completed])
        #expect(try encrypted.results().last?.status == .success)
        #expect(encrypted.readable() == [encrypted.topics.requests])
        for topic in [
            encrypted.topics.sessions, encrypted.topics.handle, encrypted.topics.outcomes, encrypted.topics.results,
        ] {
            let values = try encrypted.read(topic, keys: EncryptedPipeline.keys).map {
                String(decoding: $0.value ?? [], as: UTF8.self)
            }
            #expect(values.contains { $0.contains(EncryptedPipeline.planted) }, "\(topic)")
        }
    }

    @Test("keys in a batch that can't be read stop their partition with an instruction")
    func unreadableKeys() async throws {
        let encrypted = try await EncryptedPipeline()
        try encrypted.pipeline.log.appendUnreadable(2, to: TopicPartition(encrypted.topics.keys, 0))
        try encrypted.pipeline.startAll()
        try encrypted.request("r")
        try await encrypted.settle()
        #expect(encrypted.pipeline.coordinators["coordinator"]?.stoppedPartitions == [0])
        #expect(try encrypted.results().isEmpty)
    }

    @Test("is not encrypted without a key file")
    func plain() async throws {
        let encrypted = try await EncryptedPipeline()
        encrypted.keys = nil
        try encrypted.pipeline.startAll()
        try await encrypted.run("r")
        #expect(encrypted.readable().count > 5)
        #expect(encrypted.pipeline.log.records(in: encrypted.topics.keys).isEmpty)
    }

    @Test("goes on after its coordinator and its workers crash, with the sessions and the keys that there are")
    func crash() async throws {
        let encrypted = try await EncryptedPipeline()
        try encrypted.pipeline.startAll()
        try encrypted.request("r")
        try await encrypted.settle()
        try encrypted.replaceAll()
        try await encrypted.settle()
        try encrypted.agree("yes")
        try await encrypted.settle()
        #expect(try encrypted.results().last?.status == .success)
        #expect(encrypted.readable() == [encrypted.topics.requests])
        let used = Set(encrypted.pipeline.log.records(in: encrypted.topics.results).compactMap(KeyRecord.id))
        #expect(used.count == 1)
    }

    @Test("begins in the middle of a session: what was plain stays readable, and what follows is encrypted")
    func switchedOn() async throws {
        let encrypted = try await EncryptedPipeline()
        encrypted.keys = nil
        try encrypted.pipeline.startAll()
        try encrypted.request("r")
        try await encrypted.settle()
        let before = encrypted.pipeline.log.records(in: encrypted.topics.sessions).count
        encrypted.keys = EncryptedPipeline.keys
        try encrypted.replaceAll()
        try await encrypted.settle()
        try encrypted.agree("yes")
        try await encrypted.settle()
        #expect(try encrypted.results().map(\.type) == [.promptIssued, .completed])
        let later = encrypted.pipeline.log.records(in: encrypted.topics.sessions).dropFirst(before).filter {
            $0.key == Bytes("s".utf8)
        }
        #expect(!later.isEmpty && later.allSatisfy { KeyRecord.id(of: $0) != nil || $0.value == nil })
    }

    @Test(
        "gives each session a key of its own; when one is destroyed, its results can't be read, and the others can",
        arguments: [("s", "t"), ("K", "\u{212A}")] as [(Identifier, Identifier)])
    func destroyed(_ first: Identifier, _ second: Identifier) async throws {
        let encrypted = try await EncryptedPipeline()
        try encrypted.pipeline.startAll()
        try await encrypted.run("r", session: first)
        try await encrypted.run("q", session: second)
        let keys = { (session: Identifier) in
            Set(
                encrypted.pipeline.log.records(in: encrypted.topics.results).filter { $0.key == Bytes(session.utf8) }
                    .compactMap(
                        KeyRecord.id))
        }
        #expect(keys(first).count == 1 && keys(second).count == 1 && keys(first) != keys(second))
        try encrypted.pipeline.send(.ended(reason: nil), session: first, id: "end")
        try await encrypted.settle()
        for id in keys(first) {
            try encrypted.pipeline.send(KeyRecord.tombstone(id, topic: encrypted.topics.keys, partition: 0))
        }
        #expect(try encrypted.results(session: first).isEmpty)
        #expect(try encrypted.results(session: second).count == 2)
        // The session's last journal record has no values and needs no key.
        encrypted.pipeline.kill("coordinator")
        try encrypted.pipeline.startCoordinator("coordinator-2")
        try await encrypted.settle()
        #expect(encrypted.pipeline.coordinators["coordinator-2"]?.isSteady == true)
        #expect(encrypted.pipeline.coordinators["coordinator-2"]?.forgottenSessions == 1)
        // The session can be opened again, with another key.
        let before = keys(first)
        try await encrypted.run("again", session: first)
        #expect(try encrypted.results(session: first).last?.status == .success)
        #expect(keys(first).subtracting(before).count == 1)
    }

    @Test("tells a process without the keys what it lacks, and passes over what it can't read")
    func withoutKeys() async throws {
        let encrypted = try await EncryptedPipeline()
        try encrypted.pipeline.startCoordinator("coordinator")
        encrypted.keys = nil
        try encrypted.pipeline.startWorker("resolve", .resolve)
        try encrypted.request("r")
        try await encrypted.settle()
        let letters = encrypted.pipeline.log.records(in: encrypted.topics.deadLetters)
        #expect(letters.count == 1)
        let message = letters.first?.header("intents-error-message").map { String(decoding: $0, as: UTF8.self) } ?? ""
        #expect(message.contains("--encryption-key-file"))
        #expect(encrypted.readable() == [encrypted.topics.requests])
        // With the keys, the dead letter can be read.
        let read = try encrypted.read(encrypted.topics.deadLetters, keys: EncryptedPipeline.keys).first
        #expect(read?.value.map { String(decoding: $0, as: UTF8.self).contains(EncryptedPipeline.planted) } == true)
    }

    @Test("stops a partition with an instruction if a coordinator has no key for it, and harms no session")
    func coordinatorWithoutKeys() async throws {
        let encrypted = try await EncryptedPipeline()
        try encrypted.pipeline.startAll()
        try encrypted.request("r")
        try await encrypted.settle()
        encrypted.pipeline.kill("coordinator")
        encrypted.keys = String(repeating: "ee", count: 32)
        try encrypted.pipeline.startCoordinator("coordinator-2")
        try await encrypted.settle()
        #expect(encrypted.pipeline.coordinators["coordinator-2"]?.counters.partitionsStopped == 1)
        encrypted.pipeline.kill("coordinator-2")
        encrypted.keys = EncryptedPipeline.keys
        try encrypted.pipeline.startCoordinator("coordinator-3")
        try await encrypted.settle()
        try encrypted.agree("yes")
        try await encrypted.settle()
        #expect(try encrypted.results().last?.status == .success)
    }

    @Test("replaces the key of the file without an interruption")
    func rotation() async throws {
        let (old, new) = (EncryptedPipeline.keys, String(repeating: "b1", count: 32))
        let encrypted = try await EncryptedPipeline()
        try encrypted.pipeline.startCoordinator("coordinator")
        // Workers get the new key before a coordinator wraps keys with it.
        encrypted.keys = "\(old)\n\(new)"
        for phase in Phase.allCases { try encrypted.pipeline.startWorker(phase.rawValue, phase) }
        try encrypted.request("r")
        try await encrypted.settle()
        encrypted.keys = "\(new)\n\(old)"
        encrypted.pipeline.kill("coordinator")
        try encrypted.pipeline.startCoordinator("coordinator-2")
        try await encrypted.settle()
        for id in ["s", "t"] {
            if id == "t" { try encrypted.request("r", session: Identifier(id)) }
            try await encrypted.settle()
            try encrypted.agree("yes", session: Identifier(id))
            try await encrypted.settle()
            #expect(try encrypted.results(session: Identifier(id), keys: encrypted.keys).last?.status == .success)
        }
        // The old key wraps the key of the session that was open. The new key wraps the key of the later session.
        #expect(try encrypted.results(session: "s", keys: old).count == 2)
        #expect(try encrypted.results(session: "t", keys: new).count == 2)
        #expect(try encrypted.results(session: "t", keys: old).isEmpty)
    }

    @Test(
        "writes keys that are in use again after a day, wrapped with the newest key, and before their topic deletes them"
    )
    func renewed() async throws {
        let encrypted = try await EncryptedPipeline()
        try encrypted.pipeline.startAll()
        try encrypted.request("r")
        try await encrypted.settle()
        let used = try #require(
            encrypted.pipeline.log.records(in: encrypted.topics.sessions).last.flatMap(KeyRecord.id))
        let records = {
            encrypted.pipeline.log.records(in: encrypted.topics.keys).filter { $0.key == Bytes(used.utf8) }.count
        }
        #expect(records() == 1)
        encrypted.time.advance(by: 26 * 3_600_000)
        try await encrypted.settle()
        #expect(records() == 2)
        try await encrypted.settle()
        #expect(records() == 2)
        #expect(Topics.keyRetention > 604_800_000 + Int(EncryptingClient.renewal))
    }

    @Test("reads an outcome from a process that does not know the session's key: it has a key of its own")
    func ownKey() async throws {
        let encrypted = try await EncryptedPipeline()
        try encrypted.pipeline.startCoordinator("coordinator")
        try encrypted.pipeline.startWorker("resolve", .resolve)
        try encrypted.request("r", to: nil)
        try await encrypted.settle()
        let stranger = encrypted.client(try encrypted.pipeline.log.connect(ClientConfiguration(clientID: "callback")))
        let record = Record(
            topic: encrypted.topics.outcomes, partition: 0, key: Bytes("s".utf8),
            value: Bytes("{\"planted\":\"\(EncryptedPipeline.planted)\"}".utf8))
        try stranger.send(record, token: 1)
        _ = try stranger.poll(maximum: 10, timeout: .zero)
        let read = try encrypted.read(encrypted.topics.outcomes, keys: EncryptedPipeline.keys)
        #expect(read.last?.value == record.value)
        #expect(encrypted.pipeline.log.records(in: encrypted.topics.outcomes).last.flatMap(KeyRecord.id) == nil)
        #expect(encrypted.readable().isEmpty)
    }

    @Test("notices a value that was changed, moved to another record, or given another type")
    func tampered() async throws {
        let encrypted = try await EncryptedPipeline()
        try encrypted.pipeline.startAll()
        try await encrypted.run("r")
        let prompt = try #require(encrypted.pipeline.log.records(in: encrypted.topics.results).first)
        var moved = Record(
            topic: prompt.topic, partition: 0, key: Bytes("other".utf8), value: prompt.value, headers: prompt.headers)
        try encrypted.pipeline.send(moved)
        moved.key = prompt.key
        // Decoders use the last header of a name.
        moved.headers.append(RecordHeader("ce_type", EventType.completed.rawValue))
        try encrypted.pipeline.send(moved)
        moved.headers = prompt.headers
        moved.value?[20] ^= 1
        try encrypted.pipeline.send(moved)
        #expect(try encrypted.results(session: "other").isEmpty)
        #expect(try encrypted.results().count == 2)
    }

    @Test(
        "reads no more than it can keep while it waits for keys, and everything once they come",
        arguments: [false, true])
    func bounded(isGroup: Bool) async throws {
        let encrypted = try await EncryptedPipeline()
        try encrypted.pipeline.startAll()
        try await encrypted.run("r")
        let outcomes = encrypted.pipeline.log.records(in: encrypted.topics.outcomes)
        for number in 0..<5_000 {
            let one = outcomes[number % outcomes.count]
            try encrypted.pipeline.send(
                Record(topic: one.topic, partition: 0, key: one.key, value: one.value, headers: one.headers))
        }
        let all = encrypted.pipeline.log.records(in: encrypted.topics.outcomes)
        encrypted.pipeline.log.setLeaders(of: encrypted.topics.keys, areAway: true)
        let group = isGroup ? (id: "readers", topics: [encrypted.topics.outcomes]) : nil
        let counting = CountingClient(
            try encrypted.pipeline.log.connect(ClientConfiguration(clientID: "reader", group: group)))
        let reader = encrypted.client(counting)
        var read: [ConsumedRecord] = []
        func poll() throws {
            for event in try reader.poll(maximum: 500, timeout: .zero) {
                switch event {
                case .assigned(let partitions):
                    try reader.assign(Dictionary(uniqueKeysWithValues: partitions.map { ($0, .beginning) }))
                case .record(let record), .read(let record): read.append(record)
                default: break
                }
            }
        }
        if !isGroup { try reader.read(TopicPartition(encrypted.topics.outcomes, 0), from: .beginning) }
        for _ in 0..<50 { try poll() }
        #expect(read.isEmpty && counting.records > 0 && counting.records <= EncryptingClient.maximumHeld + 500)
        encrypted.pipeline.log.setLeaders(of: encrypted.topics.keys, areAway: false)
        for _ in 0..<100 { try poll() }
        #expect(read.map(\.offset) == all.map(\.offset))
        #expect(read.allSatisfy { $0.header(EncryptedValue.header) == nil })
    }

    @Test(
        "a record of the keys that no coordinator wrote destroys none, and a key that its topic has deleted is forgotten"
    )
    func known() throws {
        let keys = try EncryptionKeys(parsing: EncryptedPipeline.keys)
        let (key, known) = (DataKey(), PartitionKeys())
        func record(_ value: Bytes?, at time: Int64) -> ConsumedRecord {
            ConsumedRecord(
                topic: "intents.keys", partition: 0, offset: 0, timestamp: time, key: Bytes(key.id.utf8), value: value,
                headers: [])
        }
        let written = KeyRecord.record(key.id, wrapped: try keys.wrap(key), topic: "intents.keys", partition: 0, at: 0)
            .value
        known.take(record(written, at: 1_000))
        known.take(record([1, 2, 3], at: 2_000))
        #expect(known.key(key.id, keys)?.bytes == key.bytes)
        known.expire(before: 1_000)
        #expect(known.key(key.id, keys) != nil)
        known.expire(before: 1_001)
        #expect(known.key(key.id, keys) == nil)
        known.take(record(written, at: 3_000))
        known.take(record(nil, at: 4_000))
        #expect(known.key(key.id, keys) == nil)
    }

    @Test("is not slowed by records that name keys which do not exist")
    func noSuchKey() async throws {
        let encrypted = try await EncryptedPipeline()
        try encrypted.pipeline.startAll()
        for number in 0..<500 {
            try encrypted.pipeline.send(
                Record(
                    topic: encrypted.topics.outcomes, partition: 0, key: Bytes("s".utf8), value: [1, 2, 3],
                    headers: [RecordHeader(EncryptedValue.header, "A256GCM key=none-\(number)")]))
        }
        try await encrypted.run("r")
        #expect(try encrypted.results().last?.status == .success)
        #expect(encrypted.pipeline.log.records(in: encrypted.topics.deadLetters).count == 500)
    }
}

/// A client that counts the records that it receives.
private final class CountingClient: ForwardingClient, @unchecked Sendable {
    private(set) var records = 0

    override func poll(maximum: Int, timeout: Duration) throws(LogError) -> [LogEvent] {
        let events = try super.poll(maximum: maximum, timeout: timeout)
        for event in events {
            switch event {
            case .record, .read: records += 1
            default: break
            }
        }
        return events
    }
}
