import RDKafkaLog
import RecordLog
import Testing

/// Tests of the offsets at which reads start, and of offsets without records.
@Suite("Positions of group members and readers", .tags(.broker))
struct PositionTests {
    private func fill(_ topic: String, _ partitions: Int32, _ count: Int) async throws {
        let client = try Support.log().connect(ClientConfiguration(clientID: "fill"))
        try await client.write(
            (0..<count * Int(partitions)).map {
                Record(topic: topic, partition: Int32($0 % Int(partitions)), key: nil, value: [1])
            })
        try client.close(timeout: .seconds(5))
    }

    @Test("a group without commits starts at the beginning without an error")
    func noCommits() async throws {
        let topic = try Support.topic("fresh", partitions: 4)
        try await fill(topic, 4, 50)
        let client = try Support.log().connect(ClientConfiguration(clientID: "fresh", group: ("\(topic)-g", [topic])))
        try await client.join(at: nil)
        let events = try await client.poll("all records") { $0.records.count >= 200 }
        #expect(events.failures == [])
        #expect(Set(events.records.map { "\($0.topicPartition)@\($0.offset)" }).count == 200)
        try client.close(timeout: .seconds(5))
    }

    @Test("a position out of range is reported once and affects no other partition")
    func outOfRange() async throws {
        let topic = try Support.topic("gone", partitions: 4)
        try await fill(topic, 4, 200)
        let client = try Support.log().connect(ClientConfiguration(clientID: "gone", group: ("\(topic)-g", [topic])))
        try await client.poll("assignment") { !$0.assigned.isEmpty }
        try client.assign([
            TopicPartition(topic, 0): .beginning, TopicPartition(topic, 1): .offset(100),
            TopicPartition(topic, 2): .offset(100_000),
            TopicPartition(topic, 3): .offset(199),
        ])
        let events = try await client.poll("all records") { $0.records.count >= 200 + 100 + 200 + 1 }
        #expect(events.missing == [OutOfRange(TopicPartition(topic, 2), requested: 100_000, range: 0..<200)])
        #expect(events.failures == [])
        let offsets = Dictionary(grouping: events.records, by: \.partition).mapValues { $0.map(\.offset) }
        #expect(offsets == [0: Array(0..<200), 1: Array(100..<200), 2: Array(0..<200), 3: [199]])
        try client.close(timeout: .seconds(5))
    }

    @Test("a committed position out of range is reported")
    func staleCommit() async throws {
        let topic = try Support.topic("stale", partitions: 1)
        try await fill(topic, 1, 10)
        let client = try Support.log().connect(ClientConfiguration(clientID: "stale", group: ("\(topic)-g", [topic])))
        try await client.join()
        try client.commit([TopicPartition(topic, 0): CommittedOffset(offset: 5000, metadata: "größer")])
        try await client.poll("commit") { $0.commits.count == 1 }
        let committed = try await Support.log().committed(by: "\(topic)-g", [TopicPartition(topic, 0)])
        #expect(committed.values.map(\.metadata) == ["größer"])
        try client.close(timeout: .seconds(5))
        let next = try Support.log().connect(ClientConfiguration(clientID: "stale", group: ("\(topic)-g", [topic])))
        try await next.join(at: nil)
        let events = try await next.poll("all records") { $0.records.count >= 10 }
        #expect(events.missing == [OutOfRange(TopicPartition(topic, 0), requested: 5000, range: 0..<10)])
        #expect(events.records.map(\.offset) == Array(0..<10))
        try next.close(timeout: .seconds(5))
    }

    @Test("a paused partition delivers nothing and loses nothing")
    func paused() async throws {
        let topic = try Support.topic("paused", partitions: 2)
        try await fill(topic, 2, 2000)
        let client = try Support.log().connect(ClientConfiguration(clientID: "paused", group: ("\(topic)-g", [topic])))
        try await client.join()
        var records = try await client.poll("a first record") { !$0.records.isEmpty }.records
        // By now librdkafka has fetched far ahead of the polled records. The fetched records must not be delivered.
        for round in 0..<40 {
            let paused = TopicPartition(topic, Int32(round % 2))
            try client.pause([paused])
            for _ in 0..<5 {
                let events = try client.poll(maximum: 20, timeout: .milliseconds(5))
                #expect(!events.records.contains { $0.topicPartition == paused })
                records += events.records
                await Task.yield()
            }
            try client.resume([paused])
            records += try client.poll(maximum: 10, timeout: .milliseconds(5)).records
        }
        let sofar = records.count
        records += try await client.poll("the rest") { $0.records.count >= 4000 - sofar }.records
        for partition in 0..<Int32(2) {
            #expect(records.filter { $0.partition == partition }.map(\.offset) == Array(0..<2000))
        }
        try client.close(timeout: .seconds(5))
    }

    @Test("a moved reader delivers no records from its old position")
    func moved() async throws {
        let topic = try Support.topic("moved", partitions: 1)
        try await fill(topic, 1, 3000)
        let client = try Support.log().connect(ClientConfiguration(clientID: "moved"))
        let place = TopicPartition(topic, 0)
        for round in 0..<30 {
            let start = Int64(round * 37 % 2000)
            try client.read(place, from: .offset(start))
            let reads = try await client.poll("records") { $0.reads.count >= 5 }.reads
            #expect(reads.map(\.offset) == Array(start..<start + Int64(reads.count)))
        }
        try client.stopReading(place)
        #expect(try client.poll(maximum: 1000, timeout: .milliseconds(50)).reads.isEmpty)
        try client.read(place, from: .offset(9999))
        let events = try await client.poll("the end") { !$0.ends.isEmpty }
        #expect(events.missing == [OutOfRange(place, requested: 9999, range: 0..<3000)])
        #expect(events.missing.map(\.side) == [.afterEnd])
        #expect(events.reads.map(\.offset) == Array(0..<3000))
        #expect(events.ends == [3000])
        try client.close(timeout: .seconds(5))
    }
}
