import IntentKit

/// A parameter summary whose key paths and translations have been looked up: rendering it costs no reflection and no parsing.
indirect enum CompiledSummary<Subject: Intent>: Sendable {
    case sentence(CompiledSentence<Subject>)
    case choice(of: any ParameterBinding<Subject>, cases: [Case], otherwise: CompiledSummary)

    struct Case: Sendable {
        var condition: ParameterSummaryCondition
        var summary: CompiledSummary
    }

    /// - Parameters:
    ///   - title: What is shown where nothing else fits.
    ///   - table: Where the intent's extension has its translations.
    /// - Throws: If a key path is not one of a parameter.
    init(
        _ content: ParameterSummaryContent, _ prototype: Subject, _ bindings: [any ParameterBinding<Subject>], of intent: String,
        titled title: LocalizedText, table: LocalizedTable
    ) throws(IntentRegistryError) {
        func binding(at keyPath: AnyKeyPath) throws(IntentRegistryError) -> any ParameterBinding<Subject> {
            let identity = (prototype[keyPath: keyPath] as? any AnyParameter)?.identity
            guard let binding = bindings.first(where: { $0.identity == identity }) else {
                let message = "the summary of \(intent) names something that is not a @Parameter stored in it"
                throw IntentRegistryError(.parameterUnknown, message)
            }
            return binding
        }
        func compiled(_ pieces: [ParameterSummaryPiece]) throws(IntentRegistryError) -> [CompiledSentence<Subject>.Piece] {
            var compiled: [CompiledSentence<Subject>.Piece] = []
            for piece in pieces {
                switch piece {
                case .text(let text): compiled.append(.text(text))
                case .parameter(let keyPath): compiled.append(.parameter(try binding(at: keyPath)))
                }
            }
            return compiled
        }
        switch content {
        case .sentence(let pieces, let translations):
            var sentence = CompiledSentence(pieces: try compiled(pieces))
            for (tag, pieces) in translations { sentence.translations[tag] = try compiled(pieces) }
            sentence.translate(by: table, bindings)
            self = .sentence(sentence)
        case .choice(let keyPath, let cases, let otherwise):
            var compiled: [Case] = []
            for each in cases {
                let summary = try CompiledSummary(each.content, prototype, bindings, of: intent, titled: title, table: table)
                compiled.append(Case(condition: each.condition, summary: summary))
            }
            let rest = otherwise ?? IntentParameterSummary<Subject>(title).content
            let fallback = try CompiledSummary(rest, prototype, bindings, of: intent, titled: title, table: table)
            self = .choice(of: try binding(at: keyPath), cases: compiled, otherwise: fallback)
        }
    }

    func text(for intent: Subject, locale: String?) -> String {
        switch self {
        case .sentence(let sentence): return sentence.text(for: intent, locale: locale)
        case .choice(let binding, let cases, let otherwise):
            let value = binding.value(in: intent)
            let summary = cases.first { $0.condition.holds(for: value) }?.summary ?? otherwise
            return summary.text(for: intent, locale: locale)
        }
    }
}
