import IntentKit
import IntentRuntime

/// Reads summaries and conditions.
enum SummaryReader {
    /// Reads a template, one per language, or a list of cases: `[{when: restaurant, text: …}, {otherwise: …}]`.
    static func read(_ field: Field) -> SummaryDeclaration? {
        guard field.isList else { return field.localized().map { .text($0) } }
        var cases: [SummaryDeclaration.Case] = []
        var otherwise: SummaryDeclaration?
        for entry in field.oneOrMore {
            guard let members = entry.members(.summaryCase) else { continue }
            if otherwise != nil {
                entry.refuse("nothing comes after 'otherwise': it is never looked at")
                continue
            }
            if let last = members["otherwise"] {
                if members.count > 1 { entry.refuse("'otherwise' stands alone: {otherwise: …}") }
                otherwise = read(last)
                continue
            }
            guard let text = members["text"] else {
                entry.refuse("'text' is missing: what is shown then?")
                continue
            }
            guard let condition = condition(members, entry), let summary = read(text) else { continue }
            cases.append(.init(condition, summary))
        }
        if cases.isEmpty, let otherwise { return otherwise }
        return cases.isEmpty ? nil : .cases(cases, otherwise: otherwise)
    }

    /// Reads `when: restaurant`, `when: {seats: {greaterThan: 4}}`, `when: {size: l}`, `when: {size: [s, l]}`,
    /// `without: restaurant`.
    static func condition(_ members: [String: Field], _ field: Field) -> DeclaredCondition? {
        switch (members["when"], members["without"]) {
        case (let when?, nil): return comparison(when)
        case (nil, let without?):
            return without.text("the name of a parameter").map { DeclaredCondition($0, .hasNoValue) }
        case (nil, nil): field.refuse("'when' or 'without' is missing: when does it count?")
        case (_?, let without?): without.refuse("a condition has 'when' or 'without', not both")
        }
        return nil
    }

    private static func comparison(_ field: Field) -> DeclaredCondition? {
        guard field.isMapping else {
            return field.text("the name of a parameter").map { DeclaredCondition($0, .hasAnyValue) }
        }
        let entries = field.entries("a parameter and its value") ?? []
        guard entries.count == 1, let (name, value) = entries.first else {
            field.refuse("a condition is about one parameter, such as {seats: {greaterThan: 4}}")
            return nil
        }
        if value.isList { return DeclaredCondition(name, .oneOf, operands: value.oneOrMore.map(\.json)) }
        guard value.isMapping, value["value"] == nil, value["id"] == nil else {
            return DeclaredCondition(name, .equalTo, value.json)
        }
        guard let members = value.members(.comparison) else { return nil }
        guard members.count == 1, let (word, operand) = members.first,
            let comparison = ParameterSummaryCondition.Comparison(rawValue: word)
        else {
            if members.count != 1 { value.refuse("a condition compares once, such as {greaterThan: 4}") }
            return nil
        }
        if comparison == .oneOf || comparison == .noneOf {
            return DeclaredCondition(name, comparison, operands: operand.oneOrMore.map(\.json))
        }
        return DeclaredCondition(name, comparison, operand.json)
    }
}
