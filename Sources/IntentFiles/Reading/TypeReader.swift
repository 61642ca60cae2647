import IntentRuntime

/// Reads a parameter's type: `int`, `City`, `[string]`, `{set: string}`, `{measurement: length}`.
struct TypeReader {
    /// Those that the file declares.
    let types: [String: DeclaredType]

    func read(_ field: Field) -> DeclaredType? {
        if field.isList {
            let elements = field.oneOrMore
            guard elements.count == 1 else {
                field.refuse("a list's type is written with the type of its values in brackets, such as [string]")
                return nil
            }
            return read(elements[0]).flatMap { list($0, field, DeclaredType.list) }
        }
        if field.isMapping {
            guard let members = field.members(.typeForm) else { return nil }
            guard members.count == 1, let (form, inner) = members.first else {
                if members.count != 1 { field.refuse("this has to be one of {list: …}, {set: …}, {measurement: …}") }
                return nil
            }
            switch form {
            case "measurement": return inner.choice(of: DeclaredType.Dimension.self).map { .measurement($0) }
            case "set": return read(inner).flatMap { list($0, field, DeclaredType.set) }
            default: return read(inner).flatMap { list($0, field, DeclaredType.list) }
            }
        }
        guard let word = field.text("a type such as string, int, [string] or {measurement: length}") else { return nil }
        if let type = types[word] ?? DeclaredType.named.first(where: { $0.key == word })?.value { return type }
        if word == "measurement" {
            field.refuse("say what is measured: {measurement: length}")
            return nil
        }
        let known = DeclaredType.named.map(\.key) + types.keys.sorted()
        let meant = Self.foreign[word.lowercased()].map { ": did you mean '\($0)'?" }
        field.refuse("there is no type '\(word)'\(meant ?? Nearest.advice(for: word, among: known))")
        return nil
    }

    private func list(_ item: DeclaredType, _ field: Field, _ form: (DeclaredType) -> DeclaredType) -> DeclaredType? {
        if !item.isList { return form(item) }
        field.refuse("there are no lists of lists")
        return nil
    }

    /// What other formats call our types.
    private static let foreign = [
        "integer": "int", "number": "double", "float": "double", "boolean": "bool", "text": "string", "str": "string", "datetime": "date",
        "time": "date", "uri": "url", "location": "place", "contact": "person", "money": "currencyAmount", "amount": "currencyAmount",
        "array": "[string]", "list": "[string]", "enum": "string", "period": "dateRange",
    ]
}
