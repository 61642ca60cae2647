/// The person is asked which of the items they mean that an intent has found.
///
/// The request completes when they have answered, in any way: the intent has been handled by then, so no answer, none of these, and a cancel are not
/// failures. A completion names the chosen item as `chosen`.
public struct ItemChoice: Sendable, Hashable {
    /// What the person is asked; the pipeline's own words unless given.
    public var dialog: String?
    /// What the session remembers of the chosen item: members of its value, by the keys that they are remembered as.
    public var remembers: [String: String]

    public init(dialog: String? = nil, remembers: [String: String] = [:]) {
        self.dialog = dialog
        self.remembers = remembers
    }
}
