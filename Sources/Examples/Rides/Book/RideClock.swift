#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What time it is, for what ends at a time: the free window of a cancellation, a list of options, the legs of a ride. A `@Dependency`, so that
/// tests set it.
public struct RideClock: Sendable {
    public let now: @Sendable () -> Date
    /// Waits until a ride that is followed should be looked at again. Throws `CancellationError` when nobody follows it any more.
    public let untilNextLook: @Sendable () async throws -> Void

    /// - Parameter untilNextLook: 5 s unless told otherwise; an observer wants to hear at least every 20 s.
    public init(
        now: @escaping @Sendable () -> Date = { Date() },
        untilNextLook: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(5)) }
    ) {
        self.now = now
        self.untilNextLook = untilNextLook
    }
}
