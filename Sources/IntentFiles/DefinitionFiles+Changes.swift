extension DefinitionFiles {
    /// What is other than it was, by the names of the intents.
    public struct Changes: Sendable, Hashable {
        public var added: [String] = []
        public var changed: [String] = []
        public var removed: [String] = []

        public var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }

        public init() {}
    }

    /// - Parameter earlier: What was read before.
    public func changes(since earlier: DefinitionFiles) -> Changes {
        var changes = Changes()
        for intent in intents {
            guard let before = earlier.intents.first(where: { $0.name == intent.name }) else {
                changes.added.append(intent.name)
                continue
            }
            if before != intent { changes.changed.append(intent.name) }
        }
        changes.removed = earlier.intents.map(\.name).filter { name in !intents.contains { $0.name == name } }
        return changes
    }
}
