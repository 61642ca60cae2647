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
