import IntentModel

/// A point in time: milliseconds since 1970-01-01T00:00:00Z, from the year 0 to the year 9999.
///
/// Times come from records, requests and clocks, and can be any number. An instant is clamped to the years that RFC 3339 can write, so no arithmetic on
/// instants overflows.
public struct Instant: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// From -62,167,219,200,000 to 253,402,300,799,999.
    public let milliseconds: Int64

    /// The first millisecond of the year 0.
    public static let earliest = Instant(milliseconds: .min)
    /// The last millisecond of the year 9999.
    public static let latest = Instant(milliseconds: .max)

    /// - Parameter milliseconds: a number beyond the years 0 to 9999 becomes the first or the last millisecond of them.
    public init(milliseconds: Int64) { self.milliseconds = Timestamp.clamped(milliseconds) }

    public static func < (a: Instant, b: Instant) -> Bool { a.milliseconds < b.milliseconds }

    /// The instant that is this much later. It stops at the first and the last instant.
    public func advanced(by duration: Duration) -> Instant {
        let (seconds, attoseconds) = duration.components
        let (whole, isBeyond) = seconds.multipliedReportingOverflow(by: 1_000)
        // Less than a second more changes nothing at this distance.
        if isBeyond { return seconds < 0 ? .earliest : .latest }
        return advanced(byMilliseconds: whole.addingSaturating(attoseconds / 1_000_000_000_000_000))
    }

    /// The instant that is so many milliseconds later. It stops at the first and the last instant.
    public func advanced(byMilliseconds span: Int64) -> Instant {
        Instant(milliseconds: milliseconds.addingSaturating(span))
    }

    /// The milliseconds from another instant to this one; negative if the other one is later.
    public func milliseconds(since other: Instant) -> Int64 { milliseconds - other.milliseconds }

    /// The duration from this instant to `other`.
    public func duration(to other: Instant) -> Duration { .milliseconds(other.milliseconds(since: self)) }

    /// RFC 3339 in UTC with milliseconds, such as `2026-03-01T12:00:00.250Z`.
    public var description: String { Timestamp.format(milliseconds) }

    /// Reads RFC 3339 with any offset; a fraction beyond milliseconds is cut off.
    public init?(rfc3339 text: String) {
        guard let milliseconds = Timestamp.parse(text) else { return nil }
        self.init(milliseconds: milliseconds)
    }
}
