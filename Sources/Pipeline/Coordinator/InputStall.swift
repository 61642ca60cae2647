import Conversation

/// An input that has records beyond the position of the group's reader, of which none arrives.
///
/// Either they are markers of transactions, which no reader gets, or another producer has an open transaction: readers get no record after the last stable
/// offset until the transaction ends, whoever wrote the record.
struct InputStall {
    /// The position at the last housekeeping.
    private var next: Int64 = -1
    /// The end of the log up to which nothing but markers is missing.
    private(set) var markersEnd: Int64 = -1
    /// The last stable offset below the end of the log, and the time at which it was seen first; `nil` if no transaction is open.
    private(set) var open: (stable: Int64, since: Instant)?
    /// `true` if the process's log names the open transaction.
    private var isReported = false

    /// How long the last stable offset stands still before the process's log says so.
    static let patience = Duration.seconds(15)

    /// Updates the position, and returns whether the last stable offset has to be looked up: the position has not moved since the last call, and the log has more.
    mutating func needsLook(next: Int64, end: Int64?) -> Bool {
        guard let end, end > next, next == self.next else {
            self.next = next
            close()
            return false
        }
        return open != nil || end != markersEnd
    }

    /// The last stable offset was looked up.
    ///
    /// - Parameter end: the end of the log.
    /// - Returns: whether to report the open transaction now.
    mutating func found(stable: Int64, end: Int64, at now: Instant) -> Bool {
        guard stable < end else {
            markersEnd = end
            close()
            return false
        }
        if open?.stable != stable {
            close()
            open = (stable, now)
        }
        guard let open, !isReported, now >= open.since.advanced(by: Self.patience) else { return false }
        isReported = true
        return true
    }

    private mutating func close() {
        open = nil
        isReported = false
    }
}
