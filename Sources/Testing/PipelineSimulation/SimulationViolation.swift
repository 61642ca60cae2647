/// A guarantee of the pipeline that a history broke.
public struct SimulationViolation: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A request that was neither completed nor rejected.
        case lostRequest
        /// A request with more than one completion, or with more completions and rejections than it was sent.
        case completedTwice
        /// A result whose number is not the next one of its session.
        case sequenceGap
        /// One result number with two contents.
        case twoContents
        /// A result was written twice although no owner that had it in flight was replaced while alive.
        case unexplainedCopy
        /// A handler was called with parameters that were not resolved and confirmed before, or without the person's
        /// agreement.
        case unconfirmedHandle
        /// An outcome took effect whose sender did not get the work, or an event took effect whose sender may not speak
        /// for the person; or an outcome was refused although its sender got the work.
        case forgedOutcome
        /// A value that the resolver had rejected reached a later phase.
        case unsupportedValue
        /// A secret value on `intents.results`, or in the session's memory.
        case secretDisclosed
        /// The locale, the principal or the attributes of a request did not reach a handler.
        case contextLost
        /// A request whose items the person could choose from did not end as a success, or ended with an item that the
        /// person did not name.
        case wrongChoice
        /// A handler was called after the person was told that the request is cancelled, although the worker had read
        /// the cancel.
        case handledAfterCancel
        /// A running handler was not cancelled although its cancel is in the log.
        case cancelIgnored
        /// One request took effect twice although its handler honours the key, or its key changed.
        case effectTwice
        /// A once-only handler was called again.
        case calledTwice
        /// Two claims of one process for one step, or one claim of two processes.
        case claimNotUnique
        /// A once-only handler was called before its work was committed as done.
        case calledUncommitted
        /// A handler was called after the deadline of its work.
        case calledLate
        /// A phase was tried more often than allowed.
        case triedTooOften
        /// A request succeeded after it had timed out, and the person was not told.
        case lateSuccessUnreported
        /// A once-only handler took effect, or was permitted and never answered, but the person was not told that its
        /// outcome is unknown.
        case effectUnreported
        /// A late outcome of a request that had no effect or no earlier completion other than success, or a second late
        /// outcome.
        case unfoundedLateAnswer
        /// Two claimants have the same handoff, or a claimant has a handoff without the token of its offer.
        case claimedTwice
        /// An update of a request that has not succeeded, or an update after the last one.
        case updateAfterEnd
        /// The prompt of a phase was answered, but the values that the phase had recorded before were lost.
        case forgottenRecord
        /// A request was completed with success, but its handler had no effect.
        case effectMissing
        /// A worker holds back records of its topic although no work is left.
        case heldBack
        /// A record that can't be read has no dead letter, although the log did not refuse one.
        case deadLetterMissing
        /// A session's change to the memory of its owner is not in the memory.
        case memoryLost
        /// A forgotten value is remembered, or is reported as forgotten too early.
        case forgottenValueReturned
        /// The journal has lost acknowledged records, and the partition is still served.
        case lossUnnoticed
        /// A session was opened although there was no key to encrypt it with, or a record is encrypted with a key that
        /// is not in the log.
        case keyMissing
        /// A request was refused because no worker serves its intent, although one does, or was accepted although none
        /// does.
        case servedRefused, unservedAccepted
        /// A process that encrypts has written a value in plaintext.
        case valueExposed
        /// A process has ended without a fault that may end it, for example because of a record from outside.
        case processEnded
        /// A session's record in the journal is larger than a session may be.
        case sessionTooLarge
        /// A session waits without a timer, or for a worker that has no work.
        case stuckSession
        /// Input or a session waits although the partition with the trouble is another one.
        case troubleSpread
        /// The compacted journal differs from the owner's memory.
        case journalDiffers
        /// A partition has no owner or two, or an owner does not come to rest after the faults have ended.
        case restless
    }

    public var kind: Kind
    public var message: String

    public var description: String { "\(kind.rawValue): \(message)" }
}
