import RecordLog
import Testing

@Suite("Topics of the in-memory log that change while clients run") struct ChangedTopicTests: InScenario {
    let scenario = Scenario()

    @Test func `a topic that is created again has no records and no commits, and its offsets start at 0`() throws {
        let member = try owner("a")
        try fill(3)
        try member.commit([p0: CommittedOffset(offset: 3)])
        log.recreateTopic("t")
        #expect(log.committed(group: "g").isEmpty && log.generation(ofGroup: "g") == 1)
        #expect(try log.append(record("new")).offset == 0)
    }

    @Test(arguments: [
        (3, 1, ["outOfRange t[0]@3 above, at 0", "read t[0]@0", "end t[0]@1"]),
        (2, 3, ["read t[0]@2", "end t[0]@3"]),
    ])
    func `a reader beyond the end of a recreated topic starts over`(old: Int, new: Int, events: [String]) throws {
        try fill(old)
        #expect(try client.events(reading: p0).last == "end t[0]@\(old)")
        log.recreateTopic("t")
        try fill(new)
        #expect(try client.events() == events)
    }

    @Test func `a topic's record limit changes while clients run, and unwritten records are counted`() throws {
        log.limitRecords(of: "t", toBytes: 3)
        for (token, value) in ["long", "a"].enumerated() { try client.send(record(value), token: UInt64(token)) }
        #expect(client.unwritten == 2)
        #expect(try client.events() == ["delivered 0 recordTooLarge", "delivered 1 @0"])
        #expect(client.unwritten == 0 && !client.hasStopped)
        log.limitRecords(of: "t", toBytes: nil)
        #expect(try client.events(sending: record("long"), token: 2) == ["delivered 2 @1"])
    }

    @Test func `members release partitions of a deleted topic, and get them when it is created again`() async throws {
        let member = try owner("a")
        try fill(1)
        #expect(try member.events() == ["record t[0]@0"])
        log.deleteTopic("t")
        #expect(try member.events() == ["revoked t[0] t[1]"])
        #expect(try member.eventsAfterRelease() == ["assigned"])
        try member.assign([:])
        #expect(try member.events(sending: 1...1) == ["delivered 1 unknownTopicOrPartition"])
        #expect(try await log.topics().isEmpty)
        log.addTopic("t")
        #expect(try member.events() == ["assigned t[0]"])
    }

    @Test func `records after a cut tail get the offsets of the cut records`() throws {
        try fill(5)
        log.setSegmentSize(2, of: "t")
        log.cutTail(of: p0, records: 2)
        #expect(try client.range(of: p0) == 0..<3)
        #expect(try client.events(sending: 9...9) == ["delivered 9 @3"])
        #expect(values == ["0", "1", "2", "9"])
        log.cutTail(of: p0, records: 99)
        #expect(try client.range(of: p0) == 0..<0)
    }

    @Test func `a reader beyond the cut is out of range, one that is not there yet continues`() throws {
        let (ahead, behind) = (connect("c"), connect("d"))
        try fill(5)
        try ahead.read(p0, from: .end)
        try behind.read(p0, from: .offset(1))
        #expect(try ahead.events() == ["end t[0]@5"])
        #expect(try behind.events(1) == ["read t[0]@1"])
        log.cutTail(of: p0, records: 2)
        #expect(try ahead.events(2) == ["outOfRange t[0]@5 above, at 0", "read t[0]@0"])
        #expect(try behind.events() == ["read t[0]@2", "end t[0]@3"])
    }

    @Test func `members of a group get the partitions that are added to a topic`() async throws {
        let member = try owner("a")
        log.addPartitions(to: "t", count: 2)
        #expect(try member.events() == [])
        log.addPartitions(to: "t", count: 4)
        #expect(try member.events() == ["revoked t[0] t[1]"])
        #expect(try member.eventsAfterRelease() == ["assigned t[0] t[1] t[2] t[3]"])
        #expect(try await log.topics().map(\.partitions) == [4])
        #expect(try log.append(record("v", 3)).partition == 3)
    }

    @Test func `keys go to other partitions when partitions are added`() throws {
        func partitions() throws -> [Int32] {
            try (0..<20).map { try log.append(Record(topic: "t", key: Bytes("k\($0)".utf8), value: nil)).partition }
        }
        let before = try partitions()
        log.addPartitions(to: "t", count: 4)
        #expect(try partitions() != before)
    }
}

@Suite("Partitions of the in-memory log whose leader is away") struct LeaderTests: InScenario {
    let scenario = Scenario()

    @Test func `records for partitions without a leader wait, and records for other topics are written`() throws {
        log.addTopic("u")
        log.setLeaders(of: "t", areAway: true)
        try client.send(1...1)
        try client.send(Record(topic: "u", key: nil, value: nil), token: 2)
        #expect(try client.events(sending: record("3", 1), token: 3) == ["delivered 2 @0"])
        log.setLeader(of: p1, isAway: false)
        #expect(try client.events() == ["delivered 3 @0"])
        try client.send(4...4)
        log.setLeaders(of: "t", areAway: false)
        #expect(try client.events() == ["delivered 1 @0", "delivered 4 @1"])
    }

    @Test func `a partition without a leader returns nothing, not even its end, until the leader is back`() throws {
        try fill(1)
        log.setLeader(of: p0, isAway: true)
        try client.read(p0, from: .beginning)
        #expect(try client.events(reading: p1) == ["end t[1]@0"])
        let error = #expect(throws: LogError.self) { try client.range(of: p0) }
        #expect(error?.code == .timedOut && error?.disposition == .retry)
        log.setLeader(of: p0, isAway: false)
        #expect(try client.events() == ["read t[0]@0", "end t[0]@1"])
    }

    @Test func `a member keeps a partition without a leader`() throws {
        let member = try owner("a")
        for partition: Int32 in [0, 1] { try log.append(record("v", partition)) }
        log.setLeader(of: p0, isAway: true)
        #expect(try member.events() == ["record t[1]@0"])
        log.setLeader(of: p0, isAway: false)
        #expect(try member.events() == ["record t[0]@0"])
    }

    @Test func `a record without key and partition waits for the partition that was chosen first`() throws {
        log.setLeaders(of: "t", areAway: true)
        for token: UInt64 in 0...1 { try client.send(Record(topic: "t", key: nil, value: []), token: token) }
        for _ in 0..<3 { #expect(try client.events() == []) }
        log.setLeaders(of: "t", areAway: false)
        #expect(try client.events() == ["delivered 0 @0", "delivered 1 @0"])
    }

    @Test func `closing a client without a leader reports the number of lost records`() throws {
        log.setLeader(of: p0, isAway: true)
        for partition: Int32 in [0, 1, 0] { try client.send(record("v", partition), token: 0) }
        let error = try #require(throws: LogError.self) { try client.close(timeout: .zero) }
        #expect(error.code == .timedOut && error.message.contains("2 records"), "\(error)")
        #expect(!client.isAlive)
        #expect(log.records(in: "t").map(\.partition) == [1])
    }

    @Test func `records that wait are dropped when a record of a gapless topic fails`() throws {
        let client = gapless("t")
        log.setLeader(of: p0, isAway: true)
        client.failRecords(1, partition: 1, with: LogError(.timedOut, "no answer", disposition: .retry))
        for partition: Int32 in [0, 1, 0] { try client.send(record("v", partition), token: UInt64(partition)) }
        #expect(Set(try client.events()) == ["delivered 1 timedOut", "delivered 0 closed"])
        log.setLeader(of: p0, isAway: false)
        #expect(try client.events() == [])
        #expect(log.records(in: "t").isEmpty)
    }
}
