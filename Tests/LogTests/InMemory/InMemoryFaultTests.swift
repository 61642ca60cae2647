import RecordLog
import Testing

@Suite("Faults of the in-memory log")
struct InMemoryFaultTests {
    @Test("sent records are written by the next poll, not before")
    func lateWrites() async throws {
        let scenario = try await Scenario()
        let client = scenario.client("c")
        try client.send(scenario.record("v"), token: 1)
        #expect(scenario.values(scenario.p0) == [])
        #expect(try client.told() == ["delivered 1 @0"])
        #expect(scenario.values(scenario.p0) == ["v"])
    }

    @Test("a lost acknowledgement is a delivery without an offset, although the record is in the log")
    func lostAcknowledgements() async throws {
        let scenario = try await Scenario()
        let client = scenario.client("c")
        scenario.log.loseAcknowledgements(2)
        for token in 1...3 { try client.send(scenario.record("\(token)"), token: UInt64(token)) }
        #expect(try client.told() == ["delivered 1 somewhere", "delivered 2 somewhere", "delivered 3 @2"])
        #expect(scenario.values(scenario.p0) == ["1", "2", "3"])
    }

    @Test("acknowledgements of one topic can be lost, and its records refused")
    func faultsByTopic() async throws {
        let scenario = try await Scenario()
        try await scenario.log.createTopics([TopicSpecification(name: "journal", partitions: 1)])
        scenario.log.loseAcknowledgements(1, in: "journal")
        scenario.log.refuseRecords(1, in: "journal", with: LogError(.timedOut, "no answer"))
        let client = scenario.client("c")
        try client.send(scenario.record("v"), token: 1)
        for token: UInt64 in 2...4 { try client.send(Record(topic: "journal", key: nil, value: []), token: token) }
        #expect(
            try client.told() == ["delivered 1 @0", "delivered 2 somewhere", "delivered 3 timedOut", "delivered 4 @1"])
        #expect(scenario.log.records(in: "journal").count == 2)
    }

    @Test(
        "a crashed client leaves the part of its queue that the crash point determines, and every later call fails as closed",
        arguments: [
            (CrashPoint.beforeSending, []), (.duringSending(written: 2), ["1", "2"]), (.afterSending, ["1", "2", "3"]),
        ] as [(CrashPoint, [String])])
    func crash(point: CrashPoint, written: [String]) async throws {
        let scenario = try await Scenario()
        let client = scenario.client("c")
        for value in ["1", "2", "3"] { try client.send(scenario.record(value), token: 0) }
        client.crash(point)
        #expect(scenario.values(scenario.p0) == written)
        #expect(!client.isAlive)
        let error = #expect(throws: LogError.self) { try client.told() }
        #expect(error?.code == .closed && error?.disposition == .fatal)
        #expect(throws: LogError.self) { try client.close(timeout: .zero) }
    }

    @Test("a crashed client can leave its whole queue but the records for one topic")
    func crashBetweenTopics() async throws {
        let scenario = try await Scenario()
        let client = scenario.client("c")
        for value in ["1", "2"] {
            try client.send(scenario.record(value), token: 0)
            try client.send(Record(topic: "journal", key: nil, value: Bytes(value.utf8)), token: 0)
        }
        client.crash(.sendingAllBut(topic: "journal"))
        #expect(scenario.values(scenario.p0) == ["1", "2"])
        #expect(scenario.log.records(in: "journal").isEmpty)
    }

    @Test("a permanently refused record also fails the records its client sends after it, and no other client's")
    func brokenClient() async throws {
        let scenario = try await Scenario()
        let (client, other) = (scenario.client("c"), scenario.client("d"))
        scenario.log.refuseRecords(1, with: LogError(.timedOut, "refused", disposition: .fatal))
        for token: UInt64 in 1...2 { try client.send(scenario.record("\(token)"), token: token) }
        #expect(try client.told() == ["delivered 1 timedOut", "delivered 2 timedOut"])
        try other.send(scenario.record("3"), token: 3)
        #expect(try other.told() == ["delivered 3 @0"])
    }

    @Test("a client crashes at the planned call, which has no effect")
    func crashAtCall() async throws {
        let scenario = try await Scenario()
        let client = scenario.client("c")
        client.crash(atCall: 3, .afterSending)
        try client.send(scenario.record("1"), token: 1)
        client.wake()
        try client.send(scenario.record("2"), token: 2)
        #expect(throws: LogError.self) { try client.send(scenario.record("3"), token: 3) }
        #expect(client.calls == 3)
        #expect(scenario.values(scenario.p0) == ["1", "2"])
    }

    @Test("a crash can be planned for a client that has not connected yet, and affects only that one")
    func plannedCrash() async throws {
        let scenario = try await Scenario()
        scenario.log.planCrash(of: "c", atCall: 1, .beforeSending)
        let first = scenario.client("c")
        #expect(throws: LogError.self) { try first.told() }
        #expect(try scenario.client("c").told() == [])
        #expect(scenario.log.client(named: "c")?.isAlive == true)
        #expect(scenario.log.client(named: "nobody") == nil)
    }

    @Test("a crashed member can leave its group at once")
    func crashLeavingGroup() async throws {
        let scenario = try await Scenario()
        let (a, b) = try scenario.owners("a", "b")
        a.crash(.beforeSending, leavingGroup: true)
        #expect(try b.told() == ["revoked t[1]"])
    }

    @Test(
        "a copying process loses nothing, whichever call it crashes at",
        arguments: [CrashPoint.beforeSending, .afterSending])
    func crashAtEveryCall(point: CrashPoint) async throws {
        let total = try await Self.copy(dyingAt: .max, point).calls
        #expect(total > 10)
        var repeats = 0
        for call in 1...total {
            let copied = try await Self.copy(dyingAt: call, point).copied
            #expect(Set(copied) == Set((0..<5).map { "\($0)" }), "dying at call \(call)")
            repeats += copied.count - 5
        }
        #expect(repeats > 0)
    }

    /// Copies five records from partition 0 to partition 1, commits each position after the copy's acknowledgement, and
    /// restarts after a crash.
    private static func copy(dyingAt call: Int, _ point: CrashPoint) async throws -> (calls: Int, copied: [String?]) {
        let scenario = try await Scenario()
        for value in 0..<5 { try scenario.log.append(scenario.record("\(value)")) }
        let first = scenario.member("copier")
        first.crash(atCall: call, point)
        do {
            try run(first, in: scenario)
        } catch let error as LogError where error.code == .closed {
            first.evict()
            try run(scenario.member("copier"), in: scenario)
        }
        return (first.calls, scenario.values(scenario.p1))
    }

    private static func run(_ client: InMemoryClient, in scenario: Scenario) throws {
        var idle = 0
        while idle < 3 {
            let events = try client.poll(maximum: 2, timeout: .zero)
            idle = events.isEmpty ? idle + 1 : 0
            for event in events {
                switch event {
                case .assigned: try client.assign([scenario.p1: .end])
                case .record(let record) where record.partition == 0:
                    try client.send(
                        Record(topic: "t", partition: 1, key: nil, value: record.value), token: UInt64(record.offset))
                case .delivered(let delivery):
                    try client.commit([scenario.p0: CommittedOffset(offset: Int64(delivery.token) + 1)])
                default: break
                }
            }
        }
        try client.close(timeout: .zero)
    }
}
