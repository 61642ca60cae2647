/// Which of a client's queued records are written when the client crashes.
public enum CrashPoint: Sendable, Hashable {
    /// None: the process crashed before its queue was sent.
    case beforeSending
    /// All, and the client never gets the acknowledgements.
    case afterSending
    /// The first `written` records, in the order of the sends.
    case duringSending(written: Int)
    /// All except those for this topic: partitions are written independently of each other.
    case sendingAllBut(topic: String)
}

/// A crash that is planned for a client.
struct PlannedCrash: Sendable {
    /// The number of the call that crashes without any other effect. The first call of a client is 1.
    var call: Int
    var point: CrashPoint
    var leavingGroup: Bool
}
