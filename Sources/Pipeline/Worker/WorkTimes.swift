package import Conversation
import IntentEvents

/// The times of one work record by the clock of the worker that has read it.
///
/// Limits travel as durations from the record's timestamp. A record that comes from a clock that is ahead counts from when it was read.
struct WorkTimes {
    /// The record's timestamp. Words of a request that says no time are read at it.
    let sent: Instant
    /// The end of the work; `nil` without a limit.
    let deadline: Instant?
    /// The end of the request, whatever its handler reports; `nil` without a limit.
    let requestDeadline: Instant?

    /// - Parameter now: the worker's time when it read the record.
    init(_ event: WorkEvent, readAt now: Instant) {
        let sent = min(event.sent ?? now, now)
        self.sent = sent
        deadline = event.timeLimit.map { sent.advanced(by: $0) }
        requestDeadline = event.requestTimeLimit.map { sent.advanced(by: $0) }
    }
}

/// The work that was given back because it was late, until it is reported.
package struct LateWork {
    /// The shortest time between two reports.
    package static let interval = Duration.seconds(10)

    private var unreported = 0
    private var reported: Instant?

    package init() {}

    package mutating func note() { unreported += 1 }

    /// The number of items since the last report; `nil` if there are none, or if the last report is too recent.
    package mutating func report(at now: Instant) -> Int? {
        if unreported == 0 { return nil }
        if let reported, reported.duration(to: now) < Self.interval { return nil }
        defer { (unreported, reported) = (0, now) }
        return unreported
    }
}
