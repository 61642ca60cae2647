import Conversation
import IntentEvents
import IntentModel
import Pipeline
import RecordLog
import Testing

@Suite("The rules of owning a partition") struct PartitionJournalTests {
    @Test func `a record that is read before its acknowledgement sends its effects, which stay open`() throws {
        var owner = ScriptedJournal.owning()
        owner.write("s", result: 1)
        owner.verify()
        owner.read(from: 1)
        #expect(owner.sent == ["result 1 of s"])
        owner.write("t", result: 1)
        #expect(try owner.log.stamps.last?.settled == 1)
        for offset in 1...2 { owner.acknowledge(offset) }
        #expect(owner.sent == ["result 1 of s", "result 1 of t"])
        // Neither result was written. The successor sends both.
        #expect(owner.successor().sent.sorted() == ["result 1 of s", "result 1 of t"])
    }

    @Test func `a fence that is acknowledged after it was read is not taken for the acknowledgement of a decision`() {
        var owner = ScriptedJournal()
        owner.takeOver(acknowledgesFence: false)
        owner.write("s", result: 1)
        owner.acknowledge(0)
        #expect(owner.sent.isEmpty && !owner.journal.isVerifying)
        owner.acknowledge(1)
        #expect(owner.sent == ["result 1 of s"] && !owner.journal.isVerifying)
    }

    @Test func `a result that is acknowledged before a record that names it as unacknowledged is not sent again`() {
        var owner = ScriptedJournal.owning()
        owner.write("s", result: 1)
        owner.acknowledge(1)
        // The second record of `s` names the first result too. Then the first result is acknowledged, and another
        // session decides.
        owner.decide("s", results: [1, 2])
        owner.acknowledgeResult(at: 0)
        owner.write("t", result: 1)
        let successor = owner.successor(results: [ScriptedJournal.resultRecord(1)])
        #expect(successor.resultsFrom == .beginning && successor.sent.sorted() == ["result 1 of t", "result 2 of s"])
    }

    @Test func `an owner that comes back counts for its earlier epoch too, despite lost rival fences`() throws {
        var owner = ScriptedJournal.owning()
        let stamp = JournalStamp(epoch: 1, owner: "you", number: 1, requests: 0, outcomes: 0, settled: 0, results: 0)
        owner.log.append(stamp, .fence(epoch: 1, owner: "you"))
        owner.write("s", result: 1)
        owner.acknowledge(2)
        owner.read(from: 1)
        owner.acknowledgeResult(at: 0)
        owner.reachEnd()
        owner.apply { $0.giveBack() }
        #expect(owner.journal.isCached)
        owner.apply { $0.takeOver() }
        owner.reachEnd()
        owner.land()
        owner.read(from: 3)
        // The owner removes the other fence, and then its own previous fence.
        owner.land()
        #expect(owner.journal.isActive && owner.journal.epoch == 2)
        let replay = owner.log.replay(isCompacted: true)
        #expect(replay.sessions["s"] != nil && replay.stale.isEmpty)
    }

    @Test func `a record whose predecessor is missing does not count, and its input is read again`() throws {
        var owner = ScriptedJournal.owning()
        for (offset, session) in ["s", "t", "u"].enumerated() {
            owner.consume(Int64(offset)..<Int64(offset) + 1)
            owner.decide(Identifier(session), result: 1)
        }
        owner.land(losing: [1])
        var successor = owner.successor()
        let takeover = try #require(successor.takeover)
        #expect(takeover.sessions.map(\.session.id) == ["s"] && takeover.afterGap == 1)
        #expect(successor.journal[.requests].next == 1)
        // The record of session `u` does not survive compaction.
        successor.land()
        #expect(owner.log.newest("u")?.value == nil)
    }

    @Test func `an owner that reads its own records and misses one ends`() {
        var owner = ScriptedJournal.owning()
        for session in ["s", "t"] as [Identifier] { owner.decide(session, result: 1) }
        owner.land(losing: [0])
        owner.verify()
        owner.read(from: 1)
        #expect(owner.failure?.disposition == .fatal && owner.sent.isEmpty)
        #expect(owner.failure?.message.contains("before number 3 is missing") == true)
    }

