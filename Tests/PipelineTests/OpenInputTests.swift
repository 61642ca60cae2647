import IntentEvents
import IntentModel
import Pipeline
import RecordLog
import Testing

@Suite("Input of which something has still to be told")
struct OpenInputTests {
    @Test(
        "a record of which something has still to be told is in each stamp, and the next owner reads it again and nothing else"
    )
    func openInput() throws {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal.owning(&log)
        for offset in 0..<6 {
            owner.tell { $0.outcomes.take(ScriptedJournal.request(at: Int64(offset), timestamp: 100 + Int64(offset))) }
            if offset == 2 || offset == 4 { owner.tell { $0.leaveOpen(Int64(offset), of: .outcomes) } }
        }
        owner.decide("s", result: 1)
        owner.land(in: &log)
        let stamp = try #require(log.stamps().last)
        #expect(stamp.outcomes == 6 && stamp.openOutcomes == [2, 4] && stamp.openRequests.isEmpty)
        #expect(JournalStamp(stamp.description) == stamp)
        var successor = ScriptedJournal(owner: "you")
        successor.takeOver(&log)
        #expect(try #require(log.stamps().last).openOutcomes == [2, 4])
        #expect(successor.journal.outcomes.start == .offset(2) && successor.journal.outcomes.checkpoint == .offset(5))
        var verdicts: [InputPosition.Verdict] = []
        for offset in 2..<7 as Range<Int64> {
            successor.tell {
                verdicts.append($0.judge(ScriptedJournal.request(at: offset, timestamp: 100 + offset), of: .outcomes))
            }
        }
        #expect(verdicts == [.unchecked, .known, .unchecked, .known, .next])
        #expect(successor.journal.outcomes.open == [2, 4], "until they are told")
    }

    @Test("an open record waits until the record before the position shows that the log is the same")
    func unchecked() {
        var position = InputPosition(next: 4, last: 103, open: [1, 3])
        func judge(_ offset: Int64) -> InputPosition.Verdict {
            position.judge(ScriptedJournal.request(at: offset, timestamp: 100 + offset))
        }
        #expect([1, 2].map(judge) == [.unchecked, .known])
        #expect(position.judge(unreadable: 1..<2) == .unchecked && position.open == [1, 3])
        #expect([3, 1, 1].map(judge) == [.open, .open, .known])
        #expect(position.open.isEmpty, "until they are told again")
    }

    @Test("a record is open until all is told that has to be told of it")
    func toldTwice() throws {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal.owning(&log)
        owner.tell { $0.requests.take(ScriptedJournal.request(at: 0)) }
        for _ in 0..<2 { owner.tell { $0.leaveOpen(0, of: .requests) } }
        owner.tell { $0.told(of: 0, of: .requests) }
        owner.decide("s", result: 1)
        owner.land(in: &log)
        var successor = ScriptedJournal(owner: "you")
        successor.takeOver(&log)
        #expect(successor.journal.requests.open == [0])
    }

    @Test("what only the owner may tell of a record is told when a record of the journal shows that it is the owner")
    func openInputOfOwner() {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal.owning(&log)
        owner.tell { $0.leaveOpen(0, of: .outcomes) }
        owner.tell { $0.appendPositions([.openInput(7)]) }
        owner.land(in: &log)
        #expect(owner.sent.isEmpty)
        owner.tell { $0.acknowledged(at: 1) }
        #expect(owner.sent == ["open input 7"])
    }

    @Test("once all is told, the journal says so, and only once")
    func openInputTold() throws {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal.owning(&log)
        for offset in [0, 1] as [Int64] {
            owner.tell { $0.requests.take(ScriptedJournal.request(at: offset)) }
            owner.tell { $0.leaveOpen(offset, of: .requests) }
        }
        owner.tell { $0.told(of: 0, of: .requests) }
        owner.land(in: &log)
        #expect(log.count == 1, "no stamp names them")
        owner.decide("s", result: 1)
        owner.tell { $0.told(of: 1, of: .requests) }
        owner.land(in: &log)
        #expect(try log.stamps().map(\.openRequests) == [[], [1], []])
        owner.tell { $0.told(of: 1, of: .requests) }
        owner.land(in: &log)
        #expect(log.count == 3)
    }

    @Test(
        "open input that the log has lost is told as lost, and what was told before is not",
        arguments: [(2, false), (3, true)])
    func openInputTruncated(first: Int64, isTold: Bool) {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal.owning(&log)
        for offset in 0..<6 { owner.tell { $0.outcomes.take(ScriptedJournal.request(at: Int64(offset))) } }
        owner.tell { $0.leaveOpen(2, of: .outcomes) }
        owner.decide("s", result: 1)
        owner.land(in: &log)
        var successor = ScriptedJournal(owner: "you")
        successor.takeOver(&log)
        let gone = OutOfRange(TopicPartition("intents.outcomes", 0), requested: 0, range: first..<9)
        #expect(successor.journal.isDecided(before: gone) == !isTold)
    }

    @Test(
        "an open record that the log no longer has is forgotten when a later one comes, and one that was read before that is told",
        arguments: [true, false])
    func openInputGone(isBatch: Bool) {
        var position = InputPosition(next: 6, last: 105, open: [2, 4])
        #expect(position.judge(ScriptedJournal.request(at: 4, timestamp: 104)) == .unchecked)
        #expect(position.isDone(before: 2) && !position.isDone(before: 4))
        #expect(
            isBatch
                ? position.judge(unreadable: 5..<9) == .next : position.judge(ScriptedJournal.request(at: 6)) == .next)
        #expect(position.open == [4] && position.isDone(before: 6))
        #expect(position.judge(ScriptedJournal.request(at: 4, timestamp: 104)) == .open)
        #expect(position.open.isEmpty)
    }

    @Test(
        "a record whose timestamp is none that RFC 3339 can write is told from another one, also in a journal of an earlier version",
        arguments: [Int64.min + 7, -2, 253_402_300_800_000, 1_772_366_400_000_000_000, .max])
    func clampedTimestamps(_ timestamp: Int64) {
        let record = ScriptedJournal.request(at: 5, timestamp: timestamp)
        var position = InputPosition()
        position.take(record)
        // The position is the one that earlier versions write.
        #expect(position.last == timestamp & (1 << 53 - 1))
        var successor = InputPosition(next: position.next, last: position.last)
        #expect(successor.judge(record) == .known)
        var other = InputPosition(next: position.next, last: position.last)
        #expect(other.judge(ScriptedJournal.request(at: 5, timestamp: timestamp - 1)) == .otherLog)
    }

    @Test(
        "a log that begins before the first open record is another one, and so is one whose last decided record is another"
    )
    func openInputOfOtherLog() {
        let position = InputPosition(next: 6, last: 105, open: [2])
        var cut = position
        #expect(cut.judge(ScriptedJournal.request(at: 0)) == .otherLog)
        var other = position
        #expect(other.judge(ScriptedJournal.request(at: 2)) == .unchecked)
        #expect(other.judge(ScriptedJournal.request(at: 5, timestamp: 9)) == .otherLog)
    }
}
