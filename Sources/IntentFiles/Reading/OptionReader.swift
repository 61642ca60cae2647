import IntentModel
import IntentRuntime

/// Reads what a text may be: `[small, {id: l, title: Large, synonyms: [big]}]`, or `{small: Small, l: {title: Large}}`.
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
        if given != nil, let id = members["id"] { id.refuse("the id stands before the colon already: leave it out") }
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
