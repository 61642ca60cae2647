import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@testable import RecordEncryption

@Suite("An encrypted pipeline") struct EncryptedPipelineTests {
    @Test func `holds a conversation of which only the requests can be read without the keys`() async throws {
        let encrypted = try await EncryptedPipeline.started()
        try await encrypted.run()
        #expect(try encrypted.results().map(\.type) == [.promptIssued, .completed])
        #expect(try encrypted.results().last?.status == .success)
        #expect(encrypted.readable() == [encrypted.topics.requests])
        for topic in [\Topics.sessions, \.handle, \.outcomes, \.results] {
            #expect(try encrypted.read(topic).contains(where: EncryptedPipeline.isPlanted), "\(topic)")
        }
    }

    @Test func `keys in a batch that can't be read stop their partition with an instruction`() async throws {
        let encrypted = try await EncryptedPipeline()
        try encrypted.log.appendUnreadable(2, to: encrypted.pipeline.place(\.keys))
        try encrypted.pipeline.startAll()
        try await encrypted.request()
        #expect(try encrypted.pipeline.coordinator().stoppedPartitions == [0])
        #expect(try encrypted.results().isEmpty)
    }

    @Test func `is not encrypted without a key file`() async throws {
        let encrypted = try await EncryptedPipeline.started(keys: nil)
        try await encrypted.run()
        #expect(encrypted.readable().count > 5 && encrypted.pipeline.records(\.keys).isEmpty)
    }

    @Test func `continues after its coordinator and its workers crash, with the same sessions and keys`() async throws {
        let encrypted = try await EncryptedPipeline.started()
        try await encrypted.request()
        try await encrypted.replaceAll()
        try await encrypted.agree()
        #expect(try encrypted.results().last?.status == .success)
        #expect(encrypted.readable() == [encrypted.topics.requests] && encrypted.keyIDs().count == 1)
    }

    @Test func `encrypts a session from the middle on, and its plain records stay readable`() async throws {
        let encrypted = try await EncryptedPipeline.started(keys: nil)
        try await encrypted.request()
        let before = encrypted.pipeline.records(\.sessions).count
        encrypted.keys = EncryptedPipeline.keys
        try await encrypted.replaceAll()
        try await encrypted.agree()
        #expect(try encrypted.results().map(\.type) == [.promptIssued, .completed])
        let later = encrypted.pipeline.records(\.sessions).dropFirst(before).filter { $0.key == Bytes("s".utf8) }
        #expect(!later.isEmpty && later.allSatisfy { KeyRecord.id(of: $0) != nil || $0.value == nil })
    }

    @Test(arguments: [("s", "t"), ("K", "\u{212A}")] as [(Identifier, Identifier)])
    func `loses only the results of a session with its key`(_ first: Identifier, _ second: Identifier) async throws {
        let encrypted = try await EncryptedPipeline.started()
        try await encrypted.run("r", session: first)
        try await encrypted.run("q", session: second)
        let (destroyed, other) = (encrypted.keyIDs(first), encrypted.keyIDs(second))
        #expect(destroyed.count == 1 && other.count == 1 && destroyed != other)
        try await encrypted.pipeline.deliver(.ended(reason: nil), first)
        try await encrypted.settle()
        for id in destroyed {
            try encrypted.pipeline.send(KeyRecord.tombstone(id, topic: encrypted.topics.keys, partition: 0))
        }
        #expect(try encrypted.results(session: first).isEmpty)
        #expect(try encrypted.results(session: second).count == 2)
        // The session's last journal record has no values and needs no key.
        let successor = try await encrypted.replaceCoordinator(by: "coordinator-2")
        #expect(successor.isSteady && successor.forgottenSessions == 1)
        // The session can be opened again, with another key.
        try await encrypted.run("again", session: first)
        #expect(try encrypted.results(session: first).last?.status == .success)
        #expect(encrypted.keyIDs(first).subtracting(destroyed).count == 1)
    }

