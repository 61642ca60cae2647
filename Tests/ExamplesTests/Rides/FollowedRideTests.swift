import Conversation
import Foundation
import IntentEvents
import IntentKit
import IntentRuntime
import PipelineTestKit
import SampleDomains
import Synchronization
import Testing

@Suite("Live updates of a ride")
struct FollowedRideTests {
    /// The ride's clock, which only moves when the test advances it.
    private final class Watch: Sendable {
        let gate = Gate()
        private let time = Mutex(noon)

        var clock: RideClock {
            RideClock(now: { self.time.withLock { $0 } }, untilNextLook: { try await self.gate.pass() })
        }
        func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
    }

    private let watch = Watch()
    private let store = SampleStore()

    private func started() async throws -> TestConversation {
        let rides = RideExtension(book: RideBook(store: store), clock: watch.clock)
        let registry = try IntentRegistry([rides], dependencies: AppDependencyManager())
        let pipeline = try await TestPipeline(gates: [watch.gate], perform: { await registry.perform($0, report: $1) })
        try pipeline.startAll()
        try await pipeline.settle()
        return TestConversation(pipeline)
    }

    /// A conversation with live updates of a ride.
    private func following(_ phase: String) async throws -> TestConversation {
        var talk = try await started()
        let number = try #require(try await ride(phase).view.string)
        try await talk.request("GetRideStatus", ["rideIdentifier": number])
        #expect(try talk.pipeline.results().last?.data["updates"]?.bool == true)
        try await send(.updatesStarted(request: "r1"), talk, "start")
        return talk
    }

    private func send(_ event: SessionEvent, _ talk: TestConversation, _ id: Identifier) async throws {
        try talk.pipeline.send(event, session: "s", id: id)
        try await talk.pipeline.settle()
    }

    /// Advances the clocks of the ride and the pipeline. The handler then checks the ride once.
    private func look(_ talk: TestConversation, after seconds: Int) async throws {
        watch.advance(by: TimeInterval(seconds))
        talk.pipeline.clock.advance(by: .seconds(seconds))
        watch.gate.letThrough()
        try await talk.pipeline.settle()
    }

    private func updates(_ talk: TestConversation) throws -> [String] {
        try talk.pipeline.results().filter { $0.type == .updated || $0.type == .updatesEnded }.map {
            $0.data["phase"]?.string.map { "phase \($0)" } ?? "ended \($0.data["reason"]?.string ?? "")"
        }
    }

    @Test("go through its phases, a minute each, to the completion status")
    func phases() async throws {
        let talk = try await following("confirmed")
        for _ in 1...3 {
            try await look(talk, after: 20)
            try await look(talk, after: 40)
        }
        #expect(
            try updates(talk) == [
                "phase confirmed", "phase confirmed", "phase approachingPickup", "phase approachingPickup",
                "phase ongoing",
                "phase ongoing",
                "phase completed", "ended completed",
            ])
        let last = try talk.pipeline.results().last { $0.type == .updated }?.data
        #expect(last?["completionStatus"]?.string == "completedWithOutstandingFeedback")
        #expect(last?["dialog"]?.string?.hasSuffix("has brought you there. Thank you for riding with us.") == true)
        #expect(watch.gate.count == 0)
    }

    @Test("are continued by another process from the current phase")
    func another() async throws {
        let talk = try await following("confirmed")
        try await look(talk, after: 20)
        try talk.pipeline.closeWorker("handle")
        watch.advance(by: 100)
        try talk.pipeline.startWorker("another", .handle)
        try await talk.pipeline.settle()
        #expect(try updates(talk) == ["phase confirmed", "phase confirmed", "phase ongoing"])
    }

    @Test("end when the ride is cancelled")
    func cancelled() async throws {
        var talk = try await following("approachingPickup")
        let number = try #require(try await ride("approachingPickup").view.string)
        try await talk.request("CancelRide", ["rideIdentifier": number])
        try await talk.say("yes")
        try await look(talk, after: 5)
        #expect(try updates(talk) == ["phase approachingPickup", "phase completed", "ended completed"])
        #expect(
            try talk.pipeline.results().last { $0.type == .updated }?.data["completionStatus"]?.string
                == "canceledByUser")
    }

    @Test("have moved on when they are requested again later")
    func askedLater() async throws {
        var talk = try await following("confirmed")
        try await send(.updatesStopped(request: "r1"), talk, "stop")
        #expect(watch.gate.count == 0)
        watch.advance(by: 125)
        let number = try #require(try await ride("confirmed").view.string)
        try await talk.request("GetRideStatus", ["rideIdentifier": number])
        #expect(try talk.pipeline.results().last?.data["response"]?["phase"]?.string == "ongoing")
        try await send(.updatesStarted(request: "r2"), talk, "again")
        #expect(try updates(talk) == ["phase confirmed", "ended stopped", "phase ongoing"])
    }
}
