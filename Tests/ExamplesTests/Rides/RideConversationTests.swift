import Conversation
import Foundation
import IntentEvents
import IntentKit
import PipelineTestKit
import SampleDomains
import Synchronization
import Testing

/// A clock of rides, which only moves when the test advances it.
private final class Watch: Sendable {
    let gate = Gate()
    private let time = Mutex(noon)

    var rides: Rides {
        Rides(RideClock(now: { self.time.withLock { $0 } }, waitForNextUpdate: { try await self.gate.pass() }))
    }

    func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}

@Suite("Rides through the whole pipeline") struct RideConversationTests {
    private let watch = Watch()

    /// A conversation in which a ride to Trinity College was booked for a time.
    private func booked(for time: String) async throws -> (talk: TestConversation, ride: String) {
        var talk = try await watch.rides.conversation(gates: [watch.gate])
        try await talk.request("RequestRide", ["dropOff": "Trinity College", "ride": "Comfort", "scheduledTime": time])
        try await talk.answer("yes")
        return (talk, try #require(try talk.last?.data["response"]?["rideIdentifier"]?.string))
    }

    @Test func `a scheduled ride is booked in the app, looked up and cancelled in one session`() async throws {
        var (talk, ride) = try await booked(for: "2027-03-01T18:00:00Z")
        try await talk.request("GetRideStatus", ["rideIdentifier": ride])
        #expect(try talk.last?.dialog?.hasSuffix("has your ride for 2027-03-01 18:00 UTC.") == true)
        try await talk.request("CancelRide")
        try await talk.answer("yes")
        #expect(try talk.last?.dialog == "Ride \(ride) is cancelled.")
        try await talk.request("CancelRide")
        #expect(try talk.last?.dialog == "Ride \(ride) has been cancelled already.")
    }

    @Test func `accepting a free cancellation too late asks again, with the fee`() async throws {
        var (talk, ride) = try await booked(for: "2027-03-01T12:31:00Z")
        try await talk.request("CancelRide", ["rideIdentifier": ride])
        watch.advance(by: 61)
        try await talk.pipeline.advance(by: .seconds(61))
        try await talk.answer("yes")
        #expect(
            try talk.lines.suffix(2) == [
                "confirms: Your ride can still be cancelled free of charge. Cancel it?",
                "confirms: Cancelling now costs €5.00. Cancel it?",
            ])
        try await talk.answer("yes")
        #expect(try talk.last?.data["response"]?["cancellationFee"]?["amount"]?.string == "5.00")
    }

    @Test func `words pick among the times that were offered, and change the ride that is confirmed`() async throws {
        var talk = try await Rides().conversation()
        try await talk.request(
            "RequestRide",
            ["dropOff": "Trinity College", "ride": "Comfort", "scheduledTime": "tomorrow at half past six"])
        #expect(try talk.last?.titles.count == 2)
        try await talk.say("half past six in the evening")
        #expect(try talk.last?.dialog?.contains("18:30") == true)
        try await talk.say("make it four, an hour later")
        let dialog = try talk.last?.dialog ?? ""
        #expect(dialog.contains("for 4") && dialog.contains("19:30"), "\(dialog)")
        try await talk.say("hmm, not five")
        #expect(try talk.last?.dialog == "I did not understand that. \(dialog)")
    }

    @Test(arguments: [("the cheapest one", "Economy"), ("the biggest", "XL"), ("the most expensive, please", "XL")])
    func `a ride is chosen by its fare, or by its seats`(_ words: String, _ ride: String) async throws {
        var talk = try await Rides().conversation()
        try await talk.request("RequestRide", ["pickup": "Heuston", "dropOff": "Trinity College"])
        #expect(try talk.last?.titles.count == 4)
        try await talk.say("the cheaper one")
        #expect(try talk.last?.dialog?.hasPrefix("Which one do you mean: 1. Economy (4 seats); 2. Comfort") == true)
        try await talk.say(words)
        #expect(try talk.last?.dialog?.contains(ride) == true)
    }

    @Test(arguments: [("the earlier one", "06:30"), ("the later one", "18:30")])
    func `a time is chosen as the earlier or the later one`(_ words: String, _ time: String) async throws {
        var talk = try await Rides().conversation()
        try await talk.request(
            "RequestRide",
            ["dropOff": "Trinity College", "ride": "Comfort", "scheduledTime": "tomorrow at half past six"])
        try await talk.say(words)
        #expect(try talk.last?.dialog?.contains(time) == true)
    }

    @Test(arguments: [
        ("en", "make it four people"), ("en", "for four"), ("de", "mach vier daraus"), ("nl", "vier personen"),
    ])
    func `the number of people is changed at the confirmation`(_ language: String, _ words: String) async throws {
        var talk = try await Rides().conversation()
        talk.locale = language
        try await talk.request("RequestRide", ["pickup": "Heuston", "dropOff": "Trinity College", "ride": "Comfort"])
        try await talk.say(words)
        #expect(try talk.last?.data["parameters"]?.elements.contains { $0["value"]?.int == 4 } == true)
    }

    @Test func `a time that has passed is asked for again`() async throws {
        var talk = try await Rides().conversation()
        try await talk.request(
            "RequestRide", ["dropOff": "Trinity College", "ride": "Comfort", "scheduledTime": "yesterday at 5pm"])
        #expect(try talk.last?.dialog?.hasSuffix("has passed. When should the ride be?") == true)
    }

