import Conversation
import IntentEvents
import IntentKit
import PipelineTestKit
import Testing

private struct WhereIsMyRide: Intent {
    static let title: LocalizedText = "Where is my ride?"
    @Parameter(title: "Ride") var rideIdentifier: String
    static let parameters = Parameters<Self>(\.$rideIdentifier)
}

/// A handler that sends the updates of the test.
private struct RideFollower: IntentHandling, LiveUpdating {
    var sends: @Sendable (UpdateObserver, Context) async throws -> Void

    func handle(_ intent: WhereIsMyRide, context: Context) async throws -> HandleResponse { .success }
    func sendUpdates(for intent: WhereIsMyRide, to observer: UpdateObserver, context: Context) async throws {
        try await sends(observer, context)
    }
}

@Suite("The behaviours most often got wrong: 8, live updates") struct LifecycleUpdatesTests {
    private let gate = Gate()

    /// A conversation with one request for the status of a ride, and its live updates.
    private func followed(_ sends: @escaping @Sendable (UpdateObserver, Context) async throws -> Void) async throws
        -> TestConversation
    {
        var talk = try await TestConversation(
            about: RideFollower(sends: sends), ["rideIdentifier": "R-1"], gates: [gate])
        #expect(try talk.steps == ["completed success success"] && talk.last?.data["updates"]?.bool == true)
        try await talk.send(.updatesStarted(request: "r1"))
        return talk
    }

    private func updates(_ talk: TestConversation) throws -> [String] { Array(try talk.steps.dropFirst()) }

    @Test("8: after a silence the work is dispatched again, and lasting silence ends the updates with a reason")
    func silence() async throws {
        let notebook = Recorder<String>()
        let talk = try await followed { [gate] observer, _ in
            notebook.record("called")
            if notebook.all.count == 1 { observer.didUpdate(IntentUpdate(phase: "confirmed")) }
            try await gate.pass()
        }
        for _ in 1...talk.pipeline.policy.maximumAttempts {
            #expect(try updates(talk) == ["update confirmed"] && gate.count == 1)
            try await talk.pipeline.advance(by: talk.pipeline.policy.updatesSilence)
        }
        try await talk.pipeline.advance(by: talk.pipeline.policy.updatesSilence)
        #expect(try updates(talk) == ["update confirmed", "no more updates: silent"])
        #expect(notebook.all.count == 1 + talk.pipeline.policy.maximumAttempts && gate.count == 0)
    }

    @Test(
        "8: the phase 'unknown', and 'completed' without a completion status, stop the handler, and the person is told why",
        arguments: [("unknown", "it is not 'unknown'"), ("completed", "has a completion status")])
    func invalid(_ phase: String, _ why: String) async throws {
        let talk = try await followed { [gate] observer, _ in
            observer.didUpdate(IntentUpdate(phase: phase))
            try await gate.pass()
        }
        #expect(try updates(talk) == ["no more updates: invalid"] && gate.count == 0)
        let error = try talk.last?.data["error"]
        #expect(error?["reason"]?.string == "invalid" && error?["message"]?.string?.hasSuffix(why) == true)
    }

    @Test func `8: if the handler asks or throws, the updates end with the reason`() async throws {
        struct NoSignal: Error {}
        let asking = try await followed { _, context in try await context.requestConfirmation(dialog: "Really?") }
        #expect(try updates(asking) == ["no more updates: invalid"])
        #expect(try asking.last?.data["error"]?["message"]?.string?.contains("asked the person") == true)

        let throwing = try await followed { _, _ in throw NoSignal() }
        for _ in 1...throwing.pipeline.policy.maximumAttempts { try await throwing.pipeline.advance(by: .seconds(1)) }
        #expect(try updates(throwing) == ["no more updates: invalid"])
        #expect(try throwing.last?.data["error"]?["message"]?.string == "the updates of WhereIsMyRide threw NoSignal")
    }
}
