import RDKafkaLog
import RecordLog
import Testing

@Suite("Records written and read", .tags(.broker))
struct RecordTests {
    @Test("absent and empty keys, values and headers are distinguished both ways")
    func absent() async throws {
        let topic = try Support.topic("empty")
        let client = try Support.log().connect(ClientConfiguration(clientID: "empty"))
        let choices: [Bytes?] = [nil, [], [0], Bytes(repeating: 7, count: 1000)]
        var records: [Record] = []
        for key in choices {
            for value in choices {
                records.append(
                    Record(
                        topic: topic, partition: 0, key: key, value: value,
                        headers: choices.map { RecordHeader("h", $0) } + [
                            RecordHeader("", [1]), RecordHeader("größe", "ü"),
                        ],
                        timestamp: 1_700_000_000_000 + Int64(records.count)))
            }
        }
        records.append(Record(topic: topic, partition: 0, key: [1], value: [2]))
        #expect(try await client.write(records).map(\.offset) == (0..<Int64(records.count)).map { $0 })
        try client.read(TopicPartition(topic, 0), from: .beginning)
        let read = try await client.poll("records") { $0.reads.count >= records.count }.reads
        #expect(read.map(\.key) == records.map(\.key))
        #expect(read.map(\.value) == records.map(\.value))
        #expect(read.map(\.headers) == records.map(\.headers))
        #expect(read.dropLast().map(\.timestamp) == records.dropLast().map(\.timestamp))
        #expect((read.last?.timestamp ?? 0) > 1_700_000_001_000, "no timestamp is the time of the write")
        #expect(read.map(\.offset) == (0..<Int64(records.count)).map { $0 })
        try client.close(timeout: .seconds(5))
    }

    @Test("deliveries carry the token, partition and offset of their record")
    func deliveries() async throws {
        let topic = try Support.topic("offsets", partitions: 3)
        let client = try Support.log(["linger.ms": "2"]).connect(ClientConfiguration(clientID: "offsets"))
        let records = (0..<3000).map {
            Record(topic: topic, partition: Int32($0 % 3), key: nil, value: Bytes("\($0)".utf8))
        }
        let deliveries = try await client.write(records)
        #expect(Set(deliveries.map(\.token)).count == 3000)
        #expect(deliveries.allSatisfy { $0.error == nil && $0.topic == topic && $0.partition == Int32($0.token % 3) })
        for partition in 0..<Int32(3) { try client.read(TopicPartition(topic, partition), from: .beginning) }
        let read = try await client.poll("records") { $0.reads.count >= 3000 }.reads
        let truth = Dictionary(
            uniqueKeysWithValues: read.map { (String(decoding: $0.value ?? [], as: UTF8.self), $0.offset) })
        #expect(deliveries.allSatisfy { truth["\($0.token)"] == $0.offset })
        try client.close(timeout: .seconds(5))
    }

    @Test("tokens use all bits")
    func tokens() async throws {
        let topic = try Support.topic("tokens")
        let client = try Support.log().connect(ClientConfiguration(clientID: "tokens"))
        for token in [0, 1, UInt64.max, 1 << 63] {
            try client.send(Record(topic: topic, key: nil, value: nil), token: token)
        }
        let deliveries = try await client.poll("delivery") { $0.deliveries.count == 4 }.deliveries
        #expect(deliveries.map(\.token) == [0, 1, UInt64.max, 1 << 63])
        try client.close(timeout: .seconds(5))
    }

    @Test("a key selects the same partition as in Java")
    func partitioner() async throws {
        let topic = try Support.topic("murmur", partitions: 12)
        let client = try Support.log().connect(ClientConfiguration(clientID: "murmur"))
        // The hashes of Kafka's own tests of murmur2: toPositive(murmur2(key)) % 12.
        let keys = ["21", "foobar", "a-little-bit-long-string", "a-little-bit-longer-string"]
        let hashes: [UInt32] = [
            UInt32(bitPattern: -973_932_308), UInt32(bitPattern: -790_332_482), UInt32(bitPattern: -985_981_536),
            UInt32(bitPattern: -1_486_304_829),
        ]
        let deliveries = try await client.write(keys.map { Record(topic: topic, key: Bytes($0.utf8), value: []) })
        for delivery in deliveries {
            #expect(delivery.partition == Int32((hashes[Int(delivery.token)] & 0x7fff_ffff) % 12))
        }
        try client.close(timeout: .seconds(5))
    }

    @Test("deliveries beyond the requested maximum are kept for the next poll")
    func surplus() async throws {
        let topic = try Support.topic("surplus")
        let client = try Support.log(["linger.ms": "50"]).connect(ClientConfiguration(clientID: "surplus"))
        for token in 0..<UInt64(500) { try client.send(Record(topic: topic, key: nil, value: [1]), token: token) }
        var tokens: [UInt64] = []
        let deadline = ContinuousClock.now + .seconds(10)
        while tokens.count < 500, ContinuousClock.now < deadline {
            let events = try client.poll(maximum: 7, timeout: .seconds(1))
            #expect(events.count <= 7)
            tokens += events.deliveries.map(\.token)
        }
        #expect(tokens == (0..<500).map { UInt64($0) })
        try client.close(timeout: .seconds(5))
    }

    @Test("a full queue is reported, and has room again after deliveries")
    func fullQueue() async throws {
        let topic = try Support.topic("full")
        let client = try Support.log(["queue.buffering.max.messages": "100", "linger.ms": "20"]).connect(
            ClientConfiguration(clientID: "full", group: ("full", [topic])))
        var sent: UInt64 = 0
        var delivered = 0
        // The loop sends many times the queue's size: polled deliveries must free the queue.
        for _ in 0..<20 {
            do {
                while true {
                    try client.send(Record(topic: topic, key: nil, value: [1]), token: sent)
                    sent += 1
                }
            } catch {
                #expect(error.code == .queueFull)
                #expect(error.disposition == .retry)
            }
            let open = Int(sent) - delivered
            delivered += try await client.poll("room") { $0.deliveries.count >= open }.deliveries.count
        }
        #expect(sent == 2000)
        try client.close(timeout: .seconds(5))
    }
}
