/// A text that people read, with translations if there are any.
///
/// A string literal is the text in the developer's language and serves wherever no translation fits.
public struct LocalizedText: Sendable, Hashable, ExpressibleByStringInterpolation {
    public let original: String
    /// By BCP 47 tag (`nl`, `pt-BR`).
    public let translations: [String: String]

    public init(_ original: String, translations: [String: String] = [:]) {
        self.original = original
        self.translations = translations
    }

    public init(stringLiteral value: String) { self.init(value) }

    /// The translation for exactly this tag, else for its language alone, else the original.
    public func text(in locale: String?) -> String {
        if translations.isEmpty { return original }
        guard let locale else { return original }
        if let exact = translations[locale] { return exact }
        let language = locale.prefix { $0 != "-" && $0 != "_" }
        return translations[String(language)] ?? original
    }
}
