public import IntentKit

/// Finds messages by identifier, or by words in the text or in the names of people and groups.
public struct MessageQuery: EntityStringQuery {
    @Dependency var mailbox: Mailbox

    public init() {}

    public func entities(for identifiers: [String]) async throws -> [Message] {
        try mailbox.messages().filter { identifiers.contains($0.id) }
    }

    public func entities(matching string: String) async throws -> [Message] {
        try mailbox.messages().filter { $0.mentions(string) }
    }

    /// The five newest messages.
    public func suggestedEntities() async throws -> [Message] { Array(try mailbox.messages().prefix(5)) }
}

extension Message {
    /// `true` if the text, or the name of the sender, the group or a recipient, contains these words.
    func mentions(_ words: String) -> Bool {
        let names = ([sender, group].compactMap(\.self) + recipients).map(\.name)
        let text = " \(TextFolding.fold(([content ?? ""] + names).joined(separator: " "))) "
        return text.contains(" \(TextFolding.fold(words)) ")
    }
}
