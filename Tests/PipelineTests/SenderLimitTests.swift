import Conversation
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordLog
import Testing

@testable import Pipeline

@Suite("A sender that writes too much") struct SenderLimitTests {
    private static let airport: KeyValuePairs<String, String> = ["dropOff": "Airport"]

    private func pipeline(
        rate: Double = 100, burst: Int = 1_000, _ prepare: (TestPipeline) -> Void = { _ in }
    ) async throws -> TestPipeline {
        try await TestPipeline.prepared {
            ($0.configuration.limits.maximumRate, $0.configuration.limits.maximumBurst) = (rate, burst)
            prepare($0)
        }
    }

    /// The waits of the session's rejections as busy, in milliseconds.
    private func waits(_ pipeline: TestPipeline, _ session: Identifier = "s") async throws -> [Int?] {
        try await pipeline.settle()
        return try pipeline.results(session: session).filter { $0.line == "rejected busy" }.map {
            #expect($0.sequence == nil)
            return $0.data["retryAfter"]?.int
        }
    }

    private func end(_ session: Identifier, in pipeline: TestPipeline) async throws {
        try await pipeline.deliver(.ended(reason: nil), session, to: \.answers, from: Principal(.system, ""))
    }

    @Test func `is rejected as busy with the time to retry, and all sessions continue`() async throws {
        let pipeline = try await pipeline(rate: 2, burst: 3)
        for number in 0..<6 {
            try pipeline.send(.updatesStopped(request: "none"), session: "s", id: "e\(number)")
            if number == 0 { try pipeline.order() }
        }
        try pipeline.order("t", "q")
        // The event before the request opens no session, so it is not counted. The request opens the session.
        #expect(try await waits(pipeline) == [500, 500])
        #expect(try pipeline.results(session: "s").last { $0.sequence != nil }?.line == "completed success success")
        #expect(try pipeline.last("t").line == "completed success success")
        pipeline.clock.advance(by: .milliseconds(500))
        try pipeline.send(.updatesStopped(request: "none"), session: "s", id: "later")
        #expect(try await waits(pipeline).count == 2 && pipeline.coordinator().counters.overloads == 2)
    }

    @Test func `gets no refusal of a request that was accepted before`() async throws {
        let pipeline = try await pipeline(rate: 1, burst: 2)
        for _ in 0..<8 { try pipeline.order(from: .ann) }
        #expect(try await waits(pipeline).isEmpty)
        try await pipeline.deliver(.ended(reason: nil), from: Principal(.system, ""))
        try pipeline.order(from: .ann)
        #expect(try await waits(pipeline).isEmpty, "also when its session is forgotten")
    }

    @Test(arguments: [true, false])
    func `gets no refusal of a forgotten session's request without room`(ofPrincipal: Bool) async throws {
        let pipeline = try await pipeline {
            if ofPrincipal {
                $0.configuration.limits.maximumSessionsOfPrincipal = 1
            } else {
                $0.configuration.limits.maximumSessions = 1
            }
        }
        try await pipeline.book("a", "a", from: .ann)
        try await end("a", in: pipeline)
        for id in ["b", "c", "a"] as [Identifier] { try pipeline.order(id, id, from: .ann) }
        #expect(try await waits(pipeline, "c").count == 1)
        #expect(try await waits(pipeline, "a").isEmpty)
    }

    @Test func `can't open more sessions than a principal may have, until one of its own is forgotten`() async throws {
        let pipeline = try await pipeline { $0.configuration.limits.maximumSessionsOfPrincipal = 2 }
        func open(_ session: Identifier) async throws -> [Int?] {
            try pipeline.order(session, session, from: .ann)
            return try await waits(pipeline, session)
        }
        #expect(try await open("a").isEmpty)
        #expect(try await open("b").isEmpty)
        #expect(try await open("c") == [1_800_000])
        try await pipeline.replaceCoordinator()
        #expect(try await open("d") == [1_800_000], "its successor counts them too")
        try await end("a", in: pipeline)
        #expect(try await open("e").isEmpty)
    }

