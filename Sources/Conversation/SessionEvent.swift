public import IntentModel

/// What can happen to a session.
public enum SessionEvent: Sendable, Hashable {
    /// Somebody asks for an intent.
    case requested(IntentRequest)
    /// The person answers a prompt.
    case answered(Answer)
    /// The person changes a parameter without being asked.
    case corrected(Correction)
    /// The person takes a request back; without an id, the active one.
    case cancelled(request: String?)
    /// An app takes up a handoff.
    case handoffClaimed(handoff: String, claimant: String)
    /// The app that took up a handoff has finished.
    case handoffCompleted(handoff: String, claimant: String, response: IntentResponse)
    /// What the session remembers of these keys is to be forgotten; without keys, all of it.
    case forgotten(keys: [String]?)
    /// Somebody ends the session from outside, whatever it is at: an operator, not the person.
    case ended(reason: String?)
    /// The app that took up a handoff gives it back: another may take it up.
    case handoffReturned(handoff: String, claimant: String)
    /// Somebody wants to hear how things go on with a request that has succeeded.
    case updatesStarted(request: String)
    /// Nobody wants to hear more of that.
    case updatesStopped(request: String)
    /// A worker answers.
    case outcome(Outcome)
    /// A worker answered with what can't be read: the request fails if a worker has it.
    case unreadableOutcome(Rejection)
    /// Somebody sent what could be read but not accepted. The session only tells them so.
    case refused(Rejection)
    /// Time has passed: whatever is due at `now` happens.
    case timer
}
