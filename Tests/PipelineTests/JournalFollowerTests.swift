import Conversation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@testable import Pipeline

@Suite("A journal that is followed")
struct JournalFollowerTests {
    private static let now = Instant(milliseconds: 1_000_000)
    private var log: [ConsumedRecord] = []
    private var follower = JournalFollower(patience: .seconds(60), at: JournalFollowerTests.now)

    private static func record(_ stamp: JournalStamp, _ subject: JournalOutline.Subject, at offset: Int64)
        -> ConsumedRecord
    {
        var log: [ConsumedRecord] = []
        log.append(
            JournalOutline(stamp: stamp, subject: subject).record(topic: "intents.sessions", partition: 0, at: now))
        log[0].offset = offset
        return log[0]
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

    /// A follower that has read a fence and a session of the first owner, to the end.
    private func following() -> JournalFollower {
        var follower = follower
        #expect(follower.read(Self.fence(1, "a", at: 0)) == .goOn)
        #expect(follower.read(Self.session("s", 1, "a", 2, at: 1)) == .goOn)
        #expect(!follower.isAtEnd)
        #expect(follower.reachedEnd(next: 2, at: Self.now) == .goOn)
        #expect(follower.isAtEnd)
        return follower
    }

    @Test("what its owners write is folded, and their fences, those that have lost too")
    func folded() {
        var follower = following()
        #expect(follower.read(Self.session("t", 1, "a", 3, at: 2)) == .goOn)
        #expect(follower.read(Self.fence(2, "b", at: 3)) == .goOn)
        #expect(follower.read(Self.fence(2, "c", at: 4)) == .goOn)
        #expect(follower.read(Self.session("u", 2, "b", 2, at: 5)) == .goOn)
        #expect(follower.replay.sessions.keys.sorted() == ["s", "t", "u"])
        #expect(follower.replay.epoch == 2 && follower.replay.owner == "b" && follower.replay.fences.count == 3)
    }

    @Test("records that compaction has removed before they were read leave no doubt")
    func compacted() {
        var follower = following()
        #expect(follower.read(Self.session("t", 1, "a", 5, at: 4)) == .goOn)
        #expect(follower.reachedEnd(next: 9, at: Self.now) == .goOn)
    }

    @Test("a log that ends earlier, or has other records where it was read, is read again")
    func cut() {
        var follower = following()
        #expect(follower.reachedEnd(next: 1, at: Self.now) == .readAgain)
        #expect(follower.read(Self.session("s", 1, "a", 2, at: 1)) == .readAgain)
    }

    @Test("a log that was cut or created again and has grown past what was read is read again")
    func grown() {
        // The owner continued in place of the truncated records.
        var follower = following()
        #expect(follower.read(Self.session("t", 1, "a", 9, at: 2)) == .readAgain)
        // The next owner's fence is in place of the truncated records.
        follower = following()
        #expect(follower.read(Self.session("t", 2, "b", 2, at: 2)) == .readAgain)
        // Two owners have followed.
        follower = following()
        #expect(follower.read(Self.fence(3, "c", at: 2)) == .readAgain)
        // The epochs of the new log begin at 1 again.
        follower = following()
        #expect(follower.read(Self.session("t", 1, "b", 2, at: 2)) == .readAgain)
        follower = following()
        #expect(
            follower.read(Self.fence(2, "b", at: 2)) == .goOn && follower.read(Self.fence(1, "d", at: 3)) == .readAgain)
    }

    @Test("what a stale writer adds is judged from the beginning, once")
    func stale() {
        var follower = following()
        #expect(follower.read(Self.fence(2, "b", at: 2)) == .goOn)
        #expect(follower.read(Self.session("s", 1, "a", 3, at: 3)) == .readAgain)
        follower = self.follower
        for record in [Self.fence(1, "a", at: 0), Self.session("s", 1, "a", 2, at: 1), Self.fence(2, "b", at: 2)] {
            #expect(follower.read(record) == .goOn)
        }
        #expect(follower.read(Self.session("s", 1, "a", 3, at: 3)) == .goOn)
        #expect(follower.reachedEnd(next: 4, at: Self.now) == .goOn)
        #expect(follower.replay.stale == ["s"])
        #expect(follower.read(Self.session("s", 2, "b", 2, at: 4)) == .goOn)
        #expect(follower.replay.stale.isEmpty)
    }

