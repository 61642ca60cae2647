import RecordLog
import Testing

@Suite("A group of the in-memory log") struct GroupTests: InScenario {
    let scenario = Scenario()

    @Test func `a requested rebalance revokes all partitions and assigns them again in a new generation`() throws {
        let (a, b) = try owners("a", "b")
        let before = log.generation(ofGroup: "g")
        log.rebalance(group: "g")
        #expect(try a.events() == ["revoked t[0]"])
        #expect(try b.events() == ["revoked t[1]"])
        #expect(try a.eventsAfterRelease() == [])
        try b.release()
        #expect(try a.events() == ["assigned t[0]"])
        #expect(try b.events() == ["assigned t[1]"])
        #expect(log.generation(ofGroup: "g") == before + 1)
    }

    @Test func `a member can commit until it releases its partitions, and not after`() throws {
        let a = try owner("a")
        _ = member("b")
        #expect(try a.events() == ["revoked t[0] t[1]"])
        try a.commit([p0: CommittedOffset(offset: 3, metadata: "m")])
        #expect(try a.events() == ["committed"])
        try a.release()
        #expect(try a.events(committing: 4) == ["assigned t[0]", "committed illegalGeneration"])
        #expect(log.committed(group: "g") == [p0: CommittedOffset(offset: 3, metadata: "m")])
    }

    @Test func `a commit by a member that has released fails because a rebalance is in progress`() throws {
        let (a, _) = try owners("a", "b")
        log.rebalance(group: "g")
        _ = try a.events()
        try a.release()
        #expect(try a.events(committing: 1) == ["committed rebalanceInProgress"])
    }

    @Test func `a rebalance waits for the answer to an assignment before it revokes the partitions`() throws {
        let (a, b) = (member("a"), member("b"))
        #expect(try a.events() == ["assigned t[0] t[1]"])
        #expect(try a.events() == [])
        try log.append(record("v"))
        #expect(try a.eventsAfterAssign() == ["revoked t[0] t[1]"])
        #expect(try a.eventsAfterRelease() == ["assigned t[0]"])
        #expect(try b.events() == ["assigned t[1]"])
    }

    @Test func `a member without partitions gets an empty assignment and no revocation`() throws {
        let (a, b) = try owners("a", "b")
        let c = member("c")
        for member in [a, b] {
            _ = try member.events()
            try member.release()
        }
        #expect(try c.events() == ["assigned"])
        try c.assign([:])
        log.rebalance(group: "g")
        #expect(try c.events() == [])
    }

    @Test func `members are ordered by client id, not by the time they joined`() throws {
        let (b, a) = try owners("b", "a")
        #expect(log.assignment(ofGroup: "g") == ["a": [p0], "b": [p1]])
        _ = (a, b)
    }

    @Test func `a dead member blocks the others until it is evicted`() throws {
        let a = try owner("a")
        a.crash(.beforeSending)
        let b = member("b")
        #expect(try b.events() == [])
        a.evict()
        #expect(try b.events() == ["assigned t[0] t[1]"])
    }

    @Test func `a topic that is created later is assigned, and a commit of the last generation fails`() throws {
        let member = log.client(ClientConfiguration(clientID: "a", group: ("later", ["later"])))
        #expect(try member.events() == ["assigned"])
        try member.assign([:])
        log.addTopic("later")
        try member.commit([TopicPartition("later", 0): CommittedOffset(offset: 1)])
        #expect(try member.events() == ["assigned later[0]", "committed illegalGeneration"])
        try member.assign([:])
        log.addTopic("later")
        #expect(try member.events() == [])
    }

    @Test func `unexpected answers, and positions of partitions that a member does not own, are errors`() throws {
        let a = member("a")
        #expect(throws: LogError.self) { try a.assign([:]) }
        _ = try a.events()
        #expect(throws: LogError.self) { try a.assign([TopicPartition("other", 0): .beginning]) }
        #expect(throws: LogError.self) { try a.assign([:], later: [TopicPartition("other", 0)]) }
        try a.assign([:])
        #expect(throws: LogError.self) { try a.release() }
        #expect(throws: LogError.self) { try connect("loner").commit([:]) }
    }

