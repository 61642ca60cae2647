import Conversation
import IntentEvents
import IntentModel
import Pipeline
import RecordLog
import Testing

@Suite("The rules of owning a partition")
struct PartitionJournalTests {
    @Test("effects are sent when their record is acknowledged, and not before")
    func order() {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal.owning(&log)
        owner.decide("s", result: 1)
        owner.land(in: &log)
        #expect(owner.sent.isEmpty)
        owner.tell { $0.acknowledged(at: 1) }
        #expect(owner.sent == ["result 1 of s"])
    }

    @Test(
        "a record that is read in the log before its acknowledgement releases its effects, and the next record counts them as unsettled"
    )
    func readBeforeAcknowledged() throws {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal.owning(&log)
        owner.decide("s", result: 1)
        owner.land(in: &log)
        let now = owner.now
        owner.tell { $0.check(at: now) }
        owner.tell { $0.check(at: now) }
        owner.read(log[1...])
        #expect(owner.sent == ["result 1 of s"])
        owner.decide("t", result: 1)
        owner.land(in: &log)
        #expect(try #require(log.stamps().last).settled == 1)
        owner.tell { $0.acknowledged(at: 1) }
        owner.tell { $0.acknowledged(at: 2) }
        #expect(owner.sent == ["result 1 of s", "result 1 of t"])
        // Neither result was written. The successor sends both.
        var successor = ScriptedJournal(owner: "you")
        successor.takeOver(&log)
        #expect(successor.sent.sorted() == ["result 1 of s", "result 1 of t"])
    }

    @Test("a fence that is acknowledged after it was read is not taken for the acknowledgement of a decision")
    func lateFence() {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal()
        owner.takeOver(&log, acknowledgesFence: false)
        owner.decide("s", result: 1)
        owner.land(in: &log)
        owner.tell { $0.acknowledged(at: 0) }
        #expect(owner.sent.isEmpty && !owner.journal.isVerifying)
        owner.tell { $0.acknowledged(at: 1) }
        #expect(owner.sent == ["result 1 of s"] && !owner.journal.isVerifying)
    }

    @Test("a result that is acknowledged before a record that names it as unacknowledged is not sent again")
    func acknowledgedMeanwhile() {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal.owning(&log)
        let first = ScriptedJournal.result(1, of: "s", at: owner.now)
        owner.decide("s", result: 1)
        owner.land(in: &log)
        owner.tell { $0.acknowledged(at: 1) }
        // The second record of `s` names the first result too. Then the first result is acknowledged, and another
        // session decides.
        owner.decide("s", results: [1, 2])
        owner.acknowledgeResult(at: 0)
        owner.decide("t", result: 1)
        owner.land(in: &log)
        var successor = ScriptedJournal(owner: "you")
        successor.takeOver(&log, results: [ScriptedJournal.record(first, of: "s")])
        #expect(successor.resultsFrom == .beginning)
        #expect(successor.sent.sorted() == ["result 1 of t", "result 2 of s"])
    }

    @Test("an owner that comes back counts for its earlier epoch too, whatever fences have lost against its own")
    func lostFence() throws {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal.owning(&log)
        let stamp = JournalStamp(epoch: 1, owner: "you", number: 1, requests: 0, outcomes: 0, settled: 0, results: 0)
        let outline = JournalOutline(stamp: stamp, subject: .fence(epoch: 1, owner: "you"))
        log.append(outline.record(topic: "intents.sessions", partition: 0, at: owner.now))
        owner.decide("s", result: 1)
        owner.land(in: &log)
        owner.tell { $0.acknowledged(at: 2) }
        owner.read(log[1...])
        owner.acknowledgeResult(at: 0)
        owner.tell { $0.reachedEnd(of: .journal, next: 3) }
        owner.tell { $0.giveBack() }
        #expect(owner.journal.isKept)
        owner.tell { $0.takeOver() }
        owner.tell { $0.reachedEnd(of: .journal, next: 3) }
        owner.land(in: &log)
        owner.read(log[3...])
        // The owner removes the other fence, and then its own previous fence.
        owner.land(in: &log)
        #expect(owner.journal.isActive && owner.journal.epoch == 2)
        let newest = Dictionary(log.map { ($0.key, $0.offset) }) { $1 }
        var replay = JournalReplay()
        for record in log where newest[record.key] == record.offset && record.value != nil { replay.apply(record) }
        #expect(replay.sessions["s"] != nil && replay.stale.isEmpty)
    }

