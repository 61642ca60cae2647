import IntentModel
import IntentRuntime

/// Reads a parameter's type: `int`, `City`, `[string]`, `{set: string}`, `{measurement: length}`.
struct TypeReader {
    /// The types that the file declares.
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

    /// Names of types in other formats, with the names in definition files.
    private static let foreign = [
        "integer": "int", "number": "double", "float": "double", "boolean": "bool", "text": "string", "str": "string",
        "datetime": "date",
        "time": "timeOfDay", "day": "calendarDate", "uri": "url", "location": "place", "contact": "person",
        "money": "currencyAmount",
        "amount": "currencyAmount",
        "array": "[string]", "list": "[string]", "enum": "string", "period": "dateRange",
    ]
}

/// Reads the options of a text parameter: `[small, {id: l, title: Large, synonyms: [big]}]`, or
/// `{small: Small, l: {title: Large}}`.
enum OptionReader {
    static func cases(_ field: Field) -> [EnumerationDeclaration.Case] {
        if field.isMapping {
            let entries = field.entries("options") ?? []
            return entries.compactMap { id, entry in
                if entry.isMapping, entry["title"] != nil || entry["synonyms"] != nil || entry["subtitle"] != nil {
                    return option(entry, id: id)
                }
                return entry.localized().map { .init(id, title: $0) }
            }
        }
        let elements = field.elements("a list of options such as [small, {id: l, title: Large}]") ?? []
        return elements.compactMap { element in
            element.isMapping ? option(element, id: nil) : element.text().map { .init($0) }
        }
    }

    private static func option(_ field: Field, id given: String?) -> EnumerationDeclaration.Case? {
        guard let members = field.members(.option) else { return nil }
        if given != nil, let id = members["id"] { id.refuse("the key before the colon is the id already: remove 'id'") }
        guard let id = given ?? members["id"]?.text() else {
            if members["id"] == nil { field.refuse("'id' is missing: what is the option in events?") }
            return nil
        }
        return .init(
            id, title: members["title"]?.localized(), subtitle: members["subtitle"]?.localized(),
            synonyms: synonyms(members["synonyms"]))
    }

    static func synonyms(_ field: Field?) -> [LocalizedText] { field?.oneOrMore.compactMap { $0.localized() } ?? [] }
}
