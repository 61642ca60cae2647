/// One value of a definition file, with its position.
struct DefinitionNode {
    indirect enum Content {
        /// - Parameter isPlain: `true` if the value is written without quotes, so that it may be a number or a Boolean.
        case scalar(String, isPlain: Bool)
        case sequence([DefinitionNode])
        case mapping([Member])
    }

    struct Member {
        var key: String
        var mark: Place
        var value: DefinitionNode
    }

    /// A position in a file. Line and column count from 1.
    struct Place: Sendable {
        var line: Int
        var column: Int
    }

    var content: Content
    var mark: Place

    subscript(key: String) -> Member? {
        guard case .mapping(let members) = content else { return nil }
        return members.first { $0.key == key }
    }

    /// A description of the value for messages.
    var kind: String {
        switch content {
        case .scalar(let text, let isPlain):
            if isPlain, Self.isNull(text) { return "nothing" }
            return "'\(text.count > 60 ? text.prefix(60) + "…" : text)'"
        case .sequence: return "a list"
        case .mapping: return "a mapping"
        }
    }

    var isNull: Bool {
        if case .scalar(let text, true) = content { Self.isNull(text) } else { false }
    }

    private static func isNull(_ text: String) -> Bool { text.isEmpty || text == "~" || text == "null" }

    /// Returns the position of the field at this path, or of its nearest ancestor that exists.
    func mark(of path: some Sequence<String>, from start: Place) -> Place {
        var (node, place) = (self, start)
        for step in path {
            switch node.content {
            case .mapping:
                guard let member = node[step] else { return place }
                (node, place) = (member.value, member.mark)
            case .sequence(let elements):
                guard let index = Int(step), elements.indices.contains(index) else { return place }
                (node, place) = (elements[index], elements[index].mark)
            case .scalar: return place
            }
        }
        return place
    }
}
