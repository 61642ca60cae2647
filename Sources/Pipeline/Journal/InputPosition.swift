import IntentModel
package import RecordLog

/// How far one of the two inputs of a partition is decided on.
package struct InputPosition: Sendable, Hashable {
    /// The offset of the next record to decide on.
    package private(set) var next: Int64
    /// The timestamp of the record before it, if that is known: it tells this log from another one with the same name.
    package private(set) var last: Int64?
    /// Whether that record still has to be seen, and compared.
    private var isChecking: Bool

    package enum Verdict: Sendable, Hashable {
        case next
        /// It was decided on before.
        case known
        /// The log is not the one that was read before: its topic was created again, or its tail was cut.
        case otherLog
    }

    package init(next: Int64 = 0, last: Int64? = nil) {
        self.next = next
        self.last = last.map(Self.mark)
        isChecking = last != nil && next > 0
    }

    /// Whether reading has not shown yet that this is the log that was read before.
    package var isUnchecked: Bool { isChecking }

    /// Where to begin to read: one record earlier than needed, where that is compared.
    package var start: StartOffset {
        let first = isChecking ? next - 1 : next
        return first == 0 ? .beginning : .offset(first)
    }

    /// What the next record of the log is.
    package mutating func judge(_ record: ConsumedRecord) -> Verdict {
        if record.offset >= next {
            isChecking = false
            return .next
        }
        guard isChecking else { return .known }
        // Reading began at the record before `next`. An earlier one comes only if the log did not have that.
        guard record.offset == next - 1, Self.mark(record.timestamp) == last else {
            return Rule.otherLogsAreNoticed.holds ? .otherLog : .known
        }
        isChecking = false
        return .known
    }

    /// The record is decided on.
    package mutating func take(_ record: ConsumedRecord) {
        next = record.offset + 1
        last = Self.mark(record.timestamp)
    }

    /// A timestamp as a stamp can hold it. Producers set any, such as nanoseconds, and old ones set none.
    private static func mark(_ timestamp: Int64) -> Int64 { timestamp & (1 << 53 - 1) }
}
