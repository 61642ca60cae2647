import IntentModel
import RecordLog
import Testing

@testable import IntentEvents

@Suite("Following the sequences of sessions") struct SequenceFilterTests {
    private var filter = SequenceFilter()

    /// Follows a completion with a sequence number.
    ///
    /// - Parameters:
    ///   - request: The request of the result; a part of the result's id.
    ///   - time: The time of the decision, and the record's timestamp.
    private mutating func judge(
        _ sequence: Int?, _ session: String = "a", request: String = "r", time: Int64 = 0, data: String = ""
    ) throws -> SequenceFilter.Verdict {
        let number = sequence.map { ",\"sequence\":\($0)" } ?? ""
        let value = "{\"session\":\"\(session)\",\"request\":\"\(request)\",\"dialog\":\"\(data)\"\(number)}"
        var record = record(
            Bytes(value.utf8), type: "intent.completed.v1", id: "\(session)/\(request).\(sequence ?? 0)",
            key: Bytes(session.utf8), headers: [RecordHeader("ce_time", "\(time)")])
        record.timestamp = time
        return filter.judge(try ReceivedResult(record))
    }

    @Test(
        "the next number is new, a number seen before is a copy, and a gap is detected, whose numbers come in any order",
        arguments: [
            ("in order", [(1, .new), (1, .copy), (2, .new), (3, .new), (2, .copy), (6, .gap(expected: 4)), (7, .new)]),
            ("the log reads 1, 3, 2", [(1, .new), (3, .gap(expected: 2)), (2, .new), (2, .copy), (4, .new)]),
            ("4 to 7", gap([4, 5, 6, 7])), ("7 to 4", gap([7, 6, 5, 4])), ("5, 4, 7, 6", gap([5, 4, 7, 6])),
            ("6, 7, 4, 5", gap([6, 7, 4, 5])),
            // A number that no session counts to says nothing of the order, and is no trap.
            ("the smallest number", uncounted(.min)), ("-1", uncounted(-1)), ("0", uncounted(0)),
            ("2⁵³ + 1", uncounted((1 << 53) + 1)), ("the largest number", uncounted(.max)),
        ] as [(String, [(Int, SequenceFilter.Verdict)])])
    mutating func sequence(_ name: String, _ results: [(Int, SequenceFilter.Verdict)]) throws {
        for (number, verdict) in results { #expect(try judge(number) == verdict, "\(name)") }
    }

    private static func gap(_ numbers: [Int]) -> [(Int, SequenceFilter.Verdict)] {
        [(3, .new), (8, .gap(expected: 4))] + numbers.map { ($0, .new) } + (numbers + [3, 8]).map { ($0, .copy) }
    }

    private static func uncounted(_ number: Int) -> [(Int, SequenceFilter.Verdict)] {
        [(number, .new), (number, .new), (1, .new), (number, .new), (2, .new), (1, .copy)]
    }

    @Test mutating func `two sessions whose keys only look equal have numbers of their own`() throws {
        for (number, key) in [(1, "\u{E9}"), (1, "e\u{301}"), (2, "e\u{301}"), (2, "\u{E9}")] {
            #expect(try judge(number, key) == .new)
        }
        #expect(try judge(2, "\u{E9}") == .copy)
    }

    @Test mutating func `of many gaps the newest 16 are remembered`() throws {
        for number in 1...17 { _ = try judge(number * 2) }
        #expect(try judge(3) == .new)
        _ = try judge(36)
        _ = try judge(38)
        #expect(try judge(5) == .copy)
        #expect(try judge(37) == .new)
    }

    @Test mutating func `a reader may start in the middle, and sessions are counted separately`() throws {
        for (number, session) in [(17, "a"), (3, "b"), (18, "a"), (4, "b"), (nil, "a")] {
            #expect(try judge(number, session) == .new)
        }
    }

    @Test
    mutating func `a forgotten session counts from 1 again, but a copy of a first result does not restart it`() throws {
        for number in 1...5 { #expect(try judge(number, time: Int64(number)) == .new) }
        #expect(try judge(1, time: 1) == .copy)
        #expect(try judge(6, time: 6) == .new)
        #expect(try judge(1, request: "q", time: 1_800_006) == .new)
        #expect(try judge(2, request: "q", time: 1_800_007) == .new)
        #expect(try judge(2, request: "q", time: 1_800_007) == .copy)
    }

    @Test
    mutating func `another first result starts the session again even if the clock that wrote it was behind`() throws {
        for number in 1...5 { #expect(try judge(number, time: 9_000_000) == .new) }
        #expect(try judge(1, request: "q", time: 5_000) == .new)
        #expect(try judge(2, request: "q", time: 5_001) == .new)
    }

    @Test mutating func `a first result of the same request is another one if its time or its data differ`() throws {
        for number in 1...3 { #expect(try judge(number, time: 7) == .new) }
        #expect(try judge(1, time: 7) == .copy)
        #expect(try judge(1, time: 6) == .new)
        #expect(try judge(2, time: 6) == .new)
        #expect(try judge(1, time: 6, data: "other") == .new)
        #expect(try judge(2, time: 6) == .new)
    }

    @Test(
        "a reader that has not seen the first result takes a newer 1 for another session, and an older one for a copy")
    mutating func middle() throws {
        #expect(try judge(5, time: 50) == .new)
        #expect(try judge(1, time: 10) == .copy)
        #expect(try judge(6, time: 60) == .new)
        #expect(try judge(1, time: 70) == .new)
        #expect(try judge(2, time: 71) == .new)
    }

    @Test("a bounded number of sessions is followed, and those whose results came last are among them")
    mutating func bounded() throws {
        filter = SequenceFilter(maximumSessions: 100)
        for number in 1...1_000 {
            #expect(try judge(1, "s\(number)") == .new)
            #expect(try judge(1, "s\(max(1, number - 20))") == .copy)
            #expect(filter.count <= 100)
        }
        #expect(try judge(1, "s1") == .new)
    }
}
