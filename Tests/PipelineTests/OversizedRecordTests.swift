import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Testing

@Suite("Records that are too large") struct OversizedRecordTests {
    private let pipeline: TestPipeline

    init() async throws { pipeline = try await TestPipeline.started() }

    private static let large = String(repeating: "x", count: 1_100_000)

    /// Appends a value of any size that is no event, as a producer with other limits could.
    private func append(_ bytes: Int, to topic: String, _ pipeline: TestPipeline) throws -> Bytes {
        let value = Bytes(repeating: UInt8(ascii: "x"), count: bytes)
        let headers = [RecordHeader("ce_id", "e")]
        try pipeline.log.append(
            Record(topic: "intents.\(topic)", partition: 0, key: Array("s".utf8), value: value, headers: headers))
        return value
    }

    private func letter(_ pipeline: TestPipeline) throws -> ReadDeadLetter {
        try #require(pipeline.records(\.deadLetters).compactMap { ReadDeadLetter($0) }.first)
    }

    /// Checks that no process ends, and that a request of another session completes.
    private func expectService(_ pipeline: TestPipeline) async throws {
        #expect(try await pipeline.settle() == [])
        try pipeline.order("other")
        #expect(try await pipeline.settle() == [])
        #expect(try pipeline.results(session: "other").map(\.line) == Booking.completed)
    }

    @Test(arguments: ["requests", "resolve"])
    func `an unreadable record just under its limit becomes a dead letter`(_ topic: String) async throws {
        let value = try append((1 << 20) - 60, to: topic, pipeline)
        try await expectService(pipeline)
        let letter = try letter(pipeline)
        #expect(letter.original.value == value && letter.excerpt == nil)
    }

    @Test(arguments: [("requests", "coordinator", "complex"), ("resolve", "resolver", "unparseable")])
    func `beyond a dead letter's limit have an excerpt`(topic: String, stage: String, reason: String) async throws {
        let value = try append(3_000_000, to: topic, pipeline)
        try await expectService(pipeline)
        let letter = try letter(pipeline)
        #expect(letter.session == "s" && letter.eventID == "e" && letter.stage == stage && letter.reason == reason)
        #expect(letter.original.value == Array(value.prefix(DeadLetter.excerptBytes)))
        #expect(letter.original.headers.map(\.name) == ["ce_id"] && letter.attempt == 2)
        // The SHA-256 of three million bytes "x", from `sha256sum`.
        let digest = "e55b8bdf621ddaa8f462c74745db9680d3bb7536a9cf854f8d6668b34a287890"
        #expect(letter.excerpt == ReadDeadLetter.Excerpt(bytes: 3_000_000, sha256: digest))
    }

    @Test(arguments: ["requests", "resolve"])
    func `a dead letter that the log refuses for a while is sent again`(_ topic: String) async throws {
        pipeline.refuse(2, in: \.deadLetters, with: LogError(.timedOut, "not now", disposition: .retry))
        _ = try append(10, to: topic, pipeline)
        #expect(try await pipeline.settle() == [])
        #expect(try letter(pipeline).attempt == 3)
    }

    @Test(arguments: [
        LogError(.timedOut, "not now", disposition: .retry), LogError(.unauthorized, "no right to write"),
    ])
    func `a dead letter that the log keeps refusing is counted and given up`(_ refusal: LogError) async throws {
        pipeline.refuse(100, in: \.deadLetters, with: refusal)
        for topic in ["requests", "resolve"] { _ = try append(10, to: topic, pipeline) }
        try await expectService(pipeline)
        #expect(try pipeline.records(\.deadLetters).isEmpty && pipeline.coordinator().counters.deadLetters.lost == 1)
        #expect(try pipeline.worker("resolve").counters.deadLetters.lost == 1)
        #expect(try await pipeline.lines("s") == ["rejected unparseable"])
    }

    @Test(arguments: Phase.allCases)
    func `a handler's answer beyond the limit of an outcome fails its request as complex`(_ phase: Phase) async throws {
        let pipeline = try await TestPipeline.started { invocation, report in
            guard invocation.phase == phase else { return await Booking.perform(invocation, report) }
            let large = JSON.string(Self.large)
            if phase == .resolve { return .resolved([ResolvedParameter(name: "dropOff", resolution: .success(large))]) }
            return .responded(IntentResponse(phase == .handle ? .success : .ready, values: ["note": large]))
        }
        try pipeline.order()
        #expect(try await pipeline.settle() == [])
        #expect(try await pipeline.lines() == ["completed failure failure"])
        let error = try pipeline.last().data["error"]
        #expect(error?["reason"]?.string == "complex")
        #expect(error?["message"]?.string?.contains("an outcome may have 262144") == true)
        #expect(try pipeline.worker(phase.rawValue).counters.oversized == 1 && pipeline.records(\.deadLetters).isEmpty)
    }

