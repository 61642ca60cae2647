import RecordLog
import Testing

@Suite("Partitions of the in-memory log whose leader is away")
struct LeaderTests {
    @Test("records for them wait, and those for other topics are written")
    func writing() async throws {
        let scenario = try await Scenario()
        try await scenario.log.createTopics([TopicSpecification(name: "u", partitions: 1)])
        let client = scenario.client("c")
        scenario.log.setLeaders(of: "t", areAway: true)
        try client.send(scenario.record("1"), token: 1)
        try client.send(Record(topic: "u", key: nil, value: nil), token: 2)
        try client.send(scenario.record("3", 1), token: 3)
        #expect(try client.told() == ["delivered 2 @0"])
        scenario.log.setLeader(of: scenario.p1, isAway: false)
        #expect(try client.told() == ["delivered 3 @0"])
        try client.send(scenario.record("4"), token: 4)
        scenario.log.setLeaders(of: "t", areAway: false)
        #expect(try client.told() == ["delivered 1 @0", "delivered 4 @1"])
    }

    @Test("reading them returns nothing, not even the end, until the leader is back")
    func reading() async throws {
        let scenario = try await Scenario()
        let client = scenario.client("c")
        try scenario.log.append(scenario.record("v"))
        scenario.log.setLeader(of: scenario.p0, isAway: true)
        try client.read(scenario.p0, from: .beginning)
        try client.read(scenario.p1, from: .beginning)
        #expect(try client.told() == ["end t[1]@0"])
        let error = #expect(throws: LogError.self) { try client.range(of: scenario.p0) }
        #expect(error?.code == .timedOut && error?.disposition == .retry)
        scenario.log.setLeader(of: scenario.p0, isAway: false)
        #expect(try client.told() == ["read t[0]@0", "end t[0]@1"])
    }

    @Test("a member keeps such a partition")
    func group() async throws {
        let scenario = try await Scenario()
        let member = try scenario.owner("a")
        for partition: Int32 in [0, 1] { try scenario.log.append(scenario.record("v", partition)) }
        scenario.log.setLeader(of: scenario.p0, isAway: true)
        #expect(try member.told() == ["record t[1]@0"])
        scenario.log.setLeader(of: scenario.p0, isAway: false)
        #expect(try member.told() == ["record t[0]@0"])
    }

    @Test("a record without key and partition waits for the partition that was chosen first")
    func chosenOnce() async throws {
        let scenario = try await Scenario()
        let client = scenario.client("c")
        scenario.log.setLeaders(of: "t", areAway: true)
        for token: UInt64 in 0...1 { try client.send(Record(topic: "t", key: nil, value: []), token: token) }
        for _ in 0..<3 { #expect(try client.told() == []) }
        scenario.log.setLeaders(of: "t", areAway: false)
        #expect(try client.told() == ["delivered 0 @0", "delivered 1 @0"])
    }

    @Test("a client that is closed meanwhile loses its records, and says how many")
    func closing() async throws {
        let scenario = try await Scenario()
        let client = scenario.client("c")
        scenario.log.setLeader(of: scenario.p0, isAway: true)
        for partition: Int32 in [0, 1, 0] { try client.send(scenario.record("v", partition), token: 0) }
        let error = #expect(throws: LogError.self) { try client.close(timeout: .zero) }
        #expect(error?.code == .timedOut && error?.message.contains("2 records") == true, "\(error!)")
        #expect(!client.isAlive)
        #expect(scenario.log.records(in: "t").map(\.partition) == [1])
    }

    @Test("records that wait are dropped when a record of a gapless topic fails")
    func dropped() async throws {
        let scenario = try await Scenario()
        let client = scenario.log.client(ClientConfiguration(clientID: "c", gaplessTopics: ["t"]))
        scenario.log.setLeader(of: scenario.p0, isAway: true)
        client.failRecords(1, partition: 1, with: LogError(.timedOut, "no answer", disposition: .retry))
        for partition: Int32 in [0, 1, 0] { try client.send(scenario.record("v", partition), token: UInt64(partition)) }
        #expect(Set(try client.told()) == ["delivered 1 timedOut", "delivered 0 closed"])
        scenario.log.setLeader(of: scenario.p0, isAway: false)
        #expect(try client.told() == [])
        #expect(scenario.log.records(in: "t").isEmpty)
    }
}
