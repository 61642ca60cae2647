import RecordLog
import Testing

@Suite("Late deliveries of the in-memory log")
struct LateDeliveryTests {
    @Test("a record can be read before its delivery, which comes the given number of polls later")
    func readFirst() async throws {
        let scenario = try await Scenario()
        let client = scenario.client("c")
        try client.read(scenario.p0, from: .beginning)
        client.delayDeliveries(polls: 2)
        try client.send(scenario.record("v"), token: 1)
        #expect(try client.told() == ["read t[0]@0", "end t[0]@1"])
        #expect(try client.told() == [])
        #expect(try client.told() == ["delivered 1 @0"])
    }

    @Test("deliveries wait until they are released, and keep their order")
    func untilReleased() async throws {
        let scenario = try await Scenario()
        let client = scenario.client("c")
        client.delayDeliveries(of: "t")
        for token: UInt64 in 1...2 { try client.send(scenario.record("\(token)"), token: token) }
        for _ in 0..<5 { #expect(try client.told() == []) }
        #expect(scenario.values(scenario.p0) == ["1", "2"])
        client.releaseDeliveries(of: "t")
        try client.send(scenario.record("3"), token: 3)
        #expect(try client.told() == ["delivered 1 @0", "delivered 2 @1", "delivered 3 @2"])
    }

    @Test("deliveries of other topics and clients are not late")
    func others() async throws {
        let scenario = try await Scenario()
        try await scenario.log.createTopics([TopicSpecification(name: "u", partitions: 1)])
        let (client, other) = (scenario.client("c"), scenario.client("d"))
        client.delayDeliveries(of: "t", polls: 1)
        try client.send(scenario.record("1"), token: 1)
        try client.send(Record(topic: "u", key: nil, value: nil), token: 2)
        #expect(try client.told() == ["delivered 2 @0"])
        try other.send(scenario.record("3"), token: 3)
        #expect(try other.told() == ["delivered 3 @1"])
        #expect(try client.told() == ["delivered 1 @0"])
    }

    @Test("a shorter delay lets no delivery overtake an earlier one of its topic")
    func noOvertaking() async throws {
        let scenario = try await Scenario()
        let client = scenario.client("c")
        client.delayDeliveries(polls: 3)
        try client.send(scenario.record("1"), token: 1)
        #expect(try client.told() == [])
        client.delayDeliveries(polls: 0)
        try client.send(scenario.record("2"), token: 2)
        #expect(try client.told() == [])
        #expect(try client.told() == [])
        #expect(try client.told() == ["delivered 1 @0", "delivered 2 @1"])
    }

    @Test("a record whose delivery is late fills the queue")
    func queue() async throws {
        let scenario = try await Scenario()
        let client = scenario.client("c")
        client.limitQueue(to: 1)
        client.delayDeliveries(polls: 1)
        try client.send(scenario.record("1"), token: 1)
        #expect(try client.told() == [])
        #expect(throws: LogError.self) { try client.send(scenario.record("2"), token: 2) }
        #expect(try client.told() == ["delivered 1 @0"])
        try client.send(scenario.record("2"), token: 2)
    }

    @Test("what a paused process has written is read before its late delivery too")
    func writtenWhilePaused() async throws {
        let scenario = try await Scenario()
        let client = scenario.client("c")
        try client.read(scenario.p0, from: .beginning)
        client.delayDeliveries(polls: 1)
        try client.send(scenario.record("v"), token: 1)
        client.writeQueue()
        #expect(try client.told() == ["read t[0]@0", "end t[0]@1"])
        #expect(try client.told() == ["delivered 1 @0"])
    }
}