    @Test func `does not use up a principal's limit by naming the principal without being trusted`() async throws {
        let pipeline = try await pipeline(rate: 1, burst: 3) {
            ($0.configuration.trust, $0.configuration.limits.maximumSessionsOfPrincipal) = (.separate, 1)
        }
        for number in 0..<6 { try pipeline.order("agent", "agent\(number)", Self.airport, from: .ann) }
        #expect(try await waits(pipeline, "agent").count == 2)
        try await pipeline.replaceCoordinator()
        try pipeline.order("mine", "r", Self.airport, to: \.answers, from: .ann)
        #expect(try await waits(pipeline, "mine").isEmpty, "the agent's session is not counted as hers")
        try pipeline.order("other", "q", Self.airport, to: \.answers, from: .ann)
        #expect(try await waits(pipeline, "other").count == 1)
        try await pipeline.deliver(.cancelled(request: nil), "agent", to: \.answers, from: .ann)
        #expect(try await pipeline.lines("agent").contains("completed cancelled cancelled"))
    }

    @Test func `is rejected again by the next owner if the log may not have the rejection`() async throws {
        let pipeline = try await pipeline(rate: 1, burst: 1)
        for id in ["r", "q"] as [Identifier] { try pipeline.order("s", id, Self.airport) }
        #expect(try await waits(pipeline).isEmpty, "the request that opens a session is not counted")
        try pipeline.order("s", "p", Self.airport)
        #expect(try await waits(pipeline).count == 1)
        try await pipeline.replaceCoordinator()
        #expect(try await waits(pipeline).count == 1)
    }
}

@Suite("A session that is ended from outside") struct SessionEndTests {
    @Test(arguments: [CrashPoint.beforeSending, .afterSending])
    func `is completed once, wherever the coordinator crashes`(_ point: CrashPoint) async throws {
        for call in 1...70 {
            let pipeline = try await TestPipeline.crashing(atCall: call, point)
            try pipeline.order("s", "r", ["dropOff": "Station"])
            try await pipeline.settleReplacingCrashed()
            try pipeline.send(.ended(reason: nil), session: "s", id: "e")
            try await pipeline.settleReplacingCrashed()
            for _ in 0..<3 {
                pipeline.clock.advance(by: .seconds(1))
                try await pipeline.settleReplacingCrashed()
            }
            let lines = try await pipeline.lines("s")
            #expect(lines == ["prompt choice dropOff", "completed cancelled cancelled"], "died at call \(call)")
            #expect(pipeline.coordinators.values.allSatisfy { $0.openSessions == 0 }, "died at call \(call)")
        }
    }
}

/// Batches that a client can't decompress, and floods of records that nobody can read.
@Suite("Records that can't be read") struct UnreadableBatchTests {
    private let pipeline: TestPipeline

    init() async throws { pipeline = try await TestPipeline.started() }

    private func letters(_ pipeline: TestPipeline) -> [ReadDeadLetter] {
        pipeline.records(\.deadLetters).compactMap { ReadDeadLetter($0) }
    }

