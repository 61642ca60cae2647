import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("A session's journal record is never larger than a broker accepts")
struct JournalSizeTests {
    private static let large = String(repeating: "x", count: 60_000)
    /// The default limit of Kafka, and of the in-memory log.
    private static let brokerLimit = 1 << 20

    /// A pipeline for requests in which everything is large. Their values are stored for live updates, and a handler
    /// that continues in the app returns 240 kB.
    private func pipeline() async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: 1) { invocation, report in
            if invocation.isUpdating {
                for number in 1...8 {
                    var progress = IntentProgress()
                    let text = String(repeating: "z", count: 150_000)
                    progress.update = IntentUpdate(phase: "p\(number)", values: ["text": .string(text)])
                    report(progress)
                }
                return .responded(IntentResponse(.success))
            }
            let outcome = await Booking.perform(invocation, report)
            guard invocation.phase == .handle, case .responded(var response, _) = outcome else { return outcome }
            response.offersUpdates = response.code == .success
            if response.code == .continueInApp {
                response.values = ["text": .string(String(repeating: "y", count: 240_000))]
            }
            return .responded(response)
        }
        try pipeline.startAll()
        try await pipeline.settle()
        return pipeline
    }

    private func ask(
        _ pipeline: TestPipeline, _ id: Identifier, _ parameters: KeyValuePairs<String, String>,
        _ whenBusy: IntentRequest.WhenBusy = .queue
    ) async throws {
        var states = parameters.map { ParameterState(name: $0, value: .string($1)) }
        states.append(ParameterState(name: "note", value: .string(Self.large)))
        try pipeline.send(
            .requested(IntentRequest(id: id, intent: "Book", parameters: states, whenBusy: whenBusy)), session: "s",
            id: id)
        #expect(try await pipeline.settle() == [])
    }

    private func lines(_ pipeline: TestPipeline) throws -> [String] { try pipeline.results(session: "s").map(\.line) }

    private func check(_ pipeline: TestPipeline) {
        let sizes = pipeline.log.records(in: pipeline.topics.sessions).map { $0.value?.count ?? 0 }
        #expect(sizes.max() ?? 0 < Self.brokerLimit && pipeline.coordinators.count == 1)
    }

    @Test(
        "a request that would make it too large is rejected with its reason; existing requests continue, then there is room again"
    )
    func requests() async throws {
        let pipeline = try await pipeline()
        for number in 1...4 { try await ask(pipeline, "done\(number)", ["dropOff": "Airport", "confirm": "none"]) }
        for number in 1...5 { try await ask(pipeline, "open\(number)", [:], .interrupt) }
        for number in 1...4 { try await ask(pipeline, "queued\(number)", [:]) }
        let rejected = try pipeline.results(session: "s").filter { $0.line == "rejected complex" }
        #expect(!rejected.isEmpty && rejected.count == pipeline.coordinators["coordinator"]?.counters.oversized)
        #expect(rejected.last?.data["message"]?.string?.contains("may take 600000") == true)
        check(pipeline)

        for number in 0..<12 { try pipeline.send(.cancelled(request: nil), session: "s", id: "cancel\(number)") }
        #expect(try await pipeline.settle() == [])
        try await ask(pipeline, "after", ["dropOff": "Airport", "confirm": "none"])
        #expect(try lines(pipeline).last == "completed success success")
        check(pipeline)
    }

    @Test("an outcome that would make it too large fails its request with a reason, and the next one begins")
    func answers() async throws {
        let pipeline = try await pipeline()
        for number in 1...4 { try await ask(pipeline, "done\(number)", ["dropOff": "Airport", "confirm": "none"]) }
        try await ask(pipeline, "r", ["dropOff": "Airport", "confirm": "none", "handle": "app"])
        #expect(try lines(pipeline).last == "completed failure failure")
        let error = try pipeline.results(session: "s").last?.data["error"]
        #expect(
            error?["reason"]?.string == "complex" && error?["message"]?.string?.contains("answer with less") == true)
        try await ask(pipeline, "next", ["dropOff": "Airport", "confirm": "none"])
        #expect(try lines(pipeline).last == "completed success success")
        check(pipeline)
    }

    @Test("unacknowledged results count towards it: later input waits for a round trip, and nothing is lost")
    func results() async throws {
        let pipeline = try await pipeline()
        try await ask(pipeline, "r", ["dropOff": "Airport", "confirm": "none"])
        try pipeline.send(.updatesStarted(request: "r"), session: "s", id: "start")
        #expect(try await pipeline.settle() == [])
        let told = try pipeline.results(session: "s").dropFirst().map {
            $0.data["phase"]?.string ?? $0.data["reason"]?.string
        }
        #expect(told == (1...8).map { "p\($0)" } + ["completed"])
        #expect(pipeline.coordinators["coordinator"]?.counters.oversized == 0)
        check(pipeline)
    }
}
