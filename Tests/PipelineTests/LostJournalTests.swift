import Conversation
import IntentEvents
import IntentKit
import PipelineTestKit
import RecordLog
import Testing

@testable import Pipeline

@Suite("A journal that lost acknowledged records") struct LostJournalTests {
    private static let payments: [Identifier] = ["a", "b", "c"]

    /// Bookings of three sessions, whose coordinator was killed.
    private func paid(partitions: Int32 = 1, commits: Bool = true) async throws -> RecordedBookings {
        let bookings = try await RecordedBookings(partitions: partitions)
        try bookings.pipeline.startAll()
        for id in Self.payments { try bookings.pipeline.order(id, id) }
        try await bookings.pipeline.settle()
        try #require(calls(bookings) == [1, 1, 1])
        bookings.pipeline.kill("coordinator")
        if !commits { forgetCommits(bookings.pipeline) }
        return bookings
    }

    /// The number of calls of each payment.
    private func calls(_ bookings: RecordedBookings) -> [Int] { Self.payments.map(bookings.count) }

    private func forgetCommits(_ pipeline: TestPipeline) {
        pipeline.log.removeCommits(group: Coordinator.group(pipeline.topics).id)
    }

    @Test(arguments: [true, false])
    func `payments are not repeated after the journal is recreated, which stops it`(commits: Bool) async throws {
        // If nothing was committed, a result that the journal does not know stops the partition.
        let bookings = try await paid(commits: commits)
        bookings.pipeline.log.recreateTopic(bookings.pipeline.topics.sessions)
        let successor = try await bookings.pipeline.addCoordinator("successor")
        #expect(calls(bookings) == [1, 1, 1] && successor.counters.partitionsStopped == 1)
        #expect(successor.ownedPartitions == [0] && successor.stoppedPartitions == [0])
    }

    @Test(arguments: 1...12)
    func `payments are not repeated after the journal's tail is cut`(records: Int) async throws {
        let bookings = try await paid()
        bookings.pipeline.log.cutTail(of: bookings.pipeline.place(\.sessions), records: records)
        try await bookings.pipeline.addCoordinator("successor")
        #expect(calls(bookings) == [1, 1, 1])
    }

    @Test func `partitions whose journal is whole continue beside one that was lost`() async throws {
        let pipeline = try await paid(partitions: 2).pipeline
        let lost = Murmur2.partition(of: Bytes("a".utf8), count: 2)
        let journal = pipeline.place(\.sessions, lost)
        pipeline.log.cutTail(of: journal, records: pipeline.log.records(in: journal).count)
        #expect(try await pipeline.addCoordinator("successor").stoppedPartitions == [lost])
        let session = try TestPipeline.session(in: 1 - lost)
        try await pipeline.book(session, "new")
        #expect(try !pipeline.results(session: session).isEmpty)
    }

    @Test(arguments: [true, false])
    func `a takeover without a loss is not stopped, whatever the group has committed`(commits: Bool) async throws {
        let successor = try await paid(commits: commits).pipeline.addCoordinator("successor")
        #expect(successor.counters.partitionsStopped == 0 && successor.isSteady)
    }

    @Test func `the group's positions are looked up again if the first answer is an error`() async throws {
        let pipeline = try await paid().pipeline
        pipeline.log.refuseCommitted(1, with: LogError(.timedOut, "no answer", disposition: .retry))
        let successor = try await pipeline.addCoordinator("successor")
        try await pipeline.advance(by: .seconds(6), times: 2)
        #expect(successor.isSteady)
    }

    @Test func `no position is committed before its journal record is acknowledged`() async throws {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        let coordinator = try await pipeline.addCoordinator("coordinator")
        pipeline.log.client(named: "coordinator")?.delayDeliveries(of: pipeline.topics.sessions, polls: 1_000)
        try pipeline.order()
        for _ in 1...3 { try coordinator.step(timeout: .zero) }
        pipeline.clock.advance(by: .seconds(6))
        try coordinator.step(timeout: .zero)
        let committed = pipeline.log.committed(group: Coordinator.group(pipeline.topics).id)
        #expect(committed[pipeline.place(\.requests)]?.offset ?? 0 == 0)
    }

