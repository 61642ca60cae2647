/// What is to go wrong with the records written next.
struct FaultPlan: Sendable {
    enum Fault: Sendable {
        /// The record is written; where, is not told.
        case acknowledgementLost
        /// The record is not written.
        case refused(LogError)
    }

    private struct Entry: Sendable {
        var fault: Fault
        var topic: String?
        var left: Int
    }

    private var entries: [Entry] = []

    mutating func add(_ fault: Fault, times: Int, topic: String?) {
        entries.append(Entry(fault: fault, topic: topic, left: times))
    }

    /// What happens to the next record of this topic, if anything.
    mutating func next(for topic: String) -> Fault? {
        guard let index = entries.firstIndex(where: { $0.left > 0 && ($0.topic ?? topic) == topic }) else { return nil }
        entries[index].left -= 1
        let fault = entries[index].fault
        entries.removeAll { $0.left <= 0 }
        return fault
    }
}

/// How much of what a client had queued the log still gets when the client dies.
public enum CrashPoint: Sendable, Hashable {
    /// Nothing: the process died before its queue went out.
    case beforeSending
    /// Everything, and the client never learns of it.
    case afterSending
    /// The first so many records, in the order of the sends.
    case duringSending(written: Int)
}

/// A client's death, foretold.
struct PlannedCrash: Sendable {
    /// The number of the call that dies instead of doing anything; the first call of a client is 1.
    var call: Int
    var point: CrashPoint
    var leavingGroup: Bool
}
