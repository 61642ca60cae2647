import Conversation
import IntentEvents
import IntentModel

/// Decides which unreadable records of one partition of a topic get a dead letter each: ``burst`` at once, and ``rate`` a second. The others are only counted, and a
/// dead letter for every ``interval`` names the range of their offsets. So a flood of unreadable records costs little more than to read past it.
struct UnreadableRate {
    /// Dead letters a second.
    static let rate = 500.0
    /// Dead letters at once.
    static let burst = 1_000
    /// For how long records are collected for one dead letter.
    static let interval = Duration.seconds(1)

    /// Records that are only counted, until a dead letter names them.
    struct Run {
        /// From the first record to the offset after the last one.
        var offsets: Range<Int64>
        var records: Int
        /// The error of the first record.
        let error: EventError
        /// When a dead letter names what there is.
        let end: Instant
        /// The number by which its owner knows the first record.
        let number: UInt64
    }

    private var bucket = SenderRate()
    /// The records that are only counted now; `nil` if there is none.
    private(set) var run: Run?

    /// Whether an unreadable record gets a dead letter of its own.
    mutating func admits(at now: Instant) -> Bool { bucket.spend(rate: Self.rate, burst: Self.burst, at: now) == nil }

    /// Counts records that get no dead letter of their own.
    ///
    /// - Parameters:
    ///   - offsets: One offset for each record.
    ///   - number: Called for the first record of a run.
    mutating func count(_ offsets: Range<Int64>, _ error: EventError, at now: Instant, number: () -> UInt64) {
        if run == nil {
            run = Run(
                offsets: offsets, records: 0, error: error, end: now.advanced(by: Self.interval), number: number())
        }
        guard let run else { return }
        self.run?.offsets =
            min(run.offsets.lowerBound, offsets.lowerBound)..<max(run.offsets.upperBound, offsets.upperBound)
        self.run?.records += offsets.count
    }

    /// The records that a dead letter has to name now; they are counted no more.
    ///
    /// - Parameter isEnding: `true` if no later call comes in time.
    mutating func take(at now: Instant, isEnding: Bool = false) -> Run? {
        guard let run, isEnding || run.end <= now else { return nil }
        self.run = nil
        return run
    }
}
