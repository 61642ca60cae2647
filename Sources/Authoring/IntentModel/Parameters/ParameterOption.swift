/// One of the options of a choice.
public struct ParameterOption: Sendable, Hashable {
    /// The identifier by which an answer names the option; unique among the options of one prompt.
    public var id: String
    public var title: String
    public var subtitle: String?
    /// The parameter's value if this option is chosen.
    public var value: JSON
    /// Other names that a person may use for the option.
    public var synonyms: [String]
    /// The title of the option's section, if the options are in sections.
    public var section: String?
    public var image: DisplayImage?
    /// The numbers by which a person can tell the option from the others, as in "the cheaper one".
    @Boxed public var comparison: OptionComparison?

    public init(
        id: String, title: String, subtitle: String? = nil, value: JSON, synonyms: [String] = [],
        section: String? = nil, image: DisplayImage? = nil, comparison: OptionComparison? = nil
    ) {
        self.id = id
        self.title = title
        self.subtitle = subtitle
        self.value = value
        self.synonyms = synonyms
        self.section = section
        self.image = image
        self.comparison = comparison == OptionComparison() ? nil : comparison
    }

    /// `true` if each of these words, folded by ``TextFolding``, is part of the title, the subtitle, the section or a
    /// synonym.
    package func matches(_ words: [Substring]) -> Bool {
        let text = TextFolding.fold(([title, subtitle, section].compactMap(\.self) + synonyms).joined(separator: " "))
        return words.allSatisfy { text.contains($0) }
    }
}
