/// The reason for a rejection: the nine protocol-exception reasons of SiriKit Cloud Media, and one of the pipeline's
/// own.
public enum RejectionReason: String, Sendable, Hashable, CaseIterable {
    /// No process here serves this intent, or this kind of event.
    case unsupported
    /// The sender may not do this.
    case unauthorized
    /// The event does not fit the state: an answer to a prompt that is not open, or a code of another phase.
    case unexpected
    /// The event is readable but breaks a rule: an unknown parameter, a wrong type, a missing field.
    case invalid
    /// The event can't be read.
    case unparseable
    /// The event's version is not supported, any longer or yet.
    case deprecated
    /// A fault on the pipeline's side.
    case `internal`
    /// The event exceeds the limits for size or depth.
    case complex
    /// The load is too high. The sender may try again later.
    case busy
    /// The handler of an ``IntentEffect/atMostOnce`` intent was called, and its outcome was lost. The intent may or may
    /// not have been carried out.
    case outcomeUnknown
}