    @Test("a record whose predecessor is missing does not count, and its input is read again")
    func missingRecord() throws {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal.owning(&log)
        for (offset, session) in ["s", "t", "u"].enumerated() {
            let record = ScriptedJournal.request(at: Int64(offset))
            owner.tell { $0.requests.take(record) }
            owner.decide(Identifier(session), result: 1)
        }
        owner.land(in: &log, losing: [1])
        var successor = ScriptedJournal(owner: "you")
        successor.takeOver(&log)
        let takeover = try #require(successor.takeover)
        #expect(takeover.sessions.map(\.session.id) == ["s"])
        #expect(takeover.afterGap == 1)
        #expect(successor.journal.requests.next == 1)
        // The record of session `u` does not survive compaction.
        successor.land(in: &log)
        #expect(log.last { $0.key == Array("u".utf8) }?.value == nil)
    }

    @Test("an owner that reads its own records and misses one ends")
    func ownMissingRecord() {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal.owning(&log)
        owner.decide("s", result: 1)
        owner.decide("t", result: 1)
        owner.land(in: &log, losing: [0])
        let now = owner.now
        owner.tell { $0.check(at: now) }
        owner.tell { $0.check(at: now) }
        owner.read(log[1...])
        #expect(owner.failure?.disposition == .fatal)
        #expect(owner.failure?.message.contains("before number 3 is missing") == true)
        #expect(owner.sent.isEmpty)
    }