    @Test func `tells a process without keys the option to set, and skips records that need keys`() async throws {
        let encrypted = try await EncryptedPipeline()
        try encrypted.pipeline.startCoordinator("coordinator")
        encrypted.keys = nil
        try encrypted.pipeline.startWorker("resolve", .resolve)
        try await encrypted.request()
        let letters = encrypted.pipeline.records(\.deadLetters).compactMap { ReadDeadLetter($0) }
        #expect(letters.count == 1 && letters.first?.message.contains("--encryption-key-file") == true)
        #expect(encrypted.readable() == [encrypted.topics.requests])
        // With the keys, the dead letter can be read.
        #expect(try encrypted.read(\.deadLetters).first.map(EncryptedPipeline.isPlanted) == true)
    }

    @Test func `stops a partition for whose sessions a coordinator has no key, without harm`() async throws {
        let encrypted = try await EncryptedPipeline.started()
        try await encrypted.request()
        encrypted.keys = String(repeating: "ee", count: 32)
        let keyless = try await encrypted.replaceCoordinator(by: "coordinator-2")
        #expect(keyless.counters.partitionsStopped == 1)
        encrypted.keys = EncryptedPipeline.keys
        try await encrypted.replaceCoordinator("coordinator-2", by: "coordinator-3")
        try await encrypted.agree()
        #expect(try encrypted.results().last?.status == .success)
    }

    @Test func `replaces the key of the file without an interruption`() async throws {
        let (old, new) = (EncryptedPipeline.keys, String(repeating: "b1", count: 32))
        let encrypted = try await EncryptedPipeline()
        try encrypted.pipeline.startCoordinator("coordinator")
        // Workers get the new key before a coordinator wraps keys with it.
        encrypted.keys = "\(old)\n\(new)"
        for phase in Phase.allCases { try encrypted.pipeline.startWorker(phase.rawValue, phase) }
        try await encrypted.request()
        encrypted.keys = "\(new)\n\(old)"
        try await encrypted.replaceCoordinator(by: "coordinator-2")
        for session in ["s", "t"] as [Identifier] {
            if session == "t" { try await encrypted.request("r", session: session) }
            try await encrypted.agree(session: session)
            #expect(try encrypted.results(session: session, keys: encrypted.keys).last?.status == .success)
        }
        // The old key wraps the key of the session that was open. The new key wraps the key of the later session.
        #expect(try encrypted.results(session: "s", keys: old).count == 2)
        #expect(try encrypted.results(session: "t", keys: new).count == 2)
        #expect(try encrypted.results(session: "t", keys: old).isEmpty)
    }

    @Test func `writes used keys again after a day, before their topic deletes them`() async throws {
        let encrypted = try await EncryptedPipeline.started()
        try await encrypted.request()
        let used = try #require(encrypted.pipeline.records(\.sessions).last.flatMap(KeyRecord.id))
        func records() -> Int { encrypted.pipeline.records(\.keys).filter { $0.key == Bytes(used.utf8) }.count }
        #expect(records() == 1)
        encrypted.time.advance(by: 26 * 3_600_000)
        for _ in 1...2 {
            try await encrypted.settle()
            #expect(records() == 2)
        }
        #expect(Topics.keyRetention > 604_800_000 + Int(EncryptingClient.renewal))
    }

    @Test func `reads an outcome that another process has encrypted with a key of its own`() async throws {
        let encrypted = try await EncryptedPipeline()
        try encrypted.pipeline.startCoordinator("coordinator")
        try encrypted.pipeline.startWorker("resolve", .resolve)
        try await encrypted.request(to: nil)
        let stranger = encrypted.client(try encrypted.log.connect(ClientConfiguration(clientID: "callback")))
        let value = Bytes("{\"planted\":\"\(EncryptedPipeline.planted)\"}".utf8)
        let record = Record(topic: encrypted.topics.outcomes, partition: 0, key: Bytes("s".utf8), value: value)
        try stranger.send(record, token: 1)
        _ = try stranger.poll(maximum: 10, timeout: .zero)
        #expect(try encrypted.read(\.outcomes).last?.value == record.value)
        #expect(encrypted.pipeline.records(\.outcomes).last.flatMap(KeyRecord.id) == nil)
        #expect(encrypted.readable().isEmpty)
    }

