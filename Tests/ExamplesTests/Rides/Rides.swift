import Foundation
import IntentKit
import PipelineTestKit
import SampleDomains

/// 1 March 2027, 12:00 UTC.
let noon = Date(timeIntervalSince1970: 1_803_902_400)

/// The rides domain with its own book, at noon.
struct Rides: DomainFixture {
    let served: RideExtension

    init(_ store: SampleStore = SampleStore(), at time: Date = noon) {
        self.init(RideClock(now: { time }), store)
    }

    init(_ clock: RideClock, _ store: SampleStore = SampleStore()) {
        served = RideExtension(book: RideBook(store: store), clock: clock)
    }

    /// Returns the result for one parameter of a ride request.
    func resolve(_ name: String, _ parameters: KeyValuePairs<String, JSON>) async throws -> ParameterResolution {
        try await resolve(name, of: "RequestRide", parameters.map { ParameterState(name: $0, value: $1) })
    }

    /// Confirms or handles an intent about a booked ride.
    func respond(
        _ phase: Phase, _ intent: String, _ ride: JSON, _ others: KeyValuePairs<String, JSON> = [:],
        key: Identifier = "s/r"
    ) async throws -> IntentResponse {
        try await respond(
            phase, intent, [ParameterState].resolved(["rideIdentifier": ride]) + [ParameterState].resolved(others),
            key: key)
    }

    /// Returns the values of a ride's status.
    func status(of ride: JSON) async throws -> [String: JSON] {
        try await respond(.handle, "GetRideStatus", ride).values
    }

    /// Returns the number of a ride in this phase. The phase of a sample ride follows from its number.
    static func ride(in phase: String) async throws -> JSON {
        for key in 0..<64 {
            let number = JSON(RideIdentifier(idempotencyKey: "ride-\(key)"))
            if try await Rides().status(of: number)["phase"] == .string(phase) { return number }
        }
        throw NoSuchRide()
    }

    struct NoSuchRide: Error {}
}
