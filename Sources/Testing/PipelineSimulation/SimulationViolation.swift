/// A violation of one of the pipeline's guarantees in a history.
public struct SimulationViolation: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A request was neither completed nor rejected, or a request that another request opened did not end.
        case lostRequest
        /// A request has more than one completion, or more completions and rejections than copies that were sent.
        case completedTwice
        /// A result's number is not the next number of its session.
        case sequenceGap
        /// A result number has two contents, or a result can't be read.
        case twoContents
        /// A result was written twice although no owner that had it in flight was replaced while alive.
        case unexplainedCopy
        /// Confirm or handle was called with values that were not resolved, or handle was called with values that were
        /// not confirmed or without the person's agreement.
        case unconfirmedHandle
        /// An outcome took effect although its sender did not get the work, or was refused although its sender did. Or
        /// an event took effect although its sender may not speak for the person.
        case forgedOutcome
        /// A value that a resolver rejects reached a later phase, or the memory of the session.
        case unsupportedValue
        /// A secret value is on `intents.results`, or in the memory of a session or a person.
        case secretDisclosed
        /// A phase was called with another locale, another principal or other attributes than its request has.
        case contextLost
        /// A request that had offered items for choice did not succeed, or ended with an item that the person did not
        /// name. Or a request that did not succeed opened another request.
        case wrongChoice
        /// A handler was called after the request was reported as cancelled, although the worker had read the cancel.
        /// Or a cancelled step was offered to an app.
        case handledAfterCancel
        /// A running handler was not cancelled although its cancel is in the log.
        case cancelIgnored
        /// A request took effect twice: under two keys, or in a once-only handler or a service that ignores keys.
        case effectTwice
        /// A once-only handler was called again without a new permission.
        case calledTwice
        /// One process made two claims for one step, or two processes made the same claim.
        case claimNotUnique
        /// A once-only handler was called before its work was committed as done.
        case calledUncommitted
        /// A handler was called after the deadline of its work.
        case calledLate
        /// A phase was tried more often than allowed.
        case triedTooOften
        /// A request succeeded after it had timed out, and the success was not reported.
        case lateSuccessUnreported
        /// A once-only handler took effect, or was permitted and never reported an outcome, but the request did not end
        /// with an unknown outcome.
        case effectUnreported
        /// A late outcome was reported for a request that had not ended, had already succeeded or had no effect. Or a
        /// second late outcome was reported.
        case unfoundedLateAnswer
        /// Two claimants got the same handoff, or a claimant got a handoff without the token of its offer.
        case claimedTwice
        /// A request that has not succeeded has a live update, or an update came after the last update.
        case updateAfterEnd
        /// A phase got the answer to its prompt without the values that the phase had recorded before the prompt.
        case forgottenRecord
        /// A request was completed with success, but its handler had no effect.
        case effectMissing
        /// A worker has records that are not done, long after the deadline of their work.
        case heldBack
        /// A record that can't be read has no dead letter, although the log did not refuse one.
        case deadLetterMissing
        /// The memory of a person is not what the sessions' changes make of it, or can't be read.
        case memoryLost
        /// A forgotten value is still remembered, or its forgetting was confirmed before the log had it.
        case forgottenValueReturned
        /// The journal has lost acknowledged records, and the partition is still served or written.
        case lossUnnoticed
        /// A session was opened although there was no key to encrypt it with, or a record is encrypted with a key that
        /// is not in the log.
        case keyMissing
        /// A request was refused as unserved although a worker serves its intent (`servedRefused`), or was accepted
        /// although no worker does (`unservedAccepted`).
        case servedRefused, unservedAccepted
        /// A process that encrypts wrote a value in plaintext.
        case valueExposed
        /// A process ended without a fault that may end a process, for example because of a record from outside.
        case processEnded
        /// A session's record in the journal is larger than a session may be.
        case sessionTooLarge
        /// A session waits although nothing continues it: its timer is missing or late, or no worker has its work.
        case stuckSession
        /// Input or a session waits because of trouble in a partition that it does not depend on.
        case troubleSpread
        /// The journal, whole or compacted, differs from the owner's memory, or the last takeover changed something.
        case journalDiffers
        /// The processes do not come to rest after the faults have ended, a repair does not end, or a partition does
        /// not have exactly one owner.
        case restless
    }

    public var kind: Kind
    public var message: String

    public var description: String { "\(kind.rawValue): \(message)" }
}
