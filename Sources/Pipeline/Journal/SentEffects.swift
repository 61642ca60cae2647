import DequeModule

/// Effects that are sent and not acknowledged.
struct SentEffects: Sendable, Hashable {
    /// The effects of one journal record.
    struct Group: Sendable, Hashable {
        /// The offset of the record.
        var offset: Int64
        /// Its results are at this offset of the results or later.
        var resultsFrom: Int64
        var remaining: Int
        /// Bytes of the record.
        var bytes: Int
    }

    /// A result that was sent.
    struct Result: Sendable, Hashable {
        var session: String
        var sequence: Int
    }

    /// One for each journal record with effects, oldest first.
    private(set) var groups = Deque<Group>()
    /// The number of the first group.
    private var first: UInt64 = 0
    /// Results in the order in which they were sent.
    private var results = Deque<Result>()
    /// The offset after the last acknowledged result.
    var resultsNext: Int64 = 0

    /// - Returns: the group's number.
    mutating func open(_ group: Group) -> UInt64 {
        groups.append(group)
        return first + UInt64(groups.count) - 1
    }

    mutating func sent(result sequence: Int, of session: String) { results.append(Result(session: session, sequence: sequence)) }

    /// The oldest result that is not acknowledged now is.
    mutating func acknowledgedResult(at offset: Int64?) -> Result? {
        if let offset { resultsNext = offset + 1 }
        return results.popFirst()
    }

    /// One effect of a group is acknowledged.
    ///
    /// - Parameter group: its number, of which the lower 32 bits count.
    /// - Returns: the bytes of the groups that are done.
    mutating func acknowledged(_ group: UInt64) -> Int {
        let index = Int(UInt32(truncatingIfNeeded: group) &- UInt32(truncatingIfNeeded: first))
        guard index < groups.count else { return 0 }
        groups[index].remaining -= 1
        var bytes = 0
        while let group = groups.first, group.remaining == 0 {
            bytes += group.bytes
            groups.removeFirst()
            first += 1
        }
        return bytes
    }
}
