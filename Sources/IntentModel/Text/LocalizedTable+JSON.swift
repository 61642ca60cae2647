extension LocalizedTable {
    /// Reads a file: `{ key: { tag: text } }`, or a String Catalog as Xcode writes it.
    ///
    /// In a String Catalog what is marked as `new` is not translated yet and left out; a text that varies by number or device is an error.
    public init(json: [UInt8]) throws(LocalizedTableError) {
        let root: JSONView
        do { root = try JSONView(parsing: json, limits: .journal) } catch { throw LocalizedTableError(.unreadable, "\(error)") }
        guard root.kind == .object else { throw LocalizedTableError(.unreadable, "a table of translations is a JSON object") }
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
            throw LocalizedTableError(.unreadable, "the translations of \"\(key)\" have to be an object of language tags and texts")
        }
        return texts
    }

    /// One entry of a String Catalog.
    private static func unit(of entry: JSONView, _ key: String) throws(LocalizedTableError) -> [String: String] {
        var texts: [String: String] = [:]
        for (tag, localization) in entry["localizations"]?.members ?? [] {
            if localization["variations"] != nil || localization["substitutions"] != nil {
                throw LocalizedTableError(.varies, "\"\(key)\" varies in '\(tag)': give it one text for every number and device")
            }
            guard let unit = localization["stringUnit"], unit["state"]?.string != "new" else { continue }
            texts[tag] = unit["value"]?.string
        }
        return texts
    }
}
