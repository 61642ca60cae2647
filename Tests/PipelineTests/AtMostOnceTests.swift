import Conversation
import Foundation
import IntentEvents
import IntentKit
import PipelineTestKit
import RecordLog
import Synchronization
import Testing

@testable import Pipeline

@Suite("At most once, whichever process crashes")
struct AtMostOnceTests {
    /// The number of handler calls for each request.
    private final class Effects: Sendable {
        private let calls = Mutex<[Identifier: Int]>([:])
        func happen(_ request: Identifier) { calls.withLock { $0[request, default: 0] += 1 } }
        func count(_ request: Identifier) -> Int { calls.withLock { $0[request] ?? 0 } }
    }

    private let effects = Effects()
    private let gate = Gate()
    private static let payment: KeyValuePairs<String, String> = ["dropOff": "Airport", "confirm": "none"]

    private func pipeline(gated: Bool = false, partitions: Int32 = 1) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: partitions, gates: [gate]) {
            [effects, gate] invocation, report in
            if invocation.phase == .handle {
                effects.happen(invocation.context.request)
                if gated { try? await gate.pass() }
            }
            return await Booking.perform(invocation, report)
        }
        pipeline.policies = { _ in IntentPolicy(effect: .atMostOnce) }
        return pipeline
    }

    /// A pipeline without a handler worker, in which each session has handle work that waits for one.
    private func waitingForHandlers(_ sessions: [Identifier]) async throws -> TestPipeline {
        let pipeline = try await pipeline()
        try pipeline.startCoordinator("coordinator")
        try pipeline.startWorker("resolve", .resolve)
        try pipeline.startWorker("confirm", .confirm)
        for session in sessions { try pipeline.send(Booking.request("r", Self.payment), session: session, id: session) }
        try await pipeline.settle()
        try #require(pipeline.log.records(in: pipeline.topics.handle).count == sessions.count)
        return pipeline
    }

    private func completions(_ pipeline: TestPipeline, _ session: Identifier = "s") throws -> [ReceivedResult] {
        try pipeline.results(session: session).filter { $0.type == .completed }
    }

    /// The claims of workers, in order.
    private func claims(_ pipeline: TestPipeline) throws -> [(step: Int, ticket: Ticket?, claim: String)] {
        try pipeline.outcomes().compactMap { outcome in
            guard case .starting(let claim) = outcome.content else { return nil }
            return (outcome.step, outcome.ticket, claim)
        }
    }

    /// Checks for one completion: success only if the handler was called, or an unknown outcome if that can't be known.
    private func check(_ pipeline: TestPipeline, _ comment: Comment) throws {
        var told: [Int: ReceivedResult] = [:]
        for result in try completions(pipeline) { told[result.sequence ?? 0] = result }
        #expect(told.count == 1, comment)
        #expect(effects.count("r") <= 1, comment)
        guard let end = told.values.first else { return }
        switch end.status {
        case .success: #expect(effects.count("r") == 1, comment)
        case .failure: #expect(end.data["error"]?["reason"]?.string == "outcomeUnknown", comment)
        case .timedOut: #expect(effects.count("r") == 0, comment)
        default: Issue.record("\(end.line): \(comment)")
        }
    }

    @Test(
        "two requests whose ids only look equal are each handled once, in one session and in two whose keys only look equal"
    )
    func lookalikes() async throws {
        let pipeline = try await pipeline()
        try pipeline.startAll()
        let sessions: [Identifier] = ["K", "\u{212A}"]
        let requests: [Identifier] = ["\u{E9}", "e\u{301}"]
        for session in sessions {
            for request in requests {
                try pipeline.send(Booking.request(request, Self.payment), session: session, id: request)
            }
        }
        try await pipeline.settle()
        for request in requests { #expect(effects.count(request) == 2) }
        for session in sessions { #expect(try completions(pipeline, session).map(\.request) == requests) }
    }

    @Test("without a crash the handler is called once, after a claim, a permit and a commit")
    func plain() async throws {
        let pipeline = try await pipeline()
        try pipeline.startAll()
        try pipeline.send(Booking.request("r", Self.payment), session: "s", id: "r")
        try await pipeline.settle()
        #expect(try completions(pipeline).map(\.line) == ["completed success success"])
        #expect(effects.count("r") == 1)
        let types = try pipeline.log.records(in: pipeline.topics.handle).map { record throws(EventError) in
            try WorkEvent(record).work.kind
        }
        #expect(types == [.handle, .permit])
        let work = try pipeline.log.records(in: pipeline.topics.handle).map { record throws(EventError) in
            try WorkEvent(record).work
        }
        let outcomes = try pipeline.log.records(in: pipeline.topics.outcomes).map { record throws(EventError) in
            try OutcomeEvent(record).outcome
        }
        #expect(outcomes.last?.claim != nil && outcomes.last?.claim == work.last?.permit?.claim)
        #expect(outcomes.suffix(2).allSatisfy { $0.ticket != nil && $0.ticket == work.first?.item?.ticket })
    }

    @Test(
        "work that waits for its permit does not block permits, however small the worker's concurrency",
        arguments: [1, 2, 5])
    func narrow(_ concurrency: Int) async throws {
        let sessions = (1...12).map { "s\($0)" }
        let pipeline = try await waitingForHandlers(sessions.map { Identifier($0) })
        try pipeline.startWorker("handle", .handle, concurrency: concurrency)
        for _ in 1...20 { try await pipeline.advance(by: .seconds(2)) }
        for session in sessions {
            #expect(try completions(pipeline, Identifier(session)).map(\.line) == ["completed success success"])
            #expect(effects.count(Identifier(session)) == 1)
        }
    }

    @Test("copies that arrive with work take no slot of a small worker, so that the permits reach it")
    func copiesOfMany() async throws {
        let pipeline = try await waitingForHandlers(["s1", "s2"])
        for work in pipeline.log.records(in: pipeline.topics.handle) {
            try pipeline.log.append(
                Record(
                    topic: work.topic, partition: work.partition, key: work.key, value: work.value,
                    headers: work.headers))
        }
        try pipeline.startWorker("handle", .handle, concurrency: 2)
        // The deadline of the work is much later.
        try await pipeline.advance(by: .seconds(2))
        for session in ["s1", "s2"] {
            #expect(try completions(pipeline, Identifier(session)).map(\.line) == ["completed success success"])
            #expect(effects.count(Identifier(session)) == 1)
        }
    }

    @Test("work that a worker has no room for comes back after a second, and not at once")
    func noRoom() async throws {
        let pipeline = try await waitingForHandlers(["s1", "s2"])
        // Without a coordinator, no claim is permitted.
        pipeline.kill("coordinator")
        let before = pipeline.log.records(in: pipeline.topics.outcomes).count
        try pipeline.startWorker("handle", .handle, concurrency: 1)
        try await pipeline.settle()
        let outcomes = try pipeline.log.records(in: pipeline.topics.outcomes).dropFirst(before).map {
            record throws(EventError) in
            try OutcomeEvent(record).outcome.content
        }
        #expect(outcomes.count == 2)
        let delays = outcomes.compactMap { content -> Duration? in
            guard case .finished(.failed(let failure)) = content, case .retry(let delay) = failure.disposition else {
                return nil
            }
            return delay
        }
        #expect(delays == [.seconds(1)])
    }

    @Test("copies that arrive with a work item finish with it and do not block later work", arguments: [1, 2, 3])
    func copies(_ count: Int) async throws {
        let pipeline = try await TestPipeline(partitions: 1) { [effects] invocation, report in
            guard invocation.phase == .handle else { return await Booking.perform(invocation, report) }
            effects.happen(invocation.context.request)
            if effects.count("r") > 1 { return await Booking.perform(invocation, report) }
            return .failed(IntentFailure(.retry(after: .seconds(1)), reason: .busy, message: "again"))
        }
        pipeline.policies = { _ in IntentPolicy(effect: .atMostOnce) }
        try pipeline.startCoordinator("coordinator")
        try pipeline.startWorker("resolve", .resolve)
        try pipeline.startWorker("confirm", .confirm)
        try pipeline.send(Booking.request("r", Self.payment), session: "s", id: "r")
        try await pipeline.settle()
        let work = try #require(pipeline.log.records(in: pipeline.topics.handle).first)
        for _ in 1...count {
            try pipeline.log.append(
                Record(
                    topic: work.topic, partition: work.partition, key: work.key, value: work.value,
                    headers: work.headers))
        }
        try pipeline.startWorker("handle", .handle)
        for _ in 1...4 { try await pipeline.advance(by: .seconds(2)) }
        #expect(try completions(pipeline).map(\.line) == ["completed success success"])
        #expect(effects.count("r") == 2)
    }

    @Test("the record is committed as finished before the handler is called")
    func committedBefore() async throws {
        let pipeline = try await pipeline(gated: true)
        try pipeline.startAll()
        try pipeline.send(Booking.request("r", Self.payment), session: "s", id: "r")
        try await pipeline.settle()
        #expect(effects.count("r") == 1 && gate.count == 1)
        #expect(
            pipeline.log.committed(group: "intents.handler")[TopicPartition(pipeline.topics.handle, 0)]?.offset ?? 0
                >= 1)
        gate.open()
        try await pipeline.settle()
        #expect(try completions(pipeline).map(\.line) == ["completed success success"])
    }

    @Test(
        "a worker that is killed at any of its calls: no second effect, one completion",
        arguments: [CrashPoint.beforeSending, .afterSending, .duringSending(written: 1)])
    func workerDies(_ point: CrashPoint) async throws {
        for call in 1...60 {
            let test = AtMostOnceTests()
            let pipeline = try await test.pipeline()
            pipeline.log.planCrash(of: "handle", atCall: call, point)
            try pipeline.startAll()
            try await test.play(pipeline)
            try test.check(pipeline, "worker died at call \(call), \(point)")
        }
    }

    @Test(
        "a coordinator that is killed at any of its calls: no second effect, one completion",
        arguments: [CrashPoint.beforeSending, .afterSending, .duringSending(written: 1)])
    func coordinatorDies(_ point: CrashPoint) async throws {
        for call in 1...80 {
            let test = AtMostOnceTests()
            let pipeline = try await test.pipeline()
            pipeline.log.planCrash(of: "coordinator", atCall: call, point)
            try pipeline.startAll()
            try await test.play(pipeline)
            try test.check(pipeline, "coordinator died at call \(call), \(point)")
            #expect(
                try test.completions(pipeline).last?.status == .success, "coordinator died at call \(call), \(point)")
        }
    }

    /// Sends the request, replaces each process that crashes, and waits until everything due has happened.
    private func play(_ pipeline: TestPipeline) async throws {
        try await pipeline.settleReplacingCrashed()
        try pipeline.send(Booking.request("r", Self.payment), session: "s", id: "r")
        try await pipeline.settleReplacingCrashed()
        for _ in 0..<3 {
            pipeline.clock.advance(by: .seconds(30))
            try await pipeline.settleReplacingCrashed()
        }
    }

    @Test(
        "a worker that is killed while its handler runs: the outcome is unknown, and no other worker calls the handler")
    func diesWhileRunning() async throws {
        let pipeline = try await pipeline(gated: true)
        try pipeline.startAll()
        try pipeline.send(Booking.request("r", Self.payment), session: "s", id: "r")
        try await pipeline.settle()
        #expect(gate.count == 1)
        pipeline.kill("handle")
        try pipeline.startWorker("handle-2", .handle)
        gate.open()
        try await pipeline.settle()
        #expect(try completions(pipeline).isEmpty)
        try await pipeline.advance(by: .seconds(60))
        try check(pipeline, "killed while running")
        #expect(try completions(pipeline).last?.status == .failure)
    }

    @Test("a copy of the work, before, during and after the call, does not call the handler")
    func duplicates() async throws {
        let pipeline = try await pipeline(gated: true)
        try pipeline.startAll()
        try pipeline.send(Booking.request("r", Self.payment), session: "s", id: "r")
        try await pipeline.settle()
        func repeatWork() throws {
            let work = try #require(pipeline.log.records(in: pipeline.topics.handle).first)
            try pipeline.sendCopy(of: work)
        }
        try repeatWork()
        try await pipeline.settle()
        gate.open()
        try await pipeline.settle()
        try repeatWork()
        try await pipeline.settle()
        try check(pipeline, "copies")
        #expect(try completions(pipeline).last?.status == .success)
        #expect(pipeline.workers["handle"]?.counters.copies == 2)
    }

    @Test("a copy that reaches another worker, which does not know the first, is not permitted and blocks nothing")
    func strangersCopy() async throws {
        let pipeline = try await pipeline()
        try pipeline.startAll()
        try pipeline.send(Booking.request("r", Self.payment), session: "s", id: "r")
        try await pipeline.settle()
        let work = try #require(pipeline.log.records(in: pipeline.topics.handle).first)
        try pipeline.closeWorker("handle")
        try pipeline.startWorker("stranger", .handle)
        try pipeline.sendCopy(of: work)
        try await pipeline.settle()
        #expect(effects.count("r") == 1)
        try pipeline.send(Booking.request("r2", Self.payment), session: "s", id: "r2")
        try await pipeline.settle()
        #expect(try completions(pipeline).map(\.status) == [.success, .success])
        #expect(effects.count("r") == 1 && effects.count("r2") == 1)
    }

    @Test("a copy without a permit is finished at its deadline, and the committed position advances")
    func unanswered() async throws {
        let pipeline = try await pipeline()
        try pipeline.startAll()
        try pipeline.send(Booking.request("r", Self.payment), session: "s", id: "r")
        try await pipeline.settle()
        let work = try #require(pipeline.log.records(in: pipeline.topics.handle).first)
        try pipeline.closeWorker("handle")
        try pipeline.startWorker("stranger", .handle)
        try pipeline.sendCopy(of: work)
        try await pipeline.settle()
        let partition = TopicPartition(pipeline.topics.handle, 0)
        #expect(pipeline.log.committed(group: "intents.handler")[partition]?.offset == 2)
        try await pipeline.advance(by: .seconds(61))
        #expect(pipeline.log.committed(group: "intents.handler")[partition]?.offset == 3)
        #expect(effects.count("r") == 1)
    }

    @Test("work whose deadline passes while its permit is committed is given back, and waits for no permit any more")
    func lateWhileCommitting() async throws {
        let pipeline = try await pipeline()
        try pipeline.startAll()
        try await pipeline.settle()
        let worker = try #require(pipeline.workers["handle"])
        try pipeline.send(Booking.request("r", Self.payment), session: "s", id: "r")
        for _ in 0..<500 where !worker.jobs.values.contains(where: { $0.permit == .committing }) {
            _ = try? await pipeline.settle(maximumRounds: 1)
        }
        try #require(worker.permits.waiting == 1 && effects.count("r") == 0)
        try await pipeline.advance(by: .seconds(61))
        #expect(effects.count("r") == 0)
        #expect(worker.permits.waiting == 0 && worker.jobs.isEmpty)
        #expect(try completions(pipeline).count == 1)
    }

    @Test(
        "a partition that moves while the handler runs: its new owner does not call the handler, and the outcome still counts"
    )
    func rebalance() async throws {
        let pipeline = try await pipeline(gated: true, partitions: 2)
        try pipeline.startAll()
        for number in 0..<8 {
            try pipeline.send(Booking.request("r", Self.payment), session: "s\(number)", id: "r\(number)")
        }
        try await pipeline.settle()
        #expect(gate.count == 8)
        try pipeline.startWorker("handle-2", .handle)
        for _ in 0..<12 { try await pipeline.advance(by: .seconds(1)) }
        #expect(pipeline.workers["handle-2"]?.ownedPartitions.isEmpty == false)
        gate.open()
        try await pipeline.settle()
        for number in 0..<8 {
            #expect(try completions(pipeline, "s\(number)").map(\.status) == [.success])
            #expect(effects.count("r\(number)") == 1)
        }
    }

    @Test(
        "work of a session that was forgotten and opened again is no copy of the same step before, which a worker has asked for"
    )
    func otherTicket() async throws {
        let pipeline = try await TestPipeline(partitions: 1) { [effects] invocation, report in
            effects.happen(invocation.context.request)
            return await Booking.perform(invocation, report)
        }
        pipeline.policies = { _ in IntentPolicy(effect: .atMostOnce) }
        try pipeline.startWorker("handle", .handle)
        let address = WorkAddress(request: "r", step: 4, intent: "Book", phase: .handle)
        func give(_ ticket: String) async throws {
            var item = WorkItem(address)
            item.ticket = Ticket(ticket)
            try pipeline.give(.item(item), session: "s")
            try await pipeline.settle()
        }
        let tickets = (1...3).map { String(repeating: "\($0)", count: 32) }
        try await give(tickets[0])
        try await give(tickets[0])
        #expect(try claims(pipeline).count == 1)
        // The claim of the first ticket is released: another ticket for the same step means that the session was
        // forgotten.
        try await give(tickets[1])
        #expect(try claims(pipeline).count == 2)
        try pipeline.give(.permit(WorkPermit(address, claim: try claims(pipeline).last?.claim)), session: "s")
        try await pipeline.advance(by: .seconds(1))
        #expect(effects.count("r") == 1)
        try await give(tickets[1])
        #expect(try claims(pipeline).count == 2)
        try await give(tickets[2])
        #expect(try claims(pipeline).map { $0.ticket?.description } == tickets)
    }

    @Test(
        "a handler is not called if the note of the commit has no room for its record: another worker would get the record with the partition"
    )
    func cutNote() async throws {
        let pipeline = try await pipeline()
        try pipeline.startWorker("handle", .handle)
        // Unpermitted claims stay open, and permits for unknown claims are done at once: together they fill the
        // commit's metadata.
        for number in 0..<800 {
            try pipeline.give("w\(number)", session: "w\(number)")
            try pipeline.give(
                .permit(WorkPermit(WorkAddress(request: "n", step: 1, intent: "Book", phase: .handle), claim: "n")),
                session: "n")
        }
        try pipeline.give("r", session: "s")
        try await pipeline.settle()
        let place = try #require(pipeline.log.records(in: pipeline.topics.handle).last)
        let permit = WorkPermit(
            WorkAddress(request: "r", step: 1, intent: "Book", phase: .handle), claim: try claims(pipeline).last?.claim)
        try pipeline.give(.permit(permit), session: "s")
        try await pipeline.settle()
        try await pipeline.advance(by: .seconds(1))
        var next = OffsetTracker(pipeline.committed)
        let isGivenAgain = next.take(place.offset)
        try #require(isGivenAgain)
        #expect(effects.count("r") == 0)
        guard case .finished(.failed(let failure))? = try pipeline.outcomes().last?.content,
            case .retry = failure.disposition
        else {
            Issue.record("\(String(describing: try pipeline.outcomes().last))")
            return
        }
    }

    @Test(
        "work that was given back while the log takes no claims, and comes back to the worker, is not done: another may get it"
    )
    func givenBackBeforeClaim() async throws {
        let pipeline = try await waitingForHandlers(["s"])
        let reported = pipeline.log.records(in: pipeline.topics.outcomes).count
        pipeline.log.setLeaders(of: pipeline.topics.outcomes, areAway: true)
        try pipeline.startWorker("handle", .handle)
        try await pipeline.settle()
        pipeline.log.rebalance(group: "intents.handler")
        for _ in 1...2 { try await pipeline.advance(by: .seconds(1)) }
        #expect(pipeline.workers["handle"]?.ownedPartitions == [0])
        #expect(pipeline.workers["handle"]?.counters.copies == 0)
        // The killed worker loses its queued reports about the work.
        pipeline.kill("handle")
        pipeline.log.setLeaders(of: pipeline.topics.outcomes, areAway: false)
        #expect(pipeline.log.records(in: pipeline.topics.outcomes).count == reported)
        try pipeline.startWorker("handle-2", .handle)
        // The deadline of the work is much later.
        try await pipeline.advance(by: .seconds(2))
        #expect(effects.count("s") == 1)
        #expect(try completions(pipeline).map(\.line) == ["completed success success"])
    }

    @Test("work that comes back to the worker after it was given back is claimed again, and its handler is called once")
    func givenBackAndClaimedAgain() async throws {
        let pipeline = try await waitingForHandlers(["s"])
        pipeline.log.setLeaders(of: pipeline.topics.outcomes, areAway: true)
        try pipeline.startWorker("handle", .handle)
        try await pipeline.settle()
        pipeline.log.rebalance(group: "intents.handler")
        for _ in 1...2 { try await pipeline.advance(by: .seconds(1)) }
        pipeline.log.setLeaders(of: pipeline.topics.outcomes, areAway: false)
        for _ in 1...3 { try await pipeline.advance(by: .seconds(1)) }
        let claims = try self.claims(pipeline)
        #expect(claims.count == 3 && Set(claims.map(\.claim)).count == 3)
        #expect(claims.map(\.step) == [3, 3, 4])
        #expect(effects.count("s") == 1)
        #expect(try completions(pipeline).map(\.line) == ["completed success success"])
        #expect(pipeline.committed?.offset == Int64(pipeline.log.records(in: pipeline.topics.handle).count))
    }

    @Test("a process that ends while a handler runs reports an unknown outcome, without waiting for the deadline")
    func shutdown() async throws {
        let pipeline = try await pipeline(gated: true)
        try pipeline.startAll()
        try pipeline.send(Booking.request("r", Self.payment), session: "s", id: "r")
        try await pipeline.settle()
        let worker = try #require(pipeline.workers["handle"])
        try worker.close(timeout: .zero)
        try await pipeline.settle()
        #expect(try completions(pipeline).last?.data["error"]?["reason"]?.string == "outcomeUnknown")
        gate.open()
    }

    @Test("a cancelled handler that throws has an unknown outcome, unless it reports that it had no effect")
    func cancelledAndThrows() async throws {
        for (reason, line) in [
            (RejectionReason.outcomeUnknown, "completed failure failure"),
            (.unexpected, "completed cancelled cancelled"),
        ] {
            let gate = Gate()
            let pipeline = try await TestPipeline(partitions: 1, gates: [gate]) { invocation, report in
                guard invocation.phase == .handle else { return await Booking.perform(invocation, report) }
                try? await gate.pass()
                let code: ResponseCode = reason == .outcomeUnknown ? .failure : .cancelled
                return .failed(IntentFailure(.failure(code), reason: reason, message: "m"))
            }
            pipeline.policies = { _ in IntentPolicy(effect: .atMostOnce) }
            try pipeline.startAll()
            try pipeline.send(Booking.request("r", Self.payment), session: "s", id: "r")
            try await pipeline.settle()
            try pipeline.send(.cancelled(request: nil), session: "s", id: "c")
            try await pipeline.settle()
            #expect(try completions(pipeline).map(\.line) == [line])
        }
    }

    @Test("a running handler is told why it is cancelled, and how much time it has")
    func reason() async throws {
        let pipeline = try await TestPipeline(partitions: 1, gates: [gate]) { [gate] invocation, report in
            if invocation.phase == .handle {
                let context = Context(invocation.context, phase: .handle)
                do { try await gate.pass() } catch {
                    let heard =
                        "\(context.cancellationReason?.rawValue ?? "-") \(context.cleanupDeadline?.milliseconds ?? 0)"
                    return .responded(IntentResponse(.success, dialog: heard))
                }
            }
            return await Booking.perform(invocation, report)
        }
        try pipeline.startAll()
        try pipeline.send(Booking.request("r", Self.payment), session: "s", id: "r")
        try await pipeline.settle()
        let until = pipeline.clock.now.advanced(by: pipeline.policy.cancelTimeout)
        try pipeline.send(.cancelled(request: nil), session: "s", id: "c")
        try await pipeline.settle()
        #expect(try completions(pipeline).last?.data["dialog"]?.string == "person \(until.milliseconds)")
    }
}
