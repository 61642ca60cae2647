import IntentModel
import RecordLog
import Testing

@testable import IntentEvents

@Suite("Following the sequences of sessions")
struct SequenceFilterTests {
    private var filter = SequenceFilter()

    /// A completion with a sequence number.
    ///
    /// - Parameters:
    ///   - request: The request of the result; a part of the result's id.
    ///   - time: The time of the decision, and the record's timestamp.
    private func result(
        _ sequence: Int?, _ session: String = "a", request: String = "r", time: Int64 = 0, data: String = ""
    ) throws -> ReceivedResult {
        let number = sequence.map { ",\"sequence\":\($0)" } ?? ""
        let value = "{\"session\":\"\(session)\",\"request\":\"\(request)\",\"dialog\":\"\(data)\"\(number)}"
        return try ReceivedResult(
            ConsumedRecord(
                topic: "intents.results", partition: 0, offset: 0, timestamp: time, key: Array(session.utf8),
                value: Array(value.utf8),
                headers: [
                    RecordHeader("ce_id", "\(session)/\(request).\(sequence ?? 0)"),
                    RecordHeader("ce_type", "intent.completed.v1"),
                    RecordHeader("ce_time", "\(time)"),
                ]))
    }

    @Test("the next number is new, a number seen before is a copy, and a gap is detected")
    mutating func sequence() throws {
        #expect(try filter.judge(result(1)) == .new)
        #expect(try filter.judge(result(1)) == .copy)
        #expect(try filter.judge(result(2)) == .new)
        #expect(try filter.judge(result(3)) == .new)
        #expect(try filter.judge(result(2)) == .copy)
        #expect(try filter.judge(result(6)) == .gap(expected: 4))
        #expect(try filter.judge(result(7)) == .new)
    }

    @Test("two sessions whose keys only look equal have numbers of their own")
    mutating func lookalikes() throws {
        #expect(try filter.judge(result(1, "\u{E9}")) == .new)
        #expect(try filter.judge(result(1, "e\u{301}")) == .new)
        #expect(try filter.judge(result(2, "e\u{301}")) == .new)
        #expect(try filter.judge(result(2, "\u{E9}")) == .new)
        #expect(try filter.judge(result(2, "\u{E9}")) == .copy)
    }

    @Test("a result that comes after a later one is new, once: the log reads 1, 3, 2")
    mutating func order() throws {
        #expect(try filter.judge(result(1)) == .new)
        #expect(try filter.judge(result(3)) == .gap(expected: 2))
        #expect(try filter.judge(result(2)) == .new)
        #expect(try filter.judge(result(2)) == .copy)
        #expect(try filter.judge(result(4)) == .new)
    }

    @Test(
        "numbers that are missing come in any order",
        arguments: [[4, 5, 6, 7], [7, 6, 5, 4], [5, 4, 7, 6], [6, 7, 4, 5]])
    mutating func gaps(_ numbers: [Int]) throws {
        #expect(try filter.judge(result(3)) == .new)
        #expect(try filter.judge(result(8)) == .gap(expected: 4))
        for number in numbers { #expect(try filter.judge(result(number)) == .new) }
        for number in numbers + [3, 8] { #expect(try filter.judge(result(number)) == .copy) }
    }

    @Test("of many gaps the newest 16 are remembered")
    mutating func manyGaps() throws {
        for number in 1...17 { _ = try filter.judge(result(number * 2)) }
        #expect(try filter.judge(result(3)) == .new)
        _ = try filter.judge(result(36))
        _ = try filter.judge(result(38))
        #expect(try filter.judge(result(5)) == .copy)
        #expect(try filter.judge(result(37)) == .new)
    }

    @Test("a reader may start in the middle, and sessions are counted separately")
    mutating func apart() throws {
        #expect(try filter.judge(result(17, "a")) == .new)
        #expect(try filter.judge(result(3, "b")) == .new)
        #expect(try filter.judge(result(18, "a")) == .new)
        #expect(try filter.judge(result(4, "b")) == .new)
        #expect(try filter.judge(result(nil, "a")) == .new)
    }

    @Test("a forgotten session counts from 1 again, but a copy of a first result does not restart it")
    mutating func again() throws {
        for number in 1...5 { #expect(try filter.judge(result(number, time: Int64(number))) == .new) }
        #expect(try filter.judge(result(1, time: 1)) == .copy)
        #expect(try filter.judge(result(6, time: 6)) == .new)
        #expect(try filter.judge(result(1, request: "q", time: 1_800_006)) == .new)
        #expect(try filter.judge(result(2, request: "q", time: 1_800_007)) == .new)
        #expect(try filter.judge(result(2, request: "q", time: 1_800_007)) == .copy)
    }

    @Test("another first result starts the session again even if the clock that wrote it was behind")
    mutating func clocks() throws {
        for number in 1...5 { #expect(try filter.judge(result(number, time: 9_000_000)) == .new) }
        #expect(try filter.judge(result(1, request: "q", time: 5_000)) == .new)
        #expect(try filter.judge(result(2, request: "q", time: 5_001)) == .new)
    }

    @Test("a first result of the same request is another one if its time or its data differ")
    mutating func sameRequest() throws {
        for number in 1...3 { #expect(try filter.judge(result(number, time: 7)) == .new) }
        #expect(try filter.judge(result(1, time: 7)) == .copy)
        #expect(try filter.judge(result(1, time: 6)) == .new)
        #expect(try filter.judge(result(2, time: 6)) == .new)
        #expect(try filter.judge(result(1, time: 6, data: "other")) == .new)
        #expect(try filter.judge(result(2, time: 6)) == .new)
    }

    @Test(
        "a reader that has not seen the first result takes a newer 1 for another session, and an older one for a copy")
    mutating func middle() throws {
        #expect(try filter.judge(result(5, time: 50)) == .new)
        #expect(try filter.judge(result(1, time: 10)) == .copy)
        #expect(try filter.judge(result(6, time: 60)) == .new)
        #expect(try filter.judge(result(1, time: 70)) == .new)
        #expect(try filter.judge(result(2, time: 71)) == .new)
    }

    @Test("a bounded number of sessions is followed, and those whose results came last are among them")
    mutating func bounded() throws {
        filter = SequenceFilter(maximumSessions: 100)
        for number in 1...1_000 {
            #expect(try filter.judge(result(1, "s\(number)")) == .new)
            #expect(try filter.judge(result(1, "s\(max(1, number - 20))")) == .copy)
            #expect(filter.count <= 100)
        }
        #expect(try filter.judge(result(1, "s1")) == .new)
    }

    @Test(
        "a number that no session counts to says nothing of the order, and is no trap",
        arguments: [.min, -1, 0, (1 << 53) + 1, .max])
    mutating func uncounted(_ number: Int) throws {
        #expect(try filter.judge(result(number)) == .new)
        #expect(try filter.judge(result(number)) == .new)
        #expect(try filter.judge(result(1)) == .new)
        #expect(try filter.judge(result(number)) == .new)
        #expect(try filter.judge(result(2)) == .new)
        #expect(try filter.judge(result(1)) == .copy)
    }
}
