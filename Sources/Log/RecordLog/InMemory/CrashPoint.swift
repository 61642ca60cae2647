/// The queued records that are written when a client crashes.
public enum CrashPoint: Sendable, Hashable {
    /// No record: the process crashed before it sent its queue.
    case beforeSending
    /// All records. The client never gets the acknowledgements.
    case afterSending
    /// The first `written` records, in the order of sending.
    case duringSending(written: Int)
    /// All records except those for this topic: partitions are written independently of each other.
    case sendingAllBut(topic: String)
}

/// A planned crash of a client.
struct PlannedCrash: Sendable {
    /// The number of the call that crashes without any other effect. A client's first call is 1.
    var call: Int
    var point: CrashPoint
    var leavingGroup: Bool
}
