import RecordLog
import Testing

@Suite("Records that fail in the in-memory log")
struct FailedRecordTests {
    private static let timedOut = LogError(.timedOut, "no answer", disposition: .retry)

    private func send(_ values: ClosedRange<Int>, _ client: InMemoryClient, _ scenario: Scenario) throws {
        for value in values { try client.send(scenario.record("\(value)"), token: UInt64(value)) }
    }

    @Test("a record fails and later ones of its client get the next offsets, as with librdkafka")
    func later() async throws {
        let scenario = try await Scenario()
        let client = scenario.client("c")
        client.failRecords(1, after: 1, with: Self.timedOut)
        try send(1...4, client, scenario)
        #expect(try client.told() == ["delivered 1 @0", "delivered 2 timedOut", "delivered 3 @1", "delivered 4 @2"])
        #expect(scenario.values(scenario.p0) == ["1", "3", "4"])
    }

    @Test("failures can be limited to one client, topic and partition")
    func target() async throws {
        let scenario = try await Scenario()
        let (a, b) = (scenario.client("a"), scenario.client("b"))
        a.failRecords(1, in: "t", partition: 1, with: Self.timedOut)
        for client in [b, a] {
            for partition: Int32 in [0, 1, 1] {
                try client.send(scenario.record("v", partition), token: UInt64(partition))
            }
        }
        #expect(try b.told() == ["delivered 0 @0", "delivered 1 @0", "delivered 1 @1"])
        #expect(try a.told() == ["delivered 0 @1", "delivered 1 timedOut", "delivered 1 @2"])
    }

    @Test("a record that has failed may be in the log")
    func written() async throws {
        let scenario = try await Scenario()
        let client = scenario.client("c")
        client.failRecords(1, with: Self.timedOut, isWritten: true)
        try send(1...2, client, scenario)
        #expect(try client.told() == ["delivered 1 timedOut", "delivered 2 @1"])
        #expect(scenario.values(scenario.p0) == ["1", "2"])
    }

    @Test(
        "after the first failed record of a gapless topic nothing of its client is written, in any topic, and sends throw"
    )
    func gapless() async throws {
        let scenario = try await Scenario()
        let client = scenario.log.client(ClientConfiguration(clientID: "c", gaplessTopics: ["t"]))
        let other = scenario.client("d")
        try await scenario.log.createTopics([TopicSpecification(name: "u", partitions: 1)])
        client.failRecords(1, after: 1, with: Self.timedOut)
        try send(1...3, client, scenario)
        try client.send(Record(topic: "u", key: nil, value: nil), token: 4)
        let deliveries = try client.poll(maximum: 10, timeout: .zero).deliveries
        #expect(deliveries.map(\.error?.code) == [nil, .timedOut, .closed, .closed])
        #expect(deliveries.map(\.error?.disposition) == [nil, .fatal, .fatal, .fatal])
        #expect(scenario.values(scenario.p0) == ["1"])
        #expect(scenario.log.records(in: "u").isEmpty)
        let error = #expect(throws: LogError.self) { try send(5...5, client, scenario) }
        #expect(error?.code == .closed && error?.disposition == .fatal)
        #expect(error?.message.contains("t[0]") == true && error?.message.contains("no answer") == true, "\(error!)")
        try send(6...6, other, scenario)
        #expect(try other.told() == ["delivered 6 @1"])
        #expect(try client.told() == [])
    }

    @Test("records that were under way when a record of a gapless topic failed may be in the log")
    func underWay() async throws {
        let scenario = try await Scenario()
        let client = scenario.log.client(ClientConfiguration(clientID: "c", gaplessTopics: ["t"]))
        client.failRecords(1, after: 1, with: Self.timedOut, inFlight: 1)
        try send(1...4, client, scenario)
        #expect(
            try client.told() == ["delivered 1 @0", "delivered 2 timedOut", "delivered 3 closed", "delivered 4 closed"])
        #expect(scenario.values(scenario.p0) == ["1", "3"])
    }

    @Test("a failed record of another topic stops no client")
    func otherTopic() async throws {
        let scenario = try await Scenario()
        let client = scenario.log.client(ClientConfiguration(clientID: "c", gaplessTopics: ["u"]))
        client.failRecords(1, with: Self.timedOut)
        try send(1...2, client, scenario)
        #expect(try client.told() == ["delivered 1 timedOut", "delivered 2 @0"])
        try send(3...3, client, scenario)
        #expect(try client.told() == ["delivered 3 @1"])
    }

    @Test(
        "a record that the broker finds too large stops the client if its topic is gapless", arguments: [false, true])
    func tooLargeForTopic(isGapless: Bool) async throws {
        let scenario = try await Scenario()
        try await scenario.log.createTopics([
            TopicSpecification(name: "small", partitions: 1, configuration: ["max.message.bytes": "10"])
        ])
        let client = scenario.log.client(ClientConfiguration(clientID: "c", gaplessTopics: isGapless ? ["small"] : []))
        for (token, size) in [10, 11, 10].enumerated() {
            try client.send(
                Record(topic: "small", key: nil, value: Bytes(repeating: 1, count: size)), token: UInt64(token))
        }
        let last = isGapless ? "delivered 2 closed" : "delivered 2 @1"
        #expect(try client.told() == ["delivered 0 @0", "delivered 1 recordTooLarge", last])
    }

    @Test(
        "a record that the client itself finds too large is reported before those that wait, and stops a gapless client at once"
    )
    func tooLargeForClient() async throws {
        let scenario = try await Scenario()
        for isGapless in [false, true] {
            let client = scenario.log.client(ClientConfiguration(clientID: "c", gaplessTopics: isGapless ? ["t"] : []))
            client.limitRecords(toBytes: 3)
            try client.send(scenario.record("1"), token: 1)
            try client.send(scenario.record("large"), token: 2)
            if isGapless {
                #expect(throws: LogError.self) { try client.send(scenario.record("3"), token: 3) }
                #expect(try client.told() == ["delivered 2 recordTooLarge", "delivered 1 closed"])
            } else {
                try client.send(scenario.record("3"), token: 3)
                #expect(try client.told() == ["delivered 2 recordTooLarge", "delivered 1 @0", "delivered 3 @1"])
            }
        }
        #expect(scenario.values(scenario.p0) == ["1", "3"])
    }

    @Test("a full queue refuses records until deliveries were polled")
    func fullQueue() async throws {
        let scenario = try await Scenario()
        let client = scenario.client("c")
        client.limitQueue(to: 2)
        try send(1...2, client, scenario)
        let error = #expect(throws: LogError.self) { try send(3...3, client, scenario) }
        #expect(error?.code == .queueFull && error?.disposition == .retry)
        #expect(try client.told(1) == ["delivered 1 @0"])
        try send(3...3, client, scenario)
        client.limitQueue(to: 0)
        #expect(try client.told() == ["delivered 2 @1", "delivered 3 @2"])
        #expect(throws: LogError.self) { try send(4...4, client, scenario) }
        client.limitQueue(to: nil)
        try send(4...4, client, scenario)
        #expect(try client.told() == ["delivered 4 @3"])
    }
}
