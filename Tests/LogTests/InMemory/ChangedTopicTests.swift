import RecordLog
import Testing

@Suite("Topics of the in-memory log that change while clients run")
struct ChangedTopicTests {
    private func fill(_ scenario: Scenario, _ count: Int) throws {
        for value in 0..<count { try scenario.log.append(scenario.record("\(value)")) }
    }

    @Test("a topic that is created again has no records and no commits, and its offsets start at 0")
    func recreated() async throws {
        let scenario = try await Scenario()
        let member = try scenario.owner("a")
        try fill(scenario, 3)
        try member.commit([scenario.p0: CommittedOffset(offset: 3)])
        scenario.log.recreateTopic("t")
        #expect(scenario.log.committed(group: "g").isEmpty)
        #expect(scenario.log.generation(ofGroup: "g") == 1)
        #expect(try scenario.log.append(scenario.record("new")).offset == 0)
    }

    @Test("a running reader of a topic that is created again is out of range, and continues at the beginning")
    func positions() async throws {
        let scenario = try await Scenario()
        let client = scenario.client("c")
        try fill(scenario, 3)
        try client.read(scenario.p0, from: .beginning)
        #expect(try client.told().last == "end t[0]@3")
        scenario.log.recreateTopic("t")
        try fill(scenario, 1)
        #expect(try client.told() == ["outOfRange t[0]@3 after the end, at 0", "read t[0]@0", "end t[0]@1"])
    }

    @Test("a topic's limit for records changes while clients run, and what a client has not written is known")
    func limited() async throws {
        let scenario = try await Scenario()
        let client = scenario.client("c")
        scenario.log.limitRecords(of: "t", toBytes: 3)
        for (token, value) in ["long", "a"].enumerated() {
            try client.send(scenario.record(value), token: UInt64(token))
        }
        #expect(client.unwritten == 2)
        #expect(try client.told() == ["delivered 0 recordTooLarge", "delivered 1 @0"])
        #expect(client.unwritten == 0 && !client.hasStopped)
        scenario.log.limitRecords(of: "t", toBytes: nil)
        try client.send(scenario.record("long"), token: 2)
        #expect(try client.told() == ["delivered 2 @1"])
    }

    @Test("a reader whose position the new topic has reached notices nothing, as on Kafka")
    func unnoticed() async throws {
        let scenario = try await Scenario()
        let client = scenario.client("c")
        try fill(scenario, 2)
        try client.read(scenario.p0, from: .beginning)
        _ = try client.told()
        scenario.log.recreateTopic("t")
        try fill(scenario, 3)
        #expect(try client.told() == ["read t[0]@2", "end t[0]@3"])
    }

    @Test("members release the partitions of a deleted topic, and get them again when it is created again")
    func deleted() async throws {
        let scenario = try await Scenario()
        let member = try scenario.owner("a")
        try fill(scenario, 1)
        #expect(try member.told() == ["record t[0]@0"])
        scenario.log.deleteTopic("t")
        #expect(try member.told() == ["revoked t[0] t[1]"])
        try member.release()
        #expect(try member.told() == ["assigned"])
        try member.assign([:])
        try member.send(scenario.record("v"), token: 1)
        #expect(try member.told() == ["delivered 1 unknownTopicOrPartition"])
        #expect(try await scenario.log.topics().isEmpty)
        try await scenario.log.createTopics([TopicSpecification(name: "t", partitions: 1)])
        #expect(try member.told() == ["assigned t[0]"])
    }

    @Test("records after a cut tail get the offsets of those that were cut")
    func cutTail() async throws {
        let scenario = try await Scenario()
        let client = scenario.client("c")
        try fill(scenario, 5)
        scenario.log.setSegmentSize(2, of: "t")
        scenario.log.cutTail(of: scenario.p0, records: 2)
        #expect(try client.range(of: scenario.p0) == 0..<3)
        try client.send(scenario.record("new"), token: 1)
        #expect(try client.told() == ["delivered 1 @3"])
        #expect(scenario.values(scenario.p0) == ["0", "1", "2", "new"])
        scenario.log.cutTail(of: scenario.p0, records: 99)
        #expect(try client.range(of: scenario.p0) == 0..<0)
    }

    @Test("a reader beyond the cut is out of range, one that is not there yet continues")
    func readersOfCutTail() async throws {
        let scenario = try await Scenario()
        let (ahead, behind) = (scenario.client("c"), scenario.client("d"))
        try fill(scenario, 5)
        try ahead.read(scenario.p0, from: .end)
        try behind.read(scenario.p0, from: .offset(1))
        #expect(try ahead.told() == ["end t[0]@5"])
        #expect(try behind.told(1) == ["read t[0]@1"])
        scenario.log.cutTail(of: scenario.p0, records: 2)
        #expect(try ahead.told(2) == ["outOfRange t[0]@5 after the end, at 0", "read t[0]@0"])
        #expect(try behind.told() == ["read t[0]@2", "end t[0]@3"])
    }

    @Test("members of a group get the partitions that are added to a topic")
    func added() async throws {
        let scenario = try await Scenario()
        let member = try scenario.owner("a")
        scenario.log.addPartitions(to: "t", count: 2)
        #expect(try member.told() == [])
        scenario.log.addPartitions(to: "t", count: 4)
        #expect(try member.told() == ["revoked t[0] t[1]"])
        try member.release()
        #expect(try member.told() == ["assigned t[0] t[1] t[2] t[3]"])
        #expect(try await scenario.log.topics().map(\.partitions) == [4])
        #expect(try scenario.log.append(scenario.record("v", 3)).partition == 3)
    }

    @Test("keys go to other partitions when partitions are added")
    func keys() async throws {
        let scenario = try await Scenario()
        func partitions() throws -> [Int32] {
            try (0..<20).map {
                try scenario.log.append(Record(topic: "t", key: Bytes("k\($0)".utf8), value: nil)).partition
            }
        }
        let before = try partitions()
        scenario.log.addPartitions(to: "t", count: 4)
        #expect(try partitions() != before)
    }
}
