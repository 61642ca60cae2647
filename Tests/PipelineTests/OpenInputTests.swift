import Conversation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@testable import Pipeline

/// A request as ``ScriptedJournal/consume(_:of:)`` reads it.
private func request(_ offset: Int64) -> ConsumedRecord { ScriptedJournal.request(at: offset, timestamp: 100 + offset) }

@Suite("The inputs of a partition") struct InputTests {
    @Test(arguments: [0, 4] as [Int64])
    func `stop the partition if they are another log than before`(first: Int64) throws {
        var owner = ScriptedJournal.owning()
        owner.consume(0..<5)
        owner.write("s", result: 1)
        var successor = owner.successor()
        #expect(successor.journal[.requests].start == .offset(4))
        var verdict = InputPosition.Verdict.next
        successor.apply { verdict = $0.judge(ScriptedJournal.request(at: first, timestamp: 900), of: .requests) }
        let problem = "intents.requests is not the log that the journal has read up to offset 5"
        #expect(verdict == .otherLog && successor.problem?.contains(problem) == true && successor.journal.isStopped)
    }

    @Test func `continue at positions that an operator lowered, in all later stamps and owners`() throws {
        var owner = ScriptedJournal.owning()
        owner.consume(0..<5)
        owner.write("s", result: 1)
        var stamp = try #require(try owner.log.stamps.last)
        (stamp.number, stamp.inputs, stamp.requests, stamp.lastRequest, stamp.outcomes) = (3, 1, 2, nil, 9)
        owner.log.append(stamp, .positions)
        // A version that does not know `inputs` wrote the next record.
        (stamp.number, stamp.inputs, stamp.requests, stamp.outcomes) = (4, 0, 500, 500)
        owner.log.append(stamp, .session("t", isOpen: false))
        var successor = owner.successor()
        #expect(successor.journal[.requests].start == .offset(2) && successor.journal[.outcomes].next == 9)
        successor.consume(2..<3)
        successor.write("s", result: 2)
        let (fence, last) = try (owner.log.stamps[4], #require(owner.log.stamps.last))
        #expect(fence.inputs == 1 && fence.requests == 2)
        #expect(last.inputs == 1 && last.requests == 3 && last.outcomes == 9)
        #expect(owner.successor("third").journal[.requests].next == 3)
    }

    @Test func `continue behind the last record that was decided on, which is compared once`() {
        var position = InputPosition(next: 5, last: 104)
        #expect(position.start == .offset(4) && [4, 5].map { position.judge(request($0)) } == [.known, .next])
        // Retention may have removed the last decided record.
        position = InputPosition(next: 5, last: 104)
        #expect(position.judge(request(9)) == .next)
        #expect(InputPosition(next: 5).start == .offset(5) && InputPosition().start == .beginning)
    }

    @Test func `stop the partition if two checks in a row find an end below the position`() {
        var owner = ScriptedJournal.owning()
        owner.consume(4..<5)
        for end in [3, 5, 3] as [Int64] {
            owner.apply { $0.ends(.requests, at: end) }
            #expect(owner.problem == nil)
        }
        owner.apply { $0.ends(.requests, at: 3) }
        #expect(owner.problem?.contains("is not the log") == true)
    }

    @Test(arguments: [
        Int64.min + 7, -2, -1, 0, 253_402_300_800_000, 1_772_366_400_000_000_000, 1_800_000_000_000_000_000, .max,
    ])
    func `compare any timestamp, also in a journal of an earlier version`(_ timestamp: Int64) {
        let record = ScriptedJournal.request(at: 5, timestamp: timestamp)
        var position = InputPosition()
        position.take(record)
        // The position is the one that earlier versions write.
        #expect(position.last == timestamp & (1 << 53 - 1))
        let stamp = JournalStamp(
            epoch: 1, owner: "me", number: 1, requests: position.next, outcomes: 0, settled: 0, results: 0,
            lastRequest: position.last)
        #expect(JournalStamp(stamp.description) == stamp)
        var successor = InputPosition(next: stamp.requests, last: stamp.lastRequest)
        var other = successor
        #expect(successor.judge(record) == .known)
        #expect(successor.judge(ScriptedJournal.request(at: 6)) == .next)
        #expect(other.judge(ScriptedJournal.request(at: 5, timestamp: timestamp - 1)) == .otherLog)
    }
}

@Suite("Open records of an input") struct OpenInputTests {
    @Test func `an open record is in each stamp, and the next owner reads it again and nothing else`() throws {
        var owner = ScriptedJournal.owning()
        owner.consume(0..<6, of: .outcomes)
        for offset in [2, 4] as [Int64] { owner.apply { $0.leaveOpen(offset, of: .outcomes) } }
        owner.write("s", result: 1)
        let stamp = try #require(try owner.log.stamps.last)
        #expect(stamp.outcomes == 6 && stamp.openOutcomes == [2, 4] && stamp.openRequests.isEmpty)
        #expect(JournalStamp(stamp.description) == stamp)
        var successor = owner.successor()
        #expect(try owner.log.stamps.last?.openOutcomes == [2, 4])
        #expect(
            successor.journal[.outcomes].start == .offset(2) && successor.journal[.outcomes].checkpoint == .offset(5))
        var verdicts: [InputPosition.Verdict] = []
        for offset in 2..<7 as Range<Int64> {
            successor.apply { verdicts.append($0.judge(request(offset), of: .outcomes)) }
        }
        #expect(verdicts == [.unchecked, .known, .unchecked, .known, .next])
        #expect(successor.journal[.outcomes].open == [2, 4], "until they are told")
    }

