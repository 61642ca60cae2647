import Conversation
import IntentEvents
import IntentKit
import IntentModel
import PipelineTestKit
import SampleDomains
import Testing

@Suite("A ride that was booked is taken back")
struct UndoneRideTests {
    @Test("by the intent that cancels it, which asks the person first")
    func undone() async throws {
        let rides = RideExtension(book: RideBook(store: SampleStore()), clock: RideClock(now: { noon }))
        let session = try await Self.sessionOfWaitingRide()
        var talk = try await TestConversation(with: [rides], session: Identifier(session))
        try await talk.request("RequestRide", ["pickup": "Heuston", "dropOff": "Trinity College", "ride": "Comfort"])
        try await talk.say("yes")
        let done = try talk.pipeline.results(session: Identifier(session)).last?.data
        let number = try #require(done?["response"]?["rideIdentifier"]?.string)
        #expect(done?["undo"]?["intent"]?.string == "CancelRide" && done?["undo"]?["title"]?.string == "Cancel my ride")

        try await talk.undo()
        #expect(try talk.pipeline.results(session: Identifier(session)).last?.promptKind == .confirmIntent)
        try await talk.say("yes")
        #expect(try talk.lines.last == "success success: Ride \(number) is cancelled.")
        try await talk.undo()
        #expect(try talk.lines.last == "request.rejected.v1", "there is nothing left to take back")
    }

    /// A session whose first ride has a driver who has not set off. The phase of a ride follows from its number, and
    /// the number from the session.
    private static func sessionOfWaitingRide() async throws -> String {
        for number in 0..<64 {
            let ride = JSON(RideIdentifier(idempotencyKey: "s\(number)/r1"))
            let status = try await rides().respond(.handle, "GetRideStatus", .resolved(["rideIdentifier": ride]))
            if status.values["phase"] == .string("confirmed") { return "s\(number)" }
        }
        throw NoSuchRide()
    }
}
