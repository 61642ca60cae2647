import IntentKit

/// A parameter summary with resolved key paths and translations. Rendering it needs no reflection and no parsing.
indirect enum CompiledSummary<Subject: Intent>: Sendable {
    case sentence(CompiledSentence<Subject>)
    case choice(of: any AnyParameterBinding<Subject>, cases: [Case], otherwise: CompiledSummary)

    struct Case: Sendable {
        var condition: ParameterSummaryCondition
        var summary: CompiledSummary
    }

    /// - Parameters:
    ///   - title: The text if nothing else applies.
    ///   - table: The translations of the intent's extension.
    /// - Throws: An error if a key path does not lead to a parameter.
    init(
        _ content: ParameterSummaryContent, _ prototype: Subject, _ bindings: [any AnyParameterBinding<Subject>],
        of intent: String,
        titled title: LocalizedText, table: LocalizedTable
    ) throws(IntentRegistryError) {
        func binding(at keyPath: AnyKeyPath) throws(IntentRegistryError) -> any AnyParameterBinding<Subject> {
            let identity = (prototype[keyPath: keyPath] as? any AnyParameter)?.identity
            guard let binding = bindings.first(where: { $0.identity == identity }) else {
                let message = "the summary of \(intent) names something that is not a @Parameter stored in it"
                throw IntentRegistryError(.parameterUnknown, message)
            }
            return binding
        }
        func compiled(_ pieces: [ParameterSummaryPiece]) throws(IntentRegistryError) -> [CompiledSentence<Subject>
            .Piece]
        {
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
                let summary = try CompiledSummary(
                    each.content, prototype, bindings, of: intent, titled: title, table: table)
                compiled.append(Case(condition: each.condition, summary: summary))
            }
            let rest = otherwise ?? IntentParameterSummary<Subject>(title).content
            let fallback = try CompiledSummary(rest, prototype, bindings, of: intent, titled: title, table: table)
            self = .choice(of: try binding(at: keyPath), cases: compiled, otherwise: fallback)
        }
    }

    /// - Parameter openLists: The words for lists that are not wholly resolved, by their parameters.
    func text(for intent: Subject, openLists: [String: String] = [:], locale: String?) -> String {
        switch self {
        case .sentence(let sentence): return sentence.text(for: intent, openLists, locale)
        case .choice(let binding, let cases, let otherwise):
            let value = binding.value(in: intent)
            let summary = cases.first { $0.condition.holds(for: value) }?.summary ?? otherwise
            return summary.text(for: intent, openLists: openLists, locale: locale)
        }
    }
}

/// One sentence of a summary in all its languages.
struct CompiledSentence<Subject: Intent>: Sendable {
    enum Piece: Sendable {
        case text(LocalizedText)
        case parameter(any AnyParameterBinding<Subject>)
    }

    let pieces: [Piece]
    /// The translations by BCP 47 tag, in the tag's usual case.
    var translations: [String: [Piece]] = [:]

    init(pieces: [Piece]) { self.pieces = pieces }

    /// Adds the table's translations, which take precedence over the sentence's own.
    mutating func translate(by table: LocalizedTable, _ bindings: [any AnyParameterBinding<Subject>]) {
        for (tag, text) in table.translations(of: Self.template(pieces, locale: nil)) ?? [:] {
            translations[tag] = LocalizedFormat.parts(of: text).map { part in
                switch part {
                case .text(let words): return .text(LocalizedText(words))
                case .named(let name):
                    return bindings.first { $0.name == name }.map { .parameter($0) }
                        ?? .text(LocalizedText("${\(name)}"))
                case .argument: return .text(LocalizedText("%@"))
                }
            }
        }
    }

    func text(for intent: Subject, _ openLists: [String: String], _ locale: String?) -> String {
        var text = ""
        for piece in pieces(in: locale) {
            switch piece {
            case .text(let words): text += words.text(in: locale)
            case .parameter(let binding):
                if let words = openLists[binding.name] ?? binding.text(in: intent, locale: locale) {
                    text += words
                } else {
                    // A secret has a value, but the sentence does not disclose it.
                    let title = binding.title(in: locale)
                    text += binding.value(in: intent) == nil ? "[\(title)]" : title
                }
            }
        }
        return text
    }

    /// The sentence with the names of its parameters, as in tables: `${ride} to ${dropOff}`.
    func template(in locale: String?) -> String { Self.template(pieces(in: locale), locale: locale) }

    func pieces(in locale: String?) -> [Piece] {
        guard let locale, !translations.isEmpty else { return pieces }
        return LanguageTag.first(for: locale) { translations[$0] } ?? pieces
    }

    private static func template(_ pieces: [Piece], locale: String?) -> String {
        pieces.reduce(into: "") { template, piece in
            switch piece {
            case .text(let text): template += text.text(in: locale)
            case .parameter(let binding): template += "${\(binding.name)}"
            }
        }
    }
}
