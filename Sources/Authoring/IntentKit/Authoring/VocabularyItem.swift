/// A term that people may say for a parameter: an item of SiriKit's parameter vocabulary.
///
/// ```swift
/// @Parameter(title: "Workout", .vocabulary(["Sunday stroll", VocabularyItem("HIIT", synonyms: ["interval training"], pronunciation: "hit")]))
/// var workoutName: String
/// ```
/// It restricts nothing: vocabulary is published with the intent's description, for a recogniser that turns words into requests. The cases of an ``AppEnum`` are
/// published with their synonyms as they are.
public struct VocabularyItem: Sendable, Hashable, ExpressibleByStringLiteral {
    public var phrase: LocalizedText
    /// Other terms for the same.
    public var synonyms: [LocalizedText]
    /// How it sounds, if its spelling doesn't tell.
    public var pronunciation: String?

    public init(_ phrase: LocalizedText, synonyms: [LocalizedText] = [], pronunciation: String? = nil) {
        self.phrase = phrase
        self.synonyms = synonyms
        self.pronunciation = pronunciation
    }

    /// How many a parameter may have.
    package static let maximumCount = 500

    public init(stringLiteral value: String) { self.init(LocalizedText(stringLiteral: value)) }
}
