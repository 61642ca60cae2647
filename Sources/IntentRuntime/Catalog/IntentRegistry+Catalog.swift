import IntentKit

extension IntentRegistry {
    /// What this process serves, in the developer's language.
    public var catalog: [IntentCatalogEntry] { catalog(in: nil) }

    /// What this process serves, for a reader of this language (BCP 47), in the order of ``intents``. No handler is asked.
    public func catalog(in locale: String?) -> [IntentCatalogEntry] { intents.compactMap { describe($0, in: locale) } }

    /// One intent for a reader of this language (BCP 47), or `nil` if it is not served.
    public func describe(_ intent: String, in locale: String? = nil) -> IntentCatalogEntry? {
        guard let entry = entries[intent] else { return nil }
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
