import IntentKit

extension IntentCatalogEntry {
    /// The intent as text for a terminal. Ends with a line break.
    public var text: String {
        var lines = ["\(name): \(title)"]
        if let description { lines.append("  \(description)") }
        lines.append("  phases: \(phases.map(\.rawValue).joined(separator: ", "))")
        lines.append("  confirmation: \(confirmation.rawValue)")
        lines.append("  summary:")
        lines += summary.lines.map { "    \($0)" }
        lines.append(parameters.isEmpty ? "  parameters: none" : "  parameters:")
        for parameter in parameters { lines += parameter.lines.map { "    \($0)" } }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension ParameterCatalogEntry {
    fileprivate var lines: [String] {
        let need = isRequired ? defaultValue == nil ? "required" : "required, with a default" : "optional"
        var lines = ["\(name): \(title) (\(type.name), \(need))"]
        if let description { lines.append("  \(description)") }
        lines.append("  type: \(type.description)")
        if let range { lines.append("  range: \(range.text)") }
        if let defaultValue { lines.append("  default: \(defaultValue.text)") }
        switch options {
        case .any: break
        case .known(let options):
            lines.append(
                "  options: "
                    + options.map { "\($0.id) (\(([$0.title] + $0.synonyms).joined(separator: ", ")))" }.joined(
                        separator: ", "))
        case .provided(let provider): lines.append("  options: from \(provider)")
        }
        for prompt in prompts { lines.append("  prompt for \(prompt.name): \(prompt.value)") }
        for detail in details { lines.append("  \(detail.name): \(detail.value)") }
        return lines
    }
}

extension SummaryCatalogEntry {
    fileprivate var lines: [String] {
        switch self {
        case .template(let template): return [template]
        case .choice(let parameter, let cases, let otherwise):
            var lines: [String] = []
            for each in cases {
                lines.append("if \(parameter) \(each.condition):")
                lines += each.summary.lines.map { "  \($0)" }
            }
            return lines + ["otherwise:"] + otherwise.lines.map { "  \($0)" }
        }
    }
}

extension SummaryCatalogEntry.Case {
    /// A condition such as "is Bike or Walk".
    fileprivate var condition: String {
        let operand = operandTexts.joined(separator: " or ")
        return switch comparison {
        case .hasAnyValue: "has a value"
        case .hasNoValue: "has no value"
        case .equalTo, .oneOf: "is \(operand)"
        case .notEqualTo, .noneOf: "is not \(operand)"
        case .lessThan: "is less than \(operand)"
        case .lessThanOrEqualTo: "is at most \(operand)"
        case .greaterThan: "is greater than \(operand)"
        case .greaterThanOrEqualTo: "is at least \(operand)"
        }
    }
}
