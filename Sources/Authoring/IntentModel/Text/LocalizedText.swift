/// A text that people read, in the developer's language and in other languages with a translation.
///
/// ```swift
/// static let title: LocalizedText = "Request a ride"                  // from the extension's tables
/// static let title = LocalizedText(
///     "Request a ride", translations: ["nl": "Rit aanvragen"])        // its own translations
/// let dialog: LocalizedText = "Your ride to \(place) costs \(fare)."  // key "Your ride to %@ costs %@."
/// ```
/// A literal is the text in the developer's language, the key in a ``LocalizedTable``, and the fallback if no
/// translation fits. A value in the literal is shown in the reader's language by ``ParameterValue/displayText(in:)``
/// and is `%@` in the key. A translation may use `%1$@`, `%2$@` to reorder the values, and `%%` for a per cent sign.
///
/// Two texts are equal if they read the same in the developer's language and have the same translations of their own.
public struct LocalizedText: Sendable, ExpressibleByStringInterpolation {
    public let original: String
    /// The text's own translations by BCP 47 tag (`nl`, `pt-BR`), in the tag's usual case.
    public let translations: [String: String]
    /// The key in tables; `nil` for a text that came from data.
    public let key: String?
    private let arguments: [Argument]
    /// `true` if the text contains other texts. They are shown in the reader's language even if this text has no
    /// translation.
    private let hasTexts: Bool

    /// Creates a text that came from data, such as a name. Such a text is never looked up in tables.
    public init(_ verbatim: String) { self.init(verbatim, key: nil, arguments: [], translations: [:]) }

    /// Creates a text that came from data and has translations of its own.
    public init(verbatim: String, translations: [String: String]) {
        self.init(verbatim, key: nil, arguments: [], translations: translations)
    }

    /// Adds translations to a literal. Translations in a ``LocalizedTable`` take precedence.
    public init(_ literal: LocalizedText, translations: [String: String]) {
        self.init(
            literal.original, key: literal.key, arguments: literal.arguments, hasTexts: literal.hasTexts,
            translations: translations)
    }

    /// - Parameter translations: The translations by tags in their usual case.
    init(_ literal: LocalizedText, canonical translations: [String: String]) {
        (original, key, arguments, hasTexts) = (literal.original, literal.key, literal.arguments, literal.hasTexts)
        self.translations = translations
    }

    /// Creates a text that is not a literal but is looked up in tables.
    public init(key: String) { self.init(key, key: key, arguments: [], translations: [:]) }

    public init(stringLiteral value: String) { self.init(value, key: value, arguments: [], translations: [:]) }

    public init(stringInterpolation: StringInterpolation) {
        let (original, arguments) = (stringInterpolation.original, stringInterpolation.arguments)
        self.init(
            original, key: arguments.isEmpty ? original : stringInterpolation.format, arguments: arguments,
            hasTexts: stringInterpolation.hasTexts, translations: [:])
    }

    private init(
        _ original: String, key: String?, arguments: [Argument], hasTexts: Bool = false, translations: [String: String]
    ) {
        self.original = original
        self.key = key
        self.arguments = arguments
        self.hasTexts = hasTexts
        self.translations = translations.isEmpty ? [:] : LanguageTag.canonical(translations)
    }

    /// The text for a reader of this language (BCP 47): the translation for the whole tag, else for the longest shorter
    /// tag (`zh-Hant-TW`, `zh-Hant`, `zh`), else the original.
    ///
    /// The tables are those of the extension that serves the intent. Numbers and times are the same in translations as
    /// in the original.
    public func text(in locale: String?) -> String {
        guard let locale, key != nil || !translations.isEmpty else { return original }
        let table = key.flatMap { LocalizedTable.current.translations(of: $0) }
        if table == nil, translations.isEmpty, !hasTexts { return original }
        let translation = LanguageTag.first(for: locale) { table?[$0] ?? translations[$0] }
        guard let format = translation ?? (hasTexts ? key : nil) else { return original }
        return arguments.isEmpty
            ? format : LocalizedFormat.text(format) { arguments.indices.contains($0) ? arguments[$0](locale) : nil }
    }

    /// Returns one value of the text for a locale.
    package typealias Argument = @Sendable (_ locale: String?) -> String

    /// A literal with values in it.
    public struct StringInterpolation: StringInterpolationProtocol {
        private(set) var original = ""
        private(set) var format = ""
        private(set) var arguments: [Argument] = []
        private(set) var hasTexts = false

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) {
            original += literal
            format += LocalizedFormat.escaped(literal)
        }

        public mutating func appendInterpolation(_ text: LocalizedText) {
            hasTexts = true
            append(text.original) { text.text(in: $0) }
        }

        public mutating func appendInterpolation(_ value: some Any) {
            let text = String(describing: value)
            append(text) { _ in text }
        }

        package mutating func append(_ text: String, _ argument: @escaping Argument) {
            original += text
            format += "%@"
            arguments.append(argument)
        }
    }
}

extension LocalizedText: Hashable {
    public static func == (a: LocalizedText, b: LocalizedText) -> Bool {
        a.original == b.original && a.translations == b.translations
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(original) }
}
