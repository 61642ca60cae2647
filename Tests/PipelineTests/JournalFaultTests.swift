import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("Faults of the log and of clocks")
struct JournalFaultTests {
    static let plain: KeyValuePairs<String, String> = ["dropOff": "Airport", "confirm": "none"]

    private func pipeline(partitions: Int32 = 1) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: partitions, perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        return pipeline
    }

    @Test(
        "a journal record that the log does not take loses no request, though later ones are under way and land",
        arguments: 1...3, 0...3)
    func refusedRecord(refused: Int, underWay: Int) async throws {
        let pipeline = try await pipeline()
        pipeline.log.client(named: "coordinator")?.failRecords(
            1, in: pipeline.topics.sessions, after: refused - 1,
            with: LogError(.timedOut, "no answer", disposition: .retry),
            underWay: underWay)
        for session in ["s", "t", "u", "v"] {
            try pipeline.send(Booking.request("r", Self.plain), session: Identifier(session), id: "r")
        }
        try await pipeline.settleReplacingCrashed()
        for session in ["s", "t", "u", "v"] {
            #expect(
                try pipeline.results(session: Identifier(session)).map(\.line) == ["completed success success"],
                "\(session)")
        }
    }

    @Test(
        "a result is not lost if its journal record was read before its acknowledgement, and the owner crashes",
        arguments: 1...12)
    func readFirst(steps: Int) async throws {
        let pipeline = try await pipeline()
        let coordinator = try #require(pipeline.coordinators["coordinator"])
        // A check of the idle journal is under way.
        pipeline.clock.advance(by: .seconds(6))
        try coordinator.step(timeout: .zero)
        pipeline.clock.advance(by: .seconds(6))
        try coordinator.step(timeout: .zero)
        pipeline.log.client(named: "coordinator")?.delayDeliveries(of: pipeline.topics.sessions, polls: 2)
        for (number, session) in ["s", "t", "u"].enumerated() {
            try pipeline.send(Booking.tooLate("r\(number)"), session: Identifier(session), id: "r\(number)")
            if number < steps { try coordinator.step(timeout: .zero) }
        }
        for _ in 3..<max(3, steps) { try coordinator.step(timeout: .zero) }
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("successor")
        try await pipeline.settle()
        for session in ["s", "t", "u"] {
            #expect(try pipeline.results(session: Identifier(session)).map(\.sequence) == [1], "\(session)")
        }
    }

    @Test("a result of an ended session is not taken for that of its successor while the results' leader is away")
    func oldResult() async throws {
        let pipeline = try await pipeline()
        // The result of event `c` stays unacknowledged, so recovery reads the results.
        try pipeline.send(.cancelled(request: nil), session: "s", id: "a")
        try await pipeline.settle()
        try pipeline.send(.ended(reason: nil), session: "s", id: "b")
        try await pipeline.settle()
        pipeline.log.setLeaders(of: pipeline.topics.results, areAway: true)
        pipeline.clock.advance(by: .seconds(5))
        try pipeline.send(.cancelled(request: nil), session: "s", id: "c")
        try await pipeline.settle()
        pipeline.kill("coordinator")
        pipeline.log.setLeaders(of: pipeline.topics.results, areAway: false)
        try pipeline.startCoordinator("successor")
        try await pipeline.settle()
        #expect(try pipeline.results(session: "s").last?.data["event"]?.string == "c")
    }

    @Test("input that was created again is not passed over in silence", arguments: ["running", "restarted"])
    func createdAgain(when: String) async throws {
        let pipeline = try await pipeline()
        for number in 0..<5 { try pipeline.send(Booking.request("r", Self.plain), session: "s\(number)", id: "r") }
        try await pipeline.settle()
        if when == "restarted" { pipeline.kill("coordinator") }
        pipeline.log.recreateTopic(pipeline.topics.requests)
        pipeline.clock.advance(by: .seconds(1))
        try pipeline.send(Booking.request("r", Self.plain), session: "new", id: "r")
        if when == "restarted" { try pipeline.startCoordinator("coordinator") }
        try await pipeline.settle()
        let coordinator = try #require(pipeline.coordinators["coordinator"])
        #expect(coordinator.counters.partitionsStopped == 1)
        #expect(try pipeline.results(session: "new").isEmpty)
    }

    /// The owner starts to read at the record before its position, where the new log ends. No offset is out of range,
    /// and no record shows the change.
    @Test(
        "input that was created again and ends right before the record that was read last is noticed without another record"
    )
    func endsRightBefore() async throws {
        let pipeline = try await pipeline()
        for number in 0..<5 { try pipeline.send(Booking.request("r", Self.plain), session: "s\(number)", id: "r") }
        try await pipeline.settle()
        pipeline.kill("coordinator")
        pipeline.log.recreateTopic(pipeline.topics.requests)
        pipeline.clock.advance(by: .seconds(1))
        for number in 0..<4 { try pipeline.send(Booking.request("r", Self.plain), session: "new\(number)", id: "r") }
        try pipeline.startCoordinator("coordinator")
        try await pipeline.settle()
        let coordinator = try #require(pipeline.coordinators["coordinator"])
        #expect(coordinator.counters.partitionsStopped == 0)
        // The coordinator looks up the end of the input, gets it in its next step, and looks a second time.
        for _ in 0..<3 {
            pipeline.clock.advance(by: .seconds(6))
            try await pipeline.settle()
        }
        #expect(coordinator.counters.partitionsStopped == 1)
        #expect(try pipeline.results(session: "new0").isEmpty)
    }

    @Test(
        "a record of a topic that was created again is not rejected for an earlier one that had its offset",
        arguments: 1...2)
    func createdAgainUntold(count: Int) async throws {
        let pipeline = try await pipeline()
        pipeline.log.setLeaders(of: pipeline.topics.results, areAway: true)
        try pipeline.send(.cancelled(request: nil), session: "none", id: "c")
        try pipeline.send(Booking.request("r", Self.plain), session: "s", id: "r")
        try await pipeline.settle()
        pipeline.kill("coordinator")
        pipeline.log.setLeaders(of: pipeline.topics.results, areAway: false)
        pipeline.log.recreateTopic(pipeline.topics.requests)
        pipeline.clock.advance(by: .seconds(1))
        for number in 0..<count {
            try pipeline.send(Booking.request("r", Self.plain), session: "new\(number)", id: "r")
        }
        try pipeline.startCoordinator("coordinator")
        for _ in 0..<4 {
            try await pipeline.settle()
            pipeline.clock.advance(by: .seconds(6))
        }
        #expect(pipeline.coordinators["coordinator"]?.counters.partitionsStopped == 1)
        #expect(try pipeline.results(session: "new0").isEmpty)
    }

    @Test("while one dead letter is written again, the stamp goes on naming the record of another")
    func untoldLetters() async throws {
        let pipeline = try await pipeline()
        pipeline.kill("resolve")
        try pipeline.send(Booking.request("r"), session: "s", id: "r")
        try await pipeline.settle()
        pipeline.log.setLeaders(of: pipeline.topics.deadLetters, areAway: true)
        let ticket = String(repeating: "0", count: 32)
        let forged = #"{"type":"intent.resolved.v1","request":"r","step":1,"ticket":"\#(ticket)","resolutions":[]}"#
        for value in [forged, "{"] {
            pipeline.clock.advance(by: .milliseconds(10))
            try pipeline.send(
                Record(topic: pipeline.topics.outcomes, partition: 0, key: Bytes("s".utf8), value: Bytes(value.utf8)))
        }
        try await pipeline.settle()
        // The stamp of the session's record is behind both outcomes.
        try pipeline.send(.updatesStarted(request: "none"), session: "s", id: "u")
        try await pipeline.settle()
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("coordinator")
        try await pipeline.settle()
        let stamp = try #require(
            pipeline.log.records(in: pipeline.topics.sessions).last.map { try JournalOutline($0).stamp })
        #expect(stamp.outcomes == 2 && stamp.openOutcomes.sorted() == [0, 1])
        pipeline.log.setLeaders(of: pipeline.topics.deadLetters, areAway: false)
        try await pipeline.settle()
        #expect(pipeline.log.records(in: pipeline.topics.deadLetters).count == 2)
    }

    @Test("a rejection that a crashed owner could not write is written by the next owner")
    func untold() async throws {
        let pipeline = try await pipeline()
        pipeline.log.setLeaders(of: pipeline.topics.results, areAway: true)
        try pipeline.send(.cancelled(request: nil), session: "none", id: "c")
        for session in ["s", "t"] {
            try pipeline.send(Booking.request("r", Self.plain), session: Identifier(session), id: "r")
        }
        try await pipeline.settle()
        pipeline.kill("coordinator")
        pipeline.log.setLeaders(of: pipeline.topics.results, areAway: false)
        try pipeline.startCoordinator("coordinator")
        try await pipeline.settle()
        #expect(try pipeline.results(session: "none").map(\.line) == ["rejected unexpected"])
        #expect(try pipeline.results(session: "t").map(\.line) == ["completed success success"])
    }

    @Test(
        "input that retention takes after it was decided on is not reported as lost",
        arguments: [(5, 0), (7, 1)] as [(Int64, Int)])
    func retention(before offset: Int64, lost: Int) async throws {
        let pipeline = try await pipeline()
        for number in 0..<5 { try pipeline.send(Booking.request("r", Self.plain), session: "s\(number)", id: "r") }
        try await pipeline.settle()
        pipeline.kill("coordinator")
        for number in 5..<9 { try pipeline.send(Booking.request("r", Self.plain), session: "s\(number)", id: "r") }
        pipeline.log.truncate(TopicPartition(pipeline.topics.requests, 0), before: offset)
        try pipeline.startCoordinator("coordinator")
        try await pipeline.settle()
        #expect(pipeline.coordinators["coordinator"]?.counters.inputLost == lost)
        #expect(try !pipeline.results(session: "s8").isEmpty)
    }

    @Test("an owner whose journal lost acknowledged records ends, and the next one stops the partition")
    func cutJournal() async throws {
        let pipeline = try await pipeline()
        try pipeline.send(Booking.request("r"), session: "s", id: "r")
        try await pipeline.settle()
        pipeline.log.cutTail(of: TopicPartition(pipeline.topics.sessions, 0), records: 2)
        pipeline.clock.advance(by: .seconds(6))
        var died = try await pipeline.settle()
        pipeline.clock.advance(by: .seconds(6))
        died += try await pipeline.settle()
        #expect(died == ["coordinator"])
        pipeline.log.client(named: "coordinator")?.evict()
        try pipeline.startCoordinator("successor")
        #expect(try await pipeline.settle() == [])
        #expect(pipeline.coordinators["successor"]?.counters.partitionsStopped == 1)
    }

    @Test("a coordinator that gets a partition more than there were ends and says what to do")
    func grown() async throws {
        let pipeline = try await pipeline(partitions: 2)
        for topic in pipeline.topics.all { pipeline.log.addPartitions(to: topic, count: 3) }
        #expect(try await pipeline.settle() == ["coordinator"])
    }

    @Test("a request in another partition than that of its key is rejected, and told which partitioner to use")
    func misplaced() async throws {
        let pipeline = try await pipeline(partitions: 4)
        let home = Murmur2.partition(of: Array("s".utf8), count: 4)
        let value = Array(#"{"type":"intent.requested.v1","intent":"Book"}"#.utf8)
        try pipeline.log.append(
            Record(topic: pipeline.topics.requests, partition: (home + 1) % 4, key: Array("s".utf8), value: value))
        try await pipeline.settle()
        let result = try #require(try pipeline.results().first)
        #expect(result.type == .rejected && result.session == "s")
        #expect(
            result.data["message"]?.string?.contains(
                "its key belongs to partition \(home) of 4: choose partitions by murmur2") == true)
        #expect(pipeline.coordinators["coordinator"]?.openSessions == 0)
        #expect(pipeline.coordinators["coordinator"]?.counters.misplaced == 1)
    }

    @Test("an unreadable journal record stops its partition and no other, and the process goes on")
    func unreadable() async throws {
        let pipeline = try await pipeline(partitions: 2)
        let sessions = (0..<2).map { partition in
            (0..<100).map { Identifier("s\($0)") }.first {
                Murmur2.partition(of: Array($0.utf8), count: 2) == Int32(partition)
            } ?? ""
        }
        for session in sessions { try pipeline.send(Booking.request("r"), session: session, id: "r") }
        try await pipeline.settle()
        let newest = try #require(pipeline.log.records(in: TopicPartition(pipeline.topics.sessions, 0)).last)
        var stamp = try JournalOutline(newest).stamp
        stamp.number += 1
        stamp.format = 99
        try pipeline.log.append(
            JournalOutline(stamp: stamp, subject: .session(sessions[0], isOpen: true)).record(
                topic: pipeline.topics.sessions, partition: 0, at: pipeline.clock.now))
        pipeline.kill("coordinator")
        let written = pipeline.log.records(in: TopicPartition(pipeline.topics.sessions, 0)).count
        try pipeline.startCoordinator("successor")
        #expect(try await pipeline.settle() == [])
        let successor = try #require(pipeline.coordinators["successor"])
        #expect(successor.counters.partitionsStopped == 1 && !successor.isSteady && successor.hasTakenOver)
        for session in sessions {
            let prompt = try #require(try pipeline.results(session: session).first?.prompt)
            try pipeline.send(.answered(Answer(prompt: prompt, action: .cancel)), session: session, id: "a")
        }
        try await pipeline.settle()
        #expect(try pipeline.results(session: sessions[1]).count == 2)
        #expect(try pipeline.results(session: sessions[0]).count == 1)
        // Only the fence was written.
        #expect(pipeline.log.records(in: TopicPartition(pipeline.topics.sessions, 0)).count == written + 1)
    }

    @Test("a coordinator that loses one partition while it takes another over serves the other")
    func lostMeanwhile() async throws {
        let pipeline = try await TestPipeline(partitions: 2, perform: Booking.perform)
        let late = TopicPartition(pipeline.topics.sessions, 0)
        var reads: LateReads?
        pipeline.interposer = { name, client in
            guard name == "coordinator" else { return client }
            let lateReads = LateReads(of: late, client)
            reads = lateReads
            return lateReads
        }
        try pipeline.startAll()
        try await pipeline.settle()
        let coordinator = try #require(pipeline.coordinators["coordinator"])
        #expect(coordinator.ownedPartitions == [0, 1] && !coordinator.isSteady)
        // Another coordinator takes over the second partition.
        let stamp = JournalStamp(epoch: 2, owner: "other", number: 1, requests: 0, outcomes: 0, settled: 0, results: 0)
        try pipeline.log.append(
            JournalOutline(stamp: stamp, subject: .fence(epoch: 2, owner: "other")).record(
                topic: pipeline.topics.sessions, partition: 1, at: pipeline.clock.now))
        for _ in 1...3 { try await pipeline.advance(by: .seconds(5)) }
        reads?.isLate = false
        #expect(try await pipeline.settle() == [])
        let session = try #require(
            (0..<100).map { Identifier("s\($0)") }.first { Murmur2.partition(of: Array($0.utf8), count: 2) == 0 })
        try pipeline.send(Booking.request("r"), session: session, id: "r")
        try await pipeline.settle()
        #expect(try pipeline.results(session: session).count == 1)
    }

    @Test("ends that an earlier reading of the journal has found, and that come when it is read again, are no cut")
    func oldEnds() async throws {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        let journal = TopicPartition(pipeline.topics.sessions, 0)
        var ends: OldEnds?
        pipeline.interposer = { name, client in
            guard name == "coordinator" else { return client }
            let oldEnds = OldEnds(of: journal, client)
            ends = oldEnds
            return oldEnds
        }
        try pipeline.startAll()
        try await pipeline.settle()
        ends?.isHolding = true
        for _ in 1...3 { try await pipeline.advance(by: .seconds(5)) }
        #expect(ends?.held.isEmpty == false)
        try pipeline.send(Booking.request("r"), session: "s", id: "r")
        #expect(try await pipeline.settle() == [])
        ends?.isHolding = false
        #expect(try await pipeline.settle() == [])
        #expect(try pipeline.results(session: "s").count == 1)
    }

    @Test("a prompt expires in its time although the clock was an hour ahead for a while")
    func clockBack() async throws {
        let pipeline = try await pipeline()
        try pipeline.send(Booking.request("r"), session: "other", id: "r")
        try await pipeline.settle()
        try await pipeline.advance(by: .seconds(3_600))
        pipeline.clock.advance(by: .seconds(-3_600))
        try pipeline.send(Booking.request("r"), session: "s", id: "r")
        try await pipeline.settle()
        #expect(try pipeline.results(session: "s").map(\.line) == ["prompt value dropOff"])
        try await pipeline.advance(by: pipeline.policy.answerTimeout + .seconds(1))
        #expect(try pipeline.results(session: "s").count == 2)
    }
}

