import RecordLog
import Testing

@Suite("A client of the in-memory log")
struct ClientTests {
    @Test("a poll returns at once, whatever its timeout")
    func neverWaits() async throws {
        let client = try await Scenario().client("c")
        let took = try ContinuousClock().measure { _ = try client.poll(maximum: 1, timeout: .seconds(3_600)) }
        #expect(took < .seconds(1))
    }

    @Test("a record without a timestamp gets the time it was sent")
    func timestamps() async throws {
        let scenario = try await Scenario()
        let client = scenario.client("c")
        try client.send(scenario.record("v"), token: 1)
        _ = try client.told()
        #expect(scenario.log.records(in: scenario.p0).map(\.timestamp) == [1_700_000_000_000])
    }

    @Test("records without key and partition are distributed in turn")
    func roundRobin() async throws {
        let scenario = try await Scenario()
        let client = scenario.client("c")
        for token: UInt64 in 1...5 { try client.send(Record(topic: "t", key: nil, value: []), token: token) }
        _ = try client.told()
        #expect(scenario.log.records(in: scenario.p0).count == 3)
        #expect(scenario.log.records(in: scenario.p1).count == 2)
    }

    @Test("writing to or reading from an unknown topic is an error")
    func unknownTopic() async throws {
        let scenario = try await Scenario()
        let client = scenario.client("c")
        try client.send(Record(topic: "nowhere", key: nil, value: []), token: 1)
        try client.read(TopicPartition("nowhere", 0), from: .end)
        #expect(try client.told() == ["failed unknownTopicOrPartition", "delivered 1 unknownTopicOrPartition"])
        #expect(throws: LogError.self) { try client.range(of: TopicPartition("nowhere", 0)) }
    }

    @Test("no partition starves another one")
    func fairness() async throws {
        let scenario = try await Scenario()
        for value in 0..<50 {
            for partition: Int32 in [0, 1] { try scenario.log.append(scenario.record("\(value)", partition)) }
        }
        let client = scenario.client("c")
        for partition in [scenario.p0, scenario.p1] { try client.read(partition, from: .beginning) }
        #expect(try client.told(2) == ["read t[0]@0", "read t[0]@1"])
        #expect(try client.told(2) == ["read t[1]@0", "read t[1]@1"])
        #expect(try client.told(2) == ["read t[0]@2", "read t[0]@3"])
    }

    @Test("a client that has connected twice under one name is found by its last connection")
    func lookup() async throws {
        let scenario = try await Scenario()
        scenario.client("c").crash(.beforeSending)
        _ = try scenario.client("c").told()
        #expect(scenario.log.client(named: "c")?.calls == 1)
    }
}
