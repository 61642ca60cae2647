/// The labels of the two answers to a confirmation, in the language of the request.
public struct ConfirmationAction: Sendable, Hashable {
    /// The action's name for programs, such as `book`: one of App Intents' `ConfirmationActionName`, or `custom`.
    public var name: String
    /// The label of the answer that accepts, such as "Book".
    public var acceptLabel: String
    /// Other words for the answer that accepts.
    public var acceptAlternatives: [String]
    /// The label of the answer that declines, such as "Cancel".
    public var denyLabel: String
    public var denyAlternatives: [String]
    /// `true` if the action removes something. The person's side should set such an action apart.
    public var isDestructive: Bool

    public init(
        name: String, acceptLabel: String, acceptAlternatives: [String] = [], denyLabel: String,
        denyAlternatives: [String] = [],
        isDestructive: Bool = false
    ) {
        self.name = name
        self.acceptLabel = acceptLabel
        self.acceptAlternatives = acceptAlternatives
        self.denyLabel = denyLabel
        self.denyAlternatives = denyAlternatives
        self.isDestructive = isDestructive
    }
}
