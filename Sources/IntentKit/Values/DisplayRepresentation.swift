/// How a value is shown to a person: App Intents' type of the same name, without images.
public struct DisplayRepresentation: Sendable, Hashable, ExpressibleByStringInterpolation {
    public var title: LocalizedText
    /// What tells it from others with the same title.
    public var subtitle: LocalizedText?
    /// Other words a person may use for it.
    public var synonyms: [LocalizedText]

    public init(title: LocalizedText, subtitle: LocalizedText? = nil, synonyms: [LocalizedText] = []) {
        self.title = title
        self.subtitle = subtitle
        self.synonyms = synonyms
    }

    public init(stringLiteral value: String) { self.init(title: LocalizedText(stringLiteral: value)) }

    public init(stringInterpolation: LocalizedText.StringInterpolation) {
        self.init(title: LocalizedText(stringInterpolation: stringInterpolation))
    }

    /// Whether these words, folded by ``TextFolding``, name it.
    package func isNamed(_ folded: String, locale: String?) -> Bool {
        if TextFolding.fold(title.text(in: locale)) == folded { return true }
        return synonyms.contains { TextFolding.fold($0.text(in: locale)) == folded }
    }
}

/// How a type is called: App Intents' type of the same name.
public struct TypeDisplayRepresentation: Sendable, Hashable, ExpressibleByStringInterpolation {
    public var name: LocalizedText
    public var synonyms: [LocalizedText]

    public init(name: LocalizedText, synonyms: [LocalizedText] = []) {
        self.name = name
        self.synonyms = synonyms
    }

    public init(stringLiteral value: String) { self.init(name: LocalizedText(value)) }
}
