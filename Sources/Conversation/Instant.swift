import IntentModel

/// A point in time: milliseconds since 1970-01-01T00:00:00Z.
public struct Instant: Sendable, Hashable, Comparable, CustomStringConvertible {
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public static func < (a: Instant, b: Instant) -> Bool { a.milliseconds < b.milliseconds }

    /// Stops at the ends of what can be said: a delay comes from outside, and none may be a trap.
    public func advanced(by duration: Duration) -> Instant {
        let (seconds, attoseconds) = duration.components
        let end: Int64 = seconds < 0 ? .min : .max
        let (whole, isBeyond) = seconds.multipliedReportingOverflow(by: 1_000)
        if isBeyond { return Instant(milliseconds: end) }
        let (span, isLonger) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        let (sum, isLater) = milliseconds.addingReportingOverflow(span)
        return Instant(milliseconds: isLonger || isLater ? end : sum)
    }

    /// The duration from this instant to `other`.
    public func duration(to other: Instant) -> Duration { .milliseconds(other.milliseconds - milliseconds) }

    /// RFC 3339 in UTC with milliseconds, such as `2026-03-01T12:00:00.250Z`.
    public var description: String { Timestamp.format(milliseconds) }

    /// Reads RFC 3339 with any offset; a fraction beyond milliseconds is cut off.
    public init?(rfc3339 text: String) {
        guard let milliseconds = Timestamp.parse(text) else { return nil }
        self.init(milliseconds: milliseconds)
    }
}