    @Test func `a commit of a version that commits before the acknowledgement shows no loss`() {
        func loss(metadata: String) -> JournalFinding? {
            let committed = CommittedOffset(offset: 41, metadata: metadata)
            let group = [TopicPartition(Topics().requests, 0): committed]
            return JournalReplay().loss(after: GroupPositions(group, partition: 0, topics: Topics()))
        }
        #expect(loss(metadata: "") == nil)
        guard case .behindGroup(_, [.requests: 41]) = loss(metadata: "journalled inputs=0") else {
            Issue.record("the loss is not found")
            return
        }
    }

    /// Repairs a partition as an operator does.
    ///
    /// - Parameter time: The time of the operator's clock.
    private func repair(_ pipeline: TestPipeline, at time: Instant, _ way: String) throws {
        var check = JournalCheck(pipeline.records(\.sessions))
        let committed = pipeline.log.committed(group: Coordinator.group(pipeline.topics).id)
        check.group = GroupPositions(committed, partition: 0, topics: pipeline.topics)
        for record in pipeline.records(\.results) where record.offset >= check.resultsNext {
            check.apply(result: record)
        }
        let finding = try #require(check.findings(partitions: 1, inputs: [], at: pipeline.clock.now).first)
        #expect(finding.isLoss)
        var skipped: [JournalInput: Int64] = [:]
        if case .behindGroup(_, let beyond) = finding { skipped = beyond }
        let skip = JournalRepair.Change.inputs(skipped.mapValues { InputPosition(next: $0) })
        var repair = JournalRepair(way == "skip" ? skip : .repeatLost, check, owner: "repair")
        #expect(!repair.consequences.isEmpty)
        let change = try repair.run(at: time, reading: { pipeline.records(\.sessions) }) { record, _ in
            try pipeline.log.append(record)
        }
        #expect(change != nil, "the repair has ended")
    }

    @Test(arguments: [("skip", 1), ("repeat", 2)])
    func `the operator can skip or repeat the lost decisions`(way: String, calls: Int) async throws {
        let bookings = try await paid()
        let pipeline = bookings.pipeline
        pipeline.log.recreateTopic(pipeline.topics.sessions)
        try #require(try await pipeline.addCoordinator("successor").counters.partitionsStopped == 1)
        pipeline.kill("successor")
        try repair(pipeline, at: pipeline.clock.now, way)
        let repaired = try await pipeline.addCoordinator("repaired")
        #expect(repaired.counters.partitionsStopped == 0 && repaired.isSteady)
        #expect(self.calls(bookings) == [calls, calls, calls])
    }

    @Test func `no owner stops after a repair, although results are of a clock ahead of the operator's`() async throws {
        var stopped = 0
        for records in 1...20 {
            let pipeline = try await paid(commits: false).pipeline
            try await pipeline.addCoordinator("second")
            pipeline.clock.advance(by: .seconds(1))
            try await pipeline.book("d", "d")
            pipeline.kill("second")
            forgetCommits(pipeline)
            pipeline.log.cutTail(of: pipeline.place(\.sessions), records: records)
            if try await pipeline.addCoordinator("successor").counters.partitionsStopped == 0 { continue }
            stopped += 1
            pipeline.kill("successor")
            try repair(pipeline, at: pipeline.clock.now.advanced(by: .seconds(-3_600)), "repeat")
            let repaired = try await pipeline.addCoordinator("repaired")
            #expect(repaired.counters.partitionsStopped == 0 && repaired.isSteady, "with \(records) records cut")
        }
        #expect(stopped > 3)
    }
}
