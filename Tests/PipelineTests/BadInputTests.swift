import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("Bad input")
struct BadInputTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var key: String? = "s"
        var value: Bytes?
        var headers: [RecordHeader] = []
        var expected: String
        var isDeadLetter = true

        var testDescription: String { name }
    }

    static let requests: [Case] = [
        Case(name: "malformed JSON", value: Array(#"{"intent":"#.utf8), expected: "rejected unparseable"),
        Case(
            name: "wrong UTF-8", value: Array(#"{"intent":""#.utf8) + [0xFF] + Array(#""}"#.utf8),
            expected: "rejected unparseable"),
        Case(
            name: "64 KiB and a byte",
            value: Array((#"{"intent":""# + String(repeating: "x", count: 65_537 - 13) + #""}"#).utf8),
            expected: "rejected complex"),
        Case(
            name: "depth 33",
            value: Array((String(repeating: #"{"a":"#, count: 33) + "1" + String(repeating: "}", count: 33)).utf8),
            expected: "rejected complex"),
        Case(name: "a tombstone", value: nil, expected: "rejected unparseable"),
        Case(name: "not an object", value: Array("[]".utf8), expected: "rejected unparseable"),
        Case(
            name: "a newer version", value: Array("{}".utf8),
            headers: [RecordHeader("ce_type", "intent.requested.v2"), RecordHeader("ce_id", "x")],
            expected: "rejected deprecated"),
        Case(
            name: "an unknown type", value: Array(#"{"type":"intent.dreamed.v1"}"#.utf8),
            expected: "rejected unsupported"),
        Case(name: "no key", key: nil, value: Array(#"{"intent":"Book"}"#.utf8), expected: "rejected invalid"),
        Case(
            name: "a reserved key", key: "$positions", value: Array(#"{"intent":"Book"}"#.utf8),
            expected: "rejected invalid"),
        Case(
            name: "no intent", value: Array(#"{"parameters":{}}"#.utf8), expected: "rejected invalid",
            isDeadLetter: false),
        Case(
            name: "non-object parameters", value: Array(#"{"intent":"Book","parameters":3}"#.utf8),
            expected: "rejected invalid",
            isDeadLetter: false),
        Case(
            name: "an answer to a prompt that is not open",
            value: Array(#"{"type":"prompt.answered.v1","prompt":"x","action":"accept"}"#.utf8),
            expected: "rejected unexpected", isDeadLetter: false),
        Case(
            name: "an intent that no worker serves", value: Array(#"{"intent":"Dance"}"#.utf8),
            expected: "completed unsupported noHandlerProvidedForIntent", isDeadLetter: false),
        Case(
            name: "phases left out", value: Array(#"{"intent":"Book","phases":["handle"]}"#.utf8),
            expected: "rejected unauthorized",
            isDeadLetter: false),
    ]

    @Test(
        "a record with an overflowing timestamp is decided on like any other, and stops nothing",
        arguments: [Int64.min, -9_223_118_634_554_000_000, -1, 253_402_300_800_000, .max],
        ["0000-01-01T00:00:00Z", "1970-01-01T00:00:00.001Z", "9999-12-31T23:59:59Z"])
    func timestamp(_ timestamp: Int64, _ now: String) async throws {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        let value = Array(
            #"{"intent":"Book","parameters":{"dropOff":"Airport","confirm":"none"},"now":"\#(now)"}"#.utf8)
        try pipeline.send(
            Record(
                topic: pipeline.topics.requests, partition: 0, key: Array("s".utf8), value: value, timestamp: timestamp)
        )
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "other", id: "r")
        try await pipeline.settle()
        let expected = now.hasPrefix("0000") ? "rejected invalid" : "completed success success"
        #expect(try pipeline.results(session: "s").map(\.line) == [expected])
        #expect(try pipeline.results(session: "other").map(\.line) == ["completed success success"])
    }

    @Test(
        "on intents.requests is rejected with its reason, becomes a dead letter if it is unreadable, and stops nothing",
        arguments: requests)
    func request(_ bad: Case) async throws {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        let topics = pipeline.topics
        try pipeline.send(
            Record(
                topic: topics.requests, partition: 0, key: bad.key.map { Array($0.utf8) }, value: bad.value,
                headers: bad.headers))
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "other", id: "r")
        try await pipeline.settle()
        #expect(try pipeline.results().filter { $0.session != "other" }.map(\.line) == [bad.expected])
        #expect(try pipeline.results(session: "other").map(\.line) == ["completed success success"])
        let letters = pipeline.log.records(in: topics.deadLetters)
        #expect(letters.count == (bad.isDeadLetter ? 1 : 0))
        if let letter = letters.first {
            #expect(letter.value == bad.value)
            #expect(letter.key == bad.key.map { Array($0.utf8) })
            #expect(letter.header("intents-error-topic") == Array(topics.requests.utf8))
            #expect(letter.header("intents-error-stage") == Array("coordinator".utf8))
            for header in bad.headers { #expect(letter.headers.contains(header)) }
        }
    }

    @Test(
        "a dead letter is not lost, wherever the coordinator crashes",
        arguments: [CrashPoint.beforeSending, .afterSending])
    func deadLetterSurvives(_ point: CrashPoint) async throws {
        for call in 1...60 {
            let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
            pipeline.log.planCrash(of: "coordinator", atCall: call, point)
            try pipeline.startAll()
            try await pipeline.settleReplacingCrashed()
            try pipeline.send(
                Record(topic: pipeline.topics.requests, partition: 0, key: Array("s".utf8), value: Array("{".utf8)))
            try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "s", id: "r")
            try await pipeline.settleReplacingCrashed()
            // A rejection outside of a session may be repeated.
            let results = try pipeline.results().map(\.line)
            #expect(Set(results) == ["rejected unparseable", "completed success success"], "died at call \(call)")
            #expect(results.filter { $0 != "rejected unparseable" }.count == 1, "died at call \(call)")
            #expect(!pipeline.log.records(in: pipeline.topics.deadLetters).isEmpty, "died at call \(call)")
        }
    }

    /// A pipeline whose dead letters wait for their topic's leader. A request of another session follows the unreadable
    /// records.
    private func pipelineWithWaitingLetters(_ count: Int) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        pipeline.log.setLeaders(of: pipeline.topics.deadLetters, areAway: true)
        for _ in 0..<count {
            try pipeline.send(
                Record(topic: pipeline.topics.requests, partition: 0, key: Array("s".utf8), value: Array("{".utf8)))
        }
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "other", id: "r")
        try await pipeline.settle()
        return pipeline
    }

    @Test("does not hold its partition: sessions go on while the dead letters wait for their topic")
    func partitionGoesOn() async throws {
        let pipeline = try await pipelineWithWaitingLetters(20)
        #expect(try pipeline.results(session: "other").map(\.line) == ["completed success success"])
        #expect(pipeline.log.records(in: pipeline.topics.deadLetters).isEmpty)
        pipeline.log.setLeaders(of: pipeline.topics.deadLetters, areAway: false)
        try await pipeline.settle()
        #expect(pipeline.log.records(in: pipeline.topics.deadLetters).count == 20)
    }

    @Test("holds its partition when too many dead letters wait for their topic, and none is lost")
    func tooManyDeadLetters() async throws {
        let pipeline = try await pipelineWithWaitingLetters(1_000)
        #expect(try pipeline.results(session: "other").isEmpty)
        pipeline.log.setLeaders(of: pipeline.topics.deadLetters, areAway: false)
        try await pipeline.settle()
        #expect(pipeline.log.records(in: pipeline.topics.deadLetters).count == 1_000)
        #expect(try pipeline.results(session: "other").map(\.line) == ["completed success success"])
    }

    @Test("a dead letter under way is written by the next owner, although later input is decided on")
    func nextOwnerWritesIt() async throws {
        let pipeline = try await pipelineWithWaitingLetters(3)
        pipeline.kill("coordinator")
        pipeline.log.setLeaders(of: pipeline.topics.deadLetters, areAway: false)
        try pipeline.startCoordinator("next")
        try await pipeline.settle()
        #expect(pipeline.log.records(in: pipeline.topics.deadLetters).count == 3)
        #expect(try pipeline.results(session: "other").map(\.line) == ["completed success success"])
    }

    @Test("as the first event of a session opens none")
    func opensNoSession() async throws {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        let before = pipeline.log.records(in: pipeline.topics.sessions).count
        for number in 0..<50 {
            let record = Record(
                topic: pipeline.topics.requests, partition: 0, key: Array("s\(number)".utf8), value: Array("{}".utf8),
                headers: [RecordHeader("ce_id", "e")])
            try pipeline.send(record)
        }
        try await pipeline.settle()
        #expect(pipeline.coordinators["coordinator"]?.openSessions == 0)
        #expect(pipeline.log.records(in: pipeline.topics.sessions).count == before)
        let results = try pipeline.results()
        #expect(results.map(\.line) == Array(repeating: "rejected invalid", count: 50))
        #expect(Set(results.compactMap(\.session)).count == 50 && results.allSatisfy { $0.sequence == nil })
    }

    @Test("on a work topic goes to the dead letters, and the partition continues")
    func work() async throws {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        let topics = pipeline.topics
        for topic in [topics.resolve, topics.confirm, topics.handle] {
            for value in [nil, Array("{".utf8), Array("{}".utf8)] as [Bytes?] {
                try pipeline.send(Record(topic: topic, partition: 0, key: Array("s".utf8), value: value))
            }
        }
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "s", id: "r")
        try await pipeline.settle()
        #expect(try pipeline.results().map(\.line) == ["completed success success"])
        #expect(pipeline.log.records(in: topics.deadLetters).count == 9)
    }

    /// A pipeline with one partition, whose calls of a phase wait at the gate.
    private func pipeline(waitingAt gate: Gate, in phase: Phase) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: 1, gates: [gate]) { invocation, report in
            if invocation.phase == phase { try? await gate.pass() }
            return await Booking.perform(invocation, report)
        }
        try pipeline.startAll()
        try await pipeline.settle()
        return pipeline
    }

    @Test(
        "whose place in intents.outcomes a worker's outcome has after a cut: the next owner does not refuse that outcome"
    )
    func outcomeInItsPlace() async throws {
        let gate = Gate()
        let pipeline = try await pipeline(waitingAt: gate, in: .handle)
        let (log, topics) = (pipeline.log, pipeline.topics)
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "s", id: "r")
        try await pipeline.settle()
        log.setLeaders(of: topics.deadLetters, areAway: true)
        try pipeline.send(Record(topic: topics.outcomes, partition: 0, key: Array("s".utf8), value: Array("{}".utf8)))
        // The stamp of the next decision names the unreadable record as open.
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "other", id: "r2")
        try await pipeline.settle()
        #expect(gate.count == 2)
        pipeline.kill("coordinator")
        #expect(log.records(in: topics.outcomes).count == 5)
        log.cutTail(of: TopicPartition(topics.outcomes, 0), records: 3)
        log.setLeaders(of: topics.deadLetters, areAway: false)
        gate.open()
        try await pipeline.settle()
        #expect(try pipeline.outcomes().suffix(2).map(\.phase) == [.handle, .handle])
        try pipeline.startCoordinator("next")
        try await pipeline.settle()
        #expect(log.records(in: topics.deadLetters).isEmpty)
    }

    @Test(
        "on intents.outcomes fails the request that waits for it if it has the ticket of the work, and the partition continues"
    )
    func outcomes() async throws {
        let gate = Gate()
        let pipeline = try await pipeline(waitingAt: gate, in: .handle)
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "s", id: "r")
        try await pipeline.settle()
        #expect(gate.count == 1)
        func send(_ key: String, _ value: String) throws {
            try pipeline.send(
                Record(topic: pipeline.topics.outcomes, partition: 0, key: Array(key.utf8), value: Array(value.utf8)))
        }
        for key in ["s", "unknown"] { try send(key, "{") }
        try send("s", #"{"type":"intent.handled.v1","request":"r","step":3,"code":7}"#)
        try await pipeline.settle()
        #expect(try pipeline.results().isEmpty)
        try send(
            "s", #"{"type":"intent.handled.v1","request":"r","step":3,"ticket":"\#(try pipeline.ticket())","code":7}"#)
        try await pipeline.settle()
        #expect(try pipeline.results().map(\.line) == ["completed failure failure"])
        gate.open()
        try pipeline.send(Booking.request("r2", ["dropOff": "Airport", "confirm": "none"]), session: "s", id: "r2")
        try await pipeline.settle()
        #expect(try pipeline.results().map(\.line) == ["completed failure failure", "completed success success"])
        #expect(pipeline.log.records(in: pipeline.topics.deadLetters).count == 4)
    }

    @Test(
        "as an outcome from who did not get the work has no effect, is counted and becomes a dead letter",
        arguments: Phase.allCases)
    func forged(_ phase: Phase) async throws {
        let gate = Gate()
        let pipeline = try await pipeline(waitingAt: gate, in: phase)
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "s", id: "r")
        try await pipeline.settle()
        #expect(gate.count == 1)
        func decisions() -> Int {
            pipeline.log.records(in: TopicPartition(pipeline.topics.sessions, 0)).count { $0.key == Bytes("s".utf8) }
        }
        let written = decisions()
        let contents: [(name: String, phase: Phase, content: String)] = [
            ("resolved", .resolve, #""resolutions":[]"#), ("confirmed", .confirm, #""code":"ready""#),
            ("handled", .handle, #""code":"success""#), ("starting", .handle, #""claim":"c""#),
        ]
        let topics = [pipeline.topics.resolve, pipeline.topics.confirm, pipeline.topics.handle]
        let work = try #require(
            try topics.flatMap { pipeline.log.records(in: $0) }.compactMap { try WorkEvent($0).work.item }.last)
        let own = try #require(work.ticket)
        var sent = 0
        for ticket in ["", #","ticket":"000102030405060708090a0b0c0d0e0f""#, #","ticket":7"#, #","ticket":"\#(own)""#] {
            // With the ticket of the work, only outcomes of another phase are refused.
            for (name, _, content) in contents.filter({ $0.phase != phase || !ticket.contains(own.description) }) {
                let value = #"{"type":"intent.\#(name).v1","request":"r","step":\#(work.step)\#(ticket),\#(content)}"#
                try pipeline.send(
                    Record(
                        topic: pipeline.topics.outcomes, partition: 0, key: Array("s".utf8), value: Array(value.utf8)))
                sent += 1
            }
        }
        try await pipeline.settle()
        let letters = pipeline.log.records(in: pipeline.topics.deadLetters)
        #expect(letters.count == sent)
        #expect(letters.allSatisfy { $0.header("intents-error-reason") == Array("unauthorized".utf8) })
        #expect(pipeline.coordinators["coordinator"]?.counters.ignored[.unauthorizedOutcome] == sent)
        #expect(decisions() == written)
        gate.open()
        try await pipeline.settle()
        #expect(try pipeline.results().map(\.line) == ["completed success success"])
    }

    @Test("as an outcome too large for the journal fails the request, and the coordinator continues")
    func hugeOutcome() async throws {
        let gate = Gate()
        let pipeline = try await pipeline(waitingAt: gate, in: .handle)
        for id in ["r", "r2"] {
            try pipeline.send(
                Booking.request(Identifier(id), ["dropOff": "Airport", "confirm": "none"]), session: "s",
                id: Identifier(id))
        }
        try await pipeline.settle()
        // The workers of this package report a failure instead of an oversized outcome. Other workers may not.
        let dialog = String(repeating: "x", count: 300 << 10)
        let value =
            #"{"type":"intent.handled.v1","request":"r","step":3,"ticket":"\#(try pipeline.ticket())","code":"success","dialog":"\#(dialog)"}"#
        try pipeline.send(
            Record(topic: pipeline.topics.outcomes, partition: 0, key: Array("s".utf8), value: Array(value.utf8)))
        try await pipeline.settle()
        gate.open()
        try await pipeline.settle()
        #expect(try pipeline.results().map(\.line) == ["completed failure failure", "completed success success"])
        #expect(pipeline.log.records(in: pipeline.topics.deadLetters).count == 1)
    }

    @Test("that opens more sessions than allowed is rejected as busy, and open sessions continue")
    func tooManySessions() async throws {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        pipeline.maximumSessions = 3
        try pipeline.startAll()
        try await pipeline.settle()
        for number in 0..<5 { try pipeline.send(Booking.request("r"), session: "s\(number)", id: "r\(number)") }
        try await pipeline.settle()
        for number in 0..<5 {
            #expect(
                try pipeline.results(session: "s\(number)").map(\.line) == [
                    number < 3 ? "prompt value dropOff" : "rejected busy"
                ])
        }
        try await pipeline.advance(by: pipeline.policy.answerTimeout)
        try await pipeline.advance(by: pipeline.policy.idleTimeout)
        try pipeline.send(Booking.request("again"), session: "s4", id: "again")
        try await pipeline.settle()
        #expect(try pipeline.results(session: "s4").map(\.line) == ["rejected busy", "prompt value dropOff"])
    }

    @Test("in the journal is skipped")
    func journal() async throws {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        for value in [nil, Array("{".utf8)] as [Bytes?] {
            try pipeline.log.append(
                Record(topic: pipeline.topics.sessions, partition: 0, key: Array("s".utf8), value: value))
        }
        try pipeline.startAll()
        try await pipeline.settle()
        try pipeline.log.append(
            Record(topic: pipeline.topics.sessions, partition: 0, key: Array("s".utf8), value: Array("{".utf8)))
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "s", id: "r")
        try await pipeline.settle()
        #expect(try pipeline.results().map(\.line) == ["completed success success"])
    }
}
