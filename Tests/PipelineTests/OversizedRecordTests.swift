import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("Records that are too large")
struct OversizedRecordTests {
    private func pipeline(perform: @escaping Worker.Perform = Booking.perform) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(partitions: 1, perform: perform)
        try pipeline.startAll()
        try await pipeline.settle()
        return pipeline
    }

    /// Appends a value of any size that is no event, as a producer with other limits could.
    private func append(_ bytes: Int, to topic: String, _ pipeline: TestPipeline) throws -> Bytes {
        let value = Bytes(repeating: UInt8(ascii: "x"), count: bytes)
        _ = try pipeline.log.append(
            Record(
                topic: topic, partition: 0, key: Array("s".utf8), value: value, headers: [RecordHeader("ce_id", "e")]))
        return value
    }

    private func letter(_ pipeline: TestPipeline) throws -> ReadDeadLetter {
        try #require(pipeline.log.records(in: pipeline.topics.deadLetters).compactMap { ReadDeadLetter($0) }.first)
    }

    @Test(
        "an unreadable record just under the limit of its topic becomes a dead letter, and ends no process",
        arguments: ["requests", "resolve"])
    func underTheLimit(_ topic: String) async throws {
        let pipeline = try await pipeline()
        let value = try append((1 << 20) - 60, to: "intents.\(topic)", pipeline)
        #expect(try await pipeline.settle() == [])
        let letter = try letter(pipeline)
        #expect(letter.original.value == value && letter.excerpt == nil)
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "other", id: "r")
        #expect(try await pipeline.settle() == [])
        #expect(try pipeline.results(session: "other").map(\.line) == ["completed success success"])
    }

    @Test(
        "of an unreadable record that no dead letter can hold, the key, the id, the first bytes, the size and the SHA-256 are kept",
        arguments: [("requests", "coordinator", "complex"), ("resolve", "resolver", "unparseable")])
    func excerpt(_ topic: String, _ stage: String, _ reason: String) async throws {
        let pipeline = try await pipeline()
        let value = try append(3_000_000, to: "intents.\(topic)", pipeline)
        #expect(try await pipeline.settle() == [])
        let letter = try letter(pipeline)
        #expect(letter.session == "s" && letter.eventID == "e" && letter.stage == stage && letter.reason == reason)
        #expect(letter.original.value == Array(value.prefix(DeadLetter.excerptBytes)))
        #expect(letter.original.headers.map(\.name) == ["ce_id"])
        // The SHA-256 of three million bytes "x", from `sha256sum`.
        let digest = "e55b8bdf621ddaa8f462c74745db9680d3bb7536a9cf854f8d6668b34a287890"
        #expect(letter.excerpt == ReadDeadLetter.Excerpt(bytes: 3_000_000, sha256: digest))
        #expect(letter.attempt == 2)
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "other", id: "r")
        #expect(try await pipeline.settle() == [])
        #expect(try pipeline.results(session: "other").map(\.line) == ["completed success success"])
    }

    @Test(
        "a dead letter that the log refuses for a while is sent again",
        arguments: ["requests", "resolve"])
    func sentAgain(_ topic: String) async throws {
        let pipeline = try await pipeline()
        pipeline.log.refuseRecords(
            2, in: pipeline.topics.deadLetters, with: LogError(.timedOut, "not now", disposition: .retry))
        _ = try append(10, to: "intents.\(topic)", pipeline)
        #expect(try await pipeline.settle() == [])
        #expect(try letter(pipeline).attempt == 3)
    }

    @Test(
        "a dead letter that the log always refuses is given up: its record is counted and passed over",
        arguments: [LogError(.timedOut, "not now", disposition: .retry), LogError(.unauthorized, "no right to write")])
    func givenUp(_ refusal: LogError) async throws {
        let pipeline = try await pipeline()
        pipeline.log.refuseRecords(100, in: pipeline.topics.deadLetters, with: refusal)
        _ = try append(10, to: pipeline.topics.requests, pipeline)
        _ = try append(10, to: pipeline.topics.resolve, pipeline)
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "other", id: "r")
        #expect(try await pipeline.settle() == [])
        #expect(pipeline.log.records(in: pipeline.topics.deadLetters).isEmpty)
        #expect(pipeline.coordinators["coordinator"]?.counters.deadLettersLost == 1)
        #expect(pipeline.workers["resolve"]?.counters.deadLettersLost == 1)
        #expect(try pipeline.results(session: "s").map(\.line) == ["rejected unparseable"])
        #expect(try pipeline.results(session: "other").map(\.line) == ["completed success success"])
    }

    @Test(
        "what a handler answers beyond the limit of an outcome fails its request with the reason complex, and ends no worker",
        arguments: Phase.allCases)
    func outcome(_ phase: Phase) async throws {
        let large = JSON.string(String(repeating: "x", count: 1_100_000))
        let pipeline = try await pipeline { invocation, report in
            guard invocation.phase == phase else { return await Booking.perform(invocation, report) }
            if phase == .resolve { return .resolved([ResolvedParameter(name: "dropOff", resolution: .success(large))]) }
            return .responded(IntentResponse(phase == .handle ? .success : .ready, values: ["note": large]))
        }
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "s", id: "r")
        #expect(try await pipeline.settle() == [])
        #expect(try pipeline.results().map(\.line) == ["completed failure failure"])
        let completion = try #require(try pipeline.results().last)
        #expect(completion.data["error"]?["reason"]?.string == "complex")
        #expect(completion.data["error"]?["message"]?.string?.contains("an outcome may have 262144") == true)
        #expect(pipeline.workers[phase.rawValue]?.counters.oversized == 1)
        #expect(pipeline.log.records(in: pipeline.topics.deadLetters).isEmpty)
    }

    @Test("progress that is too large is left out, and the outcome arrives")
    func progress() async throws {
        let dialog = String(repeating: "x", count: 1_100_000)
        let pipeline = try await pipeline { invocation, report in
            if invocation.phase == .handle { report(IntentProgress(fraction: 0.5, dialog: dialog)) }
            return await Booking.perform(invocation, report)
        }
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "s", id: "r")
        #expect(try await pipeline.settle() == [])
        #expect(try pipeline.results().map(\.line) == ["completed success success"])
        #expect(pipeline.workers["handle"]?.counters.oversized == 1)
    }

    @Test("live updates whose handler ends with too large an error end for the person too")
    func updates() async throws {
        let message = String(repeating: "x", count: 1_100_000)
        let pipeline = try await pipeline { invocation, report in
            if invocation.isUpdating {
                return .failed(IntentFailure(.failure(.failure), reason: .internal, message: message))
            }
            let outcome = await Booking.perform(invocation, report)
            guard invocation.phase == .handle, case .responded(var response, let confirmation) = outcome else {
                return outcome
            }
            response.offersUpdates = true
            return .responded(response, confirmation: confirmation)
        }
        try pipeline.send(Booking.request("r", ["dropOff": "Airport", "confirm": "none"]), session: "s", id: "r")
        try await pipeline.settle()
        try pipeline.send(.updatesStarted(request: "r"), session: "s", id: "start")
        #expect(try await pipeline.settle() == [])
        #expect(try pipeline.results().map(\.type) == [.completed, .updatesEnded])
        #expect(pipeline.workers["handle"]?.counters.oversized == 1)
    }
}
