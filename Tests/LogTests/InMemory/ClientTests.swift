import RecordLog
import Testing

@Suite("A client of the in-memory log") struct ClientTests: InScenario {
    let scenario = Scenario()

    @Test func `a poll returns at once, whatever its timeout`() throws {
        let took = try ContinuousClock().measure { _ = try client.poll(maximum: 1, timeout: .seconds(3_600)) }
        #expect(took < .seconds(1))
    }

    @Test func `records get the log's time if they have none, and always in a topic that the log dates`() throws {
        log.addTopic("stamped", ["message.timestamp.type": "LogAppendTime"])
        log.addTopic("plain")
        for topic in ["stamped", "plain"] {
            let place = TopicPartition(topic, 0)
            for timestamp: Int64? in [7, nil] { try client.send(place.record(timestamp: timestamp), token: 0) }
        }
        _ = try client.events()
        #expect(log.records(in: "stamped").map(\.timestamp) == [1_700_000_000_000, 1_700_000_000_000])
        #expect(log.records(in: "plain").map(\.timestamp) == [7, 1_700_000_000_000])
    }

    @Test func `records without key and partition are distributed in turn`() throws {
        for token: UInt64 in 1...5 { try client.send(Record(topic: "t", key: nil, value: []), token: token) }
        _ = try client.events()
        #expect([p0, p1].map { log.records(in: $0).count } == [3, 2])
    }

    @Test func `writing to or reading from an unknown topic is an error`() throws {
        try client.send(Record(topic: "nowhere", key: nil, value: []), token: 1)
        try client.read(TopicPartition("nowhere", 0), from: .end)
        #expect(try client.events() == ["failed unknownTopicOrPartition", "delivered 1 unknownTopicOrPartition"])
        #expect(throws: LogError.self) { try client.range(of: TopicPartition("nowhere", 0)) }
    }

    @Test func `no partition starves another one`() throws {
        for value in 0..<50 { for partition: Int32 in [0, 1] { try log.append(record("\(value)", partition)) } }
        for partition in [p0, p1] { try client.read(partition, from: .beginning) }
        #expect(try client.events(2) == ["read t[0]@0", "read t[0]@1"])
        #expect(try client.events(2) == ["read t[1]@0", "read t[1]@1"])
        #expect(try client.events(2) == ["read t[0]@2", "read t[0]@3"])
    }

    @Test func `a client that has connected twice under one name is found by its last connection`() throws {
        connect("c").crash(.beforeSending)
        _ = try connect("c").events()
        #expect(log.client(named: "c")?.calls == 1)
    }
}

@Suite("Records that fail in the in-memory log") struct FailedRecordTests: InScenario {
    let scenario = Scenario()
    private let timedOut = LogError(.timedOut, "no answer", disposition: .retry)

    @Test func `failures can be limited to one client, topic and partition`() throws {
        let other = connect("b")
        client.failRecords(1, in: "t", partition: 1, with: timedOut)
        for client in [other, client] {
            for partition: Int32 in [0, 1, 1] { try client.send(record("v", partition), token: UInt64(partition)) }
        }
        #expect(try other.events() == ["delivered 0 @0", "delivered 1 @0", "delivered 1 @1"])
        #expect(try client.events() == ["delivered 0 @1", "delivered 1 timedOut", "delivered 1 @2"])
    }

    @Test func `a record that has failed may be in the log`() throws {
        client.failRecords(1, with: timedOut, isWritten: true)
        #expect(try client.events(sending: 1...2) == ["delivered 1 timedOut", "delivered 2 @1"])
        #expect(values == ["1", "2"])
    }

    @Test func `after a failed record of a gapless topic, no record of its client is written in any topic`() throws {
        let client = gapless("t")
        log.addTopic("u")
        client.failRecords(1, after: 1, with: timedOut)
        try client.send(1...3)
        try client.send(Record(topic: "u", key: nil, value: nil), token: 4)
        let errors = try client.poll(maximum: 10, timeout: .zero).deliveries.map(\.error)
        #expect(errors.map(\.?.code) == [nil, .timedOut, .closed, .closed])
        #expect(errors.map(\.?.disposition) == [nil, .fatal, .fatal, .fatal])
        #expect(values == ["1"] && log.records(in: "u").isEmpty)
        let error = try #require(throws: LogError.self) { try client.send(5...5) }
        #expect(error.code == .closed && error.disposition == .fatal)
        #expect(error.message.contains("t[0]") && error.message.contains("no answer"), "\(error)")
        let other = connect("d")
        #expect(try other.events(sending: 6...6) == ["delivered 6 @1"])
        #expect(try client.events() == [])
    }

