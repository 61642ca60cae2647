import Conversation
import IntentEvents
import IntentKit
import PipelineTestKit
import RecordLog
import Testing

@testable import Pipeline

@Suite("At most once, whichever process crashes") struct AtMostOnceTests {
    /// Bookings without a handler worker. Each session has handle work that waits for one, of the request with its id.
    private func waitingForHandlers(
        _ sessions: [Identifier] = ["s"], perform: @escaping Worker.Perform = Booking.perform
    ) async throws -> RecordedBookings {
        let bookings = try await RecordedBookings(perform: perform)
        try bookings.pipeline.startCoordinator("coordinator")
        for phase in [Phase.resolve, .confirm] { try bookings.pipeline.startWorker(phase.rawValue, phase) }
        for session in sessions { try bookings.pipeline.order(session, session) }
        try await bookings.pipeline.settle()
        try #require(bookings.pipeline.records(\.handle).count == sessions.count)
        return bookings
    }

    /// The claims of workers, in order.
    private func claims(_ pipeline: TestPipeline) throws -> [(step: Int, ticket: Ticket?, claim: String)] {
        try pipeline.outcomes().compactMap { outcome in
            guard case .starting(let claim) = outcome.content else { return nil }
            return (outcome.step, outcome.ticket, claim)
        }
    }

    private func permit(_ request: Identifier, _ claim: String?, in pipeline: TestPipeline) throws {
        try pipeline.give(.permit(WorkPermit(WorkItem(request).address, claim: claim)), session: "s")
    }

    /// Checks that each session's request has succeeded with one call.
    private func expectSuccess(_ bookings: RecordedBookings, _ sessions: [Identifier] = ["s"]) throws {
        for session in sessions {
            #expect(try bookings.completions(session) == Booking.completed)
            #expect(bookings.count(session) == 1)
        }
    }

    /// Checks for one completion: success only if the handler was called, or an unknown outcome if that can't be known.
    private func check(_ bookings: RecordedBookings, _ comment: Comment) throws {
        let completions = try bookings.pipeline.completions()
        #expect(Set(completions.map(\.sequence)).count == 1 && bookings.count() <= 1, comment)
        guard let end = completions.last else { return }
        switch end.status {
        case .success: #expect(bookings.count() == 1, comment)
        case .failure: #expect(end.data["error"]?["reason"]?.string == "outcomeUnknown", comment)
        case .timedOut: #expect(bookings.count() == 0, comment)
        default: Issue.record("\(end.line): \(comment)")
        }
    }