/// A client that reports the end of a partition twice, and only after ``isHolding`` has ended.
private final class OldEnds: ForwardingClient, @unchecked Sendable {
    var isHolding = false
    private(set) var held: [LogEvent] = []
    private let partition: TopicPartition

    init(of partition: TopicPartition, _ inner: any LogClient) {
        self.partition = partition
        super.init(inner)
    }

    override func poll(maximum: Int, timeout: Duration) throws(LogError) -> [LogEvent] {
        let events = try super.poll(maximum: maximum, timeout: timeout)
        guard isHolding else {
            defer { held = [] }
            return held + held + events
        }
        held += events.filter(isEnd)
        return events.filter { !isEnd($0) }
    }

    private func isEnd(_ event: LogEvent) -> Bool {
        if case .readEnd(let partition, _) = event { partition == self.partition } else { false }
    }
}

/// A client that holds direct reads of one partition back while ``isLate`` is `true`.
private final class LateReads: ForwardingClient, @unchecked Sendable {
    var isLate = true
    private let partition: TopicPartition
    private var held: [LogEvent] = []

    init(of partition: TopicPartition, _ inner: any LogClient) {
        self.partition = partition
        super.init(inner)
    }

    override func poll(maximum: Int, timeout: Duration) throws(LogError) -> [LogEvent] {
        var events = try super.poll(maximum: maximum, timeout: timeout)
        if isLate {
            held += events.filter(isHeld)
            events.removeAll(where: isHeld)
        } else {
            events = held + events
            held = []
        }
        return events
    }

    private func isHeld(_ event: LogEvent) -> Bool {
        switch event {
        case .read(let record): record.topicPartition == partition
        case .readEnd(let partition, _): partition == self.partition
        default: false
        }
    }
}
