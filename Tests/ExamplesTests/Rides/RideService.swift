import Foundation
import IntentKit
import IntentRuntime
import PipelineTestKit
import SampleDomains

/// The rides domain with its own book for each test, at a fixed time.
func rides(_ store: SampleStore = SampleStore(), at time: Date = noon) throws -> IntentRegistry {
    let extensions = [RideExtension(book: RideBook(store: store), clock: RideClock(now: { time }))]
    return try IntentRegistry(extensions, dependencies: AppDependencyManager())
}

/// 1 March 2027, 12:00 UTC.
let noon = Date(timeIntervalSince1970: 1_803_902_400)

/// The number of a ride in this phase. The phase of a sample ride follows from its number.
func ride(_ phase: String) async throws -> JSON {
    for key in 0..<64 {
        let number = JSON(RideIdentifier(idempotencyKey: "ride-\(key)"))
        let status = try await rides().respond(.handle, "GetRideStatus", .resolved(["rideIdentifier": number]))
        if status.values["phase"] == .string(phase) { return number }
    }
    throw NoSuchRide()
}

struct NoSuchRide: Error {}