    @Test func `requests and sessions whose ids only look equal are different, and handled once`() async throws {
        let bookings = try await RecordedBookings()
        try bookings.pipeline.startAll()
        let (sessions, requests): ([Identifier], [Identifier]) = (["K", "\u{212A}"], ["\u{E9}", "e\u{301}"])
        for session in sessions { for request in requests { try bookings.pipeline.order(session, request) } }
        try await bookings.pipeline.settle()
        for request in requests { #expect(bookings.count(request) == 2) }
        for session in sessions { #expect(try bookings.pipeline.completions(session).map(\.request) == requests) }
    }

    @Test func `without a crash the handler is called once, after a claim, a permit and a commit`() async throws {
        let bookings = try await RecordedBookings().booked()
        #expect(try bookings.completions() == Booking.completed && bookings.count() == 1)
        let (work, outcomes) = (try bookings.pipeline.work(), try bookings.pipeline.outcomes())
        #expect(work.map(\.kind) == [.handle, .permit])
        #expect(outcomes.last?.claim != nil && outcomes.last?.claim == work.last?.permit?.claim)
        #expect(outcomes.suffix(2).allSatisfy { $0.ticket != nil && $0.ticket == work.first?.item?.ticket })
    }

    @Test(arguments: [1, 2, 5])
    func `work that waits for its permit does not block permits, at any concurrency`(_ concurrency: Int) async throws {
        let sessions = (1...12).map { Identifier("s\($0)") }
        let bookings = try await waitingForHandlers(sessions)
        try bookings.pipeline.startWorker("handle", .handle, concurrency: concurrency)
        try await bookings.pipeline.advance(by: .seconds(2), times: 20)
        try expectSuccess(bookings, sessions)
    }

    @Test func `copies that arrive with work take no slot of a small worker`() async throws {
        let bookings = try await waitingForHandlers(["s1", "s2"])
        for work in bookings.pipeline.records(\.handle) { try bookings.pipeline.sendCopy(of: work) }
        try bookings.pipeline.startWorker("handle", .handle, concurrency: 2)
        // The deadline of the work is much later.
        try await bookings.pipeline.advance(by: .seconds(2))
        try expectSuccess(bookings, ["s1", "s2"])
    }

    @Test func `work that a worker has no room for is retried after a second`() async throws {
        let pipeline = try await waitingForHandlers(["s1", "s2"]).pipeline
        // Without a coordinator, no claim is permitted.
        pipeline.kill("coordinator")
        let before = try pipeline.outcomes().count
        try await pipeline.addHandler("handle", concurrency: 1)
        let reported = try pipeline.outcomes().dropFirst(before).map(\.content)
        #expect(reported.count == 2 && reported.compactMap(\.retryDelay) == [.seconds(1)])
    }

    @Test(arguments: [1, 2, 3])
    func `copies that arrive with a work item finish with it and do not block later work`(_ count: Int) async throws {
        let bookings = try await waitingForHandlers { invocation, report in
            guard invocation.phase == .handle, invocation.context.attempt == 1 else {
                return await Booking.perform(invocation, report)
            }
            return .failed(IntentFailure(.retry(after: .seconds(1)), reason: .busy, message: "again"))
        }
        let work = try #require(bookings.pipeline.records(\.handle).first)
        for _ in 1...count { try bookings.pipeline.sendCopy(of: work) }
        try bookings.pipeline.startWorker("handle", .handle)
        try await bookings.pipeline.advance(by: .seconds(2), times: 4)
        #expect(try bookings.completions() == Booking.completed && bookings.count("s") == 2)
    }

    @Test(arguments: ["handle", "coordinator"], [CrashPoint.beforeSending, .afterSending, .duringSending(written: 1)])
    func `a killed process repeats no effect and no completion`(process: String, point: CrashPoint) async throws {
        for call in 1...(process == "handle" ? 60 : 80) {
            let comment: Comment = "\(process) died at call \(call), \(point)"
            let bookings = try await RecordedBookings()
            let pipeline = bookings.pipeline
            pipeline.log.planCrash(of: process, atCall: call, point)
            try pipeline.startAll()
            try await pipeline.settleReplacingCrashed()
            try pipeline.order()
            for seconds in [0, 30, 30, 30] {
                pipeline.clock.advance(by: .seconds(seconds))
                try await pipeline.settleReplacingCrashed()
            }
            try check(bookings, comment)
            #expect(try process == "handle" || pipeline.completions().last?.status == .success, comment)
        }
    }

    @Test func `a handler whose worker was killed is not called again, and its outcome is unknown`() async throws {
        let bookings = try await RecordedBookings(isGated: true).booked()
        // The record is committed as finished before the handler is called.
        #expect(bookings.gate.count == 1 && bookings.pipeline.committed?.offset ?? 0 >= 1)
        bookings.pipeline.kill("handle")
        try bookings.pipeline.startWorker("handle-2", .handle)
        try await bookings.open()
        #expect(try bookings.completions().isEmpty)
        try await bookings.pipeline.advance(by: .seconds(60))
        try check(bookings, "killed while running")
        #expect(try bookings.pipeline.completions().last?.status == .failure)
    }

    @Test func `a copy of the work, before, during and after the call, does not call the handler`() async throws {
        let bookings = try await RecordedBookings(isGated: true).booked()
        let work = try #require(bookings.pipeline.records(\.handle).first)
        for _ in 0..<2 {
            try bookings.pipeline.sendCopy(of: work)
            try await bookings.pipeline.settle()
            try await bookings.open()
        }
        try check(bookings, "copies")
        #expect(try bookings.pipeline.completions().last?.status == .success)
        #expect(try bookings.pipeline.worker().counters.copies == 2)
    }

    @Test func `another worker's copy gets no permit, blocks nothing, and finishes at its deadline`() async throws {
        let bookings = try await RecordedBookings().booked()
        let work = try #require(bookings.pipeline.records(\.handle).first)
        try bookings.pipeline.closeWorker("handle")
        try bookings.pipeline.startWorker("stranger", .handle)
        try bookings.pipeline.sendCopy(of: work)
        try await bookings.pipeline.settle()
        #expect(bookings.count() == 1 && bookings.pipeline.committed?.offset == 2)
        try await bookings.pipeline.book("s", "r2")
        #expect(try bookings.completions() == Booking.completed + Booking.completed)
        try await bookings.pipeline.advance(by: .seconds(61))
        #expect(bookings.pipeline.committed?.offset == Int64(bookings.pipeline.records(\.handle).count))
        #expect(bookings.count() == 1 && bookings.count("r2") == 1)
    }

    @Test func `work whose deadline passes while its permit is committed is returned`() async throws {
        let bookings = try await RecordedBookings()
        let worker = try await bookings.pipeline.start().worker()
        try bookings.pipeline.order()
        for _ in 0..<500 where !worker.queue.jobs.values.contains(where: { $0.permit == .committing }) {
            _ = try? await bookings.pipeline.settle(maximumRounds: 1)
        }
        try #require(worker.permits.waiting == 1 && bookings.count() == 0)
        try await bookings.pipeline.advance(by: .seconds(61))
        #expect(bookings.count() == 0 && worker.permits.waiting == 0 && worker.queue.jobs.isEmpty)
        #expect(try bookings.completions().count == 1)
    }

    @Test func `a running handler's outcome counts after a rebalance, without a second call`() async throws {
        let bookings = try await RecordedBookings(partitions: 2, isGated: true)
        try bookings.pipeline.startAll()
        for number in 0..<8 { try bookings.pipeline.order("s\(number)", "s\(number)") }
        try await bookings.pipeline.settle()
        #expect(bookings.gate.count == 8)
        try bookings.pipeline.startWorker("handle-2", .handle)
        try await bookings.pipeline.advance(by: .seconds(1), times: 12)
        #expect(try !bookings.pipeline.worker("handle-2").ownedPartitions.isEmpty)
        try await bookings.open()
        try expectSuccess(bookings, (0..<8).map { "s\($0)" })
    }

    @Test func `work of a reopened session is no copy of the forgotten session's work`() async throws {
        let bookings = try await RecordedBookings()
        let pipeline = bookings.pipeline
        try pipeline.startWorker("handle", .handle)
        let tickets = (1...3).map { String(repeating: "\($0)", count: 32) }
        /// Writes work with a ticket, and checks the number of claims.
        func give(_ ticket: String, _ count: Int) async throws {
            var item = WorkItem("r")
            item.ticket = Ticket(ticket)
            try pipeline.give(.item(item), session: "s")
            try await pipeline.settle()
            #expect(try claims(pipeline).count == count)
        }
        try await give(tickets[0], 1)
        try await give(tickets[0], 1)
        // Another ticket for the same step shows that the session was forgotten, and releases the first claim.
        try await give(tickets[1], 2)
        try permit("r", claims(pipeline).last?.claim, in: pipeline)
        try await pipeline.advance(by: .seconds(1))
        #expect(bookings.count() == 1)
        try await give(tickets[1], 2)
        try await give(tickets[2], 3)
        #expect(try claims(pipeline).map { $0.ticket?.description } == tickets)
    }

    @Test func `a handler is not called if the commit's note has no room for its record`() async throws {
        let bookings = try await RecordedBookings()
        let pipeline = bookings.pipeline
        try pipeline.startWorker("handle", .handle)
        // Unpermitted claims stay open, and permits for unknown claims are done at once: together they fill the
        // commit's metadata.
        for number in 0..<800 {
            try pipeline.give("w\(number)", session: "w\(number)")
            try permit("n", "n", in: pipeline)
        }
        try pipeline.give("r", session: "s")
        try await pipeline.settle()
        let place = try #require(pipeline.records(\.handle).last)
        try permit("r", claims(pipeline).last?.claim, in: pipeline)
        try await pipeline.settle()
        try await pipeline.advance(by: .seconds(1))
        var next = OffsetTracker(pipeline.committed)
        let isGivenAgain = next.take(place.offset)
        #expect(isGivenAgain && bookings.count() == 0)
        #expect(try pipeline.outcomes().last?.content.retryDelay == .seconds(1))
    }

    /// Lets a worker claim work while the log takes no claims, and lose and regain its partition.
    private func givenBack() async throws -> (RecordedBookings, reported: Int) {
        let bookings = try await waitingForHandlers()
        let reported = try bookings.pipeline.outcomes().count
        bookings.pipeline.setLeaders(of: \.outcomes, areAway: true)
        try await bookings.pipeline.addHandler("handle")
        bookings.pipeline.log.rebalance(group: "intents.handler")
        try await bookings.pipeline.advance(by: .seconds(1), times: 2)
        return (bookings, reported)
    }

    @Test func `work returned while the log accepts no claims is left to another worker`() async throws {
        let (bookings, reported) = try await givenBack()
        let worker = try bookings.pipeline.worker()
        #expect(worker.ownedPartitions == [0] && worker.counters.copies == 0)
        // The killed worker loses its queued reports about the work.
        bookings.pipeline.kill("handle")
        bookings.pipeline.setLeaders(of: \.outcomes, areAway: false)
        #expect(try bookings.pipeline.outcomes().count == reported)
        try bookings.pipeline.startWorker("handle-2", .handle)
        // The deadline of the work is much later.
        try await bookings.pipeline.advance(by: .seconds(2))
        try expectSuccess(bookings)
    }

    @Test func `work that is assigned again to its worker is claimed again, and handled once`() async throws {
        let (bookings, _) = try await givenBack()
        bookings.pipeline.setLeaders(of: \.outcomes, areAway: false)
        try await bookings.pipeline.advance(by: .seconds(1), times: 3)
        let claims = try self.claims(bookings.pipeline)
        #expect(Set(claims.map(\.claim)).count == 3 && claims.map(\.step) == [3, 3, 4])
        try expectSuccess(bookings)
        #expect(bookings.pipeline.committed?.offset == Int64(bookings.pipeline.records(\.handle).count))
    }

    @Test func `a process that ends while a handler runs reports an unknown outcome at once`() async throws {
        let bookings = try await RecordedBookings(isGated: true).booked()
        try bookings.pipeline.worker().close(timeout: .zero)
        try await bookings.pipeline.settle()
        #expect(try bookings.pipeline.last().data["error"]?["reason"]?.string == "outcomeUnknown")
        bookings.gate.open()
    }

    @Test(arguments: [(RejectionReason.outcomeUnknown, "failure"), (.unexpected, "cancelled")])
    func `a cancelled handler that throws has an unknown outcome, unless it had no effect`(
        reason: RejectionReason, end: String
    ) async throws {
        let bookings = try await RecordedBookings(isGated: true) { invocation, report in
            guard invocation.phase == .handle else { return await Booking.perform(invocation, report) }
            let code: ResponseCode = reason == .outcomeUnknown ? .failure : .cancelled
            return .failed(IntentFailure(.failure(code), reason: reason, message: "m"))
        }.booked()
        try await bookings.pipeline.deliver(.cancelled(request: nil))
        #expect(try bookings.completions() == ["completed \(end) \(end)"])
    }

    @Test func `a running handler learns why it is cancelled, and how much time it has`() async throws {
        let gate = Gate()
        let pipeline = try await TestPipeline.started(gates: [gate]) { invocation, report in
            guard invocation.phase == .handle else { return await Booking.perform(invocation, report) }
            let context = Context(invocation.context, phase: .handle)
            try? await gate.pass()
            let (reason, until) = (context.cancellationReason, context.cleanupDeadline)
            let heard = "\(reason?.rawValue ?? "-") \(until?.milliseconds ?? 0)"
            return .responded(IntentResponse(.success, dialog: heard))
        }
        try await pipeline.book()
        let until = pipeline.clock.now.advanced(by: pipeline.policy.cancelTimeout)
        try await pipeline.deliver(.cancelled(request: nil))
        #expect(try pipeline.last().data["dialog"]?.string == "person \(until.milliseconds)")
    }
}

extension Outcome.Content {
    /// The delay after which a failure is retried; `nil` if this is no failure, or one that is not retried.
    fileprivate var retryDelay: Duration? {
        guard case .finished(.failed(let failure)) = self, case .retry(let delay) = failure.disposition else {
            return nil
        }
        return delay
    }
}

@Suite("Handlers that never return, in the whole pipeline") struct AbandonedHandlerTests {
    @Test func `let the request end at its deadline, and their late success is reported`() async throws {
        let bookings = try await RecordedBookings(isOnce: false).booked("stuck")
        try await bookings.pipeline.advance(by: .seconds(60), times: 3)
        try await bookings.pipeline.book("s", "r2")
        #expect(bookings.calls.all == [["s", "stuck"], ["s", "r2"]])
        try await bookings.open()
        let results = try bookings.pipeline.results(session: "s").filter { $0.type != .progressed }
        #expect(results.map(\.type) == [.completed, .completed, .answeredLate])
        #expect(results.prefix(2).map(\.status) == [.timedOut, .success])
    }

    @Test func `are not called again if they may be called once, and their outcome is unknown`() async throws {
        let bookings = try await RecordedBookings().booked("stuck")
        try await bookings.pipeline.advance(by: .seconds(60), times: 3)
        #expect(try bookings.pipeline.worker().counters.abandoned == 1)
        let error = try bookings.pipeline.completions().last?.data["error"]
        #expect(error?["reason"]?.string == "outcomeUnknown")
        bookings.pipeline.kill("handle")
        try bookings.pipeline.startWorker("successor", .handle)
        try await bookings.pipeline.advance(by: .seconds(60))
        #expect(bookings.calls.all == [["s", "stuck"]])
        bookings.gate.open()
    }
}
