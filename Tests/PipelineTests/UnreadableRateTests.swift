import Conversation
import IntentEvents
import IntentModel
import Testing

@testable import Pipeline

@Suite("The rate of dead letters")
struct UnreadableRateTests {
    private let start = Instant(milliseconds: 1_000_000)
    private let error = EventError(.unparseable, "the first one", isDeadLetter: true)

    /// Passes records at consecutive offsets to the rate. Returns the number of records that get their own dead letter.
    private func flood(_ rate: inout UnreadableRate, _ offsets: Range<Int64>, at now: Instant) -> Int {
        var admitted = 0
        for offset in offsets {
            if rate.admits(at: now) {
                admitted += 1
            } else {
                rate.count(offset..<offset + 1, error, at: now) { UInt64(offset) }
            }
        }
        return admitted
    }

    @Test("a burst gets a dead letter each, and all others are counted in one run")
    func burst() throws {
        var rate = UnreadableRate()
        let admitted = flood(&rate, 10..<100_010, at: start)
        #expect(admitted == UnreadableRate.burst)
        let early = rate.take(at: start)
        #expect(early?.records == nil)
        let taken = rate.take(at: start.advanced(by: UnreadableRate.interval))
        let run = try #require(taken)
        let first = 10 + Int64(UnreadableRate.burst)
        #expect(run.offsets == first..<100_010)
        #expect(run.records == 100_000 - UnreadableRate.burst)
        #expect(run.number == UInt64(first) && run.error == error)
        #expect(rate.run?.records == nil)
    }

    @Test("the rate comes back with time, up to the burst")
    func refill() {
        var rate = UnreadableRate()
        let first = flood(&rate, 0..<5_000, at: start)
        let second = flood(&rate, 5_000..<10_000, at: start.advanced(by: .seconds(1)))
        let late = flood(&rate, 10_000..<20_000, at: start.advanced(by: .seconds(1_000)))
        #expect(first == UnreadableRate.burst && late == UnreadableRate.burst)
        #expect(abs(second - Int(UnreadableRate.rate)) <= 1)
    }

    @Test("a run that is told early ends, and the next record begins another one")
    func ending() {
        var rate = UnreadableRate()
        _ = flood(&rate, 0..<Int64(UnreadableRate.burst) + 3, at: start)
        let runs = [rate.take(at: start, isEnding: true), rate.take(at: start, isEnding: true)]
        #expect(runs.map { $0?.records } == [3, nil])
        _ = flood(&rate, 5_000..<5_001, at: start)
        #expect(rate.run?.offsets == 5_000..<5_001)
    }

    @Test("a batch counts with all of its offsets")
    func batches() {
        var rate = UnreadableRate()
        _ = flood(&rate, 0..<Int64(UnreadableRate.burst), at: start)
        rate.count(2_000..<2_100, error, at: start) { 7 }
        rate.count(2_200..<2_201, error, at: start) { 8 }
        #expect(rate.run?.offsets == 2_000..<2_201)
        #expect(rate.run?.records == 101 && rate.run?.number == 7)
    }
}
