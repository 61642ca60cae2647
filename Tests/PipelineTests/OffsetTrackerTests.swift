import PipelineTestKit
import RecordLog
import Testing

@testable import Pipeline

@Suite("The offset tracker")
struct OffsetTrackerTests {
    private func take(_ offsets: some Sequence<Int64>, _ tracker: inout OffsetTracker) {
        for offset in offsets {
            let isNew = tracker.take(offset)
            #expect(isNew)
        }
    }

    private func expect(_ committed: CommittedOffset?, _ expected: CommittedOffset?) { #expect(committed == expected) }

    @Test("commits the oldest unfinished record, with the finished ones above it as a note")
    func note() {
        var tracker = OffsetTracker(nil)
        take(0..<10 as Range<Int64>, &tracker)
        for offset in [3, 5, 4, 8] as [Int64] { tracker.finish(offset) }
        expect(tracker.commit(), CommittedOffset(offset: 0, metadata: "done=3-5,8"))
        tracker.finish(0)
        expect(tracker.commit(), CommittedOffset(offset: 1, metadata: "done=2-4,7"))
        expect(tracker.commit(), nil)
        for offset in [1, 2, 6, 7, 9] as [Int64] { tracker.finish(offset) }
        expect(tracker.commit(), CommittedOffset(offset: 10))
    }

    @Test("its successor repeats nothing that was finished")
    func restart() {
        var tracker = OffsetTracker(CommittedOffset(offset: 100, metadata: "done=2-4,7"))
        let taken = (100..<110 as Range<Int64>).filter { tracker.take($0) }
        #expect(taken == [100, 101, 105, 106, 108, 109])
        for offset in taken { tracker.finish(offset) }
        let committed = tracker.commit()
        #expect(committed?.offset == 110)
    }

    @Test(
        "a note in another format is ignored",
        arguments: ["", "x", "done=", "done=a-b", "done=5-2", "done=-1,,", "done=9223372036854775807", "done=-5--1"])
    func strangeNote(_ note: String) {
        var tracker = OffsetTracker(CommittedOffset(offset: 100, metadata: note))
        take(100..<110 as Range<Int64>, &tracker)
    }

    @Test("a record that is finished before it is taken again is not worked on again")
    func early() {
        var tracker = OffsetTracker(CommittedOffset(offset: 100, metadata: "done=2-4"))
        for offset in [107, 101, 103, 107, 105] as [Int64] { tracker.finish(offset) }
        let taken = (100..<110 as Range<Int64>).filter { tracker.take($0) }
        #expect(taken == [100, 106, 108, 109])
        expect(tracker.commit(), CommittedOffset(offset: 100, metadata: "done=1-5,7"))
    }

    @Test("its size is that of the work in flight, however many records finish while one does not")
    func size() {
        var tracker = OffsetTracker(nil)
        take(0..<1 as Range<Int64>, &tracker)
        for offset in 1...100_000 as ClosedRange<Int64> {
            _ = tracker.take(offset)
            tracker.finish(offset)
        }
        #expect(tracker.inFlight == 1)
        expect(tracker.commit(), CommittedOffset(offset: 0, metadata: "done=1-100000"))
    }

    @Test("gaps in the log block nothing")
    func holes() {
        var tracker = OffsetTracker(nil)
        for offset in [0, 5, 9] as [Int64] {
            _ = tracker.take(offset)
            tracker.finish(offset)
        }
        expect(tracker.commit(), CommittedOffset(offset: 10))
    }

    @Test("the note never exceeds the broker's limit, and truncating it only repeats work")
    func bounded() {
        var tracker = OffsetTracker(nil)
        take(0..<20_000 as Range<Int64>, &tracker)
        for offset in stride(from: 3, to: 20_000, by: 2) as StrideTo<Int64> { tracker.finish(offset) }
        tracker.finish(0)
        let committed = tracker.commit()
        #expect((committed?.metadata.utf8.count ?? 0) < 3_100)
        var next = OffsetTracker(committed)
        let repeated = (1..<20_000 as Range<Int64>).filter { next.take($0) }
        #expect(repeated.count < 20_000 && repeated.contains(2) && !repeated.contains(3))
    }

    @Test("finished work that a cut note leaves out does not count as committed")
    func cut() {
        var tracker = OffsetTracker(nil)
        take(0..<4_000 as Range<Int64>, &tracker)
        for offset in stride(from: 1, to: 4_000, by: 2) as StrideTo<Int64> { tracker.finish(offset) }
        let commit = tracker.commit()
        var next = OffsetTracker(commit)
        for offset in stride(from: 1, to: 4_000, by: 2) as StrideTo<Int64> {
            let isGivenAgain = next.take(offset)
            #expect(tracker.hasCommitted(offset) != isGivenAgain)
        }
        #expect(tracker.hasCommitted(1) && !tracker.hasCommitted(3_999))
    }

    @Test("a position whose commit was refused is committed again")
    func refused() {
        var tracker = OffsetTracker(nil)
        take(0..<5 as Range<Int64>, &tracker)
        for offset in 0..<3 as Range<Int64> { tracker.finish(offset) }
        let commit = tracker.commit()
        let again = tracker.commit()
        #expect(commit != nil && again == nil)
        tracker.commitFailed()
        expect(tracker.commit(), commit)
    }

    @Test("in any order of finishing, the committed offset reaches the end", arguments: [1, 2, 3] as [UInt64])
    func random(_ seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        var tracker = OffsetTracker(nil)
        let offsets = Array(0..<500 as Range<Int64>)
        take(offsets, &tracker)
        for offset in offsets.shuffled(using: &generator) { tracker.finish(offset) }
        expect(tracker.commit(), CommittedOffset(offset: 500))
    }
}