    @Test(arguments: [
        ("requests", "coordinator"), ("answers", "coordinator"), ("outcomes", "coordinator"),
        ("resolve", "resolver"), ("confirm", "confirmer"), ("handle", "handler"), ("handle-in-app", "app-handler"),
    ])
    func `an unreadable batch is skipped, with one dead letter of its own`(topic: String, stage: String) async throws {
        let place = TopicPartition("intents.\(topic)", 0)
        let first = Int64(pipeline.log.records(in: place).count)
        try pipeline.log.appendUnreadable(5, to: place, cause: "its codec is broken")
        try await pipeline.book()
        #expect(try await pipeline.lines("s") == Booking.completed)
        let letter = try #require(letters(pipeline).first)
        #expect(letters(pipeline).count == 1)
        #expect(letter.original.topicPartition == place && letter.original.offset == first)
        #expect(letter.range?.last == first + 4 && letter.range?.records == 5 && letter.original.value == nil)
        #expect(letter.stage == stage && letter.reason == "unparseable")
        #expect(letter.message.contains("its codec is broken"))
        #expect(throws: EventError.self) { try letter.replay(topics: pipeline.topics, force: true) }
        // The batch is counted, and the next owner does not report it again.
        if stage == "coordinator" { #expect(try pipeline.coordinator().counters.unreadableBatches == [place.topic: 1]) }
        for name in ["coordinator", "resolve", "confirm", "handle", "app"] { pipeline.kill(name) }
        try pipeline.startAll()
        try await pipeline.book("other")
        #expect(try await pipeline.lines("other") == Booking.completed && letters(pipeline).count == 1)
    }

    @Test func `an unreadable batch in catalogue, memory, results or dead letters stops nothing`() async throws {
        let pipeline = try await TestPipeline.prepared { pipeline in
            (pipeline.follows.catalogue, pipeline.follows.memory) = (true, true)
            for topic in [\Topics.catalog, \.memory, \.results, \.deadLetters] {
                try pipeline.log.appendUnreadable(3, to: pipeline.place(topic))
            }
        }
        #expect(pipeline.companions.catalogues["coordinator"]?.unreadableBatches == 1)
        #expect(pipeline.companions.memories["coordinator"]?.unreadableBatches == 1)
        #expect(try pipeline.coordinator().isSteady && letters(pipeline).isEmpty)
    }

    @Test func `a journal with an unreadable batch stops its own partition, and others continue`() async throws {
        let pipeline = try await TestPipeline.prepared(partitions: 2) { pipeline in
            try pipeline.log.appendUnreadable(1, to: pipeline.place(\.sessions), cause: "its codec is broken")
            pipeline.follows.partitions = 2
        }
        #expect(try pipeline.coordinator().stoppedPartitions == [0])
        let (lost, served) = (try TestPipeline.session(in: 0), try TestPipeline.session(in: 1))
        try await pipeline.book(each: [lost, served])
        #expect(try await pipeline.lines(served) == Booking.completed)
        #expect(try await pipeline.lines(lost).isEmpty && pipeline.log.records(in: pipeline.place(\.sessions)).isEmpty)
    }

    @Test func `a batch that can't be read in a journal that is in use stops its partition`() async throws {
        try await pipeline.book()
        try pipeline.log.appendUnreadable(1, to: pipeline.place(\.sessions))
        try await pipeline.book("t")
        try await pipeline.advance(by: .seconds(60))
        #expect(try pipeline.coordinator().stoppedPartitions == [0])
    }

    @Test(arguments: [CrashPoint.beforeSending, .afterSending])
    func `a batch's dead letter survives any crash of the coordinator`(_ point: CrashPoint) async throws {
        for call in 1...50 {
            let pipeline = try await TestPipeline.crashing(atCall: call, point)
            try pipeline.log.appendUnreadable(4, to: pipeline.place(\.requests))
            try pipeline.order()
            try await pipeline.settleReplacingCrashed()
            #expect(try await pipeline.lines() == Booking.completed, "died at call \(call)")
            let offsets = Set(letters(pipeline).map { [$0.original.offset, $0.range?.last] })
            #expect(offsets == [[0, 3]], "died at call \(call)")
        }
    }

    @Test func `a flood of unreadable requests costs few dead letters, one with the others' range`() async throws {
        let count = 5_000
        for number in 0..<count { try pipeline.write(number % 2 == 0 ? "{" : #"{"intent":5}"#) }
        try await pipeline.book("other")
        #expect(try await pipeline.lines("other") == Booking.completed)
        try await pipeline.advance(by: .seconds(2))
        let letters = letters(pipeline)
        #expect(letters.count <= UnreadableRate.burst + 2)
        let ranges = letters.compactMap { letter in letter.range.map { (first: letter.original.offset, $0) } }
        let range = try #require(ranges.first)
        #expect(ranges.count == 1 && range.1.records == count - UnreadableRate.burst)
        #expect(range.first == Int64(UnreadableRate.burst) && range.1.last == Int64(count) - 1)
        let coordinator = try pipeline.coordinator()
        #expect(coordinator.counters.deadLetters.spared == count - UnreadableRate.burst && coordinator.isSettled)
    }

    @Test func `a flood of unreadable work costs a worker few dead letters, and all is committed`() async throws {
        let count = 4_000
        for _ in 0..<count { try pipeline.write("{", to: \.resolve) }
        try await pipeline.book("other")
        try await pipeline.advance(by: .seconds(2))
        #expect(try await pipeline.lines("other") == Booking.completed)
        #expect(letters(pipeline).count == UnreadableRate.burst + 1)
        #expect(letters(pipeline).compactMap(\.range).map(\.records) == [count - UnreadableRate.burst])
        let committed = pipeline.log.committed(group: "intents.resolver")[pipeline.place(\.resolve)]
        #expect(committed?.offset == Int64(count) + 1)
    }

    @Test func `a coordinator that is closed names the records that it has only counted`() async throws {
        for _ in 0..<UnreadableRate.burst + 50 { try pipeline.write("{", key: nil) }
        try await pipeline.settle()
        try pipeline.closeCoordinator("coordinator")
        #expect(letters(pipeline).compactMap(\.range).map(\.records) == [50])
    }
}

@Suite("The rate of dead letters") struct UnreadableRateTests {
    private let start = Instant(milliseconds: 1_000_000)
    private let error = EventError(.unparseable, "the first one", isDeadLetter: true)

    /// Passes records at consecutive offsets to the rate. Returns the number of records that get their own dead letter.
    @discardableResult
    private func flood(_ rate: inout UnreadableRate, _ offsets: Range<Int64>, after seconds: Int = 0) -> Int {
        let now = start.advanced(by: .seconds(seconds))
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

    @Test func `a burst gets a dead letter each, and all others are counted in one run`() throws {
        var rate = UnreadableRate()
        let admitted = flood(&rate, 10..<100_010)
        #expect(admitted == UnreadableRate.burst)
        let early = rate.take(at: start)
        #expect(early?.records == nil)
        let taken = rate.take(at: start.advanced(by: UnreadableRate.interval))
        let run = try #require(taken)
        let first = 10 + Int64(UnreadableRate.burst)
        #expect(run.offsets == first..<100_010 && run.records == 100_000 - UnreadableRate.burst)
        #expect(run.number == UInt64(first) && run.error == error && rate.run?.records == nil)
    }

    @Test func `the rate comes back with time, up to the burst`() {
        var rate = UnreadableRate()
        let first = flood(&rate, 0..<5_000)
        let second = flood(&rate, 5_000..<10_000, after: 1)
        let late = flood(&rate, 10_000..<20_000, after: 1_000)
        #expect(first == UnreadableRate.burst && late == UnreadableRate.burst)
        #expect(abs(second - Int(UnreadableRate.rate)) <= 1)
    }

    @Test func `a run that is reported early ends, and the next record begins another one`() {
        var rate = UnreadableRate()
        flood(&rate, 0..<Int64(UnreadableRate.burst) + 3)
        let runs = [rate.take(at: start, isEnding: true), rate.take(at: start, isEnding: true)]
        #expect(runs.map { $0?.records } == [3, nil])
        flood(&rate, 5_000..<5_001)
        #expect(rate.run?.offsets == 5_000..<5_001)
    }

    @Test func `a batch counts with all of its offsets`() {
        var rate = UnreadableRate()
        flood(&rate, 0..<Int64(UnreadableRate.burst))
        rate.count(2_000..<2_100, error, at: start) { 7 }
        rate.count(2_200..<2_201, error, at: start) { 8 }
        #expect(rate.run?.offsets == 2_000..<2_201 && rate.run?.records == 101 && rate.run?.number == 7)
    }
}
