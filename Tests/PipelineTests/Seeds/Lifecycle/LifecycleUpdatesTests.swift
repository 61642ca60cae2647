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
    var tells: @Sendable (UpdateObserver, Context) async throws -> Void

    func handle(_ intent: WhereIsMyRide, context: Context) async throws -> HandleResponse { .success }
    func sendUpdates(for intent: WhereIsMyRide, to observer: UpdateObserver, context: Context) async throws {
        try await tells(observer, context)
    }
}

extension UpdateObserver {
    fileprivate func tell(_ phase: String, _ completionStatus: String? = nil, ride: String = "R-1") {
        didUpdate(
            IntentUpdate(phase: phase, completionStatus: completionStatus, values: ["rideIdentifier": .string(ride)]))
    }
}

@Suite("The behaviours most often got wrong: 8, live updates")
struct LifecycleUpdatesTests {
    private let gate = Gate()
    private let start = SessionEvent.updatesStarted(request: "r")
    private let stop = SessionEvent.updatesStopped(request: "r")

    /// A conversation with one request for the status of a ride, and its live updates.
    private func followed(_ tells: @escaping @Sendable (UpdateObserver, Context) async throws -> Void) async throws
        -> Dialogue
    {
        let talk = try await Dialogue(SingleHandlerExtension(handler: RideFollower(tells: tells)), gates: [gate])
        try await talk.request(WhereIsMyRide.self, ["rideIdentifier": "R-1"])
        #expect(try talk.lines() == ["completed success success"] && talk.last()?.data["updates"]?.bool == true)
        try await talk.send(start)
        return talk
    }

    private func updates(_ talk: Dialogue) throws -> [String] { Array(try talk.lines().dropFirst()) }

    @Test("8: updates that are requested twice are started once")
    func startOnce() async throws {
        let notebook = Recorder<String>()
        let talk = try await followed { [gate] observer, _ in
            notebook.record("started")
            observer.tell("confirmed")
            try await gate.pass()
        }
        try await talk.send(start)
        #expect(try updates(talk) == ["update confirmed"])
        #expect(notebook.all.count == 1 && gate.count == 1)
    }

    @Test("8: every change of phase is reported at once, and an unchanged phase at intervals")
    func cadence() async throws {
        let talk = try await followed { [gate] observer, _ in
            for phase in ["confirmed", "confirmed", "approachingPickup", "ongoing", "ongoing"] { observer.tell(phase) }
            try await gate.pass()
            observer.tell("ongoing")
            observer.tell("completed", "completed")
        }
        #expect(try updates(talk) == ["update confirmed", "update approachingPickup", "update ongoing"])
        talk.pipeline.clock.advance(by: talk.pipeline.policy.updatesInterval)
        gate.open()
        try await talk.pipeline.settle()
        #expect(try updates(talk).suffix(3) == ["update ongoing", "update completed", "no more updates: completed"])
    }

    @Test("8: after a silence the work is dispatched again, and lasting silence ends the updates with a reason")
    func silence() async throws {
        let notebook = Recorder<String>()
        let talk = try await followed { [gate] observer, _ in
            notebook.record("called")
            if notebook.all.count == 1 { observer.tell("confirmed") }
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

    @Test("8: an update about another ride is ignored")
    func anotherRide() async throws {
        let talk = try await followed { observer, _ in
            observer.tell("confirmed")
            observer.tell("completed", "canceledByService", ride: "R-2")
            observer.tell("unknown", ride: "R-2")
            observer.tell("ongoing")
            observer.tell("completed", "completed")
        }
        #expect(
            try updates(talk) == [
                "update confirmed", "update ongoing", "update completed", "no more updates: completed",
            ])
    }

    @Test(
        "8: the phase 'unknown', and 'completed' without a completion status, stop the handler, and the person is told why"
    )
    func invalid() async throws {
        for (phase, why) in [("unknown", "it is not 'unknown'"), ("completed", "has a completion status")] {
            let talk = try await followed { [gate] observer, _ in
                observer.tell(phase)
                try await gate.pass()
            }
            #expect(try updates(talk) == ["no more updates: invalid"] && gate.count == 0)
            #expect(try talk.last()?.data["error"]?["reason"]?.string == "invalid")
            #expect(try talk.last()?.data["error"]?["message"]?.string?.hasSuffix(why) == true)
        }
    }

    @Test("8: 'completed' with its status is the last update")
    func completed() async throws {
        let talk = try await followed { [gate] observer, _ in
            observer.tell("completed", "completedWithOutstandingFeedback")
            observer.tell("ongoing")
            try await gate.pass()
        }
        #expect(try updates(talk) == ["update completed", "no more updates: completed"] && gate.count == 0)
        let told = try talk.pipeline.results(session: "s").first { $0.type == .updated }
        #expect(told?.data["completionStatus"]?.string == "completedWithOutstandingFeedback")
    }

    @Test("8: stopping is harmless: twice, after the handler has ended, and without a start")
    func stopTwice() async throws {
        let talk = try await followed { [gate] observer, _ in
            observer.tell("ongoing")
            try await gate.pass()
        }
        for _ in 1...2 { try await talk.send(stop) }
        #expect(try updates(talk) == ["update ongoing", "no more updates: stopped"] && gate.count == 0)

        let ended = try await followed { observer, _ in observer.tell("completed", "completed") }
        try await ended.send(stop)
        #expect(try updates(ended) == ["update completed", "no more updates: completed"])
        try await ended.send(.updatesStopped(request: "other"))
        #expect(try updates(ended).count == 2)
    }

    @Test("8: the status can be requested again during updates, and each request can have its own")
    func askedAgain() async throws {
        let talk = try await followed { [gate] observer, context in
            observer.tell("ongoing")
            try await gate.pass()
        }
        try await talk.request(WhereIsMyRide.self, ["rideIdentifier": "R-1"], id: "again")
        #expect(try updates(talk) == ["update ongoing", "completed success success"] && gate.count == 1)
        try await talk.send(.updatesStarted(request: "again"))
        try await talk.send(stop)
        #expect(try updates(talk).suffix(2) == ["update ongoing", "no more updates: stopped"] && gate.count == 1)
    }

    @Test("8: if the handler asks or throws, the updates end with the reason")
    func namedEnd() async throws {
        struct NoSignal: Error {}
        let asking = try await followed { _, context in try await context.requestConfirmation(dialog: "Really?") }
        #expect(try updates(asking) == ["no more updates: invalid"])
        #expect(try asking.last()?.data["error"]?["message"]?.string?.contains("asked the person") == true)

        let throwing = try await followed { _, _ in throw NoSignal() }
        for _ in 1...throwing.pipeline.policy.maximumAttempts { try await throwing.pipeline.advance(by: .seconds(1)) }
        #expect(try updates(throwing) == ["no more updates: invalid"])
        #expect(try throwing.last()?.data["error"]?["message"]?.string == "the updates of WhereIsMyRide threw NoSignal")
    }
}
