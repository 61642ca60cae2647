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

extension ConfirmationAction {
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", name)
        writer.member("accept", acceptLabel)
        if !acceptAlternatives.isEmpty {
            writer.member("acceptAlternatives", .array(acceptAlternatives.map { .string($0) }))
        }
        writer.member("deny", denyLabel)
        if !denyAlternatives.isEmpty { writer.member("denyAlternatives", .array(denyAlternatives.map { .string($0) })) }
        if isDestructive { writer.member("destructive", true) }
        writer.endObject()
    }

    /// Reads an action; `nil` if it lacks a name or a label.
    package init?(_ view: JSONView) {
        guard let name = view["name"]?.string, let accept = view["accept"]?.string, let deny = view["deny"]?.string
        else { return nil }
        self.init(
            name: name, acceptLabel: accept,
            acceptAlternatives: (view["acceptAlternatives"]?.elements ?? []).compactMap(\.string),
            denyLabel: deny, denyAlternatives: (view["denyAlternatives"]?.elements ?? []).compactMap(\.string),
            isDestructive: view["destructive"]?.bool ?? false)
    }
}
