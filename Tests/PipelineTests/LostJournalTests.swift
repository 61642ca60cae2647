import Conversation
import IntentEvents
import IntentKit
import PipelineTestKit
import RecordLog
import Synchronization
import Testing

@testable import Pipeline

@Suite("A journal that lost acknowledged records")
struct LostJournalTests {
    /// The number of handler calls for each request.
    private final class Effects: Sendable {
        private let calls = Mutex<[Identifier: Int]>([:])
        func happen(_ request: Identifier) { calls.withLock { $0[request, default: 0] += 1 } }
        func count(_ request: Identifier) -> Int { calls.withLock { $0[request] ?? 0 } }
    }

    private let effects = Effects()
    private let payments = ["a", "b", "c"]

    /// A pipeline that has made three payments and whose coordinator was killed.
    private func paid(partitions: Int32 = 1, commits: Bool = true) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: partitions) { [effects] invocation, report in
            if invocation.phase == .handle { effects.happen(invocation.context.request) }
            return await Booking.perform(invocation, report)
        }
        pipeline.policies = { _ in IntentPolicy(effect: .atMostOnce) }
        try pipeline.startAll()
        for id in payments {
            try pipeline.send(
                Booking.request("r", JournalFaultTests.plain), session: Identifier(id), id: Identifier(id))
        }
        try await pipeline.settle()
        for id in payments { try #require(effects.count(Identifier(id)) == 1) }
        pipeline.kill("coordinator")
        pipeline.log.client(named: "coordinator")?.evict()
        if !commits { pipeline.log.forgetCommits(group: Coordinator.group(pipeline.topics).id) }
        return pipeline
    }

    private func succeed(_ pipeline: TestPipeline, _ name: String = "successor") async throws -> Coordinator {
        try pipeline.startCoordinator(name)
        try await pipeline.settle()
        return try #require(pipeline.coordinators[name])
    }

    @Test("payments are not called again after the journal was created again, and the partition stops")
    func createdAgain() async throws {
        let pipeline = try await paid()
        pipeline.log.recreateTopic(pipeline.topics.sessions)
        let successor = try await succeed(pipeline)
        for id in payments { #expect(effects.count(Identifier(id)) == 1) }
        #expect(successor.counters.partitionsStopped == 1)
        #expect(successor.ownedPartitions == [0] && successor.stoppedPartitions == [0])
    }

    @Test("payments are not called again after the journal's tail was cut", arguments: 1...12)
    func cut(records: Int) async throws {
        let pipeline = try await paid()
        pipeline.log.cutTail(of: TopicPartition(pipeline.topics.sessions, 0), records: records)
        _ = try await succeed(pipeline)
        for id in payments { #expect(effects.count(Identifier(id)) == 1) }
    }

    @Test("a result that the journal does not know stops the partition if nothing was committed")
    func onlyResults() async throws {
        let pipeline = try await paid(commits: false)
        pipeline.log.recreateTopic(pipeline.topics.sessions)
        let successor = try await succeed(pipeline)
        for id in payments { #expect(effects.count(Identifier(id)) == 1) }
        #expect(successor.counters.partitionsStopped == 1)
    }

    @Test("partitions whose journal is whole go on beside one that was lost")
    func others() async throws {
        let pipeline = try await paid(partitions: 2)
        let lost = Murmur2.partition(of: Bytes("a".utf8), count: 2)
        let journal = TopicPartition(pipeline.topics.sessions, lost)
        pipeline.log.cutTail(of: journal, records: pipeline.log.records(in: journal).count)
        let successor = try await succeed(pipeline)
        #expect(successor.stoppedPartitions == [lost])
        let session = try #require(
            (0..<20).map { "s\($0)" }.first { Murmur2.partition(of: Bytes($0.utf8), count: 2) != lost })
        try pipeline.send(Booking.request("r", JournalFaultTests.plain), session: Identifier(session), id: "new")
        try await pipeline.settle()
        #expect(try !pipeline.results(session: Identifier(session)).isEmpty)
    }

    @Test("a takeover without a loss is not stopped, whatever the group has committed", arguments: [true, false])
    func whole(commits: Bool) async throws {
        let pipeline = try await paid(commits: commits)
        let successor = try await succeed(pipeline)
        #expect(successor.counters.partitionsStopped == 0 && successor.isSteady)
    }

    @Test("the group's positions are looked up again if the first answer is an error")
    func lookUpFails() async throws {
        let pipeline = try await paid()
        pipeline.log.refuseCommitted(1, with: LogError(.timedOut, "no answer", disposition: .retry))
        let successor = try await succeed(pipeline)
        for _ in 1...2 {
            pipeline.clock.advance(by: .seconds(6))
            try await pipeline.settle()
        }
        #expect(successor.isSteady)
    }

    @Test("no position is committed before its journal record is acknowledged")
    func unacknowledged() async throws {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        try pipeline.startCoordinator("coordinator")
        try await pipeline.settle()
        pipeline.log.client(named: "coordinator")?.delayDeliveries(of: pipeline.topics.sessions, polls: 1_000)
        try pipeline.send(Booking.request("r", JournalFaultTests.plain), session: "s", id: "r")
        let coordinator = try #require(pipeline.coordinators["coordinator"])
        for _ in 1...3 { try coordinator.step(timeout: .zero) }
        pipeline.clock.advance(by: .seconds(6))
        try coordinator.step(timeout: .zero)
        let committed = pipeline.log.committed(group: Coordinator.group(pipeline.topics).id)
        #expect(committed[TopicPartition(pipeline.topics.requests, 0)]?.offset ?? 0 == 0)
    }

    @Test("a commit of a version that commits before the acknowledgement says nothing of the journal")
    func olderVersion() {
        let topics = Topics()
        let old = [TopicPartition(topics.requests, 0): CommittedOffset(offset: 41)]
        #expect(JournalReplay().loss(after: GroupPositions(old, partition: 0, topics: topics)) == nil)
        let new = [TopicPartition(topics.requests, 0): CommittedOffset(offset: 41, metadata: "journalled inputs=0")]
        let loss = JournalReplay().loss(after: GroupPositions(new, partition: 0, topics: topics))
        guard case .behindGroup(_, [.requests: 41]) = loss else {
            Issue.record("\(String(describing: loss))")
            return
        }
    }

    /// Repairs a partition as an operator does.
    ///
    /// - Parameter time: The time of the operator's clock.
    private func repair(_ pipeline: TestPipeline, at time: Instant, _ way: String) throws {
        var check = JournalCheck(partition: 0, topics: pipeline.topics)
        let journal = TopicPartition(pipeline.topics.sessions, 0)
        for record in pipeline.log.records(in: journal) { check.apply(record) }
        let committed = pipeline.log.committed(group: Coordinator.group(pipeline.topics).id)
        check.group = GroupPositions(committed, partition: 0, topics: pipeline.topics)
        for record in pipeline.log.records(in: pipeline.topics.results) where record.offset >= check.resultsNext {
            check.apply(result: record)
        }
        let finding = try #require(check.findings(partitions: 1, inputs: [], at: pipeline.clock.now).first)
        #expect(finding.isLoss)
        var skipped: [JournalInput: Int64] = [:]
        if case .behindGroup(_, let beyond) = finding { skipped = beyond }
        var repair = JournalRepair(
            way == "skip" ? .inputs(skipped.mapValues { InputPosition(next: $0) }) : .repeatLost, check, owner: "repair"
        )
        #expect(!repair.consequences.isEmpty)
        var next = check.replay.next
        func append(_ entry: JournalRepair.Entry) throws {
            try pipeline.log.append(
                entry.outline.record(value: entry.value, topic: journal.topic, partition: 0, at: time))
        }
        try append(try repair.begin())
        while let record = pipeline.log.records(in: journal).first(where: { $0.offset >= next }) {
            next = record.offset + 1
            switch try repair.read(record) {
            case .readOn: break
            case .append(let entry): try append(entry)
            case .done: return
            }
        }
        Issue.record("the repair has not ended")
    }

    private func end(_ name: String, _ pipeline: TestPipeline) {
        pipeline.kill(name)
        pipeline.log.client(named: name)?.evict()
    }

    @Test("the operator can skip or repeat what a lost journal had decided on", arguments: ["skip", "repeat"])
    func repaired(way: String) async throws {
        let pipeline = try await paid()
        pipeline.log.recreateTopic(pipeline.topics.sessions)
        try #require(try await succeed(pipeline).counters.partitionsStopped == 1)
        end("successor", pipeline)
        try repair(pipeline, at: pipeline.clock.now, way)
        let repaired = try await succeed(pipeline, "repaired")
        #expect(repaired.counters.partitionsStopped == 0 && repaired.isSteady)
        for id in payments { #expect(effects.count(Identifier(id)) == (way == "skip" ? 1 : 2)) }
    }

    @Test("no owner stops again after a repair, also if the results are from a clock that was ahead of the operator's")
    func ahead() async throws {
        var stopped = 0
        for records in 1...20 {
            let pipeline = try await LostJournalTests().paid(commits: false)
            try pipeline.startCoordinator("second")
            try await pipeline.settle()
            pipeline.clock.advance(by: .seconds(1))
            try pipeline.send(Booking.request("r", JournalFaultTests.plain), session: "d", id: "d")
            try await pipeline.settle()
            end("second", pipeline)
            pipeline.log.forgetCommits(group: Coordinator.group(pipeline.topics).id)
            pipeline.log.cutTail(of: TopicPartition(pipeline.topics.sessions, 0), records: records)
            if try await succeed(pipeline).counters.partitionsStopped == 0 { continue }
            stopped += 1
            end("successor", pipeline)
            try repair(pipeline, at: pipeline.clock.now.advanced(by: .seconds(-3_600)), "repeat")
            let repaired = try await succeed(pipeline, "repaired")
            #expect(repaired.counters.partitionsStopped == 0 && repaired.isSteady, "with \(records) records cut")
        }
        #expect(stopped > 3)
    }
}
