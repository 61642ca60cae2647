/// Translations by key and language, for an extension's ``IntentExtension/localizations``.
///
/// ```json
/// { "Request a ride": { "nl": "Rit aanvragen", "pt-BR": "Pedir uma corrida" },
///   "${ride} to ${dropOff}": { "nl": "Naar ${dropOff} met ${ride}" },
///   "%@ seats": { "nl": "%@ plaatsen" } }
/// ```
/// A key is the text in the code: a title, a prompt, the name of a case. In a summary a parameter is `${name}`, as in
/// App Intents. In any other text a value is `%@`. The file may also be a String Catalog (`.xcstrings`).
///
/// Numbers and times are the same in every language, and there are no plural forms, because both would need each
/// language's rules.
public struct LocalizedTable: Sendable, Hashable {
    /// The table in which texts are looked up: the table of the extension whose intent is performed or described.
    @TaskLocal package static var current = LocalizedTable()

    private var entries: [String: [String: String]] = [:]

    private init() {}

    /// Creates a table of translations that are known to be valid, with tags in their usual case.
    package init(unchecked entries: [String: [String: String]]) { self.entries = entries }

    /// Creates a table of translations by key, then by BCP 47 tag.
    ///
    /// - Throws: An error if a translation does not have the same placeholders as its key.
    public init(_ translations: [String: [String: String]]) throws(LocalizedTableError) {
        for (key, texts) in translations.sorted(by: { $0.key < $1.key }) {
            try add(LanguageTag.canonical(texts), for: key)
        }
    }

    /// Merges tables. If two tables have the same key and language, the first table applies.
    package init(merging tables: [LocalizedTable]) {
        for table in tables {
            for (key, texts) in table.entries { entries[key, default: [:]].merge(texts) { first, _ in first } }
        }
    }

    public var isEmpty: Bool { entries.isEmpty }

    /// The languages with at least one translation, in alphabetical order.
    public var languages: [String] { Set(entries.values.flatMap(\.keys)).sorted() }

    /// The translations of a key by tag, in the tag's usual case.
    package func translations(of key: String) -> [String: String]? { entries.isEmpty ? nil : entries[key] }

    private mutating func add(_ texts: [String: String], for key: String) throws(LocalizedTableError) {
        let places = Self.places(in: key)
        for (tag, text) in texts.sorted(by: { $0.key < $1.key }) where Self.places(in: text) != places {
            let message = "the translation of \"\(key)\" to '\(tag)' has different placeholders: \"\(text)\""
            throw LocalizedTableError(.placesDiffer, message)
        }
        entries[key] = texts
    }

    private static func places(in format: String) -> Set<LocalizedFormat.Part> {
        guard format.contains("%") || format.contains("$") else { return [] }
        return Set(LocalizedFormat.parts(of: format).filter { if case .text = $0 { false } else { true } })
    }
}

/// An error in a ``LocalizedTable``.
public struct LocalizedTableError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable {
        /// The input is not JSON in the form of a table.
        case unreadable
        /// A translation does not have the same placeholders as its key.
        case placesDiffer
        /// A String Catalog varies a text by number or device.
        case varies
    }

    public var code: Code
    public var message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}

extension LocalizedTable {
    /// Reads a file: `{ key: { tag: text } }`, or a String Catalog as Xcode writes it.
    ///
    /// Entries of a String Catalog that are marked as `new` are not translated yet and are left out. A text that varies
    /// by number or device is an error.
    public init(json: [UInt8]) throws(LocalizedTableError) {
        let root: JSONView
        do { root = try JSONView(parsing: json, limits: .journal) } catch {
            throw LocalizedTableError(.unreadable, "\(error)")
        }
        guard root.kind == .object else {
            throw LocalizedTableError(.unreadable, "a table of translations has to be a JSON object")
        }
        var translations: [String: [String: String]] = [:]
        if root["sourceLanguage"]?.kind == .string, let strings = root["strings"], strings.kind == .object {
            for (key, entry) in strings.members { translations[key] = try Self.unit(of: entry, key) }
        } else {
            for (key, entry) in root.members { translations[key] = try Self.texts(of: entry, key) }
        }
        try self.init(translations)
    }

    private static func texts(of entry: JSONView, _ key: String) throws(LocalizedTableError) -> [String: String] {
        var texts: [String: String] = [:]
        for (tag, text) in entry.members { texts[tag] = text.string }
        guard entry.kind == .object, texts.count == Set(entry.members.map(\.name)).count else {
            throw LocalizedTableError(
                .unreadable, "the translations of \"\(key)\" have to be an object of language tags and texts")
        }
        return texts
    }

    /// One entry of a String Catalog.
    private static func unit(of entry: JSONView, _ key: String) throws(LocalizedTableError) -> [String: String] {
        var texts: [String: String] = [:]
        for (tag, localization) in entry["localizations"]?.members ?? [] {
            if localization["variations"] != nil || localization["substitutions"] != nil {
                throw LocalizedTableError(
                    .varies, "\"\(key)\" varies in '\(tag)': use one text for all numbers and devices")
            }
            guard let unit = localization["stringUnit"], unit["state"]?.string != "new" else { continue }
            texts[tag] = unit["value"]?.string
        }
        return texts
    }
}