    @Test("compaction leaves no gap: records count whatever it has removed", arguments: 1...4)
    func compacted(removed: Int) throws {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal.owning(&log)
        for sequence in 1...5 { owner.decide("s", result: sequence) }
        owner.land(in: &log)
        log.removeSubrange(1..<1 + removed)
        var replay = JournalReplay()
        for record in log { #expect(replay.apply(record) == .valid) }
        #expect(replay.sessions["s"]?.offset == 5)
    }

    @Test("a copy of an older record does not count, and is overwritten")
    func copy() throws {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal.owning(&log)
        owner.decide("s", result: 1)
        owner.decide("s", result: 2)
        owner.land(in: &log)
        var copy = log[1]
        copy.offset = 3
        log.append(copy)
        var replay = JournalReplay()
        for record in log { replay.apply(record) }
        #expect(replay.sessions["s"]?.offset == 2)
        #expect(replay.stale == ["s"])
    }

    @Test("positions of a stale writer do not count, and are overwritten, so that compaction does not keep them")
    func stalePositions() throws {
        var log: [ConsumedRecord] = []
        let owner = ScriptedJournal.owning(&log)
        var second = ScriptedJournal(owner: "you")
        second.takeOver(&log, results: [])
        second.land(in: &log)
        var stamp = JournalStamp(epoch: 1, owner: "me", number: 2, requests: 9, outcomes: 0, settled: 0, results: 0)
        log.append(
            JournalOutline(stamp: stamp, subject: .positions).record(
                topic: "intents.sessions", partition: 0, at: owner.now))
        var third = ScriptedJournal(owner: "them")
        third.takeOver(&log, results: [])
        third.land(in: &log)
        let newest = Dictionary(log.map { ($0.key, $0.offset) }) { $1 }
        var replay = JournalReplay()
        for record in log where newest[record.key] == record.offset && record.value != nil { replay.apply(record) }
        stamp = try #require(replay.stamp)
        #expect(stamp.requests == 0 && replay.owner == "them" && replay.stale.isEmpty)
    }

    @Test("a result of an ended session is not taken for that of a new session with the same id")
    func reopened() throws {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal.owning(&log)
        let old = ScriptedJournal.result(1, of: "s", at: owner.now)
        owner.now = owner.now.advanced(by: .seconds(60))
        owner.decide("s", result: 1)
        owner.land(in: &log)
        var successor = ScriptedJournal(owner: "you")
        successor.takeOver(&log, results: [ScriptedJournal.record(old, of: "s")])
        #expect(successor.sent == ["result 1 of s"])
        // The result of the new session is found.
        var third = ScriptedJournal(owner: "third")
        third.takeOver(
            &log, results: [ScriptedJournal.record(ScriptedJournal.result(1, of: "s", at: owner.now), of: "s")])
        #expect(third.sent.isEmpty)
    }

    @Test("of two fences with one epoch the loser's is forgotten first")
    func fences() throws {
        var log: [ConsumedRecord] = []
        var (winner, loser) = (ScriptedJournal(owner: "z-winner"), ScriptedJournal(owner: "a-loser"))
        for _ in 0..<1 {
            winner.tell { $0.takeOver() }
            loser.tell { $0.takeOver() }
            winner.tell { $0.reachedEnd(of: .journal, next: 0) }
            loser.tell { $0.reachedEnd(of: .journal, next: 0) }
        }
        winner.land(in: &log)
        loser.land(in: &log)
        #expect(log.map { String(decoding: $0.key ?? [], as: UTF8.self) } == ["$fence/1/z-winner", "$fence/1/a-loser"])
        var successor = ScriptedJournal(owner: "successor")
        successor.takeOver(&log)
        successor.land(in: &log)
        let forgotten = log.filter { $0.value == nil }.map { String(decoding: $0.key ?? [], as: UTF8.self) }
        #expect(forgotten == ["$fence/1/a-loser", "$fence/1/z-winner"])
    }

    @Test("a journal whose tail was cut ends its owner, which says why")
    func cutTail() {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal.owning(&log)
        owner.decide("s", result: 1)
        owner.land(in: &log)
        owner.tell { $0.acknowledged(at: 1) }
        let now = owner.now
        owner.tell { $0.check(at: now) }
        owner.tell { $0.check(at: now) }
        owner.tell { $0.reachedEnd(of: .journal, next: 1) }
        #expect(owner.failure?.message.contains("ends before 2, but records up to there were acknowledged") == true)
    }

    @Test(
        "a session that can't be read stops the partition, says what to do, and stays as it is",
        arguments: ["stage", "format"])
    func unreadable(fault: String) throws {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal.owning(&log)
        owner.decide("s", result: 1)
        owner.land(in: &log)
        var stamp = try #require(log.stamps().last)
        stamp.number += 1
        if fault == "format" { stamp.format = JournalStamp.currentFormat + 1 }
        let value = Array(
            #"{"sequence":1,"updated":1,"active":{"request":{"id":"r","intent":"Book"},"parameters":{},"stage":"dreaming"}}"#
                .utf8)
        log.append(
            JournalOutline(stamp: stamp, subject: .session("s", isOpen: true)).record(
                value: value, topic: "intents.sessions", partition: 0, at: owner.now))
        var successor = ScriptedJournal(owner: "you")
        successor.takeOver(&log)
        let problem = try #require(successor.problem)
        #expect(problem.hasPrefix("intents.sessions, partition 0: the session 's'"))
        #expect(
            problem.contains(
                fault == "format" ? "in format 2; this version reads formats up to 1" : "'active.stage' is 'dreaming'"))
        #expect(problem.contains("intents journal check --partition 0"))
        #expect(successor.takeover == nil && successor.unsent.isEmpty)
        #expect(log.last { $0.key == Array("s".utf8) }?.value == value)
    }

    @Test("a record that no coordinator wrote is overwritten with what it covers")
    func foreign() throws {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal.owning(&log)
        owner.decide("s", result: 1)
        owner.land(in: &log)
        log.append(
            Record(
                topic: "intents.sessions", partition: 0, key: Array("s".utf8), value: Array("garbage".utf8),
                timestamp: 0))
        let before = log[1].value
        var successor = ScriptedJournal(owner: "you")
        successor.takeOver(&log)
        successor.land(in: &log)
        let newest = try #require(log.last { $0.key == Array("s".utf8) })
        #expect(newest.offset > 2 && newest.value == before)
    }

