import Conversation
import IntentEvents
import IntentKit
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("The whole pipeline in one process") struct FlowTests {
    @Test(arguments: [1, 2, 7])
    func `a coordinator at its in-flight limit stops reading until there is room`(maximum: Int) async throws {
        let pipeline = try await TestPipeline.prepared { $0.configuration.limits.maximumInFlight = maximum }
        // Lost acknowledgements exercise the journal's gaps; cancels of an unknown request exercise decisions without
        // work.
        pipeline.log.loseAcknowledgements(40, in: pipeline.topics.sessions)
        let sessions = [Identifier].numbered(0..<60)
        for session in sessions {
            try pipeline.order(session)
            try pipeline.send(.cancelled(request: "other"), session: session, id: "c")
        }
        for session in sessions {
            let lines = try await pipeline.lines(session)
            #expect(lines.sorted() == ["completed success success", "rejected unexpected"], "\(session)")
            #expect(try pipeline.results(session: session).compactMap(\.sequence).sorted() == [1, 2], "\(session)")
        }
        #expect(try pipeline.coordinator().counters.gaps != 0 && pipeline.coordinator().isSettled)
    }

    @Test func `a flooded session journals few unacknowledged results, and answers each request`() async throws {
        let pipeline = try await TestPipeline.started()
        for number in 0..<300 { try pipeline.order("flooded", "r\(number)") }
        try await pipeline.book("quiet")
        let journaled = pipeline.records(\.sessions).compactMap { record -> Int? in
            guard case .session(_, let session)? = try? JournalRecord(record).content else { return nil }
            return session?.unacknowledged.count
        }
        #expect(journaled.max() ?? 0 <= 32)
        #expect(try await pipeline.lines("flooded").count == 300)
        #expect(try await pipeline.lines("quiet") == Booking.completed)
    }

    @Test func `every record caused by a request carries its trace`() async throws {
        let pipeline = try await TestPipeline.started(partitions: 2)
        let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        var request = IntentRequest(id: "r", intent: "Book", parameters: [.said("dropOff", "A")])
        request.trace = TraceContext(parent: parent, state: "vendor=1")
        try await pipeline.deliver(.requested(request))
        for topic in [\Topics.resolve, \.confirm, \.outcomes, \.results] {
            let parents = pipeline.records(topic).map { $0.header("traceparent") }
            #expect(Set(parents) == [Array(parent.utf8)])
        }
    }
}

@Suite("A repeat of a request whose session was forgotten") struct RepeatTests {
    /// Bookings that have all processes, and whose handlers may be called again.
    private func started(
        isOnce: Bool = false, _ configure: @escaping (inout CoordinatorConfiguration) -> Void = { _ in }
    ) async throws -> RecordedBookings {
        let bookings = try await RecordedBookings(isOnce: isOnce)
        configure(&bookings.pipeline.configuration)
        try await bookings.pipeline.start()
        return bookings
    }

    /// Bookings whose session "s" has had its request and was forgotten.
    private func forgotten(isOnce: Bool = false) async throws -> RecordedBookings {
        let bookings = try await started(isOnce: isOnce)
        try await bookings.pipeline.book()
        try await bookings.pipeline.advance(by: bookings.pipeline.policy.idleTimeout)
        return bookings
    }

    private func ignored(_ pipeline: TestPipeline) throws -> Int? {
        try pipeline.coordinator().counters.ignored[.duplicateRequest]
    }

    @Test func `is ignored for an hour, until a tombstone has deleted the session`() async throws {
        let bookings = try await forgotten()
        let pipeline = bookings.pipeline
        let coordinator = try pipeline.coordinator()
        #expect(coordinator.openSessions == 0 && coordinator.forgottenSessions == 1)
        try await pipeline.book()
        #expect(try ignored(pipeline) == 1 && coordinator.openSessions == 0)
        try await pipeline.advance(by: .seconds(3_599))
        #expect(pipeline.journaled()?.value != nil)
        try await pipeline.advance(by: .seconds(1))
        #expect(pipeline.journaled()?.value == nil && coordinator.forgottenSessions == 0)
        try await pipeline.book()
        #expect(bookings.calls.all == [["s", "r"], ["s", "r"]])
    }

    @Test func `is ignored for a day if its handler may be called once, despite takeovers`() async throws {
        let bookings = try await forgotten(isOnce: true)
        let pipeline = bookings.pipeline
        for hour in 0..<23 {
            pipeline.log.compact(pipeline.topics.sessions, droppingTombstones: true)
            let owner = try #require(pipeline.coordinators.keys.first)
            let coordinator = try await pipeline.replaceCoordinator(owner, by: "c\(hour)")
            try await pipeline.book()
            #expect(coordinator.forgottenSessions == 1)
            try await pipeline.advance(by: .seconds(3_600))
        }
        #expect(bookings.count() == 1)
        try await pipeline.advance(by: .seconds(1_800))
        #expect(pipeline.journaled()?.value == nil)
        // The same worker would treat the work as a copy.
        try pipeline.closeWorker("handle")
        try await pipeline.addHandler("another")
        try await pipeline.book()
        #expect(bookings.count() == 2)
    }

    @Test func `is ignored after an operator has ended the session`() async throws {
        let bookings = try await started()
        let pipeline = bookings.pipeline
        try await pipeline.book()
        try await pipeline.deliver(.ended(reason: nil))
        try await pipeline.advance(by: .seconds(1))
        #expect(try pipeline.coordinator().openSessions == 0)
        try await pipeline.book()
        #expect(bookings.count() == 1)
        try await pipeline.deliver(.ended(reason: nil))
        #expect(try pipeline.coordinator().counters.ignored == [.duplicateRequest: 1, .nothingToEnd: 1])
    }