    @Test func `the name of a listed ride is enough to request it`() async throws {
        var talk = try await Rides().play("ListRideOptions", ["pickup": "Heuston", "dropOff": "Trinity College"])
        let picked = try #require(try talk.last?.data["items"]?.elements.first)
        let name = try #require(picked["title"]?.string)
        try await talk.request("RequestRide", ["pickup": "Heuston", "dropOff": "Trinity College", "ride": name])
        try await talk.answer("yes")
        let fare = try talk.last?.data["response"]?["fare"]?["amount"]?.string
        #expect(fare != nil && fare == picked["value"]?["fare"]?["amount"]?.string)
    }

    @Test func `undoing a booking performs the intent that cancels the ride, which asks the person first`() async throws
    {
        var talk = try await Rides().conversation(session: Self.sessionOfWaitingRide())
        try await talk.request("RequestRide", ["pickup": "Heuston", "dropOff": "Trinity College", "ride": "Comfort"])
        try await talk.answer("yes")
        let done = try talk.last?.data
        let number = try #require(done?["response"]?["rideIdentifier"]?.string)
        #expect(done?["undo"]?["intent"]?.string == "CancelRide" && done?["undo"]?["title"]?.string == "Cancel my ride")
        try await talk.undo()
        #expect(try talk.last?.promptKind == .confirmIntent)
        try await talk.answer("yes")
        #expect(try talk.lines.last == "success success: Ride \(number) is cancelled.")
        try await talk.undo()
        #expect(try talk.last?.type == .rejected, "there is nothing left to take back")
    }

    /// A session whose first ride has a driver who has not set off. The phase of a ride follows from its number, and
    /// the number from the session.
    private static func sessionOfWaitingRide() async throws -> Identifier {
        for number in 0..<64 {
            let ride = JSON(RideIdentifier(idempotencyKey: "s\(number)/r1"))
            if try await Rides().status(of: ride)["phase"] == "confirmed" { return "s\(number)" }
        }
        throw Rides.NoSuchRide()
    }
}

@Suite("Live updates of a ride") struct FollowedRideTests {
    private let watch = Watch()

    /// A conversation with live updates of a ride.
    private func following(_ phase: String) async throws -> (talk: TestConversation, ride: String) {
        var talk = try await watch.rides.conversation(gates: [watch.gate])
        let ride = try #require(try await Rides.ride(in: phase).view.string)
        try await talk.request("GetRideStatus", ["rideIdentifier": ride])
        #expect(try talk.last?.data["updates"]?.bool == true)
        try await talk.send(.updatesStarted(request: "r1"))
        return (talk, ride)
    }

    /// Advances the clocks of the ride and the pipeline. The handler then checks the ride once.
    private func look(_ talk: TestConversation, after seconds: Int) async throws {
        watch.advance(by: TimeInterval(seconds))
        talk.pipeline.clock.advance(by: .seconds(seconds))
        watch.gate.letThrough()
        try await talk.pipeline.settle()
    }

    private func updates(_ talk: TestConversation) throws -> [String] {
        try talk.steps.compactMap { step in
            step.hasPrefix("update ") ? String(step.dropFirst(7)) : step.hasPrefix("no more updates") ? step : nil
        }
    }

    @Test func `go through its phases, a minute each, to the completion status`() async throws {
        let talk = try await following("confirmed").talk
        for _ in 1...3 { for seconds in [20, 40] { try await look(talk, after: seconds) } }
        #expect(
            try updates(talk) == [
                "confirmed", "confirmed", "approachingPickup", "approachingPickup", "ongoing", "ongoing", "completed",
                "no more updates: completed",
            ])
        let last = try talk.results.last { $0.type == .updated }
        #expect(last?.data["completionStatus"]?.string == "completedWithOutstandingFeedback")
        #expect(last?.dialog?.hasSuffix("has brought you there. Thank you for riding with us.") == true)
        #expect(watch.gate.count == 0)
    }

    @Test func `are continued by another process from the current phase`() async throws {
        let talk = try await following("confirmed").talk
        try await look(talk, after: 20)
        try talk.pipeline.closeWorker("handle")
        watch.advance(by: 100)
        try talk.pipeline.startWorker("another", .handle)
        try await talk.pipeline.settle()
        #expect(try updates(talk) == ["confirmed", "confirmed", "ongoing"])
    }

    @Test func `end when the ride is cancelled`() async throws {
        var (talk, ride) = try await following("approachingPickup")
        try await talk.request("CancelRide", ["rideIdentifier": ride])
        try await talk.answer("yes")
        try await look(talk, after: 5)
        #expect(try updates(talk) == ["approachingPickup", "completed", "no more updates: completed"])
        let last = try talk.results.last { $0.type == .updated }
        #expect(last?.data["completionStatus"]?.string == "canceledByUser")
    }

    @Test func `have moved on when they are requested again later`() async throws {
        var (talk, ride) = try await following("confirmed")
        try await talk.send(.updatesStopped(request: "r1"))
        #expect(watch.gate.count == 0)
        watch.advance(by: 125)
        try await talk.request("GetRideStatus", ["rideIdentifier": ride])
        #expect(try talk.last?.data["response"]?["phase"]?.string == "ongoing")
        try await talk.send(.updatesStarted(request: "r2"))
        #expect(try updates(talk) == ["confirmed", "no more updates: stopped", "ongoing"])
    }
}