    @Test(
        "a record that no coordinator wrote stops the partition only where it may have destroyed a session",
        arguments: [false, true])
    func lonelyForeign(isOld: Bool) throws {
        var log: [ConsumedRecord] = []
        let owner = ScriptedJournal.owning(&log)
        let age = isOld ? Int64(Topics.compactionLag) + 1 : 0
        log.append(
            Record(
                topic: "intents.sessions", partition: 0, key: Array("s".utf8), value: Array("garbage".utf8),
                timestamp: owner.now.milliseconds - age))
        var successor = ScriptedJournal(owner: "you")
        successor.takeOver(&log)
        #expect((successor.problem == nil) == !isOld)
        if isOld {
            #expect(successor.problem?.contains("may have overwritten the session 's'") == true)
        } else {
            successor.land(in: &log)
            #expect(log.last { $0.key == Array("s".utf8) }?.value == nil)
        }
    }

    @Test(
        "a record that no coordinator wrote overwrites no session if its key can't be one",
        arguments: ["", "$other", "a\u{0}b"])
    func foreignKey(_ key: String) {
        var log: [ConsumedRecord] = []
        _ = ScriptedJournal.owning(&log)
        log.append(
            Record(
                topic: "intents.sessions", partition: 0, key: Array(key.utf8), value: Array("garbage".utf8),
                timestamp: 0))
        var successor = ScriptedJournal(owner: "you")
        successor.takeOver(&log)
        #expect(successor.problem == nil && successor.takeover?.foreign == 1)
    }

    @Test("a record that no coordinator wrote may have any timestamp", arguments: [Int64.min, -1, .max])
    func foreignTimestamp(_ timestamp: Int64) {
        var log: [ConsumedRecord] = []
        _ = ScriptedJournal.owning(&log)
        log.append(
            Record(
                topic: "intents.sessions", partition: 0, key: Array("s".utf8), value: Array("garbage".utf8),
                timestamp: timestamp))
        var successor = ScriptedJournal(owner: "you")
        successor.takeOver(&log)
        #expect((successor.problem == nil) == (timestamp == .max))
    }

    @Test("an owner overwrites a record that no coordinator wrote as soon as it reads it")
    func foreignWhileOwned() {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal.owning(&log)
        log.append(Record(topic: "intents.sessions", partition: 0, key: Array("s".utf8), value: Array("garbage".utf8)))
        let now = owner.now
        owner.tell { $0.check(at: now) }
        owner.tell { $0.check(at: now) }
        owner.read(log[1...])
        #expect(owner.rewritten == ["s"])
    }

    @Test("a journal that was written with another number of partitions is not continued, and not fenced")
    func grown() throws {
        var log: [ConsumedRecord] = []
        var before = ScriptedJournal(partitions: 12)
        before.takeOver(&log)
        before.land(in: &log)
        let written = log.count
        var after = ScriptedJournal(owner: "you", partitions: 16)
        after.takeOver(&log)
        #expect(after.problem?.contains("12 partitions when the journal was written and have 16 now") == true)
        #expect(log.count == written && after.unsent.isEmpty)
    }