    @Test func `an open record waits until the record before the position shows that the log is the same`() {
        var position = InputPosition(next: 4, last: 103, open: [1, 3])
        func judge(_ offset: Int64) -> InputPosition.Verdict { position.judge(request(offset)) }
        #expect([1, 2].map(judge) == [.unchecked, .known])
        #expect(position.judge(unreadable: 1..<2) == .unchecked && position.open == [1, 3])
        #expect([3, 1, 1].map(judge) == [.open, .open, .known])
        #expect(position.open.isEmpty, "until they are told again")
    }

    @Test func `a record that was left open twice is open until it is reported twice`() throws {
        var owner = ScriptedJournal.owning()
        owner.consume(0..<1)
        for _ in 0..<2 { owner.apply { $0.leaveOpen(0, of: .requests) } }
        owner.apply { $0.told(of: 0, of: .requests) }
        owner.write("s", result: 1)
        #expect(owner.successor().journal[.requests].open == [0])
    }

    @Test func `an owner reports an open record when a record of the journal shows that it is the owner`() {
        var owner = ScriptedJournal.owning()
        owner.apply { $0.leaveOpen(0, of: .outcomes) }
        owner.apply { $0.appendPositions([.openInput(7)]) }
        owner.land()
        #expect(owner.sent.isEmpty)
        owner.acknowledge(1)
        #expect(owner.sent == ["open input 7"])
    }

    @Test func `the journal states once that an open record is reported`() throws {
        var owner = ScriptedJournal.owning()
        func close(_ offset: Int64) {
            owner.apply { $0.told(of: offset, of: .requests) }
            owner.land()
        }
        owner.consume(0..<2)
        for offset in [0, 1] as [Int64] { owner.apply { $0.leaveOpen(offset, of: .requests) } }
        close(0)
        #expect(owner.log.next == 1, "no stamp names them")
        owner.decide("s", result: 1)
        close(1)
        #expect(try owner.log.stamps.map(\.openRequests) == [[], [1], []])
        close(1)
        #expect(owner.log.next == 3)
    }

    @Test(arguments: [(2, false), (3, true)])
    func `lost open input is reported, and earlier input is not`(first: Int64, isTold: Bool) {
        var owner = ScriptedJournal.owning()
        owner.consume(0..<6, of: .outcomes)
        owner.apply { $0.leaveOpen(2, of: .outcomes) }
        owner.write("s", result: 1)
        let gone = OutOfRange(TopicPartition("intents.outcomes", 0), requested: 0, range: first..<9)
        #expect(owner.successor().journal.isDecided(before: gone) == !isTold)
    }

    @Test(arguments: [true, false])
    func `an open record that the log no longer has is forgotten when a later one comes`(isBatch: Bool) {
        var position = InputPosition(next: 6, last: 105, open: [2, 4])
        #expect(position.judge(request(4)) == .unchecked)
        #expect(position.isDone(before: 2) && !position.isDone(before: 4))
        let verdict = isBatch ? position.judge(unreadable: 5..<9) : position.judge(ScriptedJournal.request(at: 6))
        // The open record that was read before is reported.
        #expect(verdict == .next && position.open == [4] && position.isDone(before: 6))
        #expect(position.judge(request(4)) == .open && position.open.isEmpty)
    }

