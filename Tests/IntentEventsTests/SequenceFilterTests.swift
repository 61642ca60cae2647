import IntentModel
import RecordLog
import Testing

@testable import IntentEvents

@Suite("Following the sequences of sessions") struct SequenceFilterTests {
    typealias Verdicts = [(Int, SequenceFilter.Verdict)]

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

    /// Follows the first results of a session, the first at this time and the others later.
    private mutating func begin(to last: Int, time: Int64) throws {
        for number in 1...last { #expect(try judge(number, time: time + Int64(number) - 1) == .new) }
    }

    @Test(
        arguments: [
            ("in order", [(1, .new), (1, .copy), (2, .new), (3, .new), (2, .copy), (6, .gap(expected: 4)), (7, .new)]),
            ("the log reads 1, 3, 2", [(1, .new), (3, .gap(expected: 2)), (2, .new), (2, .copy), (4, .new)]),
            ("4 to 7", gap([4, 5, 6, 7])), ("7 to 4", gap([7, 6, 5, 4])), ("5, 4, 7, 6", gap([5, 4, 7, 6])),
            ("6, 7, 4, 5", gap([6, 7, 4, 5])),
            // A number that no session counts to says nothing of the order, and is no trap.
            ("the smallest number", uncounted(.min)), ("-1", uncounted(-1)), ("0", uncounted(0)),
            ("2⁵³ + 1", uncounted((1 << 53) + 1)), ("the largest number", uncounted(.max)),
        ] as [(String, Verdicts)])
    mutating func `new numbers, copies and gaps are told apart`(_ name: String, _ results: Verdicts) throws {
        for (number, verdict) in results { #expect(try judge(number) == verdict, "\(name)") }
    }

    private static func gap(_ numbers: [Int]) -> Verdicts {
        [(3, .new), (8, .gap(expected: 4))] + numbers.map { ($0, .new) } + (numbers + [3, 8]).map { ($0, .copy) }
    }

    private static func uncounted(_ number: Int) -> Verdicts {
        [(number, .new), (number, .new), (1, .new), (number, .new), (2, .new), (1, .copy)]
    }

    @Test mutating func `two sessions whose keys only look equal have numbers of their own`() throws {
        for (number, key) in [(1, "\u{E9}"), (1, "e\u{301}"), (2, "e\u{301}"), (2, "\u{E9}")] {
            #expect(try judge(number, key) == .new)
        }
        #expect(try judge(2, "\u{E9}") == .copy)
    }

    @Test mutating func `the newest 16 gaps of a session are remembered`() throws {
        for number in 1...17 { _ = try judge(number * 2) }
        #expect(try judge(3) == .new)
        for number in [36, 38] { _ = try judge(number) }
        #expect(try judge(5) == .copy)
        #expect(try judge(37) == .new)
    }

    @Test mutating func `a reader may start in the middle, and sessions are counted separately`() throws {
        for (number, session) in [(17, "a"), (3, "b"), (18, "a"), (4, "b"), (nil, "a")] {
            #expect(try judge(number, session) == .new)
        }
    }

    /// The clock that writes the first results again may be behind.
    @Test(arguments: [(0, 1_800_000), (9_000_000, 5_000)] as [(Int64, Int64)])
    mutating func `another first result starts a session again, a copy does not`(_ first: Int64, _ again: Int64) throws
    {
        try begin(to: 5, time: first)
        #expect(try judge(1, time: first) == .copy)
        #expect(try judge(6, time: first + 6) == .new)
        for number in 1...2 { #expect(try judge(number, request: "q", time: again) == .new) }
        #expect(try judge(2, request: "q", time: again) == .copy)
    }

    @Test mutating func `a first result of the same request is another one if its time or its data differ`() throws {
        try begin(to: 3, time: 7)
        #expect(try judge(1, time: 7) == .copy)
        for number in 1...2 { #expect(try judge(number, time: 6) == .new) }
        #expect(try judge(1, time: 6, data: "other") == .new)
        #expect(try judge(2, time: 6) == .new)
    }

    @Test mutating func `a late reader takes a newer 1 for another session, and an older 1 for a copy`() throws {
        #expect(try judge(5, time: 50) == .new)
        #expect(try judge(1, time: 10) == .copy)
        for (number, time) in [(6, 60), (1, 70), (2, 71)] { #expect(try judge(number, time: Int64(time)) == .new) }
    }

    @Test mutating func `a bounded number of sessions is followed, the last ones among them`() throws {
        filter = SequenceFilter(maximumSessions: 100)
        for number in 1...1_000 {
            #expect(try judge(1, "s\(number)") == .new)
            #expect(try judge(1, "s\(max(1, number - 20))") == .copy)
            #expect(filter.count <= 100)
        }
        #expect(try judge(1, "s1") == .new)
    }
}
