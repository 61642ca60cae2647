import IntentKit
import IntentRuntime
import PipelineTestKit
import SampleDomains
import Testing

@Suite("A completed ride is rated")
struct RideFeedbackTests {
    @Test("once, with or without a tip, and its status shows it")
    func once() async throws {
        let (store, number) = (SampleStore(), try await ride("completed"))
        let feedback: KeyValuePairs<String, JSON> = [
            "rideIdentifier": number, "rating": .number(5),
            "tip": JSON(CurrencyAmount(minorUnits: 3_00, currencyCode: "EUR")),
        ]
        func status() async throws -> JSON? {
            try await rides(store).respond(.handle, "GetRideStatus", .resolved(["rideIdentifier": number])).values[
                "completionStatus"]
        }
        #expect(try await status() == .string("completedWithOutstandingFeedback"))
        #expect(try await rides(store).respond(.confirm, "SendRideFeedback", .resolved(feedback)).code == .ready)
        let first = try await rides(store).respond(.handle, "SendRideFeedback", .resolved(feedback))
        #expect(first.code == .success && first.dialog?.hasSuffix("gets your €3.00.") == true)
        #expect(try await rides(store).respond(.handle, "SendRideFeedback", .resolved(feedback)) == first)
        #expect(try await status() == .string("completed"))
        #expect(
            try await rides(store).respond(.confirm, "SendRideFeedback", .resolved(feedback), idempotencyKey: "other")
                .code == .failure)
        #expect(
            try await rides(store).respond(.handle, "SendRideFeedback", .resolved(feedback), idempotencyKey: "other")
                .code == .failure)
    }

    @Test("not before it is completed", arguments: ["confirmed", "approachingPickup", "ongoing"])
    func before(_ phase: String) async throws {
        let response = try await rides().respond(
            .confirm, "SendRideFeedback", .resolved(["rideIdentifier": ride(phase), "rating": .number(1)]))
        #expect(response.code == .failure)
    }

    @Test(
        "a tip must be in the city's currency and within bounds",
        arguments: [
            ("5 USD", "currencyUnsupported"), ("0 EUR", "belowMinimum"), ("50.01 EUR", "aboveMaximum"), ("50 EUR", nil),
            ("2.50 EUR", nil),
        ])
    func tip(_ said: String, _ reason: String?) async throws {
        let resolution = try await rides().resolve("tip", of: "SendRideFeedback", [.said("tip", said)]).resolution
        if case .unsupported(let given, let dialog) = resolution {
            #expect(given == reason && dialog?.isEmpty == false)
        } else {
            #expect(reason == nil)
        }
    }
}
