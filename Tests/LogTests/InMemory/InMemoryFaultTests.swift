import RecordLog
import Testing

@Suite("Faults of the in-memory log") struct InMemoryFaultTests: InScenario {
    let scenario = Scenario()

    @Test func `sent records are written by the next poll, not before`() throws {
        try client.send(1...1)
        #expect(values == [])
        #expect(try client.events() == ["delivered 1 @0"])
        #expect(values == ["1"])
    }

    @Test func `a lost acknowledgement is a delivery without an offset, although the record is in the log`() throws {
        log.loseAcknowledgements(2)
        #expect(try client.events(sending: 1...3) == ["delivered 1 @?", "delivered 2 @?", "delivered 3 @2"])
        #expect(values == ["1", "2", "3"])
    }

    @Test func `acknowledgements of one topic can be lost, and its records refused`() throws {
        log.addTopic("journal")
        log.loseAcknowledgements(1, in: "journal")
        log.refuseRecords(1, in: "journal", with: LogError(.timedOut, "no answer"))
        try client.send(1...1)
        for token: UInt64 in 2...4 { try client.send(Record(topic: "journal", key: nil, value: []), token: token) }
        #expect(try client.events() == ["delivered 1 @0", "delivered 2 @?", "delivered 3 timedOut", "delivered 4 @1"])
        #expect(log.records(in: "journal").count == 2)
    }

    @Test(
        arguments: [
            (.beforeSending, [], 0), (.duringSending(written: 3), ["1", "2"], 1), (.afterSending, ["1", "2"], 2),
            (.sendingAllBut(topic: "journal"), ["1", "2"], 0),
        ] as [(CrashPoint, [String], Int)])
    func `a crash leaves a part of the queue`(point: CrashPoint, written: [String], journaled: Int) throws {
        log.addTopic("journal")
        for number in 1...2 {
            try client.send(number...number)
            try client.send(Record(topic: "journal", key: nil, value: []), token: 0)
        }
        client.crash(point)
        #expect(values == written && log.records(in: "journal").count == journaled && !client.isAlive)
        let error = #expect(throws: LogError.self) { try client.events() }
        #expect(error?.code == .closed && error?.disposition == .fatal)
        #expect(throws: LogError.self) { try client.close(timeout: .zero) }
    }

    @Test func `a permanently refused record also fails its client's later records, and no other client's`() throws {
        let other = connect("d")
        log.refuseRecords(1, with: LogError(.timedOut, "refused", disposition: .fatal))
        #expect(try client.events(sending: 1...2) == ["delivered 1 timedOut", "delivered 2 timedOut"])
        #expect(try other.events(sending: 3...3) == ["delivered 3 @0"])
    }

    @Test func `a client crashes at the planned call, which has no effect`() throws {
        client.crash(atCall: 3, .afterSending)
        try client.send(1...1)
        client.wake()
        try client.send(2...2)
        #expect(throws: LogError.self) { try client.send(3...3) }
        #expect(client.calls == 3)
        #expect(values == ["1", "2"])
    }

    @Test func `a crash can be planned for a client that has not connected yet, and affects only that one`() throws {
        log.planCrash(of: "c", atCall: 1, .beforeSending)
        let first = connect("c")
        #expect(throws: LogError.self) { try first.events() }
        #expect(try connect("c").events() == [])
        #expect(log.client(named: "c")?.isAlive == true && log.client(named: "nobody") == nil)
    }

    @Test func `a crashed member can leave its group at once`() throws {
        let (a, b) = try owners("a", "b")
        a.crash(.beforeSending, leavingGroup: true)
        #expect(try b.events() == ["revoked t[1]"])
    }

    @Test(arguments: [CrashPoint.beforeSending, .afterSending])
    func `a copying process loses nothing, whichever call it crashes at`(point: CrashPoint) throws {
        let total = try Scenario().copy(dyingAt: .max, point).calls
        #expect(total > 10)
        var repeats = 0
        for call in 1...total {
            let copied = try Scenario().copy(dyingAt: call, point).copied
            #expect(Set(copied) == Set((0..<5).map { "\($0)" }), "dying at call \(call)")
            repeats += copied.count - 5
        }
        #expect(repeats > 0)
    }
}

extension Scenario {
    /// Copies five records from partition 0 to partition 1, commits each position after the copy's acknowledgement, and
    /// restarts after a crash.
    fileprivate func copy(dyingAt call: Int, _ point: CrashPoint) throws -> (calls: Int, copied: [String?]) {
        try fill(5)
        let first = member("copier")
        first.crash(atCall: call, point)
        do {
            try run(first)
        } catch let error as LogError where error.code == .closed {
            first.evict()
            try run(member("copier"))
        }
        return (first.calls, values(p1))
    }

    private func run(_ client: InMemoryClient) throws {
        var idle = 0
        while idle < 3 {
            let events = try client.poll(maximum: 2, timeout: .zero)
            idle = events.isEmpty ? idle + 1 : 0
            for event in events {
                switch event {
                case .assigned: try client.assign([p1: .end])
                case .record(let record) where record.partition == 0:
                    let copy = Record(topic: "t", partition: 1, key: nil, value: record.value)
                    try client.send(copy, token: UInt64(record.offset))
                case .delivered(let sent): try client.commit([p0: CommittedOffset(offset: Int64(sent.token) + 1)])
                default: break
                }
            }
        }
        try client.close(timeout: .zero)
    }
}