    @Test func `is ignored although a stale writer overwrote the record, which the owner restores`() async throws {
        let bookings = try await forgotten()
        let pipeline = bookings.pipeline
        let stamp = JournalStamp(epoch: 0, owner: "stale", number: 1, requests: 0, outcomes: 0, settled: 0, results: 0)
        let record = JournalRecord(stamp: stamp, content: .session(id: "s", nil))
        try pipeline.log.append(record.record(topic: pipeline.topics.sessions, partition: 0, at: pipeline.clock.now))
        #expect(pipeline.journaled()?.value == nil)
        try await pipeline.advance(by: .seconds(5), times: 3)
        #expect(pipeline.journaled()?.value != nil)
        pipeline.log.compact(pipeline.topics.sessions, droppingTombstones: true)
        try await pipeline.replaceCoordinator()
        try await pipeline.book()
        #expect(bookings.count() == 1)
    }

    @Test func `is recognized in a bounded number of sessions, longest in those of once-only requests`() async throws {
        let pipeline = try await started { $0.limits.maximumForgotten = 3 }.pipeline
        /// Replaces the resolver by one that serves intents with this policy.
        func replaceResolver(_ name: String, by next: String, _ policy: IntentPolicy?) async throws {
            try pipeline.closeWorker(name)
            pipeline.policies = { _ in policy }
            try pipeline.startWorker(next, .resolve)
            try await pipeline.settle()
        }
        try await replaceResolver("resolve", by: "resolve once", IntentPolicy(effect: .atMostOnce))
        try await pipeline.book("once")
        try await replaceResolver("resolve once", by: "resolve", nil)
        for number in 1...4 {
            try await pipeline.advance(by: .seconds(1))
            try await pipeline.book("s\(number)")
        }
        try await pipeline.advance(by: pipeline.policy.idleTimeout)
        let coordinator = try pipeline.coordinator()
        #expect(coordinator.forgottenSessions == 3 && coordinator.counters.forgottenEarly == 2)
        let known = ["once", "s1", "s2", "s3", "s4"].filter { pipeline.journaled(Identifier($0))?.value != nil }
        #expect(known == ["once", "s3", "s4"])
    }

    @Test func `is recognized in as many sessions as fit into a number of bytes`() async throws {
        let pipeline = try await started { $0.limits.maximumForgottenBytes = 2_000 }.pipeline
        for number in 1...20 { try await pipeline.book("s\(number)") }
        try await pipeline.advance(by: pipeline.policy.idleTimeout)
        let coordinator = try pipeline.coordinator()
        #expect(4...8 ~= coordinator.forgottenSessions)
        #expect(coordinator.counters.forgottenEarly == 20 - coordinator.forgottenSessions)
    }

    @Test func `is recognized by the previous version, which reads the record as an idle session`() async throws {
        let pipeline = try await forgotten(isOnce: true).pipeline
        let forgotten = pipeline.clock.now
        let once = forgotten.advanced(by: .seconds(24 * 3_600 - 1_800)).milliseconds
        let until = forgotten.advanced(by: .seconds(3_600)).milliseconds
        let ends = #""remembered":["r"],"once":{"r":\#(once)},"forgotten":\#(until)"#
        let expected = #"{"sequence":0,"updated":\#(forgotten.milliseconds),\#(ends)}"#
        #expect(pipeline.journaled()?.value == Bytes(expected.utf8))
    }
}

@Suite("Names that only look equal are different") struct IdentityTests {
    private static let sessions: [Identifier] = ["K-0", "\u{212A}-0"]

    @Test func `two sessions are different for a coordinator, its journal and its successor`() async throws {
        let pipeline = try await TestPipeline.started()
        for session in Self.sessions { try await pipeline.book(session, "r", [:]) }
        #expect(try pipeline.coordinator().openSessions == 2)
        #expect(try await pipeline.replaceCoordinator().openSessions == 2)
        for session in Self.sessions {
            try await pipeline.answer(session, .cancel)
            #expect(try pipeline.last(session).line == "completed cancelled cancelled", "\(session.utf8.count)")
        }
    }

    @Test func `a request is no repeat of one whose id or whose session's id only looks equal`() async throws {
        let bookings = try await RecordedBookings(isOnce: false)
        let pipeline = try await bookings.pipeline.start()
        try await pipeline.book("K-0", "\u{E9}")
        try await pipeline.advance(by: pipeline.policy.idleTimeout)
        let coordinator = try pipeline.coordinator()
        #expect(coordinator.openSessions == 0 && coordinator.forgottenSessions == 1)
        try await pipeline.book("K-0", "\u{E9}")
        #expect(coordinator.counters.ignored[.duplicateRequest] == 1)
        try await pipeline.book("K-0", "e\u{301}")
        #expect(coordinator.openSessions == 1 && coordinator.forgottenSessions == 0)
        #expect(try pipeline.results(session: "K-0").map(\.sequence) == [1, 1])
        try await pipeline.book("\u{212A}-0", "\u{E9}")
        #expect(bookings.calls.all == [["K-0", "\u{E9}"], ["K-0", "e\u{301}"], ["\u{212A}-0", "\u{E9}"]])
    }
}
