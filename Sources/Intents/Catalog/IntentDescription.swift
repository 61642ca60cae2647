/// What an intent is, for people and for programs that would ask for it: an entry of ``IntentRegistry/catalog(in:)``.
public struct IntentDescription: Sendable, Hashable {
    /// What it is called in events.
    public var name: String
    public var title: String
    public var description: String?
    /// The phases that it goes through; one without parameters has nothing to resolve.
    public var phases: [Phase]
    public var confirmation: Confirmation
    /// In the order in which they are resolved.
    public var parameters: [ParameterDescription]
    public var summary: SummaryDescription

    /// Whether the person is asked before it is handled. Its confirm phase may ask in any case.
    public enum Confirmation: String, Sendable, Hashable {
        case always, never
        /// That depends on its parameters.
        case depends
    }
}
