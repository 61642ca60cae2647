/// A promise of the pipeline that a history broke.
public struct SimulationViolation: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A request that was neither completed nor refused.
        case lostRequest
        /// A request with more than one completion, or more answers than it was sent.
        case completedTwice
        /// A result whose number is not the next one of its session.
        case sequenceGap
        /// One result number with two contents.
        case twoContents
        /// A result that was written twice, and no coordinator had been replaced while it lived.
        case unexplainedCopy
        /// A handler was called with parameters that were not resolved and confirmed before, or without the person's yes.
        case unconfirmedHandle
        /// A value that the resolver had rejected came to a later phase.
        case unsupportedValue
        /// A handler was called after the person had been told that the request is cancelled, and the cancel was there to be seen.
        case handledAfterCancel
        /// One request took effect twice though its handler honours the key, or its key changed.
        case effectTwice
        /// A handler of an intent that may be called once at the most was called again.
        case calledTwice
        /// A handler that may be called once took effect, and the person was told that it failed rather than that this is not known.
        case effectUntold
        /// A late answer of a request that was not completed otherwise before, or took no effect, or a second one.
        case unfoundedLateAnswer
        /// Two have the same handoff, or one has it without the token of its offer.
        case claimedTwice
        /// An update of a request that has not succeeded, or after the last one.
        case updateAfterEnd
        /// A phase that had asked was answered, and what it had recorded before was not there any more.
        case forgottenRecord
        /// A request was completed with success and its handler had no effect.
        case effectMissing
        /// A session that waits without a timer, or for a worker that has nothing to do.
        case stuckSession
        /// What the compacted journal says is not what the owner has in memory.
        case journalDiffers
        /// A partition without an owner, with two, or an owner that does not come to rest though nothing is wrong any more.
        case restless
    }

    public var kind: Kind
    public var message: String

    public var description: String { "\(kind.rawValue): \(message)" }
}
