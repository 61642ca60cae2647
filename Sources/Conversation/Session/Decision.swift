/// What a transition comes to.
public enum Decision: Sendable, Hashable {
    /// The event came too late, twice, or for something that does not exist. The session is as it was.
    case ignored(Ignored)
    /// The session has changed, and these effects have to be sent. There may be none.
    case changed([Effect])
    /// The session is over and is forgotten. No effect goes with it: no record would be left to repeat one from.
    case forgotten

    /// The effects to send; none unless the session has changed.
    public var effects: [Effect] {
        if case .changed(let effects) = self { effects } else { [] }
    }

    public var isIgnored: Bool {
        if case .ignored = self { true } else { false }
    }
}

/// Why an event changed nothing.
public enum Ignored: String, Sendable, Hashable, CaseIterable {
    /// This request was accepted before.
    case duplicateRequest
    /// The outcome is for work that waits for one, and is not from who got that work: its ticket is missing, or it is for another phase.
    case unauthorizedOutcome
    /// The outcome, or the refused work, belongs to an older step, to a request that has ended, or to a copy of work that another worker was permitted to do.
    case staleOutcome
    /// The outcome or progress of a handler whose request has already ended.
    case lateOutcome
    /// The handler was permitted before, or the updates are already running.
    case repeatedStart
    /// There are no updates to stop.
    case noUpdates
    /// An update that gives a parameter of its request another value: it is about another ride.
    case foreignUpdate
    /// An update that adds nothing, too soon after the one before.
    case earlyUpdate
    /// Nothing was due.
    case earlyTimer
    /// The request is being cancelled already.
    case duplicateCancel
    /// The progress was reported before.
    case repeatedProgress
    /// The handoff belongs to this claimant already.
    case repeatedClaim
    /// Nothing that was to be forgotten is remembered.
    case nothingToForget
    /// The session is being ended already.
    case repeatedEnd
    /// There is no session to end.
    case nothingToEnd
}
