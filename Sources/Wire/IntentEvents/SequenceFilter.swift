import IntentModel

/// Follows the sequences of many sessions, and tells what is new.
///
/// A session is recognised while its results are among those that came last. The next result of any other session is new, whatever its number.
public struct SequenceFilter: Sendable {
    public enum Verdict: Sendable, Hashable {
        case new
        /// Seen before: a coordinator that was paused sent it again.
        case copy
        /// It is new, and something before it is missing. What is missing is new if it comes later.
        case gap(expected: Int)
    }

    /// Sessions that are followed, at most. The half of them whose results came last is never dropped.
    public let maximumSessions: Int
    /// In two generations: when the first has half of the sessions, it becomes the second, and what was the second is dropped.
    private var recent: [Identifier: FollowedSession] = [:]
    private var older: [Identifier: FollowedSession] = [:]

    /// - Parameter maximumSessions: how many sessions are followed, at some 200 bytes each.
    public init(maximumSessions: Int = 100_000) { self.maximumSessions = max(2, maximumSessions) }

    /// How many sessions are followed.
    var count: Int { recent.count + older.count }

    /// - Returns: what a result is after those before it. The first one of a session that is seen may have any number, and so may one that belongs to no
    ///   session. A number that no session counts to says nothing: such a result is new.
    public mutating func judge(_ result: ReceivedResult) -> Verdict {
        // Sequences count from 1, and the journal counts no further than to 2^53. Any other number is no place in the order.
        guard let session = result.session, let sequence = result.sequence, 1...1 << 53 ~= sequence else { return .new }
        if recent[session] == nil { recall(session) }
        return recent[session, default: FollowedSession()].judge(sequence, result)
    }

    /// Makes a session one of the recent ones.
    private mutating func recall(_ session: Identifier) {
        let known = older.removeValue(forKey: session)
        if recent.count >= maximumSessions / 2 {
            older = recent
            recent = [:]
        }
        recent[session] = known
    }
}

/// The sequence of one session.
private struct FollowedSession: Sendable {
    /// Gaps that are remembered. Past it the oldest is given up: what was missing there counts as seen.
    private static let maximumGaps = 16

    /// The highest number; 0 before the first result.
    private var last = 0
    /// What the result with number 1 was; `nil` if it was not seen.
    private var first: UInt64?
    /// The timestamp of the newest result.
    private var timestamp: Int64 = 0
    /// Numbers up to ``last`` that did not come.
    private var missing: [ClosedRange<Int>] = []

    mutating func judge(_ sequence: Int, _ result: ReceivedResult) -> SequenceFilter.Verdict {
        if sequence == 1, last > 0 {
            let identity = result.identity
            // A copy is the same event. Without the first one to compare with, only a newer one can be another.
            let isOther = first.map { $0 != identity } ?? (result.timestamp > timestamp)
            guard isOther else { return .copy }
            self = FollowedSession()
        }
        defer { timestamp = max(timestamp, result.timestamp) }
        if sequence == 1 { first = result.identity }
        let expected = last + 1
        if last == 0 || sequence == expected {
            last = sequence
            return .new
        }
        if sequence > expected {
            missing.append(expected...sequence - 1)
            if missing.count > Self.maximumGaps { missing.removeFirst() }
            last = sequence
            return .gap(expected: expected)
        }
        return fill(sequence) ? .new : .copy
    }

    /// - Returns: whether this number was missing.
    private mutating func fill(_ sequence: Int) -> Bool {
        guard let index = missing.firstIndex(where: { $0.contains(sequence) }) else { return false }
        let gap = missing[index]
        var rest: [ClosedRange<Int>] = []
        if gap.lowerBound < sequence { rest.append(gap.lowerBound...sequence - 1) }
        if sequence < gap.upperBound { rest.append(sequence + 1...gap.upperBound) }
        missing.replaceSubrange(index...index, with: rest)
        return true
    }
}

extension ReceivedResult {
    /// The same for all copies of a result, and another for another result of the same number: 64 bits of FNV-1a of event id, time and data.
    fileprivate var identity: UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            // What follows is another part.
            hash = (hash ^ 0xFF) &* 0x100_0000_01b3
        }
        add((id ?? "").utf8)
        add((time ?? "").utf8)
        add(data.json.bytes)
        return hash
    }
}
