import Foundation
import IntentKit
import IntentRuntime
import Rides
import SampleData

/// The rides domain with its own book for each test, at a fixed time.
func rides(_ store: SampleStore = SampleStore(), at time: Date = noon) throws -> IntentRegistry {
    let dependencies = DependencyManager()
    dependencies.add(RideBook(store: store))
    dependencies.add(RideClock(now: { time }))
    return try IntentRegistry([RideExtension()], dependencies: dependencies)
}

/// 1 March 2027, 12:00 UTC.
let noon = Date(timeIntervalSince1970: 1_803_902_400)

extension IntentRegistry {
    /// Performs a phase with resolved values.
    func run(
        _ phase: Phase, _ intent: String, _ parameters: KeyValuePairs<String, JSON>, key: String = "k", locale: String? = nil,
        isInApp: Bool = false
    ) async throws -> IntentResponse {
        let states = parameters.map { ParameterState(name: $0.key, value: $0.value, origin: .resolved) }
        let context = InvocationContext(session: "s", request: "r", idempotencyKey: key, locale: locale, isInApp: isInApp)
        let outcome = await perform(IntentInvocation(phase: phase, intent: intent, parameters: states, context: context))
        guard case .responded(let response, _) = outcome else { throw Unanswered(outcome: outcome) }
        return response
    }
}

struct Unanswered: Error { let outcome: PhaseOutcome }

/// The number of a ride that is in this phase, as derived from its number.
func ride(_ phase: String) async throws -> JSON {
    for key in 0..<64 {
        let number = JSON(RideIdentifier(idempotencyKey: "ride-\(key)"))
        let status = try await rides().run(.handle, "GetRideStatus", ["rideIdentifier": number])
        if status.values["phase"] == .string(phase) { return number }
    }
    throw NoSuchRide()
}

struct NoSuchRide: Error {}
