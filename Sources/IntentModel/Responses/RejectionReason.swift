/// Why something was not taken: the nine protocol-exception reasons of SiriKit Cloud Media, and one of our own.
public enum RejectionReason: String, Sendable, Hashable, CaseIterable {
    /// Nothing here serves this intent, or this kind of event.
    case unsupported
    /// The sender may not do this.
    case unauthorized
    /// It does not fit the state: an answer to a prompt that is not open, a code of another phase.
    case unexpected
    /// It is readable but breaks a rule: an unknown parameter, a wrong type, a missing field.
    case invalid
    /// It can't be read.
    case unparseable
    /// Its version is no longer, or not yet, understood.
    case deprecated
    /// A fault on this side.
    case `internal`
    /// It is larger or deeper than the bounds.
    case complex
    /// There is too much to do; try later.
    case busy
    /// The handler of an ``IntentEffect/atMostOnce`` intent was called and its answer was lost: whether it happened is not known.
    case outcomeUnknown
}