    @Test func `progress that is too large is left out, and the outcome arrives`() async throws {
        let pipeline = try await TestPipeline.started { invocation, report in
            if invocation.phase == .handle { report(IntentProgress(fraction: 0.5, dialog: Self.large)) }
            return await Booking.perform(invocation, report)
        }
        try pipeline.order()
        #expect(try await pipeline.settle() == [])
        #expect(try await pipeline.lines() == Booking.completed && pipeline.worker().counters.oversized == 1)
    }

    @Test func `live updates whose handler ends with too large an error end for the person too`() async throws {
        let pipeline = try await TestPipeline.started(
            perform: Booking.updating { _ in
                .failed(IntentFailure(.failure(.failure), reason: .internal, message: Self.large))
            })
        try await pipeline.book()
        try pipeline.send(.updatesStarted(request: "r"), session: "s", id: "start")
        #expect(try await pipeline.settle() == [])
        #expect(try pipeline.results().map(\.type) == [.completed, .updatesEnded])
        #expect(try pipeline.worker().counters.oversized == 1)
    }
}

@Suite("A session's journal record is never larger than a broker accepts") struct JournalSizeTests {
    private static let note = String(repeating: "x", count: 60_000)
    /// The default limit of Kafka, and of the in-memory log.
    private static let brokerLimit = 1 << 20

    /// A pipeline for requests in which everything is large. Their values are stored for live updates, and a handler
    /// that continues in the app returns 240 kB.
    private let pipeline: TestPipeline

    init() async throws {
        let perform = Booking.updating { report in
            for number in 1...8 {
                let text = JSON.string(String(repeating: "z", count: 150_000))
                report(IntentProgress(update: IntentUpdate(phase: "p\(number)", values: ["text": text])))
            }
            return .responded(IntentResponse(.success))
        }
        pipeline = try await TestPipeline.started { invocation, report in
            let outcome = await perform(invocation, report)
            guard invocation.phase == .handle, case .responded(var response, _) = outcome,
                response.code == .continueInApp
            else { return outcome }
            response.offersUpdates = false
            response.values = ["text": .string(String(repeating: "y", count: 240_000))]
            return .responded(response)
        }
    }

    private func ask(
        _ id: Identifier, _ parameters: KeyValuePairs<String, String> = Booking.plain,
        _ whenBusy: IntentRequest.WhenBusy = .queue
    ) async throws {
        let states = [ParameterState].said(parameters) + [.said("note", Self.note)]
        let request = IntentRequest(id: id, intent: "Book", parameters: states, whenBusy: whenBusy)
        try pipeline.send(.requested(request), session: "s", id: id)
        #expect(try await pipeline.settle() == [])
    }

    private func expectSmallRecords() {
        let sizes = pipeline.records(\.sessions).map { $0.value?.count ?? 0 }
        #expect(sizes.max() ?? 0 < Self.brokerLimit && pipeline.coordinators.count == 1)
    }

    @Test func `a request beyond the record's limit is rejected, until earlier requests make room`() async throws {
        for number in 1...4 { try await ask("done\(number)") }
        for number in 1...5 { try await ask("open\(number)", [:], .interrupt) }
        for number in 1...4 { try await ask("queued\(number)", [:]) }
        let rejected = try pipeline.results(session: "s").filter { $0.line == "rejected complex" }
        #expect(try !rejected.isEmpty && rejected.count == pipeline.coordinator().counters.oversized)
        #expect(rejected.last?.data["message"]?.string?.contains("may take 600000") == true)
        expectSmallRecords()
        for number in 0..<12 { try pipeline.send(.cancelled(request: nil), session: "s", id: "cancel\(number)") }
        #expect(try await pipeline.settle() == [])
        try await ask("after")
        #expect(try pipeline.last().line == "completed success success")
        expectSmallRecords()
    }

    @Test func `an outcome beyond the record's limit fails its request, and the next request begins`() async throws {
        for number in 1...4 { try await ask("done\(number)") }
        try await ask("r", ["dropOff": "Airport", "confirm": "none", "handle": "app"])
        #expect(try pipeline.last().line == "completed failure failure")
        let error = try pipeline.last().data["error"]
        #expect(error?["reason"]?.string == "complex")
        #expect(error?["message"]?.string?.contains("answer with less") == true)
        try await ask("next")
        #expect(try pipeline.last().line == "completed success success")
        expectSmallRecords()
    }

