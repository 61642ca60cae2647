public import IntentKit

/// Describes an intent, for people and for programs that request it: an entry of ``IntentRegistry/catalog(in:)``.
public struct IntentCatalogEntry: Sendable, Hashable {
    /// The intent's name in events.
    public var name: String
    public var title: String
    public var description: String?
    /// The phases of the intent. An intent without parameters has no resolve phase.
    public var phases: [Phase]
    public var confirmation: IntentConfirmationKind
    /// The parameters in the order of their declaration.
    public var parameters: [ParameterCatalogEntry]
    public var summary: SummaryCatalogEntry
}

/// A parameter summary without values.
public indirect enum SummaryCatalogEntry: Sendable, Hashable {
    /// A sentence with parameter names as placeholders: `${ride} to ${dropOff}`. The sentence is also the key of its
    /// translations.
    case template(String)
    case choice(of: String, cases: [Case], otherwise: SummaryCatalogEntry)

    /// The summary that is used if the parameter's value meets a condition.
    public struct Case: Sendable, Hashable {
        public var comparison: ParameterSummaryCondition.Comparison
        /// The values to compare with, in wire form. ``operandTexts`` are the same values as shown to a person.
        public var operands: [JSON]
        public var operandTexts: [String]
        public var summary: SummaryCatalogEntry
    }
}

extension CompiledSummary {
    func describe(in locale: String?) -> SummaryCatalogEntry {
        switch self {
        case .sentence(let sentence): return .template(sentence.template(in: locale))
        case .choice(let binding, let cases, let otherwise):
            let cases = cases.map { each in
                SummaryCatalogEntry.Case(
                    comparison: each.condition.comparison, operands: each.condition.operands,
                    operandTexts: each.condition.operandTexts.map { $0.text(in: locale) },
                    summary: each.summary.describe(in: locale))
            }
            return .choice(of: binding.name, cases: cases, otherwise: otherwise.describe(in: locale))
        }
    }
}

extension IntentRegistry {
    /// The intents that this process serves, in the developer's language.
    public var catalog: [IntentCatalogEntry] { catalog(in: nil) }

    /// The intents that this process serves, for a reader of this language (BCP 47), in the order of ``intents``. Calls
    /// no handler.
    public func catalog(in locale: String?) -> [IntentCatalogEntry] { intents.compactMap { describe($0, in: locale) } }

    /// One intent for a reader of this language (BCP 47); `nil` if the intent is not served.
    public func describe(_ intent: String, in locale: String? = nil) -> IntentCatalogEntry? {
        guard let entry = entries[Identifier(intent)] else { return nil }
        return LocalizedTable.$current.withValue(entry.localizations) { entry.definition.describe(in: locale) }
    }
}

extension IntentBinding {
    func describe(in locale: String?) -> IntentCatalogEntry {
        IntentCatalogEntry(
            name: name, title: title.text(in: locale), description: description?.text(in: locale),
            phases: Phase.allCases.filter { $0 != .resolve || !bindings.isEmpty }, confirmation: confirmation.kind,
            parameters: bindings.map { $0.describe(in: locale) }, summary: summary.describe(in: locale))
    }
}
