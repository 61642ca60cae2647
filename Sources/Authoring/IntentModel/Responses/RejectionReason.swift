/// Why something was rejected: the nine protocol-exception reasons of SiriKit Cloud Media, and one of our own.
public enum RejectionReason: String, Sendable, Hashable, CaseIterable {
    /// No process here serves this intent, or this kind of event.
    case unsupported
    /// The sender may not do this.
    case unauthorized
    /// It does not fit the state: an answer to a prompt that is not open, or a code of another phase.
    case unexpected
    /// It is readable but breaks a rule: an unknown parameter, a wrong type, a missing field.
    case invalid
    /// It can't be read.
    case unparseable
    /// Its version is not supported, any longer or yet.
    case deprecated
    /// A fault on the pipeline's side.
    case `internal`
    /// It exceeds the bounds for size or depth.
    case complex
    /// There is too much load; try later.
    case busy
    /// The handler of an ``IntentEffect/atMostOnce`` intent was called and its outcome was lost: it is not known whether the intent was carried out.
    case outcomeUnknown
}
