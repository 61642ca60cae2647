public import IntentKit

/// A parameter summary before there are values.
public indirect enum SummaryCatalogEntry: Sendable, Hashable {
    /// With names for the parameters: `${ride} to ${dropOff}`. Translators find the sentence under this key.
    case template(String)
    case choice(of: String, cases: [Case], otherwise: SummaryCatalogEntry)

    /// What is shown if the parameter's value meets a condition.
    public struct Case: Sendable, Hashable {
        public var comparison: ParameterSummaryCondition.Comparison
        /// What the value is compared with, in wire form and as a person is shown it.
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
                    operandTexts: each.condition.operandTexts.map { $0.text(in: locale) }, summary: each.summary.describe(in: locale))
            }
            return .choice(of: binding.name, cases: cases, otherwise: otherwise.describe(in: locale))
        }
    }
}
