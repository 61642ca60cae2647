import RecordLog
import Testing

@Suite("A member that is paused for longer than its session")
struct PausedMemberTests {
    @Test("a paused writer that resumes writes after the new owner")
    func zombieWrites() async throws {
        let scenario = try await Scenario()
        let old = try scenario.owner("old")
        try old.send(scenario.record("stale"), token: 1)
        old.evict()
        let new = try scenario.owner("new")
        try new.send(scenario.record("fresh"), token: 1)
        #expect(try new.told() == ["delivered 1 @0", "record t[0]@0"])
        #expect(scenario.values(scenario.p0) == ["fresh"])
        #expect(try old.told() == ["delivered 1 @1", "lost t[0] t[1]"])
        #expect(scenario.values(scenario.p0) == ["fresh", "stale"])
    }

    @Test("records it had sent can come before the new owner's, even if it learns of them later")
    func lateAcknowledgement() async throws {
        let scenario = try await Scenario()
        let old = try scenario.owner("old")
        try old.send(scenario.record("just in time"), token: 1)
        old.writeQueue()
        old.evict()
        let new = try scenario.owner("new")
        try new.send(scenario.record("fresh"), token: 1)
        #expect(try new.told().first == "delivered 1 @1")
        #expect(try old.told() == ["delivered 1 @0", "lost t[0] t[1]"])
    }

    @Test("its partitions are assigned to the others at once, without its release")
    func partitionsMove() async throws {
        let scenario = try await Scenario()
        let (a, b) = try scenario.owners("a", "b")
        a.evict()
        #expect(scenario.log.assignment(ofGroup: "g").keys.sorted() == ["b"])
        #expect(try b.told() == ["revoked t[1]"])
        try b.release()
        #expect(try b.told() == ["assigned t[0] t[1]"])
    }

    @Test("it learns of the loss when it polls, gets no more records, and rejoins with the poll after its release")
    func joinsAgain() async throws {
        let scenario = try await Scenario()
        let (a, b) = try scenario.owners("a", "b")
        a.evict()
        try scenario.log.append(scenario.record("v"))
        #expect(try a.told() == ["lost t[0]"])
        #expect(try a.told() == [])
        try a.release()
        #expect(scenario.log.assignment(ofGroup: "g")["a"] == nil)
        #expect(try a.told() == [])
        #expect(try b.told() == ["revoked t[1]"])
        try b.release()
        #expect(try a.told() == ["assigned t[0]"])
        try a.assign([:])
        #expect(try a.told() == ["record t[0]@0"])
    }

    @Test("its commits fail, before and after it learns of the loss")
    func commitsFail() async throws {
        let scenario = try await Scenario()
        let (a, _) = try scenario.owners("a", "b")
        a.evict()
        try a.commit([scenario.p0: CommittedOffset(offset: 1)])
        #expect(try a.told() == ["committed illegalGeneration", "lost t[0]"])
        try a.commit([scenario.p0: CommittedOffset(offset: 1)])
        #expect(try a.told() == ["committed illegalGeneration"])
        #expect(scenario.log.committed(group: "g").isEmpty)
    }

    @Test("an assignment that it has not polled is revoked unseen")
    func unseenAssignment() async throws {
        let scenario = try await Scenario()
        let a = scenario.member("a")
        a.evict()
        #expect(try a.told() == ["assigned t[0] t[1]"])
        #expect(scenario.log.generation(ofGroup: "g") == 3)
        try a.assign([:])
        #expect(try a.told() == [])
    }

    @Test("an assignment that it has polled but not answered is lost like any other")
    func unansweredAssignment() async throws {
        let scenario = try await Scenario()
        let a = scenario.member("a")
        #expect(try a.told() == ["assigned t[0] t[1]"])
        a.evict()
        try scenario.log.append(scenario.record("v"))
        try a.assign([:])
        #expect(try a.told() == ["lost t[0] t[1]"])
        try a.release()
        #expect(try a.told() == ["assigned t[0] t[1]"])
    }

    @Test("an answer after the loss, but before the poll that reports it, has no effect")
    func answerAfterLoss() async throws {
        let scenario = try await Scenario()
        let a = scenario.member("a")
        #expect(try a.told() == ["assigned t[0] t[1]"])
        try a.send(scenario.record("v"), token: 1)
        a.evict()
        #expect(try a.told(1) == ["delivered 1 @0"])
        try a.assign([:])
        #expect(try a.told() == ["lost t[0] t[1]"])
    }

    @Test("a member that had been asked to release gets no further event, and its commits fail")
    func evictedWhileFinishing() async throws {
        let scenario = try await Scenario()
        let a = try scenario.owner("a")
        let b = scenario.member("b")
        #expect(try a.told() == ["revoked t[0] t[1]"])
        a.evict()
        #expect(try b.told() == ["assigned t[0] t[1]"])
        try b.assign([:])
        try a.commit([scenario.p0: CommittedOffset(offset: 1)])
        #expect(try a.told() == ["committed illegalGeneration"])
        try a.release()
        _ = try a.told()
        #expect(try b.told() == ["revoked t[0] t[1]"])
    }

    @Test("a revocation that it has not polled becomes a loss")
    func evictedWithRevocationUnseen() async throws {
        let scenario = try await Scenario()
        let a = try scenario.owner("a")
        _ = scenario.member("b")
        a.evict()
        #expect(try a.told() == ["lost t[0] t[1]"])
    }
}
