import IntentKit
import IntentRuntime
import Rides
import SampleData
import Testing

@Suite("A completed ride is rated")
struct RideFeedbackTests {
    private func resolve(tip: String) async throws -> ParameterResolution? {
        let context = InvocationContext(session: "s", request: "r")
        let states = [ParameterState(name: "tip", value: .string(tip))]
        let outcome = try await rides().perform(
            IntentInvocation(phase: .resolve, intent: "SendRideFeedback", parameters: states, context: context))
        guard case .resolved(let all) = outcome else { return nil }
        return all.first { $0.name == "tip" }?.resolution
    }

    @Test("once, with or without a tip, and its status shows it")
    func once() async throws {
        let (store, number) = (SampleStore(), try await ride("completed"))
        let feedback: KeyValuePairs<String, JSON> = [
            "rideIdentifier": number, "rating": .number(5), "tip": JSON(CurrencyAmount(minorUnits: 3_00, currencyCode: "EUR")),
        ]
        func status() async throws -> JSON? {
            try await rides(store).run(.handle, "GetRideStatus", ["rideIdentifier": number]).values["completionStatus"]
        }
        #expect(try await status() == .string("completedWithOutstandingFeedback"))
        #expect(try await rides(store).run(.confirm, "SendRideFeedback", feedback).code == .ready)
        let first = try await rides(store).run(.handle, "SendRideFeedback", feedback)
        #expect(first.code == .success && first.dialog?.hasSuffix("gets your €3.00.") == true)
        #expect(try await rides(store).run(.handle, "SendRideFeedback", feedback) == first)
        #expect(try await status() == .string("completed"))
        #expect(try await rides(store).run(.confirm, "SendRideFeedback", feedback, key: "other").code == .failure)
        #expect(try await rides(store).run(.handle, "SendRideFeedback", feedback, key: "other").code == .failure)
    }

    @Test("not before it is completed", arguments: ["confirmed", "approachingPickup", "ongoing"])
    func before(_ phase: String) async throws {
        let response = try await rides().run(.confirm, "SendRideFeedback", ["rideIdentifier": ride(phase), "rating": .number(1)])
        #expect(response.code == .failure)
    }

    @Test(
        "a tip must be in the city's currency and within bounds",
        arguments: [
            ("5 USD", "currencyUnsupported"), ("0 EUR", "belowMinimum"), ("50.01 EUR", "aboveMaximum"), ("50 EUR", nil), ("2.50 EUR", nil),
        ])
    func tip(_ said: String, _ reason: String?) async throws {
        let resolution = try #require(await resolve(tip: said))
        if case .unsupported(let given, let dialog) = resolution {
            #expect(given == reason && dialog?.isEmpty == false)
        } else {
            #expect(reason == nil)
        }
    }
}
