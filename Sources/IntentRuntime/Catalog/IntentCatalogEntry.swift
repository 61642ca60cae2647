public import IntentKit

/// What an intent is, for people and for programs that would ask for it: an entry of ``IntentRegistry/catalog(in:)``.
public struct IntentCatalogEntry: Sendable, Hashable {
    /// What it is called in events.
    public var name: String
    public var title: String
    public var description: String?
    /// The phases that it goes through; one without parameters has nothing to resolve.
    public var phases: [Phase]
    public var confirmation: IntentConfirmationKind
    /// In the order in which they are resolved.
    public var parameters: [ParameterCatalogEntry]
    public var summary: SummaryCatalogEntry
}
