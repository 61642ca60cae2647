/// Why an event changed nothing.
public enum Ignored: String, Sendable, Hashable, CaseIterable {
    /// This request was accepted before.
    case duplicateRequest
    /// The outcome belongs to an older step, or to a request that has ended.
    case staleOutcome
    /// The answer, or a word of progress, of a handler whose request has ended without it.
    case lateOutcome
    /// The handler was let before, or the updates are being sent already.
    case repeatedStart
    /// There are no updates to stop.
    case noUpdates
    /// An update that gives a parameter of its request another value: it is about another ride.
    case foreignUpdate
    /// An update that tells nothing new, too soon after the one before.
    case earlyUpdate
    /// Nothing was due.
    case earlyTimer
    /// The request is being cancelled already.
    case duplicateCancel
    /// The progress was told before.
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