    @Test(
        "an input log that is not the one that was read before stops the partition",
        arguments: ["created again", "cut and written on"])
    func otherInput(how: String) throws {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal.owning(&log)
        for offset in 0..<5 {
            let record = ScriptedJournal.request(at: Int64(offset), timestamp: 100 + Int64(offset))
            owner.tell { $0.requests.take(record) }
        }
        owner.decide("s", result: 1)
        owner.land(in: &log)
        var successor = ScriptedJournal(owner: "you")
        successor.takeOver(&log)
        #expect(successor.journal.requests.start == .offset(4))
        var verdict = InputPosition.Verdict.next
        let first =
            how == "created again"
            ? ScriptedJournal.request(at: 0, timestamp: 900) : ScriptedJournal.request(at: 4, timestamp: 900)
        successor.tell { verdict = $0.judge(first, of: .requests) }
        #expect(verdict == .otherLog)
        #expect(
            successor.problem?.contains("intents.requests is not the log that the journal has read up to offset 5")
                == true)
        #expect(successor.journal.isStopped)
    }

    @Test("positions that an operator has set count, although they are lower, and every later stamp and owner says so")
    func setBack() throws {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal.owning(&log)
        for offset in 0..<5 { owner.tell { $0.requests.take(ScriptedJournal.request(at: Int64(offset))) } }
        owner.decide("s", result: 1)
        owner.land(in: &log)
        var stamp = try #require(log.stamps().last)
        (stamp.number, stamp.inputs, stamp.requests, stamp.lastRequest, stamp.outcomes) = (3, 1, 2, nil, 9)
        log.append(
            JournalOutline(stamp: stamp, subject: .positions).record(
                topic: "intents.sessions", partition: 0, at: owner.now))
        // A version that does not know `inputs` wrote the next record.
        (stamp.number, stamp.inputs, stamp.requests, stamp.outcomes) = (4, 0, 500, 500)
        log.append(
            JournalOutline(stamp: stamp, subject: .session("t", isOpen: false)).record(
                topic: "intents.sessions", partition: 0, at: owner.now))
        var successor = ScriptedJournal(owner: "you")
        successor.takeOver(&log)
        #expect(successor.journal.requests.start == .offset(2) && successor.journal.outcomes.next == 9)
        successor.tell { $0.requests.take(ScriptedJournal.request(at: 2)) }
        successor.decide("s", result: 2)
        successor.land(in: &log)
        let (fence, last) = try (log.stamps()[4], #require(log.stamps().last))
        #expect(fence.inputs == 1 && fence.requests == 2)
        #expect(last.inputs == 1 && last.requests == 3 && last.outcomes == 9)
        var third = ScriptedJournal(owner: "third")
        third.takeOver(&log)
        #expect(third.journal.requests.next == 3)
    }

    @Test(
        "input is continued whatever timestamps its producers set",
        arguments: [-1, 0, Int64.max, 1_800_000_000_000_000_000])
    func anyTimestamp(_ timestamp: Int64) throws {
        var position = InputPosition()
        position.take(ScriptedJournal.request(at: 4, timestamp: timestamp))
        let stamp = JournalStamp(
            epoch: 1, owner: "me", number: 1, requests: position.next, outcomes: 0, settled: 0, results: 0,
            lastRequest: position.last)
        #expect(JournalStamp(stamp.description) == stamp)
        position = InputPosition(next: stamp.requests, last: stamp.lastRequest)
        #expect(position.judge(ScriptedJournal.request(at: 4, timestamp: timestamp)) == .known)
        #expect(position.judge(ScriptedJournal.request(at: 5)) == .next)
    }

    @Test("input goes on behind the last record that was decided on, and that is compared once")
    func sameInput() {
        var position = InputPosition(next: 5, last: 104)
        #expect(position.start == .offset(4))
        #expect(position.judge(ScriptedJournal.request(at: 4, timestamp: 104)) == .known)
        #expect(position.judge(ScriptedJournal.request(at: 5)) == .next)
        // Retention may have removed the last decided record.
        position = InputPosition(next: 5, last: 104)
        #expect(position.judge(ScriptedJournal.request(at: 9)) == .next)
        #expect(InputPosition(next: 5).start == .offset(5))
        #expect(InputPosition().start == .beginning)
    }

    @Test(
        "an end of the journal that was found before records came that are acknowledged meanwhile is no cut; the journal is read again"
    )
    func staleEnd() {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal.owning(&log)
        let now = owner.now
        owner.tell { $0.check(at: now) }
        owner.tell { $0.check(at: now) }
        #expect(owner.journal.isVerifying)
        owner.decide("s", result: 1)
        owner.land(in: &log)
        owner.tell { $0.acknowledged(at: 1) }
        owner.tell { $0.reachedEnd(of: .journal, next: 1) }
        #expect(owner.failure == nil && owner.journal.isVerifying)
        var cut = owner
        owner.tell { $0.reachedEnd(of: .journal, next: 2) }
        #expect(owner.failure == nil && !owner.journal.isVerifying)
        cut.tell { $0.reachedEnd(of: .journal, next: 1) }
        #expect(cut.failure != nil)
    }

    @Test(
        "an end of an input below its position stops the partition only if a second look finds it: the broker may have told an old one"
    )
    func oldEnd() {
        var (owner, log) = (ScriptedJournal(), [ConsumedRecord]())
        owner.takeOver(&log)
        let record = ConsumedRecord(
            topic: owner.topics.requests, partition: 0, offset: 4, timestamp: 1, key: nil, value: nil, headers: [])
        owner.tell { $0.requests.take(record) }
        for end in [3, 5, 3] as [Int64] {
            owner.tell { $0.ends(.requests, at: end) }
            #expect(owner.problem == nil)
        }
        owner.tell { $0.ends(.requests, at: 3) }
        #expect(owner.problem?.contains("is not the log") == true)
    }

    @Test(
        "an owner that sees a result of a coordinator that has fenced later takes the partition for lost, and not its journal"
    )
    func resultOfLaterOwner() {
        var (log, late, rival) = ([ConsumedRecord](), ScriptedJournal(owner: "late"), ScriptedJournal(owner: "rival"))
        let result = ScriptedJournal.record(ScriptedJournal.result(1, of: "s", at: rival.now), of: "s")
        late.takeOver(&log, results: [result])
        #expect(late.problem == nil && late.takeover == nil)
        rival.takeOver(&log)
        rival.decide("s", result: 1)
        rival.land(in: &log)
        late.readAgain(&log)
        #expect(late.journal.isLost && late.problem == nil)
        rival.read(log[...])
        #expect(rival.journal.isActive)
    }

    @Test(
        "a result that the journal does not know stops the partition once the journal is fenced again and nobody has fenced in between"
    )
    func resultOfNobody() {
        var (log, owner) = ([ConsumedRecord](), ScriptedJournal(owner: "me"))
        let result = ScriptedJournal.record(ScriptedJournal.result(1, of: "s", at: owner.now), of: "s")
        owner.takeOver(&log, results: [result])
        #expect(owner.problem == nil && owner.takeover == nil)
        owner.readAgain(&log, results: [result])
        #expect(owner.problem?.contains("records of the journal are lost") == true && owner.takeover == nil)
    }

    @Test(
        "positions that the group has committed stop the partition only if nobody has fenced since",
        arguments: [true, false])
    func committedByAnother(isRival: Bool) throws {
        var (log, late, rival) = ([ConsumedRecord](), ScriptedJournal(owner: "late"), ScriptedJournal(owner: "rival"))
        late.tell { $0.lookUpCommitted() }
        late.takeOver(&log)
        if isRival {
            rival.takeOver(&log)
            rival.tell { $0.requests.take(ScriptedJournal.request(at: 40)) }
            rival.decide("s", result: 1)
            rival.land(in: &log)
        }
        let now = late.now
        late.tell { $0.found(committed: ScriptedJournal.committed(requests: 41), at: now) }
        #expect(late.problem == nil && late.takeover == nil)
        late.readAgain(&log)
        #expect(late.journal.isLost == isRival && late.journal.isStopped == !isRival)
    }

    @Test(
        "an owner that kept a partition whose journal is created again does not write the positions of the old one into the new one"
    )
    func keptAndCreatedAgain() throws {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal.owning(&log)
        owner.tell { $0.requests.take(ScriptedJournal.request(at: 40)) }
        owner.decide("s", result: 1)
        owner.land(in: &log)
        owner.tell { $0.acknowledged(at: 1) }
        owner.acknowledgeResult(at: 7)
        owner.tell { $0.giveBack() }
        try #require(owner.journal.isKept)
        var empty: [ConsumedRecord] = []
        owner.tell { $0.lookUpCommitted() }
        owner.takeOver(&empty)
        owner.readAgain(&empty)
        #expect(try empty.stamps().map(\.requests) == [0] && empty.stamps().map(\.results) == [0])
        let now = owner.now
        owner.tell { $0.found(committed: ScriptedJournal.committed(requests: 41), at: now) }
        owner.readAgain(&empty)
        #expect(owner.problem?.contains("records of the journal are lost") == true)
    }

    @Test("taking over eight times as many sessions takes about eight times as long, not sixty-four times")
    func takeoverIsLinear() throws {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal.owning(&log)
        let count = 4_000
        for number in 0..<count { owner.decide("s\(number)", result: 1) }
        owner.land(in: &log)
        func duration(of count: Int) -> Duration {
            var log = Array(log[..<(count + 1)])
            return ContinuousClock().measure {
                var successor = ScriptedJournal(owner: "you")
                successor.takeOver(&log)
            }
        }
        // The minimum of several runs, because the machine may be busy with something else.
        let few = try #require((0..<5).map { _ in duration(of: count / 8) }.min())
        let many = try #require((0..<3).map { _ in duration(of: count) }.min())
        #expect(many < few * 24)
    }
}