    @Test func `notices a value that was changed, moved to another record, or given another type`() async throws {
        let encrypted = try await EncryptedPipeline.started()
        try await encrypted.run()
        let prompt = try #require(encrypted.pipeline.records(\.results).first)
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

    @Test(arguments: [false, true])
    func `reads no more than it can hold while it waits for keys, and everything later`(isGroup: Bool) async throws {
        let encrypted = try await EncryptedPipeline.started()
        let pipeline = encrypted.pipeline
        try await encrypted.run()
        let outcomes = pipeline.records(\.outcomes)
        for number in 0..<5_000 { try pipeline.sendCopy(of: outcomes[number % outcomes.count]) }
        pipeline.setLeaders(of: \.keys, areAway: true)
        let group = isGroup ? (id: "readers", topics: [encrypted.topics.outcomes]) : nil
        let counting = CountingClient(try encrypted.log.connect(ClientConfiguration(clientID: "reader", group: group)))
        let reader = encrypted.client(counting)
        var read: [ConsumedRecord] = []
        func poll(times: Int) throws {
            for _ in 0..<times {
                for event in try reader.poll(maximum: 500, timeout: .zero) {
                    switch event {
                    case .assigned(let partitions):
                        try reader.assign(Dictionary(uniqueKeysWithValues: partitions.map { ($0, .beginning) }))
                    case .record(let record), .read(let record): read.append(record)
                    default: break
                    }
                }
            }
        }
        if !isGroup { try reader.read(pipeline.place(\.outcomes), from: .beginning) }
        try poll(times: 50)
        #expect(read.isEmpty && counting.records > 0 && counting.records <= HeldStreams.maximum + 500)
        pipeline.setLeaders(of: \.keys, areAway: false)
        try poll(times: 100)
        #expect(read.map(\.offset) == pipeline.records(\.outcomes).map(\.offset))
        #expect(read.allSatisfy { $0.header(EncryptedValue.header) == nil })
    }

    @Test func `destroys no key for a foreign record, and forgets the keys that the topic deletes`() throws {
        let keys = try EncryptionKeys(parsing: EncryptedPipeline.keys)
        let key = DataKey()
        var known = SessionKeys()
        func apply(_ value: Bytes?, at time: Int64) {
            let log = ScriptedLog()
            log.append(Record(topic: "intents.keys", key: Bytes(key.id.utf8), value: value, timestamp: time))
            known.apply(log.records[0])
        }
        func isKnown() -> Bool { known.key(key.id, keys)?.bytes == key.bytes }
        let written = KeyRecord.record(key.id, wrapped: try keys.wrap(key), topic: "intents.keys", partition: 0, at: 0)
        apply(written.value, at: 1_000)
        apply([1, 2, 3], at: 2_000)
        #expect(isKnown())
        known.expire(before: 1_000)
        #expect(isKnown())
        known.expire(before: 1_001)
        #expect(known.key(key.id, keys) == nil)
        apply(written.value, at: 3_000)
        apply(nil, at: 4_000)
        #expect(known.key(key.id, keys) == nil)
    }

    @Test func `is not slowed by records that name keys which do not exist`() async throws {
        let encrypted = try await EncryptedPipeline.started()
        for number in 0..<500 {
            let header = RecordHeader(EncryptedValue.header, "A256GCM key=none-\(number)")
            try encrypted.pipeline.write("123", to: \.outcomes, headers: [header])
        }
        try await encrypted.run()
        #expect(try encrypted.results().last?.status == .success)
        #expect(encrypted.pipeline.records(\.deadLetters).count == 500)
    }
}

/// A client that counts the records that it receives.
private final class CountingClient: ForwardingClient, @unchecked Sendable {
    private(set) var records = 0

    override func poll(maximum: Int, timeout: Duration) throws(LogError) -> [LogEvent] {
        let events = try super.poll(maximum: maximum, timeout: timeout)
        for case .record in events { records += 1 }
        for case .read in events { records += 1 }
        return events
    }
}

@Suite("Keys of new sessions") struct SessionKeyTests {
    /// A pipeline that has one open session and no spare keys since a fault.
    private func pipeline(_ breakDown: (EncryptedPipeline) -> Void) async throws -> EncryptedPipeline {
        let encrypted = try await EncryptedPipeline.started()
        try await encrypted.settle()
        try await encrypted.request(session: "open", to: nil)
        breakDown(encrypted)
        for number in 1...64 { try encrypted.order(session: "used\(number)", to: nil) }
        try await encrypted.settle()
        return encrypted
    }

