public import IntentModel

/// What can happen to a session.
public enum SessionEvent: Sendable, Hashable {
    /// An intent is requested.
    case requested(IntentRequest)
    /// An intent is requested that no worker serves, as the catalogue says.
    case unserved(IntentRequest, Rejection)
    /// The person answers a prompt.
    case answered(Answer)
    /// The person's side wants to see more options of the open prompt.
    case optionsRequested(OptionsRequest)
    /// The person changes a parameter without being asked.
    case corrected(Correction)
    /// The person cancels a request; without an id, the active one.
    case cancelled(request: Identifier?)
    /// An app claims a handoff.
    case handoffClaimed(handoff: Identifier, claimant: Claimant)
    /// The app that claimed a handoff has finished.
    case handoffCompleted(handoff: Identifier, claimant: Claimant, response: IntentResponse)
    /// What is remembered is forgotten.
    case forgotten(Forgetting)
    /// The memory of the owner has changed. Changes of this session may be among the changes.
    case memoryChanged(MemoryNews)
    /// The log has refused a change of what is remembered about the owner for good.
    case changeRefused(number: Int, Rejection)
    /// An operator ends the session, whatever it is doing.
    case ended(reason: String?)
    /// The app that claimed a handoff returns it. Another app may claim it.
    case handoffReturned(handoff: Identifier, claimant: Claimant)
    /// Live updates of a request that has succeeded are wanted.
    case updatesStarted(request: Identifier)
    /// They are no longer wanted.
    case updatesStopped(request: Identifier)
    /// The person wants a request taken back.
    case undoRequested(UndoRequest)
    /// A worker reports an outcome.
    case outcome(Outcome)
    /// A worker reported something that can't be read. The request fails if it is with a worker, and the ticket, which could be read, is that of its work.
    case unreadableOutcome(Rejection, Ticket?)
    /// The log has refused the work of this step for good, so no worker gets it. The request fails, or its live updates end.
    case workRefused(request: Identifier, step: Int, Rejection)
    /// An event could be read but was not accepted. The session only tells the sender.
    case refused(Rejection)
    /// Time has passed: what is due at `now` happens.
    case timer
}
