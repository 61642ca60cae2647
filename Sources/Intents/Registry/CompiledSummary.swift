/// A parameter summary whose key paths have been looked up.
indirect enum CompiledSummary<Subject: Intent>: Sendable {
    case sentence([Piece])
    case choice(of: any ParameterBinding<Subject>, cases: [Case], otherwise: CompiledSummary)

    enum Piece: Sendable {
        case text(LocalizedText)
        case parameter(any ParameterBinding<Subject>)
    }

    struct Case: Sendable {
        var condition: @Sendable ((any ParameterValue)?) -> Bool
        var summary: CompiledSummary
    }

    /// - Throws: If a key path is not one of a parameter.
    init(
        _ content: ParameterSummaryContent, _ prototype: Subject, _ bindings: [any ParameterBinding<Subject>], of intent: String
    ) throws(IntentRegistryError) {
        func binding(at keyPath: AnyKeyPath) throws(IntentRegistryError) -> any ParameterBinding<Subject> {
            let identity = (prototype[keyPath: keyPath] as? any AnyParameter)?.identity
            guard let binding = bindings.first(where: { $0.identity == identity }) else {
                let message = "the summary of \(intent) names something that is not a @Parameter stored in it"
                throw IntentRegistryError(.parameterUnknown, message)
            }
            return binding
        }
        switch content {
        case .sentence(let pieces):
            var compiled: [Piece] = []
            for piece in pieces {
                switch piece {
                case .text(let text): compiled.append(.text(text))
                case .parameter(let keyPath): compiled.append(.parameter(try binding(at: keyPath)))
                }
            }
            self = .sentence(compiled)
        case .choice(let keyPath, let cases, let otherwise):
            var compiled: [Case] = []
            for each in cases {
                let summary = try CompiledSummary(each.content, prototype, bindings, of: intent)
                compiled.append(Case(condition: each.condition, summary: summary))
            }
            let fallback = try CompiledSummary(otherwise, prototype, bindings, of: intent)
            self = .choice(of: try binding(at: keyPath), cases: compiled, otherwise: fallback)
        }
    }

    func text(for intent: Subject, locale: String?) -> String {
        switch self {
        case .sentence(let pieces):
            var text = ""
            for piece in pieces {
                switch piece {
                case .text(let words): text += words.text(in: locale)
                case .parameter(let binding): text += binding.text(in: intent, locale: locale)
                }
            }
            return text
        case .choice(let binding, let cases, let otherwise):
            let value = binding.value(in: intent)
            let summary = cases.first { $0.condition(value) }?.summary ?? otherwise
            return summary.text(for: intent, locale: locale)
        }
    }
}