    /// Checks that an open session continues, that a new one is rejected as busy, and that sessions are opened later.
    ///
    /// - Parameter end: Ends the fault before the results are read, because a reader needs the keys too.
    private func check(_ encrypted: EncryptedPipeline, before end: () -> Void = {}, after repair: () -> Void = {})
        async throws
    {
        func results() -> [ConsumedRecord] { encrypted.pipeline.records(\.results) }
        func open() -> Int { results().count { $0.key == Array("open".utf8) } }
        let before = open()
        try await encrypted.request("late", session: "new")
        encrypted.time.advance(by: KeyStock.patience)
        try await encrypted.settle()
        try await encrypted.request("next", session: "open")
        let written = results().count
        end()
        #expect(try encrypted.results(session: "new").map(\.line) == ["rejected busy"])
        #expect(results().count == written && open() > before)
        repair()
        try await encrypted.settle()
        try await encrypted.request(session: "later", to: nil)
        #expect(try encrypted.results(session: "later").last?.prompt != nil)
    }

    @Test func `that the log refuses keep no open session waiting, and new ones are rejected as busy`() async throws {
        let encrypted = try await pipeline { $0.pipeline.refuse(in: \.keys, with: LogError(.unauthorized, "no right")) }
        let repair = {
            let refused = encrypted.pipeline.coordinators["coordinator"]?.counters.refusedRecords.keys.map(\.topic)
            #expect(refused == [encrypted.topics.keys])
            encrypted.log.clearFaults()
            encrypted.time.advance(by: KeyStock.refusalDelay)
        }
        try await check(encrypted, after: repair)
    }

    @Test func `without a leader delay new sessions alone for 5 s, which are then rejected as busy`() async throws {
        let encrypted = try await pipeline { $0.pipeline.setLeaders(of: \.keys, areAway: true) }
        try await check(encrypted, before: { encrypted.pipeline.setLeaders(of: \.keys, areAway: false) })
    }
}

@Suite("The keys of the key file") struct EncryptionKeysTests {
    static let first = EncryptedPipeline.keys
    static let second = String(repeating: "b1", count: 32)

    @Test func `are one on each line, and empty lines don't count`() throws {
        _ = try EncryptionKeys(parsing: "\(Self.first)\n\n\(Self.second.uppercased())\n")
    }

    @Test(arguments: [
        ("", "no key"), ("\n \n", "no key"), ("\(first)\nsecret", "line 2"), (String(first.dropLast()), "line 1"),
        ("\(first)00", "line 1"),
    ])
    func `of another form are refused, by line`(_ text: String, _ problem: String) {
        let error = #expect(throws: EncryptionKeyError.self) { try EncryptionKeys(parsing: text) }
        #expect(error?.description.contains(problem) == true && error?.description.contains(Self.first) == false)
    }

    @Test func `wrap with the first and unwrap with each, so that a key can be replaced`() throws {
        let old = try EncryptionKeys(parsing: Self.first)
        let both = try EncryptionKeys(parsing: "\(Self.second)\n\(Self.first)")
        let new = try EncryptionKeys(parsing: Self.second)
        let key = DataKey()
        #expect(try both.unwrap(old.wrap(key), id: key.id)?.bytes == key.bytes)
        #expect(try new.unwrap(both.wrap(key), id: key.id)?.bytes == key.bytes)
        #expect(try new.unwrap(old.wrap(key), id: key.id) == nil)
    }

    @Test func `unwrap no key under the id of another, and nothing that was changed`() throws {
        let keys = try EncryptionKeys(parsing: Self.first)
        let key = DataKey()
        let wrapped = try keys.wrap(key)
        #expect(keys.unwrap(wrapped, id: DataKey().id) == nil)
        for changed in [String(wrapped.dropLast(2)), "", wrapped.replacing(".", with: "")] {
            #expect(keys.unwrap(changed, id: key.id) == nil)
        }
        #expect(DataKey().bytes != DataKey().bytes)
    }
}
