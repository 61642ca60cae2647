#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What time it is, for what ends at a time: the free window of a cancellation, a list of options. A `@Dependency`, so that tests set it.
public struct RideClock: Sendable {
    public let now: @Sendable () -> Date

    public init(now: @escaping @Sendable () -> Date = { Date() }) { self.now = now }
}