    @Test func `records that were under way when a record of a gapless topic failed may be in the log`() throws {
        let client = gapless("t")
        client.failRecords(1, after: 1, with: timedOut, inFlight: 1)
        #expect(
            try client.events(sending: 1...4)
                == ["delivered 1 @0", "delivered 2 timedOut", "delivered 3 closed", "delivered 4 closed"])
        #expect(values == ["1", "3"])
    }

    @Test(arguments: [nil, "t", "small"])
    func `a record that the broker finds too large stops the client if its topic is gapless`(topic: String?) throws {
        log.addTopic("small", ["max.message.bytes": "10"])
        let client = topic.map { gapless($0) } ?? client
        for (token, size) in [10, 11, 10].enumerated() {
            try client.send(TopicPartition("small", 0).record(Bytes(repeating: 1, count: size)), token: UInt64(token))
        }
        let last = topic == "small" ? "delivered 2 closed" : "delivered 2 @1"
        #expect(try client.events() == ["delivered 0 @0", "delivered 1 recordTooLarge", last])
    }

    @Test(arguments: [false, true])
    func `a record too large for the client is reported first, and stops a gapless one`(isGapless: Bool) throws {
        let client = isGapless ? gapless("t") : client
        client.limitRecords(toBytes: 3)
        try client.send(1...1)
        try client.send(record("large"), token: 2)
        if isGapless {
            #expect(throws: LogError.self) { try client.send(3...3) }
            #expect(try client.events() == ["delivered 2 recordTooLarge", "delivered 1 closed"])
        } else {
            try client.send(3...3)
            #expect(try client.events() == ["delivered 2 recordTooLarge", "delivered 1 @0", "delivered 3 @1"])
        }
        #expect(values == (isGapless ? [] : ["1", "3"]))
    }

    @Test func `a full queue refuses records until deliveries were polled`() throws {
        client.limitQueue(to: 2)
        try client.send(1...2)
        let error = #expect(throws: LogError.self) { try client.send(3...3) }
        #expect(error?.code == .queueFull && error?.disposition == .retry)
        #expect(try client.events(1) == ["delivered 1 @0"])
        try client.send(3...3)
        client.limitQueue(to: 0)
        #expect(try client.events() == ["delivered 2 @1", "delivered 3 @2"])
        #expect(throws: LogError.self) { try client.send(4...4) }
        client.limitQueue(to: nil)
        #expect(try client.events(sending: 4...4) == ["delivered 4 @3"])
    }
}

@Suite("Late deliveries of the in-memory log") struct LateDeliveryTests: InScenario {
    let scenario = Scenario()

    @Test(arguments: [false, true])
    func `a record can be read before its delivery, also if a paused process has written it`(isPaused: Bool) throws {
        try client.read(p0, from: .beginning)
        client.delayDeliveries(polls: 2)
        try client.send(1...1)
        if isPaused { client.writeQueue() }
        #expect(try client.events() == ["read t[0]@0", "end t[0]@1"])
        #expect(try client.events() == [])
        #expect(try client.events() == ["delivered 1 @0"])
    }

    @Test func `deliveries wait until they are released, and keep their order`() throws {
        client.delayDeliveries(of: "t")
        try client.send(1...2)
        for _ in 0..<5 { #expect(try client.events() == []) }
        #expect(values == ["1", "2"])
        client.releaseDeliveries(of: "t")
        #expect(try client.events(sending: 3...3) == ["delivered 1 @0", "delivered 2 @1", "delivered 3 @2"])
    }

    @Test func `deliveries of other topics and clients are not late`() throws {
        log.addTopic("u")
        let other = connect("d")
        client.delayDeliveries(of: "t", polls: 1)
        try client.send(1...1)
        #expect(try client.events(sending: Record(topic: "u", key: nil, value: nil), token: 2) == ["delivered 2 @0"])
        #expect(try other.events(sending: 3...3) == ["delivered 3 @1"])
        #expect(try client.events() == ["delivered 1 @0"])
    }

    @Test func `a shorter delay lets no delivery overtake an earlier one of its topic`() throws {
        client.delayDeliveries(polls: 3)
        #expect(try client.events(sending: 1...1) == [])
        client.delayDeliveries(polls: 0)
        #expect(try client.events(sending: 2...2) == [])
        #expect(try client.events() == [])
        #expect(try client.events() == ["delivered 1 @0", "delivered 2 @1"])
    }

    @Test func `a record whose delivery is late fills the queue`() throws {
        client.limitQueue(to: 1)
        client.delayDeliveries(polls: 1)
        #expect(try client.events(sending: 1...1) == [])
        #expect(throws: LogError.self) { try client.send(2...2) }
        #expect(try client.events() == ["delivered 1 @0"])
        try client.send(2...2)
    }
}
