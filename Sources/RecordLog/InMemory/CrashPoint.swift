/// How much of what a client had queued the log still gets when the client dies.
public enum CrashPoint: Sendable, Hashable {
    /// Nothing: the process died before its queue went out.
    case beforeSending
    /// Everything, and the client never learns of it.
    case afterSending
    /// The first so many records, in the order of the sends.
    case duringSending(written: Int)
    /// Everything but what is for this topic: partitions are written independently of each other.
    case sendingAllBut(topic: String)
}

/// A client's death, foretold.
struct PlannedCrash: Sendable {
    /// The number of the call that dies instead of doing anything; the first call of a client is 1.
    var call: Int
    var point: CrashPoint
    var leavingGroup: Bool
}
