import Conversation
import Foundation
import IntentEvents
import IntentKit
import IntentRuntime
import PipelineTestKit
import SampleDomains
import Synchronization
import Testing

@Suite("Rides through the whole pipeline")
struct RideConversationTests {
    /// The rides' clock; the pipeline's own clock does not move.
    private final class Watch: Sendable {
        private let time = Mutex(noon)
        var now: Date { time.withLock { $0 } }
        func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
    }

    private let watch = Watch()

    private func started() async throws -> TestPipeline {
        let rides = RideExtension(book: RideBook(store: SampleStore()), clock: RideClock(now: { [watch] in watch.now }))
        let registry = try IntentRegistry([rides], dependencies: AppDependencyManager())
        let pipeline = try await TestPipeline(perform: { await registry.perform($0, report: $1) })
        try pipeline.startAll()
        try await pipeline.settle()
        return pipeline
    }

    private func ask(
        _ pipeline: TestPipeline, for intent: Identifier, _ parameters: KeyValuePairs<String, String>, id: Identifier
    )
        async throws
    {
        let states = parameters.map { ParameterState(name: $0, value: .string($1)) }
        try pipeline.send(.requested(IntentRequest(id: id, intent: intent, parameters: states)), session: "me", id: id)
        try await pipeline.settle()
    }

    private func sayYes(_ pipeline: TestPipeline) async throws {
        let prompt = try #require(try pipeline.results().last?.prompt)
        try pipeline.send(.answered(Answer(prompt: prompt, action: .accept)), session: "me", id: "yes to \(prompt)")
        try await pipeline.settle()
    }

    private func last(_ pipeline: TestPipeline, _ field: String) throws -> String? {
        try pipeline.results().last?.data[field]?.string
    }

    @Test("a ride for later is booked in the app, looked up and cancelled in one session without repeating its number")
    func session() async throws {
        let pipeline = try await started()
        try await ask(
            pipeline, for: "RequestRide",
            ["dropOff": "Trinity College", "ride": "Comfort", "scheduledTime": "2027-03-01T18:00:00Z"],
            id: "book")
        try await sayYes(pipeline)
        let number = try #require(try pipeline.results().last?.data["response"]?["rideIdentifier"]?.string)
        try await ask(pipeline, for: "GetRideStatus", ["rideIdentifier": number], id: "status")
        #expect(try last(pipeline, "dialog")?.hasSuffix("has your ride for 2027-03-01 18:00 UTC.") == true)
        try await ask(pipeline, for: "CancelRide", [:], id: "cancel")
        try await sayYes(pipeline)
        #expect(try last(pipeline, "dialog") == "Ride \(number) is cancelled.")
        try await ask(pipeline, for: "CancelRide", [:], id: "cancel again")
        #expect(try last(pipeline, "dialog") == "Ride \(number) has been cancelled already.")
    }

    @Test("accepting a free cancellation too late asks again, with the fee")
    func tooLate() async throws {
        let pipeline = try await started()
        try await ask(
            pipeline, for: "RequestRide",
            ["dropOff": "Trinity College", "ride": "Comfort", "scheduledTime": "2027-03-01T12:31:00Z"],
            id: "book")
        try await sayYes(pipeline)
        let number = try #require(try pipeline.results().last?.data["response"]?["rideIdentifier"]?.string)
        try await ask(pipeline, for: "CancelRide", ["rideIdentifier": number], id: "cancel")
        #expect(try last(pipeline, "dialog") == "Your ride can still be cancelled free of charge. Cancel it?")
        watch.advance(by: 61)
        try await pipeline.advance(by: .seconds(61))
        try await sayYes(pipeline)
        #expect(try last(pipeline, "dialog") == "Cancelling now costs €5.00. Cancel it?")
        try await sayYes(pipeline)
        #expect(try pipeline.results().last?.data["response"]?["cancellationFee"]?["amount"]?.string == "5.00")
    }

    @Test("the name of a listed ride is enough to request it")
    func list() async throws {
        let pipeline = try await started()
        try await ask(
            pipeline, for: "ListRideOptions", ["pickup": "Heuston", "dropOff": "Trinity College"], id: "list")
        let picked = try #require(try pipeline.results().last?.data["items"]?.elements.first)
        let name = try #require(picked["title"]?.string)
        try await ask(
            pipeline, for: "RequestRide", ["pickup": "Heuston", "dropOff": "Trinity College", "ride": name], id: "book")
        try await sayYes(pipeline)
        let fare = try pipeline.results().last?.data["response"]?["fare"]?["amount"]?.string
        #expect(fare != nil && fare == picked["value"]?["fare"]?["amount"]?.string)
    }
}
