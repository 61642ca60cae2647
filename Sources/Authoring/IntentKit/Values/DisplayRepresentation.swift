/// The representation of a value for people, with its title and other names: App Intents' type of the same name.
public struct DisplayRepresentation: Sendable, Hashable, ExpressibleByStringInterpolation {
    public typealias Image = DisplayImage

    public var title: LocalizedText
    /// A text that distinguishes the value from others with the same title.
    public var subtitle: LocalizedText?
    public var image: Image?
    /// Other names with which a person may refer to the value.
    public var synonyms: [LocalizedText]
    /// The numbers by which a person can tell the value from others on offer, as in "the cheaper one".
    public var comparison: OptionComparison?

    public init(
        title: LocalizedText, subtitle: LocalizedText? = nil, image: Image? = nil, synonyms: [LocalizedText] = [],
        comparison: OptionComparison? = nil
    ) {
        self.title = title
        self.subtitle = subtitle
        self.image = image
        self.synonyms = synonyms
        self.comparison = comparison
    }

    public init(stringLiteral value: String) { self.init(title: LocalizedText(stringLiteral: value)) }

    public init(stringInterpolation: LocalizedText.StringInterpolation) {
        self.init(title: LocalizedText(stringInterpolation: stringInterpolation))
    }

    /// Returns `true` if these words, folded by ``TextFolding``, are a name of the value.
    package func isNamed(_ folded: String, locale: String?) -> Bool {
        if TextFolding.fold(title.text(in: locale)) == folded { return true }
        return synonyms.contains { TextFolding.fold($0.text(in: locale)) == folded }
    }
}

/// The name of a type for people: App Intents' type of the same name.
public struct TypeDisplayRepresentation: Sendable, Hashable, ExpressibleByStringInterpolation {
    public var name: LocalizedText
    public var synonyms: [LocalizedText]

    public init(name: LocalizedText, synonyms: [LocalizedText] = []) {
        self.name = name
        self.synonyms = synonyms
    }

    public init(stringLiteral value: String) { self.init(name: LocalizedText(value)) }
}