    @Test(arguments: 1...4)
    func `compaction leaves no gap: records count whatever it has removed`(removed: Int) throws {
        var owner = ScriptedJournal.owning()
        for sequence in 1...5 { owner.write("s", result: sequence) }
        owner.log.records.removeSubrange(1..<1 + removed)
        var replay = JournalReplay()
        for record in owner.log.records { #expect(replay.apply(record) == .valid) }
        #expect(replay.sessions["s"]?.offset == 5)
    }

    @Test func `a copy of an older record does not count, and is overwritten`() throws {
        var owner = ScriptedJournal.owning()
        for sequence in 1...2 { owner.write("s", result: sequence) }
        owner.log.records.append(owner.log.records[1])
        owner.log.records[3].offset = 3
        let replay = owner.log.replay()
        #expect(replay.sessions["s"]?.offset == 2 && replay.stale == ["s"])
    }

    @Test func `positions of a stale writer don't count, and are overwritten, so compaction removes them`() throws {
        let owner = ScriptedJournal.owning()
        var second = owner.successor()
        second.land()
        let stamp = JournalStamp(epoch: 1, owner: "me", number: 2, requests: 9, outcomes: 0, settled: 0, results: 0)
        owner.log.append(stamp, .positions)
        var third = owner.successor("them")
        third.land()
        let replay = owner.log.replay(isCompacted: true)
        #expect(replay.stamp?.requests == 0 && replay.owner == "them" && replay.stale.isEmpty)
    }

    @Test func `a result of an ended session is not taken for that of a new session with the same id`() throws {
        var owner = ScriptedJournal.owning()
        owner.now = owner.now.advanced(by: .seconds(60))
        owner.write("s", result: 1)
        #expect(owner.successor(results: [ScriptedJournal.resultRecord(1)]).sent == ["result 1 of s"])
        // The result of the new session is found.
        #expect(owner.successor("third", results: [ScriptedJournal.resultRecord(1, at: owner.now)]).sent.isEmpty)
    }

    @Test func `of two fences with one epoch the loser's is forgotten first`() throws {
        var winner = ScriptedJournal(owner: "z-winner")
        var loser = ScriptedJournal(owner: "a-loser", log: winner.log)
        winner.apply { $0.takeOver() }
        loser.apply { $0.takeOver() }
        winner.reachEnd()
        loser.reachEnd()
        winner.land()
        loser.land()
        func keys(_ records: [ConsumedRecord]) -> [String] {
            records.map { String(decoding: $0.key ?? [], as: UTF8.self) }
        }
        #expect(keys(winner.log.records) == ["$fence/1/z-winner", "$fence/1/a-loser"])
        var successor = winner.successor()
        successor.land()
        let forgotten = winner.log.records.filter { $0.value == nil }
        #expect(keys(forgotten) == ["$fence/1/a-loser", "$fence/1/z-winner"])
    }

    @Test func `a journal whose tail was cut ends its owner, which says why`() {
        var owner = ScriptedJournal.owning()
        owner.write("s", result: 1)
        owner.acknowledge(1)
        owner.verify()
        owner.reachEnd(1)
        #expect(owner.failure?.message.contains("ends before 2, but records up to there were acknowledged") == true)
    }

    @Test(arguments: [(1, "'active.stage' is 'dreaming'"), (3, "in format 3; this version reads formats up to 2")])
    func `an unreadable session stops the partition, says why, and stays as it is`(format: Int, fault: String) throws {
        var owner = ScriptedJournal.owning()
        owner.write("s", result: 1)
        var stamp = try #require(try owner.log.stamps.last)
        (stamp.number, stamp.format) = (stamp.number + 1, format)
        let active = #"{"request":{"id":"r","intent":"Book"},"parameters":{},"stage":"dreaming"}"#
        let value = Array(#"{"sequence":1,"updated":1,"active":\#(active)}"#.utf8)
        owner.log.append(stamp, .session("s", isOpen: true), value)
        let successor = owner.successor()
        let problem = try #require(successor.problem)
        #expect(problem.hasPrefix("intents.sessions, partition 0: the session 's'"))
        #expect(problem.contains(fault) && problem.contains("intents journal check --partition 0"))
        #expect(successor.takeover == nil && successor.unsent.isEmpty && owner.log.newest("s")?.value == value)
    }

    @Test func `a record that no coordinator wrote is overwritten with the one that it covers`() throws {
        var owner = ScriptedJournal.owning()
        owner.write("s", result: 1)
        owner.log.appendForeign()
        var successor = owner.successor()
        successor.land()
        let newest = try #require(owner.log.newest("s"))
        #expect(newest.offset > 2 && newest.value == owner.log.records[1].value)
    }

    @Test(arguments: [
        ("s", Int64.min, true), ("s", -1, true), ("s", Int64.max, false), ("", 0, false), ("$other", 0, false),
        ("a\u{0}b", 0, false),
    ])
    func `a foreign record stops its partition if it may hide a session`(key: String, timestamp: Int64, stops: Bool) {
        let owner = ScriptedJournal.owning()
        owner.log.appendForeign(key: key, timestamp: timestamp)
        let successor = owner.successor()
        #expect((successor.problem != nil) == stops)
        #expect(key == "s" || successor.takeover?.foreign == 1)
    }

    @Test func `an owner overwrites a record that no coordinator wrote as soon as it reads it`() {
        var owner = ScriptedJournal.owning()
        owner.log.appendForeign()
        owner.verify()
        owner.read(from: 1)
        #expect(owner.rewritten == ["s"])
    }

    @Test func `a journal that was written with another partition count is neither continued nor fenced`() throws {
        var before = ScriptedJournal.owning(partitions: 12)
        before.land()
        let written = before.log.next
        let after = before.successor(partitions: 16)
        #expect(after.problem?.contains("12 partitions when the journal was written and have 16 now") == true)
        #expect(after.log.next == written && after.unsent.isEmpty)
    }

    @Test func `taking over eight times as many sessions takes about eight times as long, not 64 times`() throws {
        var owner = ScriptedJournal.owning()
        let count = 4_000
        for number in 0..<count { owner.decide("s\(number)", result: 1) }
        owner.land()
        func duration(of count: Int) -> Duration {
            let log = ScriptedLog(Array(owner.log.records[..<(count + 1)]))
            return ContinuousClock().measure { _ = ScriptedJournal(log: log).successor() }
        }
        // The minimum of several runs, because the machine may be busy with something else.
        let few = try #require((0..<5).map { _ in duration(of: count / 8) }.min())
        let many = try #require((0..<3).map { _ in duration(of: count) }.min())
        #expect(many < few * 24)
    }

    @Test func `an early end is no cut if records were acknowledged meanwhile; the journal is read again`() {
        var owner = ScriptedJournal.owning()
        owner.verify()
        #expect(owner.journal.isVerifying)
        owner.write("s", result: 1)
        owner.acknowledge(1)
        owner.reachEnd(1)
        #expect(owner.failure == nil && owner.journal.isVerifying)
        var cut = owner
        owner.reachEnd(2)
        #expect(owner.failure == nil && !owner.journal.isVerifying)
        cut.reachEnd(1)
        #expect(cut.failure != nil)
    }

    @Test func `an owner that sees a result of a later coordinator loses the partition, not its journal`() {
        var late = ScriptedJournal(owner: "late")
        late.takeOver(results: [ScriptedJournal.resultRecord(1)])
        #expect(late.problem == nil && late.takeover == nil)
        var rival = late.successor("rival")
        rival.write("s", result: 1)
        late.readAgain()
        #expect(late.journal.isLost && late.problem == nil)
        rival.read()
        #expect(rival.journal.isActive)
    }

    @Test func `a result that the journal does not know stops the partition once it is fenced again`() {
        let result = ScriptedJournal.resultRecord(1)
        var owner = ScriptedJournal()
        owner.takeOver(results: [result])
        #expect(owner.problem == nil && owner.takeover == nil)
        owner.readAgain(results: [result])
        #expect(owner.problem?.contains("records of the journal are lost") == true && owner.takeover == nil)
    }

    @Test(arguments: [true, false])
    func `committed positions stop the partition only if nobody has fenced`(isRival: Bool) throws {
        var late = ScriptedJournal(owner: "late")
        late.apply { $0.lookUpCommitted() }
        late.takeOver()
        if isRival {
            var rival = late.successor("rival")
            rival.consume(40..<41)
            rival.write("s", result: 1)
        }
        let now = late.now
        late.apply { $0.found(committed: ScriptedJournal.committed(requests: 41), at: now) }
        #expect(late.problem == nil && late.takeover == nil)
        late.readAgain()
        #expect(late.journal.isLost == isRival && late.journal.isStopped == !isRival)
    }

    @Test func `an owner that kept a partition writes no old positions into a recreated journal`() throws {
        var owner = ScriptedJournal.owning()
        owner.consume(40..<41)
        owner.write("s", result: 1)
        owner.acknowledge(1)
        owner.acknowledgeResult(at: 7)
        owner.apply { $0.giveBack() }
        try #require(owner.journal.isCached)
        owner.log.records = []
        owner.apply { $0.lookUpCommitted() }
        owner.takeOver()
        owner.readAgain()
        #expect(try owner.log.stamps.map { [$0.requests, $0.results] } == [[0, 0]])
        let now = owner.now
        owner.apply { $0.found(committed: ScriptedJournal.committed(requests: 41), at: now) }
        owner.readAgain()
        #expect(owner.problem?.contains("records of the journal are lost") == true)
    }
}
