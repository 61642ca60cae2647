import Conversation
import IntentEvents
import IntentModel
import PipelineTestKit
import RecordLog
import Testing

@testable import Pipeline

@Suite("Faults of the log and of clocks") struct JournalFaultTests {
    private let pipeline: TestPipeline

    init() async throws { pipeline = try await TestPipeline.started() }

    /// Creates the requests' topic again, and requests bookings in it.
    private func recreateRequests(_ sessions: [Identifier]) throws {
        pipeline.log.recreateTopic(pipeline.topics.requests)
        pipeline.clock.advance(by: .seconds(1))
        for session in sessions { try pipeline.order(session) }
    }

    private func expectStopped(_ count: Int = 1) throws {
        #expect(try pipeline.coordinator().counters.partitionsStopped == count)
        #expect(try pipeline.results(session: "new0").isEmpty)
    }

    @Test(arguments: 1...3, 0...3)
    func `a refused journal record loses no request, though later ones land`(refused: Int, inFlight: Int) async throws {
        pipeline.log.client(named: "coordinator")?.failRecords(
            1, in: pipeline.topics.sessions, after: refused - 1,
            with: LogError(.timedOut, "no answer", disposition: .retry), inFlight: inFlight)
        let sessions = [Identifier].numbered(0..<4)
        for session in sessions { try pipeline.order(session) }
        try await pipeline.settleReplacingCrashed()
        for session in sessions { #expect(try await pipeline.lines(session) == Booking.completed, "\(session)") }
    }

    @Test(arguments: 1...12)
    func `a result is not lost if its journal record was read before its acknowledgement`(steps: Int) async throws {
        let coordinator = try pipeline.coordinator()
        // A check of the idle journal is in flight.
        for _ in 1...2 {
            pipeline.clock.advance(by: .seconds(6))
            try coordinator.step(timeout: .zero)
        }
        pipeline.log.client(named: "coordinator")?.delayDeliveries(of: pipeline.topics.sessions, polls: 2)
        let sessions = [Identifier].numbered(0..<3)
        for (number, session) in sessions.enumerated() {
            try pipeline.send(Booking.tooLate(session), session: session, id: session)
            if number < steps { try coordinator.step(timeout: .zero) }
        }
        for _ in 3..<max(3, steps) { try coordinator.step(timeout: .zero) }
        try await pipeline.replaceCoordinator()
        for session in sessions { #expect(try pipeline.results(session: session).map(\.sequence) == [1], "\(session)") }
    }

    @Test func `a result of an ended session is no result of the next one, while the leader is away`() async throws {
        // The result of event `c` stays unacknowledged, so recovery reads the results.
        try await pipeline.deliver(.cancelled(request: nil), id: "a")
        try await pipeline.deliver(.ended(reason: nil), id: "b")
        pipeline.setLeaders(of: \.results, areAway: true)
        pipeline.clock.advance(by: .seconds(5))
        try await pipeline.deliver(.cancelled(request: nil), id: "c")
        pipeline.kill("coordinator")
        pipeline.setLeaders(of: \.results, areAway: false)
        try await pipeline.addCoordinator("successor")
        #expect(try pipeline.last().data["event"]?.string == "c")
    }

    @Test(arguments: [true, false])
    func `recreated input stops the partition`(isRestarted: Bool) async throws {
        try await pipeline.book(each: .numbered(0..<5))
        if isRestarted { pipeline.kill("coordinator") }
        try recreateRequests(["new0"])
        if isRestarted { try pipeline.startCoordinator("coordinator") }
        try await pipeline.settle()
        try expectStopped()
    }

    /// The owner starts to read at the record before its position, where the new log ends. No offset is out of range,
    /// and no record shows the change.
    @Test func `a recreated input that ends at the last read record is noticed by its end`() async throws {
        try await pipeline.book(each: .numbered(0..<5))
        pipeline.kill("coordinator")
        try recreateRequests(.numbered(0..<4, "new"))
        try await pipeline.addCoordinator("coordinator")
        try expectStopped(0)
        // The coordinator looks up the end of the input, gets it in its next step, and looks a second time.
        try await pipeline.advance(by: .seconds(6), times: 3)
        try expectStopped()
    }

    @Test(arguments: 1...2)
    func `a record of a recreated topic is not rejected for an earlier record at its offset`(count: Int) async throws {
        pipeline.setLeaders(of: \.results, areAway: true)
        try pipeline.send(.cancelled(request: nil), session: "none", id: "c")
        try await pipeline.book()
        pipeline.kill("coordinator")
        pipeline.setLeaders(of: \.results, areAway: false)
        try recreateRequests(.numbered(0..<count, "new"))
        try await pipeline.addCoordinator("coordinator")
        try await pipeline.advance(by: .seconds(6), times: 3)
        try expectStopped()
    }

    @Test func `while one dead letter is written again, the stamp still names the record of another`() async throws {
        pipeline.kill("resolve")
        try await pipeline.book("s", "r", [:])
        pipeline.setLeaders(of: \.deadLetters, areAway: true)
        let ticket = String(repeating: "0", count: 32)
        let forged = #"{"type":"intent.resolved.v1","request":"r","step":1,"ticket":"\#(ticket)","resolutions":[]}"#
        for value in [forged, "{"] {
            pipeline.clock.advance(by: .milliseconds(10))
            try pipeline.write(value, to: \.outcomes)
        }
        try await pipeline.settle()
        // The stamp of the session's record is behind both outcomes.
        try await pipeline.deliver(.updatesStarted(request: "none"))
        try await pipeline.replaceCoordinator(by: "coordinator")
        let stamp = try #require(pipeline.records(\.sessions).last.map { try JournalOutline($0).stamp })
        #expect(stamp.outcomes == 2 && stamp.openOutcomes.sorted() == [0, 1])
        pipeline.setLeaders(of: \.deadLetters, areAway: false)
        try await pipeline.settle()
        #expect(pipeline.records(\.deadLetters).count == 2)
    }

    @Test func `a rejection that a crashed owner could not write is written by the next owner`() async throws {
        pipeline.setLeaders(of: \.results, areAway: true)
        try pipeline.send(.cancelled(request: nil), session: "none", id: "c")
        try await pipeline.book(each: ["s", "t"])
        pipeline.kill("coordinator")
        pipeline.setLeaders(of: \.results, areAway: false)
        try await pipeline.addCoordinator("coordinator")
        #expect(try await pipeline.lines("none") == ["rejected unexpected"])
        #expect(try await pipeline.lines("t") == Booking.completed)
    }

    @Test(arguments: [(5, 0), (7, 1)] as [(Int64, Int)])
    func `input that retention removes is lost only if undecided`(before offset: Int64, lost: Int) async throws {
        try await pipeline.book(each: .numbered(0..<5))
        pipeline.kill("coordinator")
        for session in [Identifier].numbered(5..<9) { try pipeline.order(session) }
        pipeline.log.truncate(pipeline.place(\.requests), before: offset)
        #expect(try await pipeline.addCoordinator("coordinator").counters.inputLost == lost)
        #expect(try !pipeline.results(session: "s8").isEmpty)
    }

    @Test func `a prompt expires in its time although the clock was an hour ahead for a while`() async throws {
        try await pipeline.book("other", "r", [:])
        try await pipeline.advance(by: .seconds(3_600))
        pipeline.clock.advance(by: .seconds(-3_600))
        try await pipeline.book("s", "r", [:])
        #expect(try await pipeline.lines("s") == ["prompt value dropOff"])
        try await pipeline.advance(by: pipeline.policy.answerTimeout + .seconds(1))
        #expect(try await pipeline.lines("s").count == 2)
    }

    // MARK: Several partitions

    @Test func `a coordinator that gets an additional partition ends and says what to do`() async throws {
        let pipeline = try await TestPipeline.started(partitions: 2)
        for topic in pipeline.topics.all { pipeline.log.addPartitions(to: topic, count: 3) }
        #expect(try await pipeline.settle() == ["coordinator"])
    }

    @Test func `a request in another partition than its key's is rejected with the partitioner to use`() async throws {
        let pipeline = try await TestPipeline.started(partitions: 4)
        let (key, home) = (Array("s".utf8), Murmur2.partition(of: Array("s".utf8), count: 4))
        let value = Array(#"{"type":"intent.requested.v1","intent":"Book"}"#.utf8)
        try pipeline.log.append(
            Record(topic: pipeline.topics.requests, partition: (home + 1) % 4, key: key, value: value))
        try await pipeline.settle()
        let message = "its key belongs to partition \(home) of 4: choose partitions by murmur2"
        let result = try pipeline.last()
        #expect(result.type == .rejected && result.data["message"]?.string?.contains(message) == true)
        let coordinator = try pipeline.coordinator()
        #expect(coordinator.openSessions == 0 && coordinator.counters.misplaced == 1)
    }

    @Test func `journal ends of an earlier reading that arrive in the next one are no cut`() async throws {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        let journal = pipeline.place(\.sessions)
        let ends = pipeline.hold("coordinator") { if case .readEnd(journal, _) = $0 { true } else { false } }
        ends.isOn = false
        try await pipeline.start()
        (ends.isOn, ends.copies) = (true, 2)
        try await pipeline.advance(by: .seconds(5), times: 3)
        #expect(!ends.events.isEmpty)
        try pipeline.order("s", "r", [:])
        #expect(try await pipeline.settle() == [])
        ends.isOn = false
        #expect(try await pipeline.settle() == [])
        #expect(try pipeline.results(session: "s").count == 1)
    }

    @Test func `an owner whose journal lost records ends, and its successor stops the partition`() async throws {
        let pipeline = try await TestPipeline.started()
        try await pipeline.book("s", "r", [:])
        pipeline.log.cutTail(of: pipeline.place(\.sessions), records: 2)
        var died: [String] = []
        for _ in 1...2 {
            pipeline.clock.advance(by: .seconds(6))
            died += try await pipeline.settle()
        }
        #expect(died == ["coordinator"])
        pipeline.log.client(named: "coordinator")?.evict()
        #expect(try await pipeline.addCoordinator("successor").counters.partitionsStopped == 1)
    }

    @Test func `a coordinator that loses a partition during a takeover serves its other partition`() async throws {
        let pipeline = try await TestPipeline(partitions: 2, perform: Booking.perform)
        let late = pipeline.place(\.sessions)
        let reads = pipeline.hold("coordinator") { event in
            switch event {
            case .read(let record): record.topicPartition == late
            case .readEnd(let partition, _): partition == late
            default: false
            }
        }
        let coordinator = try await pipeline.start().coordinator()
        #expect(coordinator.ownedPartitions == [0, 1] && !coordinator.isSteady)
        // Another coordinator takes over the second partition.
        let stamp = JournalStamp(epoch: 2, owner: "other", number: 1, requests: 0, outcomes: 0, settled: 0, results: 0)
        try pipeline.log.append(
            JournalOutline(stamp: stamp, subject: .fence(epoch: 2, owner: "other")).record(
                topic: pipeline.topics.sessions, partition: 1, at: pipeline.clock.now))
        try await pipeline.advance(by: .seconds(5), times: 3)
        reads.isOn = false
        #expect(try await pipeline.settle() == [])
        let session = try TestPipeline.session(in: 0)
        try await pipeline.book(session, "r", [:])
        #expect(try pipeline.results(session: session).count == 1)
    }
}

@Suite("An open transaction of another producer") struct OpenTransactionTests {
    private let pipeline: TestPipeline
    private let place: TopicPartition

    init() async throws {
        pipeline = try await TestPipeline.started()
        place = pipeline.place(\.requests)
    }

    /// Advances the clock by 6 s several times, because housekeeping runs every 5 s.
    private func wait(times: Int) async throws { try await pipeline.advance(by: .seconds(6), times: times) }

    @Test func `withholds input, which is reported with its start until the transaction ends`() async throws {
        let coordinator = try pipeline.coordinator()
        try await pipeline.book("before")
        pipeline.log.beginTransaction(in: place)
        try await pipeline.book("withheld")
        #expect(try await pipeline.lines("withheld").isEmpty && coordinator.withheldSince.isEmpty)
        try await wait(times: 3)
        let since = try #require(coordinator.withheldSince[place])
        try await wait(times: 3)
        #expect(coordinator.withheldSince == [place: since])
        pipeline.log.endTransaction(in: place)
        try await wait(times: 1)
        #expect(try await !pipeline.lines("withheld").isEmpty)
        try await wait(times: 2)
        #expect(coordinator.withheldSince.isEmpty)
        #expect(coordinator.counters.partitionsStopped == 0 && coordinator.counters.inputLost == 0)
    }

    @Test func `is not seen in the markers of ended transactions`() async throws {
        for session in ["a", "b"] as [Identifier] {
            pipeline.log.beginTransaction(in: place)
            pipeline.log.endTransaction(in: place)
            try await wait(times: 4)
            #expect(try pipeline.coordinator().withheldSince.isEmpty)
            try await pipeline.book(session)
            #expect(try await !pipeline.lines(session).isEmpty)
        }
    }

    @Test func `is reported by the successor that takes over meanwhile`() async throws {
        try await pipeline.book("before")
        pipeline.log.beginTransaction(in: place)
        try await pipeline.book("withheld")
        let successor = try await pipeline.replaceCoordinator()
        try await wait(times: 4)
        #expect(successor.withheldSince[place] != nil && successor.counters.partitionsStopped == 0)
    }

    @Test func `is reported once, after the last stable offset has stood still for 15 s`() {
        var stall = InputStall()
        func needsLook(end: Int64) -> Bool { stall.needsLook(next: 3, end: end) }
        func isReported(stable: Int64, end: Int64, after seconds: Int) -> Bool {
            stall.found(stable: stable, end: end, at: Instant(milliseconds: 1_000_000).advanced(by: .seconds(seconds)))
        }
        #expect(!needsLook(end: 8), "the position may have moved since")
        for (seconds, isDue) in [(0, false), (5, false), (10, false), (15, true), (20, false)] {
            #expect(needsLook(end: 8))
            #expect(isReported(stable: 3, end: 8, after: seconds) == isDue, "after \(seconds) s")
        }
        // A transaction that begins where another one ends has its own start time.
        #expect(!isReported(stable: 6, end: 9, after: 25))
        #expect(stall.open?.since == Instant(milliseconds: 1_025_000))
        #expect(!isReported(stable: 9, end: 9, after: 30) && stall.open == nil)
        #expect(!needsLook(end: 9), "only markers are missing")
        #expect(needsLook(end: 10))
    }
}