    @Test func `commits of unknown partitions or with too much metadata are refused`() throws {
        let a = try owner("a")
        try a.commit([TopicPartition("nowhere", 0): CommittedOffset(offset: 1)])
        try a.commit([p0: CommittedOffset(offset: 1, metadata: String(repeating: "x", count: 4_097))])
        #expect(try a.events() == ["committed unknownTopicOrPartition", "committed other"])
    }
}

@Suite("A member that is paused for longer than its session") struct PausedMemberTests: InScenario {
    let scenario = Scenario()

    @Test(arguments: [true, false])
    func `a paused writer's unsent records come after the new owner's`(hadSent: Bool) throws {
        let old = try owner("old")
        try old.send(1...1)
        if hadSent { old.writeQueue() }
        old.evict()
        let new = try owner("new")
        let events = try new.events(sending: 2...2)
        #expect(hadSent ? events.first == "delivered 2 @1" : events == ["delivered 2 @0", "record t[0]@0"])
        #expect(values == (hadSent ? ["1", "2"] : ["2"]))
        #expect(try old.events() == ["delivered 1 @\(hadSent ? 0 : 1)", "lost t[0] t[1]"])
        #expect(values == (hadSent ? ["1", "2"] : ["2", "1"]))
    }

    @Test func `an evicted member's partitions are assigned to the others at once, without its release`() throws {
        let (a, b) = try owners("a", "b")
        a.evict()
        #expect(log.assignment(ofGroup: "g").keys.sorted() == ["b"])
        #expect(try b.events() == ["revoked t[1]"])
        #expect(try b.eventsAfterRelease() == ["assigned t[0] t[1]"])
    }

    @Test func `an evicted member learns of the loss at its poll, and rejoins at the one after its release`() throws {
        let (a, b) = try owners("a", "b")
        a.evict()
        try log.append(record("v"))
        #expect(try a.events() == ["lost t[0]"])
        #expect(try a.events() == [])
        try a.release()
        #expect(log.assignment(ofGroup: "g")["a"] == nil)
        #expect(try a.events() == [])
        #expect(try b.events() == ["revoked t[1]"])
        try b.release()
        #expect(try a.events() == ["assigned t[0]"])
        #expect(try a.eventsAfterAssign() == ["record t[0]@0"])
    }

    @Test func `an evicted member's commits fail, before and after it learns of the loss`() throws {
        let (a, _) = try owners("a", "b")
        a.evict()
        #expect(try a.events(committing: 1) == ["committed illegalGeneration", "lost t[0]"])
        #expect(try a.events(committing: 1) == ["committed illegalGeneration"])
        #expect(log.committed(group: "g").isEmpty)
    }

    @Test func `an assignment that a member has not polled is revoked unseen`() throws {
        let a = member("a")
        a.evict()
        #expect(try a.events() == ["assigned t[0] t[1]"])
        #expect(log.generation(ofGroup: "g") == 3)
        #expect(try a.eventsAfterAssign() == [])
    }

    @Test func `an assignment that a member has polled but not answered is lost like any other`() throws {
        let a = member("a")
        #expect(try a.events() == ["assigned t[0] t[1]"])
        a.evict()
        try log.append(record("v"))
        #expect(try a.eventsAfterAssign() == ["lost t[0] t[1]"])
        #expect(try a.eventsAfterRelease() == ["assigned t[0] t[1]"])
    }

    @Test func `an answer after the loss, but before the poll that reports it, has no effect`() throws {
        let a = member("a")
        #expect(try a.events() == ["assigned t[0] t[1]"])
        try a.send(record("v"), token: 1)
        a.evict()
        #expect(try a.events(1) == ["delivered 1 @0"])
        #expect(try a.eventsAfterAssign() == ["lost t[0] t[1]"])
    }

    @Test func `a member that had been asked to release gets no further event, and its commits fail`() throws {
        let a = try owner("a")
        let b = member("b")
        #expect(try a.events() == ["revoked t[0] t[1]"])
        a.evict()
        #expect(try b.events() == ["assigned t[0] t[1]"])
        try b.assign([:])
        #expect(try a.events(committing: 1) == ["committed illegalGeneration"])
        try a.release()
        _ = try a.events()
        #expect(try b.events() == ["revoked t[0] t[1]"])
    }

    @Test func `a revocation that a member has not polled becomes a loss`() throws {
        let a = try owner("a")
        _ = member("b")
        a.evict()
        #expect(try a.events() == ["lost t[0] t[1]"])
    }
}
