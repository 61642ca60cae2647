import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("A repeat of a request whose session was forgotten")
struct RepeatTests {
    private static let payment: KeyValuePairs<String, String> = ["dropOff": "Airport", "confirm": "none"]
    private let calls = Recorder<String>()

    private func pipeline(
        once: Bool = false, _ configure: @escaping (inout CoordinatorConfiguration) -> Void = { _ in }
    ) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: 1) { [calls] invocation, report in
            if invocation.phase == .handle {
                calls.record("\(invocation.context.session)/\(invocation.context.request)")
            }
            return await Booking.perform(invocation, report)
        }
        if once { pipeline.policies = { _ in IntentPolicy(effect: .atMostOnce) } }
        pipeline.configureCoordinator = configure
        try pipeline.startAll()
        try await pipeline.settle()
        return pipeline
    }

    private func ask(_ pipeline: TestPipeline, _ session: Identifier = "s", _ id: Identifier = "r") async throws {
        try pipeline.send(Booking.request(id, Self.payment), session: session, id: id)
        try await pipeline.settle()
    }

    private func coordinator(_ pipeline: TestPipeline) throws -> Coordinator {
        try #require(pipeline.coordinators.values.first)
    }

    /// The newest value in the journal under a session's key.
    private func journaled(_ pipeline: TestPipeline, _ session: Identifier = "s") -> Bytes? {
        pipeline.log.records(in: pipeline.topics.sessions).last { $0.key == Array(session.utf8) }?.value
    }

    @Test("is ignored for an hour, then it is a new request; a tombstone has deleted the session by then")
    func plain() async throws {
        let pipeline = try await pipeline()
        try await ask(pipeline)
        try await pipeline.advance(by: pipeline.policy.idleTimeout)
        #expect(try coordinator(pipeline).openSessions == 0 && coordinator(pipeline).forgottenSessions == 1)
        try await ask(pipeline)
        #expect(try coordinator(pipeline).counters.ignored[.duplicateRequest] == 1)
        #expect(try coordinator(pipeline).openSessions == 0)
        try await pipeline.advance(by: .seconds(3_599))
        #expect(journaled(pipeline) != nil)
        try await pipeline.advance(by: .seconds(1))
        #expect(journaled(pipeline) == nil)
        #expect(try coordinator(pipeline).forgottenSessions == 0)
        try await ask(pipeline)
        #expect(calls.all == ["s/r", "s/r"])
    }

    @Test("is ignored for a day if its handler may be called once, through takeovers and compaction")
    func once() async throws {
        let pipeline = try await pipeline(once: true)
        try await ask(pipeline)
        try await pipeline.advance(by: pipeline.policy.idleTimeout)
        for hour in 0..<23 {
            let name = try #require(pipeline.coordinators.keys.first)
            pipeline.log.compact(pipeline.topics.sessions, droppingTombstones: true)
            pipeline.kill(name)
            try pipeline.startCoordinator("c\(hour)")
            try await pipeline.settle()
            try await ask(pipeline)
            #expect(try coordinator(pipeline).forgottenSessions == 1)
            try await pipeline.advance(by: .seconds(3_600))
        }
        #expect(calls.all == ["s/r"])
        try await pipeline.advance(by: .seconds(1_800))
        #expect(journaled(pipeline) == nil)
        // The same worker would treat the work as a copy.
        try pipeline.closeWorker("handle")
        try pipeline.startWorker("another", .handle)
        try await pipeline.settle()
        try await ask(pipeline)
        #expect(calls.all == ["s/r", "s/r"])
    }

    @Test("is ignored in the session that another request has opened again, whose results are numbered from 1")
    func reopened() async throws {
        let pipeline = try await pipeline()
        try await ask(pipeline)
        try await pipeline.advance(by: pipeline.policy.idleTimeout)
        try await ask(pipeline, "s", "q")
        #expect(try coordinator(pipeline).openSessions == 1 && coordinator(pipeline).forgottenSessions == 0)
        try await ask(pipeline)
        #expect(calls.all == ["s/r", "s/q"])
        #expect(try pipeline.results(session: "s").map(\.sequence) == [1, 1])
    }

    @Test("is ignored after an operator has ended the session")
    func ended() async throws {
        let pipeline = try await pipeline()
        try await ask(pipeline)
        try pipeline.send(.ended(reason: nil), session: "s", id: "e")
        try await pipeline.settle()
        try await pipeline.advance(by: .seconds(1))
        #expect(try coordinator(pipeline).openSessions == 0)
        try await ask(pipeline)
        #expect(calls.all == ["s/r"])
        try pipeline.send(.ended(reason: nil), session: "s", id: "e2")
        try await pipeline.settle()
        #expect(try coordinator(pipeline).counters.ignored == [.duplicateRequest: 1, .nothingToEnd: 1])
    }

    @Test("is ignored whose record a stale writer has overwritten: the owner writes it again")
    func overwritten() async throws {
        let pipeline = try await pipeline()
        try await ask(pipeline)
        try await pipeline.advance(by: pipeline.policy.idleTimeout)
        let stamp = JournalStamp(epoch: 0, owner: "stale", number: 1, requests: 0, outcomes: 0, settled: 0, results: 0)
        let record = JournalRecord(stamp: stamp, content: .session(id: "s", nil))
        try pipeline.log.append(record.record(topic: pipeline.topics.sessions, partition: 0, at: pipeline.clock.now))
        #expect(journaled(pipeline) == nil)
        for _ in 0..<3 { try await pipeline.advance(by: .seconds(5)) }
        #expect(journaled(pipeline) != nil)
        pipeline.log.compact(pipeline.topics.sessions, droppingTombstones: true)
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("successor")
        try await pipeline.settle()
        try await ask(pipeline)
        #expect(calls.all == ["s/r"])
    }

    @Test("is known of a bounded number of sessions: the oldest go first, and those with once-only requests last")
    func bounded() async throws {
        let pipeline = try await pipeline { $0.maximumForgotten = 3 }
        pipeline.policies = { _ in IntentPolicy(effect: .atMostOnce) }
        try pipeline.closeWorker("resolve")
        try pipeline.startWorker("resolve once", .resolve)
        try await pipeline.settle()
        try await ask(pipeline, "once")
        try pipeline.closeWorker("resolve once")
        pipeline.policies = { _ in nil }
        try pipeline.startWorker("resolve", .resolve)
        try await pipeline.settle()
        for number in 1...4 {
            try await pipeline.advance(by: .seconds(1))
            try await ask(pipeline, "s\(number)")
        }
        try await pipeline.advance(by: pipeline.policy.idleTimeout)
        #expect(try coordinator(pipeline).forgottenSessions == 3)
        #expect(try coordinator(pipeline).counters.forgottenEarly == 2)
        #expect(["once", "s1", "s2", "s3", "s4"].filter { journaled(pipeline, $0) != nil } == ["once", "s3", "s4"])
    }

    @Test("is known of as many sessions as fit into a number of bytes")
    func bytes() async throws {
        let pipeline = try await pipeline { $0.maximumForgottenBytes = 2_000 }
        for number in 1...20 { try await ask(pipeline, "s\(number)") }
        try await pipeline.advance(by: pipeline.policy.idleTimeout)
        #expect(try 4...8 ~= coordinator(pipeline).forgottenSessions)
        #expect(try coordinator(pipeline).counters.forgottenEarly == 20 - coordinator(pipeline).forgottenSessions)
    }

    @Test("leaves what the version before reads as an idle session with the same requests")
    func rollback() async throws {
        let pipeline = try await pipeline(once: true)
        try await ask(pipeline)
        try await pipeline.advance(by: pipeline.policy.idleTimeout)
        let forgotten = pipeline.clock.now
        let once = forgotten.advanced(by: .seconds(24 * 3_600 - 1_800)).milliseconds
        let until = forgotten.advanced(by: .seconds(3_600)).milliseconds
        let value = try #require(journaled(pipeline))
        #expect(
            String(decoding: value, as: UTF8.self)
                == #"{"sequence":0,"updated":\#(forgotten.milliseconds),"remembered":["r"],"once":{"r":\#(once)},"forgotten":\#(until)}"#
        )
    }
}
