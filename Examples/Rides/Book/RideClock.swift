#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The current time, for what depends on it: the free window of a cancellation, the expiry of a list of options, the phases of a ride. A
/// `@Dependency`, so that tests can set it.
public struct RideClock: Sendable {
    public let now: @Sendable () -> Date
    /// Waits until the next live update is due. Throws `CancellationError` when there are no observers any more.
    public let untilNextLook: @Sendable () async throws -> Void

    /// - Parameter untilNextLook: Defaults to a wait of 5 s. Observers expect an update at least every 20 s.
    public init(
        now: @escaping @Sendable () -> Date = { Date() },
        untilNextLook: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(5)) }
    ) {
        self.now = now
        self.untilNextLook = untilNextLook
    }
}
