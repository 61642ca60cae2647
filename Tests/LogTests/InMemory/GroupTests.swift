import RecordLog
import Testing

@Suite("A group of the in-memory log")
struct GroupTests {
    @Test("a requested rebalance revokes all partitions and assigns them again in a new generation")
    func rebalanceOnRequest() async throws {
        let scenario = try await Scenario()
        let (a, b) = try scenario.owners("a", "b")
        let before = scenario.log.generation(ofGroup: "g")
        scenario.log.rebalance(group: "g")
        #expect(try a.told() == ["revoked t[0]"])
        #expect(try b.told() == ["revoked t[1]"])
        try a.release()
        #expect(try a.told() == [])
        try b.release()
        #expect(try a.told() == ["assigned t[0]"])
        #expect(try b.told() == ["assigned t[1]"])
        #expect(scenario.log.generation(ofGroup: "g") == before + 1)
    }

    @Test("a member can commit until it releases its partitions, and not after")
    func commitWhileRevoking() async throws {
        let scenario = try await Scenario()
        let a = try scenario.owner("a")
        _ = scenario.member("b")
        #expect(try a.told() == ["revoked t[0] t[1]"])
        try a.commit([scenario.p0: CommittedOffset(offset: 3, metadata: "m")])
        #expect(try a.told() == ["committed"])
        try a.release()
        try a.commit([scenario.p0: CommittedOffset(offset: 4)])
        #expect(try a.told() == ["assigned t[0]", "committed illegalGeneration"])
        #expect(scenario.log.committed(group: "g") == [scenario.p0: CommittedOffset(offset: 3, metadata: "m")])
    }

    @Test("a commit by a member that has released fails because a rebalance is in progress")
    func commitBetweenReleaseAndAssignment() async throws {
        let scenario = try await Scenario()
        let (a, _) = try scenario.owners("a", "b")
        scenario.log.rebalance(group: "g")
        _ = try a.told()
        try a.release()
        try a.commit([scenario.p0: CommittedOffset(offset: 1)])
        #expect(try a.told() == ["committed rebalanceInProgress"])
    }

    @Test("a rebalance waits for the answer to an assignment before it revokes the partitions")
    func rebalanceBeforeAnswer() async throws {
        let scenario = try await Scenario()
        let a = scenario.member("a")
        let b = scenario.member("b")
        #expect(try a.told() == ["assigned t[0] t[1]"])
        #expect(try a.told() == [])
        try scenario.log.append(scenario.record("v"))
        try a.assign([:])
        #expect(try a.told() == ["revoked t[0] t[1]"])
        try a.release()
        #expect(try a.told() == ["assigned t[0]"])
        #expect(try b.told() == ["assigned t[1]"])
    }

    @Test("a member without partitions gets an empty assignment and no revocation")
    func memberWithNothing() async throws {
        let scenario = try await Scenario()
        let (a, b) = try scenario.owners("a", "b")
        let c = scenario.member("c")
        for member in [a, b] {
            _ = try member.told()
            try member.release()
        }
        #expect(try c.told() == ["assigned"])
        try c.assign([:])
        scenario.log.rebalance(group: "g")
        #expect(try c.told() == [])
    }

    @Test("a commit of an older generation fails, even before the member learns of the new one")
    func staleGeneration() async throws {
        let log = InMemoryLog(clock: { 0 })
        let member = log.client(ClientConfiguration(clientID: "a", group: ("g", ["later"])))
        #expect(try member.told() == ["assigned"])
        try member.assign([:])
        try await log.createTopics([TopicSpecification(name: "later", partitions: 1)])
        try member.commit([TopicPartition("later", 0): CommittedOffset(offset: 1)])
        #expect(try member.told() == ["assigned later[0]", "committed illegalGeneration"])
    }

    @Test("members are ordered by client id, not by the time they joined")
    func order() async throws {
        let scenario = try await Scenario()
        let (b, a) = try scenario.owners("b", "a")
        #expect(scenario.log.assignment(ofGroup: "g") == ["a": [scenario.p0], "b": [scenario.p1]])
        _ = (a, b)
    }

    @Test("a dead member blocks the others until it is evicted")
    func deadMember() async throws {
        let scenario = try await Scenario()
        let a = try scenario.owner("a")
        a.crash(.beforeSending)
        let b = scenario.member("b")
        #expect(try b.told() == [])
        a.evict()
        #expect(try b.told() == ["assigned t[0] t[1]"])
    }

    @Test("a topic that is created later is assigned too")
    func laterTopic() async throws {
        let log = InMemoryLog(clock: { 0 })
        let member = log.client(ClientConfiguration(clientID: "a", group: ("g", ["later"])))
        #expect(try member.told() == ["assigned"])
        try member.assign([:])
        try await log.createTopics([TopicSpecification(name: "later", partitions: 1)])
        #expect(try member.told() == ["assigned later[0]"])
        try member.assign([:])
        try await log.createTopics([TopicSpecification(name: "later", partitions: 1)])
        #expect(try member.told() == [])
    }

    @Test("unexpected answers, and positions of partitions that a member does not own, are errors")
    func strangeAnswers() async throws {
        let scenario = try await Scenario()
        let a = scenario.member("a")
        #expect(throws: LogError.self) { try a.assign([:]) }
        _ = try a.told()
        #expect(throws: LogError.self) { try a.assign([TopicPartition("other", 0): .beginning]) }
        #expect(throws: LogError.self) { try a.assign([:], later: [TopicPartition("other", 0)]) }
        try a.assign([:])
        #expect(throws: LogError.self) { try a.release() }
        #expect(throws: LogError.self) { try scenario.client("loner").commit([:]) }
    }

    @Test("commits of unknown partitions or with too much metadata are refused")
    func refusedCommits() async throws {
        let scenario = try await Scenario()
        let a = try scenario.owner("a")
        try a.commit([TopicPartition("nowhere", 0): CommittedOffset(offset: 1)])
        try a.commit([scenario.p0: CommittedOffset(offset: 1, metadata: String(repeating: "x", count: 4_097))])
        #expect(try a.told() == ["committed unknownTopicOrPartition", "committed other"])
    }
}
