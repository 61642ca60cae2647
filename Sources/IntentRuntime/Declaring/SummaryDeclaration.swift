public import IntentKit

/// A declared intent in a sentence.
public indirect enum SummaryDeclaration: Sendable, Hashable {
    /// `{seats}` stands for the value of the parameter `seats`, or its title; `{{` and `}}` are braces.
    case text(LocalizedText)
    /// The first whose condition is met, else what is otherwise, else the intent's title.
    case cases([Case], otherwise: SummaryDeclaration?)

    public struct Case: Sendable, Hashable {
        public var condition: DeclaredCondition
        public var summary: SummaryDeclaration

        public init(_ condition: DeclaredCondition, _ summary: SummaryDeclaration) {
            self.condition = condition
            self.summary = summary
        }
    }

    /// A part of a sentence's template.
    enum Piece: Sendable, Hashable {
        case text(String)
        case parameter(String)
    }

    /// - Returns: The parts, or what is wrong with the braces.
    static func pieces(of template: String) -> Result<[Piece], TemplateError> {
        var pieces: [Piece] = []
        var text = ""
        var rest = template[...]
        while let character = rest.popFirst() {
            switch character {
            case "{" where rest.first == "{", "}" where rest.first == "}":
                rest.removeFirst()
                text.append(character)
            case "{":
                guard let end = rest.firstIndex(of: "}") else {
                    return .failure(TemplateError(message: "'{' is not closed: write '{parameter}', or '{{' for a brace"))
                }
                if !text.isEmpty { pieces.append(.text(text)) }
                text = ""
                pieces.append(.parameter(String(rest[..<end])))
                rest = rest[rest.index(after: end)...]
            case "}": return .failure(TemplateError(message: "'}' closes nothing: write '}}' for a brace"))
            default: text.append(character)
            }
        }
        if !text.isEmpty { pieces.append(.text(text)) }
        return .success(pieces)
    }

    struct TemplateError: Error { var message: String }
}

/// What a declared parameter's value has to be for something to count: a part of a summary, or the question whether to go on.
public struct DeclaredCondition: Sendable, Hashable {
    /// The parameter's name.
    public var parameter: String
    public var comparison: ParameterSummaryCondition.Comparison
    /// What it is compared with, in wire form or in words that the type understands; none for `hasAnyValue` and `hasNoValue`, one for all others but
    /// `oneOf` and `noneOf`. Enumerations and entities are compared by their identifiers.
    public var operands: [JSON]

    public init(_ parameter: String, _ comparison: ParameterSummaryCondition.Comparison, _ operands: JSON...) {
        self.parameter = parameter
        self.comparison = comparison
        self.operands = operands
    }

    public init(_ parameter: String, _ comparison: ParameterSummaryCondition.Comparison, operands: [JSON]) {
        self.parameter = parameter
        self.comparison = comparison
        self.operands = operands
    }
}
