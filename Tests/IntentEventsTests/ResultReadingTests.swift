import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite("Reading results")
struct ResultReadingTests {
    @Test(
        "a record that is not a result is not read as one",
        arguments: ["intent.requested.v1", "handoff.completed.v1", "intent.handle.v1", "prompt.issued.v2", ""])
    func noResult(_ type: String) {
        let record = record(Array("{}".utf8), topic: "intents.results", type: type)
        #expect(problem { () throws(EventError) in try ReceivedResult(record) } == "unsupported type, dead letter")
    }

    @Test("a result has its position in the log")
    func position() throws {
        let result = try ReceivedResult(Golden(named: "intent.progressed.v1").consumed)
        #expect(result.partition == 3 && result.offset == 42 && result.timestamp == 1_772_366_400_000)
        #expect(result.id == "kitchen/ride-1.5" && result.data["fraction"]?.double == 0.5)
        #expect(result.prompt == nil && result.promptKind == nil && result.offeredHandoff == nil && result.status == nil)
    }

    @Test("the next number is new, a number seen before is a copy, and a gap is detected")
    func sequence() {
        var filter = SequenceFilter()
        func judge(_ sequence: Int, _ session: String = "a") -> SequenceFilter.Verdict {
            filter.judge(session: session, sequence: sequence, timestamp: Int64(sequence))
        }
        #expect(judge(1) == .new)
        #expect(judge(1) == .copy)
        #expect(judge(2) == .new)
        #expect(judge(3) == .new)
        #expect(judge(2) == .copy)
        #expect(judge(6) == .gap(expected: 4))
        #expect(judge(7) == .new)
        #expect(judge(5) == .copy)
    }

    @Test("a reader may start in the middle, and sessions are counted separately")
    func apart() {
        var filter = SequenceFilter()
        #expect(filter.judge(session: "a", sequence: 17, timestamp: Int64(17)) == .new)
        #expect(filter.judge(session: "b", sequence: 3, timestamp: Int64(3)) == .new)
        #expect(filter.judge(session: "a", sequence: 18, timestamp: Int64(18)) == .new)
        #expect(filter.judge(session: "b", sequence: 4, timestamp: Int64(4)) == .new)
    }

    @Test("a forgotten session counts from 1 again, but a copy of a first result does not restart it")
    func again() {
        var filter = SequenceFilter()
        for sequence in 1...5 { #expect(filter.judge(session: "a", sequence: sequence, timestamp: Int64(sequence)) == .new) }
        #expect(filter.judge(session: "a", sequence: 1, timestamp: 1) == .copy)
        #expect(filter.judge(session: "a", sequence: 6, timestamp: 6) == .new)
        #expect(filter.judge(session: "a", sequence: 1, timestamp: 1_800_006) == .new)
        #expect(filter.judge(session: "a", sequence: 2, timestamp: 1_800_007) == .new)
        #expect(filter.judge(session: "a", sequence: 2, timestamp: 1_800_007) == .copy)
    }
}
