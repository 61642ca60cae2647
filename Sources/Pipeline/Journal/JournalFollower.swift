package import Conversation
import IntentEvents
import IntentModel
package import RecordLog

/// What a standby knows of a partition of the journal that another coordinator owns: what a takeover would have read, up to here. It writes nothing.
///
/// A value without IO: it is told what was read, and says whether that can be gone on with.
package struct JournalFollower: Sendable {
    /// What to do after an event.
    package enum Next: Sendable, Hashable {
        case goOn
        /// What was read so far is worth nothing: the journal is read from its beginning.
        case readAgain
    }

    package private(set) var replay: JournalReplay
    /// When nothing was missing: its reading began, or was at the end.
    private var complete: Instant
    private let patience: Duration

    /// - Parameters:
    ///   - patience: For how long it may be behind. Compaction removes tombstones: who has read a session before, and comes later than that, never hears of its
    ///     end.
    ///   - replay: What is known already, of the log as it is now.
    package init(patience: Duration, at now: Instant, continuing replay: JournalReplay = JournalReplay()) {
        (self.replay, self.patience, complete) = (replay, patience, now)
    }

    package var isAtEnd: Bool { replay.basis != .beginning }

    package mutating func read(_ record: ConsumedRecord) -> Next {
        if record.offset < replay.next { return .readAgain }
        replay.apply(record)  // rule: followedFencesCount
        return replay.basis == .invalid ? .readAgain : .goOn
    }

    package mutating func reachedEnd(next: Int64, at now: Instant) -> Next {
        if next < replay.next || isLate(at: now) { return .readAgain }
        replay.reachedEnd()
        complete = now
        return .goOn
    }

    /// Whether tombstones may have been removed that it has not read.
    package func isLate(at now: Instant) -> Bool {
        // The first reading takes as long as a takeover may; tombstones are left for a day.
        complete.duration(to: now) > (isAtEnd ? patience : patience * 6)
    }
}