    @Test func `a log that begins below the first open record, or has another decided record, is another log`() {
        let position = InputPosition(next: 6, last: 105, open: [2])
        var cut = position
        #expect(cut.judge(ScriptedJournal.request(at: 0)) == .otherLog)
        var other = position
        #expect(other.judge(ScriptedJournal.request(at: 2)) == .unchecked)
        #expect(other.judge(ScriptedJournal.request(at: 5, timestamp: 9)) == .otherLog)
    }
}

@Suite("A journal that a standby follows") struct JournalFollowerTests {
    private static let now = ScriptedLog.now
    private var follower = JournalFollower(patience: .seconds(60), at: now)

    private static func record(_ stamp: JournalStamp, _ subject: JournalOutline.Subject, at offset: Int64)
        -> ConsumedRecord
    {
        let log = ScriptedLog()
        log.append(stamp, subject)
        log.records[0].offset = offset
        return log.records[0]
    }

    private static func stamp(_ epoch: Int, _ owner: Identifier, _ number: Int) -> JournalStamp {
        JournalStamp(epoch: epoch, owner: owner, number: number, requests: 0, outcomes: 0, settled: 100, results: 0)
    }

    private static func fence(_ epoch: Int, _ owner: Identifier, at offset: Int64) -> ConsumedRecord {
        record(stamp(epoch, owner, 1), .fence(JournalOutline.Subject.fence(epoch: epoch, owner: owner).key), at: offset)
    }

    private static func session(_ id: Identifier, _ epoch: Int, _ owner: Identifier, _ number: Int, at offset: Int64)
        -> ConsumedRecord
    {
        record(stamp(epoch, owner, number), .session(id, isOpen: true), at: offset)
    }

