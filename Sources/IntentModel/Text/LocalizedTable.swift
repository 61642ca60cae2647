/// Translations by key and language, for an extension's ``IntentExtension/localizations``.
///
/// ```json
/// { "Request a ride": { "nl": "Rit aanvragen", "pt-BR": "Pedir uma corrida" },
///   "${ride} to ${dropOff}": { "nl": "Naar ${dropOff} met ${ride}" },
///   "%@ seats": { "nl": "%@ plaatsen" } }
/// ```
/// A key is the text as the code has it: a title, a prompt, the name of a case. In a summary a parameter stands as `${name}`, as it does in App
/// Intents, and in any other text a value stands as `%@`. The file may also be a String Catalog (`.xcstrings`).
///
/// Numbers and times are the same in every language, and there are no plural forms: both would take each language's rules.
public struct LocalizedTable: Sendable, Hashable {
    /// The table in which texts are looked up: that of the extension whose intent is being performed or described.
    @TaskLocal package static var current = LocalizedTable()

    private var entries: [String: [String: String]] = [:]

    private init() {}

    /// Takes translations that are known to be right, under tags in their usual capitals.
    package init(unchecked entries: [String: [String: String]]) { self.entries = entries }

    /// Takes translations by key, then by BCP 47 tag.
    ///
    /// - Throws: If a translation does not have the same places for values as its key.
    public init(_ translations: [String: [String: String]]) throws(LocalizedTableError) {
        for (key, texts) in translations.sorted(by: { $0.key < $1.key }) { try add(LanguageTag.canonical(texts), for: key) }
    }

    /// What all of these say; where two have the same key and language, the first.
    package init(merging tables: [LocalizedTable]) {
        for table in tables {
            for (key, texts) in table.entries { entries[key, default: [:]].merge(texts) { first, _ in first } }
        }
    }

    public var isEmpty: Bool { entries.isEmpty }

    /// The languages that it has anything in, in alphabetical order.
    public var languages: [String] { Set(entries.values.flatMap(\.keys)).sorted() }

    /// By tag, in its usual capitals.
    package func translations(of key: String) -> [String: String]? { entries.isEmpty ? nil : entries[key] }

    private mutating func add(_ texts: [String: String], for key: String) throws(LocalizedTableError) {
        let places = Self.places(in: key)
        for (tag, text) in texts.sorted(by: { $0.key < $1.key }) where Self.places(in: text) != places {
            let message = "the translation of \"\(key)\" to '\(tag)' has other places for values: \"\(text)\""
            throw LocalizedTableError(.placesDiffer, message)
        }
        entries[key] = texts
    }

    private static func places(in format: String) -> Set<LocalizedFormat.Part> {
        guard format.contains("%") || format.contains("$") else { return [] }
        return Set(LocalizedFormat.parts(of: format).filter { if case .text = $0 { false } else { true } })
    }
}
