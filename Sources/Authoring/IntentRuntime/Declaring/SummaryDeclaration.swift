public import IntentKit

/// The summary of a declared intent: the intent in a sentence.
public indirect enum SummaryDeclaration: Sendable, Hashable {
    /// A sentence. `{seats}` is replaced by the value of the parameter `seats`, or by the parameter's title; `{{` and
    /// `}}` are braces.
    case text(LocalizedText)
    /// The summary of the first case whose condition is met; otherwise `otherwise`; otherwise the intent's title.
    case cases([Case], otherwise: SummaryDeclaration?)

    public struct Case: Sendable, Hashable {
        public var condition: DeclaredCondition
        public var summary: SummaryDeclaration

        public init(_ condition: DeclaredCondition, _ summary: SummaryDeclaration) {
            self.condition = condition
            self.summary = summary
        }
    }

    /// A part of a sentence template.
    enum Piece: Sendable, Hashable {
        case text(String)
        case parameter(String)
    }

    /// Parses a sentence template.
    ///
    /// - Returns: The parts, or the error in the use of braces.
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
                    return .failure(
                        TemplateError(message: "'{' is not closed: write '{parameter}', or '{{' for a brace"))
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

/// A condition on the value of a declared parameter, for a case of a summary or for a confirmation.
public struct DeclaredCondition: Sendable, Hashable {
    /// The parameter's name.
    public var parameter: String
    public var comparison: ParameterSummaryCondition.Comparison
    /// The values to compare with, in wire form or in words that the type understands: none for `hasAnyValue` and
    /// `hasNoValue`, one or more for `oneOf` and `noneOf`, one for every other comparison. Enumerations and entities
    /// are compared by their identifiers.
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