    @Test func `unacknowledged results count towards the limit: later input waits, nothing is lost`() async throws {
        try await ask("r")
        try pipeline.send(.updatesStarted(request: "r"), session: "s", id: "start")
        #expect(try await pipeline.settle() == [])
        let phases = try pipeline.results(session: "s").dropFirst().map { $0.data["phase"] ?? $0.data["reason"] }
        #expect(phases.map { $0?.string } == (1...8).map { "p\($0)" } + ["completed"])
        #expect(try pipeline.coordinator().counters.oversized == 0)
        expectSmallRecords()
    }
}

@Suite("A coordinator with large sessions whose records are not acknowledged") struct InFlightBytesTests {
    private static let note = String(repeating: "x", count: 50_000)

    private func pipeline(
        partitions: Int32 = 1, _ configure: @escaping (inout CoordinatorConfiguration) -> Void
    ) async throws -> TestPipeline {
        try await TestPipeline.prepared(partitions: partitions) { configure(&$0.configuration) }
    }

    private func ask(_ pipeline: TestPipeline, _ session: Identifier, _ id: Identifier = "r") throws {
        try pipeline.order(session, id, ["dropOff": "Airport", "confirm": "none", "note": Self.note])
    }

    @Test(arguments: ["sessions", "resolve"])
    func `bounds unacknowledged records and effects, and holds further input`(_ topic: String) async throws {
        let pipeline = try await pipeline { $0.limits.maximumInFlightBytes = 400_000 }
        let coordinator = try pipeline.coordinator()
        pipeline.log.setLeaders(of: "intents.\(topic)", areAway: true)
        for session in [Identifier].numbered(1..<41) { try ask(pipeline, session) }
        try await pipeline.settle()
        #expect(400_000...460_000 ~= coordinator.inFlightBytes && coordinator.counters.decisions < 10)
        pipeline.log.setLeaders(of: "intents.\(topic)", areAway: false)
        try await pipeline.settle()
        #expect(coordinator.inFlightBytes == 0)
        for session in [Identifier].numbered(1..<41) { #expect(try await pipeline.lines(session) == Booking.completed) }
    }

    @Test func `bounds the bytes of all partitions together, and no partition waits for another`() async throws {
        let pipeline = try await pipeline(partitions: 4) { $0.limits.maximumInFlightBytesOfAll = 500_000 }
        for number in 0..<3 { pipeline.log.setLeader(of: pipeline.place(\.sessions, Int32(number)), isAway: true) }
        let sessions = [Identifier].numbered(0..<60)
        for session in sessions { try ask(pipeline, session) }
        try await pipeline.settle()
        #expect(try 375_000...640_000 ~= pipeline.coordinator().inFlightBytes)
        for session in TestPipeline.sessions(in: 3, of: 4, among: 60) {
            #expect(try await pipeline.lines(session) == Booking.completed)
        }
        pipeline.setLeaders(of: \.sessions, areAway: false)
        for session in sessions { #expect(try await pipeline.lines(session) == Booking.completed) }
    }

    @Test func `decides small events of one large session in order, without much more than the bound`() async throws {
        let pipeline = try await pipeline { $0.limits.maximumInFlightBytes = 1_000_000 }
        let coordinator = try pipeline.coordinator()
        try pipeline.order("s", "open", [:])
        for number in 1...4 { try ask(pipeline, "s", "r\(number)") }
        try await pipeline.settle()
        pipeline.setLeaders(of: \.sessions, areAway: true)
        for number in 1...60 {
            let correction = Correction(request: "r1", parameter: "party", value: .string("\(number)"))
            try pipeline.send(.corrected(correction), session: "s", id: "c\(number)")
        }
        try await pipeline.settle()
        #expect(1_000_000...1_250_000 ~= coordinator.inFlightBytes)
        pipeline.setLeaders(of: \.sessions, areAway: false)
        try await pipeline.settle()
        #expect(coordinator.inFlightBytes == 0)
        let journaled = try #require(try pipeline.journaledSession())
        #expect(journaled.session.queued.first?.parameters.last == .said("party", "60"))
    }

    @Test func `fires no timers meanwhile, does not wake for them either, and fires them later`() async throws {
        let pipeline = try await pipeline { $0.limits.maximumInFlightBytes = 100_000 }
        let coordinator = try pipeline.coordinator()
        try await pipeline.book("asked", "r", [:])
        pipeline.setLeaders(of: \.sessions, areAway: true)
        for number in 1...4 { try ask(pipeline, "s\(number)") }
        try await pipeline.settle()
        let decisions = coordinator.counters.decisions
        try await pipeline.advance(by: pipeline.policy.answerTimeout)
        #expect(coordinator.counters.decisions == decisions && coordinator.nextTimer > pipeline.clock.now)
        pipeline.setLeaders(of: \.sessions, areAway: false)
        #expect(try await pipeline.lines("asked").last == "completed timedOut requestTimedOut")
    }
}
