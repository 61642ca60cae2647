/// Finds the end of an unreadable batch by fetching at one offset after the other.
///
/// librdkafka reports the first offset of an unreadable batch but not its last one, and fetches the batch again for
/// ever. A fetch at an offset inside the batch fails with the same first offset; a fetch after the batch does not. The
/// search doubles its distance from the batch's beginning until a fetch is beyond the end, and then halves the
/// interval: a batch of *n* records takes about 2 log₂ *n* fetches.
struct UnreadableSearch {
    /// The next step after a probe.
    enum Step: Hashable {
        /// Fetch at this offset next.
        case probe(Int64)
        /// The batch has these offsets.
        ///
        /// - Parameters:
        ///   - cause: The error of the fetches.
        ///   - next: The offset of the next fetch, if another unreadable batch follows; `nil` if the search is
        ///     complete.
        case found(Range<Int64>, cause: String, next: Int64?)
        /// The position can be read.
        case nothing
    }

    /// The batch's first offset, after the first failed fetch.
    private var first: Int64?
    /// The highest offset that is known to be inside the batch.
    private var inside: Int64 = 0
    /// The lowest offset that is known to be beyond the batch.
    private var beyond: Int64?
    /// The offset of the fetch in progress; `nil` for the beginning of the partition.
    private(set) var probe: Int64?
    /// The distance of the next fetch from the highest offset inside the batch.
    private var distance: Int64 = 1
    /// The next unreadable batch, if the fetch that set ``beyond`` found one.
    private var follower: (first: Int64, cause: String)?
    private var cause = ""

    /// - Parameter start: The position at which reading failed; `nil` for the beginning of the partition.
    init(from start: Int64?) { probe = start }

    /// Evaluates a failed fetch at ``probe``.
    ///
    /// - Parameters:
    ///   - base: The first offset of the batch that can't be read.
    ///   - cause: The error.
    ///   - end: The known end of the partition; `nil` if it is unknown. Fetches stay at or below it.
    mutating func failed(at base: Int64, cause: String, end: Int64?) -> Step {
        guard let first else {
            self.first = base
            self.cause = cause
            inside = max(base, probe ?? base)
            return advance(end)
        }
        let probe = probe ?? base
        guard base > first, base > inside else {
            inside = max(inside, probe)
            return advance(end)
        }
        // Another unreadable batch follows.
        limit(to: min(base, probe), follower: (base, cause))
        return advance(end)
    }

    /// Evaluates a fetch at ``probe`` that returned a record or found nothing.
    mutating func succeeded(end: Int64?) -> Step {
        if first == nil { return .nothing }
        limit(to: max(inside + 1, probe ?? 0), follower: nil)
        return advance(end)
    }

    private mutating func limit(to offset: Int64, follower: (first: Int64, cause: String)?) {
        if let beyond, beyond <= offset { return }
        beyond = offset
        self.follower = follower
    }

    private mutating func advance(_ end: Int64?) -> Step {
        guard let first else { return .nothing }
        let offset: Int64
        if let beyond {
            if beyond == inside + 1 { return found(first..<beyond) }
            offset = inside + (beyond - inside) / 2
        } else {
            let (next, isTooLarge) = inside.addingReportingOverflow(distance)
            if isTooLarge { return found(first..<inside) }
            offset = min(next, max(inside + 1, end ?? next))
            distance = distance < 1 << 32 ? distance * 2 : distance
        }
        probe = offset
        return .probe(offset)
    }

    private mutating func found(_ offsets: Range<Int64>) -> Step {
        let (cause, follower) = (cause, follower)
        self = UnreadableSearch(from: offsets.upperBound)
        guard let follower else { return .found(offsets, cause: cause, next: nil) }
        // The fetch at the beginning of the next batch has failed already.
        (first, inside, self.cause) = (follower.first, follower.first, follower.cause)
        _ = advance(nil)
        return .found(offsets, cause: cause, next: probe)
    }
}
