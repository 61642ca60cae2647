import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("The progress of a coordinator's partitions") struct ProgressTests {
    private let pipeline: TestPipeline

    init() async throws { pipeline = try await TestPipeline.started() }

    /// Lets everything act for some seconds, and returns what the coordinator's lease told after each.
    private func watch(seconds: Int) async throws -> [WorkerLease.Ownership] {
        var told: [WorkerLease.Ownership] = []
        for _ in 0..<seconds {
            try await pipeline.advance(by: .seconds(1))
            told.append(try pipeline.coordinator().observeProgress())
        }
        return told
    }

    private var requests: TopicPartition { TopicPartition(pipeline.topics.requests, 0) }

    @Test func `an idle pipeline and a busy one own their partitions and have no stall`() async throws {
        let idle = try await watch(seconds: 30)
        #expect(idle.allSatisfy { $0 == WorkerLease.Ownership(partitions: [0]) })
        for number in 0..<10 {
            try pipeline.order(Identifier("s\(number)"), "r", [:])
            let after = try await watch(seconds: 1)
            #expect(after.last?.stalls == [])
        }
    }

    @Test func `a partition whose decisions are not acknowledged tells so until they are`() async throws {
        let journal = TopicPartition(pipeline.topics.sessions, 0)
        pipeline.log.setLeader(of: journal, isAway: true)
        let began = pipeline.clock.now
        try pipeline.order("s", "r", [:])
        let told = try await watch(seconds: 12)
        #expect(told.prefix(3).flatMap(\.stalls) == [])
        let stall = try #require(told.last?.stalls.first)
        #expect(stall.partition == 0 && stall.problem == "its decisions are not acknowledged")
        #expect(began.duration(to: stall.since) <= .seconds(1))
        pipeline.log.setLeader(of: journal, isAway: false)
        let after = try await watch(seconds: 1)
        #expect(after.last?.stalls == [])
    }

    @Test func `a partition whose input an open transaction withholds names the topic`() async throws {
        pipeline.log.beginTransaction(in: requests)
        try pipeline.order("s", "r", [:])
        let problems = try await watch(seconds: 20).last?.stalls.map(\.problem)
        #expect(problems == ["an open transaction withholds records of intents.requests"])
        pipeline.log.endTransaction(in: requests)
        let after = try await watch(seconds: 2)
        #expect(after.last?.stalls == [])
    }

    @Test func `markers of transactions alone are no input that waits`() async throws {
        pipeline.log.beginTransaction(in: requests)
        pipeline.log.endTransaction(in: requests)
        let began = pipeline.clock.now
        let told = try await watch(seconds: 30)
        #expect(told.last?.stalls == [])
        // A look that tells them from records is over before anyone counts a fault.
        for (second, ownership) in told.enumerated() {
            let now = began.advanced(by: .seconds(second + 1))
            #expect(ownership.stalls.allSatisfy { $0.since.duration(to: now) < Catalogue.patience })
        }
    }
}
