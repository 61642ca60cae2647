import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("Bad input") struct BadInputTests {
    private let gate = Gate()
    private let pipeline: TestPipeline

    init() async throws { pipeline = try await TestPipeline.started() }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var value: Bytes?
        var expected: String
        var isLetter = true
        var key: String?
        var headers: [RecordHeader] = []

        init(
            _ name: String, _ value: String?, _ expected: String, isLetter: Bool = true, key: String? = "s",
            headers: [RecordHeader] = []
        ) {
            (testDescription, self.expected, self.isLetter) = (name, expected, isLetter)
            (self.value, self.key, self.headers) = (value.map { Array($0.utf8) }, key, headers)
        }
    }

    static let requests: [Case] = {
        var wrong = Case("wrong UTF-8", nil, "rejected unparseable")
        wrong.value = Array(#"{"intent":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
        let large = #"{"intent":""# + String(repeating: "x", count: 65_537 - 13) + #""}"#
        let deep = String(repeating: #"{"a":"#, count: 33) + "1" + String(repeating: "}", count: 33)
        let newer = [RecordHeader("ce_type", "intent.requested.v2"), RecordHeader("ce_id", "x")]
        let answer = #"{"type":"prompt.answered.v1","prompt":"x","action":"accept"}"#
        let unserved = "completed unsupported noHandlerProvidedForIntent"
        return [
            wrong, Case("malformed JSON", #"{"intent":"#, "rejected unparseable"),
            Case("64 KiB and a byte", large, "rejected complex"), Case("depth 33", deep, "rejected complex"),
            Case("a tombstone", nil, "rejected unparseable"), Case("not an object", "[]", "rejected unparseable"),
            Case("a newer version", "{}", "rejected deprecated", headers: newer),
            Case("an unknown type", #"{"type":"intent.dreamed.v1"}"#, "rejected unsupported"),
            Case("no key", #"{"intent":"Book"}"#, "rejected invalid", key: nil),
            Case("a reserved key", #"{"intent":"Book"}"#, "rejected invalid", key: "$positions"),
            Case("no intent", #"{"parameters":{}}"#, "rejected invalid", isLetter: false),
            Case("non-object parameters", #"{"intent":"Book","parameters":3}"#, "rejected invalid", isLetter: false),
            Case("an answer to a prompt that is not open", answer, "rejected unexpected", isLetter: false),
            Case("an intent that no worker serves", #"{"intent":"Dance"}"#, unserved, isLetter: false),
            Case("skipped phases", #"{"intent":"Book","phases":["handle"]}"#, "rejected unauthorized", isLetter: false),
        ]
    }()

    @Test(
        arguments: [Int64.min, -9_223_118_634_554_000_000, -1, 253_402_300_800_000, .max],
        ["0000-01-01T00:00:00Z", "1970-01-01T00:00:00.001Z", "9999-12-31T23:59:59Z"])
    func `a record with an overflowing timestamp is like any other`(_ timestamp: Int64, _ now: String) async throws {
        let value = #"{"intent":"Book","parameters":{"dropOff":"Airport","confirm":"none"},"now":"\#(now)"}"#
        try pipeline.write(value, timestamp: timestamp)
        try await pipeline.book("other")
        #expect(try await pipeline.lines("s") == (now.hasPrefix("0000") ? ["rejected invalid"] : Booking.completed))
        #expect(try await pipeline.lines("other") == Booking.completed)
    }

    @Test(arguments: requests)
    func `in requests is rejected by name, and becomes a dead letter if unreadable`(_ bad: Case) async throws {
        let key = bad.key.map { Array($0.utf8) }
        try pipeline.send(
            Record(topic: pipeline.topics.requests, partition: 0, key: key, value: bad.value, headers: bad.headers))
        try await pipeline.book("other")
        #expect(try pipeline.results().filter { $0.session != "other" }.map(\.line) == [bad.expected])
        #expect(try await pipeline.lines("other") == Booking.completed)
        let letters = pipeline.records(\.deadLetters)
        #expect(letters.count == (bad.isLetter ? 1 : 0))
        for letter in letters {
            #expect(letter.value == bad.value && letter.key == key)
            #expect(letter.header("intents-error-topic") == Array("intents.requests".utf8))
            #expect(letter.header("intents-error-stage") == Array("coordinator".utf8))
            #expect(bad.headers.allSatisfy(letter.headers.contains))
        }
    }

    @Test(arguments: [CrashPoint.beforeSending, .afterSending])
    func `a dead letter survives any crash of the coordinator`(_ point: CrashPoint) async throws {
        for call in 1...60 {
            let pipeline = try await TestPipeline.crashing(atCall: call, point)
            try pipeline.write("{")
            try pipeline.order()
            try await pipeline.settleReplacingCrashed()
            // A rejection outside of a session may be repeated.
            let lines = try await pipeline.lines()
            #expect(Set(lines) == ["rejected unparseable", "completed success success"], "died at call \(call)")
            #expect(lines.filter { $0 != "rejected unparseable" }.count == 1, "died at call \(call)")
            #expect(!pipeline.records(\.deadLetters).isEmpty, "died at call \(call)")
        }
    }

    @Test(arguments: [(20, false), (1_000, true)])
    func `holds its partition only if too many letters wait, and loses none`(count: Int, isHeld: Bool) async throws {
        pipeline.setLeaders(of: \.deadLetters, areAway: true)
        for _ in 0..<count { try pipeline.write("{") }
        try await pipeline.book("other")
        #expect(try await pipeline.lines("other") == (isHeld ? [] : Booking.completed))
        #expect(pipeline.records(\.deadLetters).isEmpty)
        pipeline.setLeaders(of: \.deadLetters, areAway: false)
        #expect(try await pipeline.lines("other") == Booking.completed)
        #expect(pipeline.records(\.deadLetters).count == count)
    }

    @Test func `as the first event of a session opens none`() async throws {
        let before = pipeline.records(\.sessions).count
        for number in 0..<50 { try pipeline.write("{}", key: "s\(number)", headers: [RecordHeader("ce_id", "e")]) }
        #expect(try await pipeline.lines() == Array(repeating: "rejected invalid", count: 50))
        #expect(try pipeline.coordinator().openSessions == 0 && pipeline.records(\.sessions).count == before)
        let results = try pipeline.results()
        #expect(Set(results.compactMap(\.session)).count == 50 && results.allSatisfy { $0.sequence == nil })
    }

    @Test func `on a work topic goes to the dead letters, and the partition continues`() async throws {
        for topic in [\Topics.resolve, \.confirm, \.handle] {
            for value in [nil, "{", "{}"] { try pipeline.write(value, to: topic) }
        }
        try await pipeline.book()
        #expect(try await pipeline.lines() == Booking.completed)
        #expect(pipeline.records(\.deadLetters).count == 9)
    }

    /// A pipeline with one partition, whose calls of a phase wait at the gate. A booking waits there.
    private func pipeline(waitingIn phase: Phase) async throws -> TestPipeline {
        let pipeline = try await TestPipeline.started(gates: [gate]) { [gate] invocation, report in
            if invocation.phase == phase { try? await gate.pass() }
            return await Booking.perform(invocation, report)
        }
        try await pipeline.book()
        #expect(gate.count == 1)
        return pipeline
    }

    @Test func `on intents.outcomes does not hide the outcome at its offset after a cut`() async throws {
        let pipeline = try await pipeline(waitingIn: .handle)
        pipeline.setLeaders(of: \.deadLetters, areAway: true)
        try pipeline.write("{}", to: \.outcomes)
        // The stamp of the next decision names the unreadable record as open.
        try await pipeline.book("other", "r2")
        #expect(gate.count == 2)
        pipeline.kill("coordinator")
        #expect(pipeline.records(\.outcomes).count == 5)
        pipeline.log.cutTail(of: pipeline.place(\.outcomes), records: 3)
        pipeline.setLeaders(of: \.deadLetters, areAway: false)
        gate.open()
        try await pipeline.settle()
        #expect(try pipeline.outcomes().suffix(2).map(\.phase) == [.handle, .handle])
        try await pipeline.addCoordinator("next")
        #expect(pipeline.records(\.deadLetters).isEmpty)
    }

    @Test func `on intents.outcomes fails the waiting request only with the ticket of its work`() async throws {
        let pipeline = try await pipeline(waitingIn: .handle)
        for key in ["s", "unknown"] { try pipeline.write("{", to: \.outcomes, key: key) }
        let handled = #""type":"intent.handled.v1","request":"r","step":3,"code":7"#
        try pipeline.write("{\(handled)}", to: \.outcomes)
        #expect(try await pipeline.lines().isEmpty)
        try pipeline.write(#"{\#(handled),"ticket":"\#(try pipeline.ticket())"}"#, to: \.outcomes)
        #expect(try await pipeline.lines() == ["completed failure failure"])
        gate.open()
        try await pipeline.book("s", "r2")
        #expect(try await pipeline.lines() == ["completed failure failure", "completed success success"])
        #expect(pipeline.records(\.deadLetters).count == 4)
    }

    @Test(arguments: Phase.allCases)
    func `as an outcome without the work has no effect, and becomes a dead letter`(_ phase: Phase) async throws {
        let pipeline = try await pipeline(waitingIn: phase)
        func decisions() -> Int { pipeline.records(\.sessions).count { $0.key == Bytes("s".utf8) } }
        let written = decisions()
        let contents: [(name: String, phase: Phase, content: String)] = [
            ("resolved", .resolve, #""resolutions":[]"#), ("confirmed", .confirm, #""code":"ready""#),
            ("handled", .handle, #""code":"success""#), ("starting", .handle, #""claim":"c""#),
        ]
        let work = try #require(try [\Topics.resolve, \.confirm, \.handle].flatMap(pipeline.work).last?.item)
        let own = try #require(work.ticket)
        var sent = 0
        for ticket in ["", #","ticket":"000102030405060708090a0b0c0d0e0f""#, #","ticket":7"#, #","ticket":"\#(own)""#] {
            // With the ticket of the work, only outcomes of another phase are refused.
            for (name, _, content) in contents.filter({ $0.phase != phase || !ticket.contains(own.description) }) {
                let address = #""type":"intent.\#(name).v1","request":"r","step":\#(work.step)"#
                try pipeline.write("{\(address)\(ticket),\(content)}", to: \.outcomes)
                sent += 1
            }
        }
        try await pipeline.settle()
        let letters = pipeline.records(\.deadLetters)
        #expect(letters.count == sent)
        #expect(letters.allSatisfy { $0.header("intents-error-reason") == Array("unauthorized".utf8) })
        #expect(try pipeline.coordinator().counters.ignored[.unauthorizedOutcome] == sent && decisions() == written)
        gate.open()
        #expect(try await pipeline.lines() == Booking.completed)
    }

    @Test func `as an outcome too large for the journal fails the request`() async throws {
        let pipeline = try await pipeline(waitingIn: .handle)
        try await pipeline.book("s", "r2")
        // The workers of this package report a failure instead of an oversized outcome. Other workers may not.
        let dialog = String(repeating: "x", count: 300 << 10)
        let handled = #""type":"intent.handled.v1","request":"r","step":3,"code":"success""#
        let value = #"{\#(handled),"ticket":"\#(try pipeline.ticket())","dialog":"\#(dialog)"}"#
        try pipeline.write(value, to: \.outcomes)
        try await pipeline.settle()
        gate.open()
        #expect(try await pipeline.lines() == ["completed failure failure", "completed success success"])
        #expect(pipeline.records(\.deadLetters).count == 1)
    }

    @Test func `that opens more sessions than allowed is rejected as busy, and open sessions continue`() async throws {
        let pipeline = try await TestPipeline.prepared { $0.configuration.limits.maximumSessions = 3 }
        let sessions = [Identifier].numbered(0..<5)
        for session in sessions { try await pipeline.book(session, session, [:]) }
        let lines = try sessions.map { try pipeline.results(session: $0).map(\.line) }
        #expect(lines == Array(repeating: ["prompt value dropOff"], count: 3) + [["rejected busy"], ["rejected busy"]])
        try await pipeline.advance(by: pipeline.policy.answerTimeout)
        try await pipeline.advance(by: pipeline.policy.idleTimeout)
        try await pipeline.book("s4", "again", [:])
        #expect(try await pipeline.lines("s4") == ["rejected busy", "prompt value dropOff"])
    }
}
