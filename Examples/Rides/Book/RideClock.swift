#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The current time, for the free window of a cancellation, the expiry of a list of options, and the phases of a ride.
/// Tests pass their own clock.
public struct RideClock: Sendable {
    public let now: @Sendable () -> Date
    /// Waits until the next live update is due. Throws `CancellationError` if no observers are left.
    public let waitForNextUpdate: @Sendable () async throws -> Void

    /// - Parameter waitForNextUpdate: The wait between live updates. Defaults to 5 s. Observers expect an update at
    ///   least every 20 s.
    public init(
        now: @escaping @Sendable () -> Date = { Date() },
        waitForNextUpdate: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(5)) }
    ) {
        self.now = now
        self.waitForNextUpdate = waitForNextUpdate
    }
}
