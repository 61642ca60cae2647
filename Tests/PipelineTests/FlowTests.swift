import Conversation
import IntentEvents
import IntentKit
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("The whole pipeline in one process")
struct FlowTests {
    private func play(_ parameters: KeyValuePairs<String, String>, answers: KeyValuePairs<String, String> = [:])
        async throws -> [String]
    {
        let pipeline = try await TestPipeline(perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        try pipeline.send(Booking.request("r", parameters), session: "s", id: "r")
        try await pipeline.play(answers, session: "s")
        return try pipeline.results().map(\.line)
    }

    @Test("an intent with nothing to ask is resolved, confirmed and handled")
    func happyPath() async throws {
        #expect(try await play(["dropOff": "Airport", "confirm": "none"]) == ["completed success success"])
    }

    @Test("a missing value is asked for, an ambiguous one is offered as a choice, and the person confirms")
    func questions() async throws {
        #expect(
            try await play([:], answers: ["dropOff": "Station", "dropOff": "n"]) == [
                "prompt value dropOff", "prompt choice dropOff", "prompt confirmIntent -", "completed success success",
            ])
    }

    @Test("a guess is confirmed, and an unsupported value is asked for again")
    func guessAndUnsupported() async throws {
        #expect(
            try await play(["dropOff": "Moon"], answers: ["dropOff": "Stat", "dropOff": "station-north"]) == [
                "prompt value dropOff", "prompt confirmValue dropOff", "prompt confirmIntent -",
                "completed success success",
            ])
    }

    @Test("a handler reports progress and completes once")
    func progress() async throws {
        #expect(
            try await play(["dropOff": "Airport", "confirm": "none", "handle": "slow"]) == [
                "progress 0.5", "completed success success",
            ])
    }

    @Test("handleInApp dispatches the intent to the app's workers in the background")
    func background() async throws {
        for phase in ["confirm", "handle"] {
            let lines = try await play([
                "dropOff": "Airport", "confirm": phase == "confirm" ? "background" : "none", "handle": "background",
            ])
            #expect(lines == ["offer background", "completed success success"])
        }
    }

    @Test("a failure that the app can fix offers the app an activity and completes")
    func failureRequiringAppLaunch() async throws {
        #expect(
            try await play(["dropOff": "Airport", "confirm": "fail"]) == [
                "offer foreground", "completed failure failureRequiringAppLaunchNoServiceInArea",
            ])
    }

    @Test("continueInApp offers the activity to the app, which claims and completes it")
    func handoff() async throws {
        let pipeline = try await TestPipeline(perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "app"]), session: "s", id: "r")
        try await pipeline.settle()
        let offer = try #require(try pipeline.results().last)
        #expect(offer.line == "offer foreground")
        #expect(offer.data["activity"]?["activityType"]?.string == "com.example.book")
        #expect(offer.data["activity"]?["interaction"]?["intent"]?.string == "Book")
        let handoff = try #require(offer.offeredHandoff)
        try pipeline.send(.handoffClaimed(handoff: handoff, claimant: "phone"), session: "s", id: "claim")
        try pipeline.send(.handoffClaimed(handoff: handoff, claimant: "tablet"), session: "s", id: "claim-2")
        try pipeline.send(
            .handoffCompleted(handoff: handoff, claimant: "phone", response: IntentResponse(.success)), session: "s",
            id: "done")
        try await pipeline.settle()
        #expect(
            try pipeline.results().map(\.line) == [
                "offer foreground", "claimed phone", "rejected unexpected", "completed success success",
            ])
    }

    @Test("a retry waits for the delay that the handler asked for and keeps its idempotency key")
    func retry() async throws {
        let pipeline = try await TestPipeline(perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        try pipeline.send(
            Booking.request("r", ["dropOff": "Airport", "confirm": "none", "handle": "retry"]), session: "s", id: "r")
        try await pipeline.settle()
        #expect(try pipeline.results().isEmpty)
        try await pipeline.advance(by: .seconds(4))
        #expect(try pipeline.results().isEmpty)
        try await pipeline.advance(by: .seconds(1))
        try await pipeline.advance(by: .seconds(5))
        #expect(try pipeline.results().map(\.line) == ["progress", "completed success success"])
        let handles = try pipeline.log.records(in: pipeline.topics.handle).map { record throws(EventError) in
            try WorkEvent(record).work.item
        }
        #expect(handles.map { $0?.attempt } == [1, 2, 3])
        #expect(Set(handles.map { $0?.idempotencyKey }) == ["s/r"])
    }

    @Test("an unanswered prompt ends the request, even if the coordinator crashed in between")
    func answerTimeout() async throws {
        let pipeline = try await TestPipeline(perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        try pipeline.send(Booking.request("r"), session: "s", id: "r")
        try await pipeline.settle()
        try await pipeline.advance(by: .seconds(60))
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("successor")
        try await pipeline.settle()
        #expect(try pipeline.results().map(\.line) == ["prompt value dropOff"])
        try await pipeline.advance(by: .seconds(60))
        #expect(try pipeline.results().map(\.line) == ["prompt value dropOff", "completed timedOut requestTimedOut"])
    }

    @Test("an idle session is forgotten, and its input is not processed twice, whatever compaction has removed")
    func forgotten() async throws {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "s", id: "r")
        try await pipeline.settle()
        try await pipeline.advance(by: pipeline.policy.idleTimeout)
        #expect(pipeline.coordinators["coordinator"]?.openSessions == 0)
        pipeline.log.compact(pipeline.topics.sessions, droppingTombstones: true)
        pipeline.kill("coordinator")
        try pipeline.startCoordinator("successor")
        try await pipeline.settle()
        #expect(pipeline.coordinators["successor"]?.openSessions == 0)
        #expect(try pipeline.results().map(\.line) == ["completed success success"])
    }

    @Test("the same request ten times is one request")
    func duplicates() async throws {
        let pipeline = try await TestPipeline(perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        for _ in 0..<10 {
            try pipeline.send(Booking.request("r", ["dropOff": "A", "confirm": "none"]), session: "s", id: "r")
        }
        try await pipeline.settle()
        #expect(try pipeline.results().count == 1)
        #expect(pipeline.coordinators["coordinator"]?.counters.ignored[.duplicateRequest] == 9)
    }

    @Test(
        "a coordinator at its in-flight limit stops reading input, and continues when there is room",
        arguments: [1, 2, 7])
    func backPressure(maximum: Int) async throws {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        pipeline.maximumInFlight = maximum
        try pipeline.startAll()
        try await pipeline.settle()
        // Lost acknowledgements exercise the journal's gaps; cancels of an unknown request exercise decisions without
        // work.
        pipeline.log.loseAcknowledgements(40, in: pipeline.topics.sessions)
        for number in 0..<60 {
            try pipeline.send(
                Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "s\(number)", id: "r")
            try pipeline.send(.cancelled(request: "other"), session: "s\(number)", id: "c")
        }
        try await pipeline.settle()
        for number in 0..<60 {
            let lines = Set(try pipeline.results(session: "s\(number)").map(\.line))
            #expect(lines == ["completed success success", "rejected unexpected"])
        }
    }

    @Test("a flooded session never has many unacknowledged results in its journal, and each request is answered")
    func flood() async throws {
        let pipeline = try await TestPipeline(partitions: 1, perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        for number in 0..<300 {
            try pipeline.send(
                Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "flooded", id: "r\(number)")
        }
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "quiet", id: "r")
        try await pipeline.settle()
        let journaled = pipeline.log.records(in: pipeline.topics.sessions).compactMap { record -> Int? in
            guard case .session(_, let session)? = try? JournalRecord(record).content else { return nil }
            return session?.unacknowledged.count
        }
        #expect(journaled.max() ?? 0 <= 32)
        #expect(try pipeline.results(session: "flooded").count == 300)
        #expect(try pipeline.results(session: "quiet").map(\.line) == ["completed success success"])
    }

    @Test("every record caused by a request carries its trace")
    func trace() async throws {
        let pipeline = try await TestPipeline(perform: Booking.perform)
        try pipeline.startAll()
        try await pipeline.settle()
        let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        var request = IntentRequest(
            id: "r", intent: "Book", parameters: [ParameterState(name: "dropOff", value: .string("A"))])
        request.trace = TraceContext(parent: parent, state: "vendor=1")
        try pipeline.send(.requested(request), session: "s", id: "r")
        try await pipeline.settle()
        let topics = pipeline.topics
        for topic in [topics.resolve, topics.confirm, topics.outcomes, topics.results] {
            let records = pipeline.log.records(in: topic)
            #expect(!records.isEmpty)
            for record in records { #expect(record.header("traceparent") == Array(parent.utf8), "\(topic)") }
        }
    }
}