    /// Reads records that a follower accepts.
    private func read(_ records: ConsumedRecord..., by follower: inout JournalFollower) {
        for record in records { #expect(follower.read(record) == .goOn, "offset \(record.offset)") }
    }

    /// A follower that has read a fence and a session of the first owner, to the end.
    private func following() -> JournalFollower {
        var follower = follower
        read(Self.fence(1, "a", at: 0), Self.session("s", 1, "a", 2, at: 1), by: &follower)
        #expect(!follower.isAtEnd)
        #expect(follower.reachedEnd(next: 2, at: Self.now) == .goOn)
        #expect(follower.isAtEnd)
        return follower
    }

    @Test func `the records of its owners are folded, and all their fences`() {
        var follower = following()
        read(
            Self.session("t", 1, "a", 3, at: 2), Self.fence(2, "b", at: 3), Self.fence(2, "c", at: 4),
            Self.session("u", 2, "b", 2, at: 5), by: &follower)
        #expect(follower.replay.sessions.keys.sorted() == ["s", "t", "u"])
        #expect(follower.replay.epoch == 2 && follower.replay.owner == "b" && follower.replay.fences.count == 3)
    }

    @Test func `records that compaction has removed before they were read leave no doubt`() {
        var follower = following()
        read(Self.session("t", 1, "a", 5, at: 4), by: &follower)
        #expect(follower.reachedEnd(next: 9, at: Self.now) == .goOn)
    }

    @Test func `a log that ends earlier, or has other records where it was read, is read again`() {
        var follower = following()
        #expect(follower.reachedEnd(next: 1, at: Self.now) == .readAgain)
        #expect(follower.read(Self.session("s", 1, "a", 2, at: 1)) == .readAgain)
    }

    @Test(arguments: [
        // The owner continued in place of the truncated records.
        session("t", 1, "a", 9, at: 2),
        // The next owner's fence is in place of the truncated records.
        session("t", 2, "b", 2, at: 2),
        // Two owners have followed.
        fence(3, "c", at: 2),
        // The epochs of the new log begin at 1 again.
        session("t", 1, "b", 2, at: 2),
    ])
    func `a log that was cut or recreated and has grown past the position is read again`(record: ConsumedRecord) {
        var follower = following()
        #expect(follower.read(record) == .readAgain)
        follower = following()
        read(Self.fence(2, "b", at: 2), by: &follower)
        #expect(follower.read(Self.fence(1, "d", at: 3)) == .readAgain)
    }

    @Test func `a stale writer's record is judged from the beginning, once`() {
        var follower = following()
        read(Self.fence(2, "b", at: 2), by: &follower)
        #expect(follower.read(Self.session("s", 1, "a", 3, at: 3)) == .readAgain)
        follower = self.follower
        read(
            Self.fence(1, "a", at: 0), Self.session("s", 1, "a", 2, at: 1), Self.fence(2, "b", at: 2),
            Self.session("s", 1, "a", 3, at: 3), by: &follower)
        #expect(follower.reachedEnd(next: 4, at: Self.now) == .goOn)
        #expect(follower.replay.stale == ["s"])
        read(Self.session("s", 2, "b", 2, at: 4), by: &follower)
        #expect(follower.replay.stale.isEmpty)
    }

    @Test func `a follower that was long behind the end reads again, since tombstones may be gone`() {
        var follower = following()
        let late = Self.now.advanced(by: .seconds(61))
        #expect(!follower.isLate(at: Self.now.advanced(by: .seconds(60))) && follower.isLate(at: late))
        #expect(follower.reachedEnd(next: 2, at: late) == .readAgain)
    }

    @Test func `a former owner continues its state with the next owner's positions, not its unwritten ones`() throws {
        var owner = ScriptedJournal.owning()
        for session in ["s", "t"] as [Identifier] { owner.write(session, result: 1) }
        for offset in 1...2 { owner.acknowledge(offset) }
        for offset: Int64 in 0..<2 { owner.acknowledgeResult(at: offset) }
        // Input that changes nothing has no journal record.
        owner.consume(7..<8)
        owner.apply { $0.giveBack() }
        var follower = JournalFollower(
            patience: .seconds(60), at: Self.now, continuing: try #require(owner.journal.kept))
        #expect(follower.isAtEnd && follower.replay.stamp?.requests == 8)
        let next = owner.log.next
        read(Self.fence(2, "b", at: next), by: &follower)
        #expect(follower.replay.stamp?.requests == 0)
        let end = Self.record(Self.stamp(2, "b", 3), .session("t", isOpen: false), at: next + 2)
        read(Self.session("s", 2, "b", 2, at: next + 1), end, by: &follower)
        #expect(follower.replay.sessions.keys.sorted() == ["s"] && follower.replay.ended == ["t"])
        // A record that no coordinator wrote overwrites a record that the follower does not know.
        var foreign = Self.session("u", 2, "b", 4, at: next + 3)
        foreign.headers = []
        #expect(follower.read(foreign) == .readAgain)
    }

    @Test func `a partition is taken over from the followed state: its tail is read, and it is fenced`() {
        let log = ScriptedLog([Self.fence(1, "a", at: 0), Self.session("s", 1, "a", 2, at: 1)])
        var owner = ScriptedJournal(log: log)
        owner.apply { $0.takeOver(from: following().replay) }
        #expect(owner.journal.isReplaying)
        log.records.append(Self.session("t", 1, "a", 3, at: 2))
        owner.read(from: 2)
        owner.reachEnd()
        owner.land()
        owner.read(from: 3)
        #expect(owner.journal.isActive && owner.journal.epoch == 2 && owner.takeover?.isResumed == false)
    }

    @Test func `a takeover from the followed state begins again where the log is another one`() {
        for event: (inout PartitionJournal) -> Void in [
            { $0.read(Self.fence(1, "z", at: 0), from: .journal, at: Self.now) },
            { $0.reachedEnd(of: .journal, next: 1) },
            { $0.isMissing(OutOfRange(TopicPartition("intents.sessions", 0), requested: 2, range: 5..<9)) },
            { $0.isMissing(OutOfRange(TopicPartition("intents.sessions", 0), requested: 2, range: 0..<1)) },
            { $0.read(Self.session("t", 7, "z", 2, at: 2), from: .journal, at: Self.now) },
        ] {
            var owner = ScriptedJournal()
            owner.apply { $0.takeOver(from: following().replay) }
            owner.apply(event)
            guard case .replaying(let replay) = owner.journal.state else {
                Issue.record("it does not read")
                continue
            }
            #expect(replay.next == 0 && replay.sessions.isEmpty)
        }
    }
}