    @Test("one that was not at the end for long reads again, since tombstones may be gone")
    func late() {
        var follower = following()
        let late = Self.now.advanced(by: .seconds(61))
        #expect(!follower.isLate(at: Self.now.advanced(by: .seconds(60))) && follower.isLate(at: late))
        #expect(follower.reachedEnd(next: 2, at: late) == .readAgain)
    }

    @Test(
        "what an owner has kept is gone on with, and the next owner's positions count, not its own that were not in the log"
    )
    func kept() throws {
        var log: [ConsumedRecord] = []
        var owner = ScriptedJournal.owning(&log)
        owner.decide("s", result: 1)
        owner.decide("t", result: 1)
        owner.land(in: &log)
        for offset in log.indices.dropFirst() { owner.tell { $0.acknowledged(at: Int64(offset)) } }
        for offset: Int64 in 0..<2 { owner.acknowledgeResult(at: offset) }
        // Input that changes nothing has no journal record.
        owner.tell { $0.requests.take(ScriptedJournal.request(at: 7)) }
        owner.tell { $0.giveBack() }
        var follower = JournalFollower(
            patience: .seconds(60), at: Self.now, continuing: try #require(owner.journal.kept))
        #expect(follower.isAtEnd && follower.replay.stamp?.requests == 8)
        let next = Int64(log.count)
        #expect(follower.read(Self.fence(2, "b", at: next)) == .goOn)
        #expect(follower.replay.stamp?.requests == 0)
        #expect(follower.read(Self.session("s", 2, "b", 2, at: next + 1)) == .goOn)
        #expect(follower.read(Self.record(Self.stamp(2, "b", 3), .session("t", isOpen: false), at: next + 2)) == .goOn)
        #expect(follower.replay.sessions.keys.sorted() == ["s"] && follower.replay.ended == ["t"])
        // A record that no coordinator wrote overwrites a record that the follower does not know.
        var foreign = Self.session("u", 2, "b", 4, at: next + 3)
        foreign.headers = []
        #expect(follower.read(foreign) == .readAgain)
    }

    @Test("a partition is taken over from what was followed: its tail is read, and it is fenced")
    func takenOver() {
        var log = [Self.fence(1, "a", at: 0), Self.session("s", 1, "a", 2, at: 1)]
        var owner = ScriptedJournal()
        owner.tell { $0.takeOver(from: following().replay) }
        #expect(owner.journal.isReplaying)
        log.append(Self.session("t", 1, "a", 3, at: 2))
        owner.read(log[2...])
        owner.tell { $0.reachedEnd(of: .journal, next: 3) }
        owner.land(in: &log)
        owner.read(log[3...])
        #expect(owner.journal.isActive && owner.journal.epoch == 2)
        #expect(owner.takeover?.isResumed == false)
    }

    @Test("a takeover from what was followed begins again where the log is another one")
    func takenOverAnew() {
        for event: (inout PartitionJournal) -> Void in [
            { $0.read(Self.fence(1, "z", at: 0), from: .journal, at: Self.now) },
            { $0.reachedEnd(of: .journal, next: 1) },
            { $0.isMissing(OutOfRange(TopicPartition("intents.sessions", 0), requested: 2, range: 5..<9)) },
            { $0.isMissing(OutOfRange(TopicPartition("intents.sessions", 0), requested: 2, range: 0..<1)) },
            { $0.read(Self.session("t", 7, "z", 2, at: 2), from: .journal, at: Self.now) },
        ] {
            var owner = ScriptedJournal()
            owner.tell { $0.takeOver(from: following().replay) }
            owner.tell(event)
            guard case .replaying(let replay) = owner.journal.state else {
                Issue.record("it does not read")
                continue
            }
            #expect(replay.next == 0 && replay.sessions.isEmpty)
        }
    }
}
