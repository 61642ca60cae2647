public import IntentModel

/// What a transition asks the shell to send.
public enum Effect: Sendable, Hashable {
    /// To a work topic.
    case work(Work)
    /// To the person's side.
    indirect case result(SessionResult)
    /// To what is remembered about a person.
    case memory(MemoryChange, of: Principal)
}
