public import IntentModel

/// An answer in a person's own words, such as "the second one" or "half past six".
///
/// The words mean something only in the context of the open prompt: ``UtteranceReader`` reads them there.
public struct Utterance: Sendable, Hashable {
    /// The permitted numbers of characters.
    public static let lengths = 1...500
    /// The largest number of bytes: four a character.
    public static let maximumBytes = 4 * lengths.upperBound

    public var text: String
    /// The BCP 47 tag of the words' language; `nil` is the language of the request.
    public var language: String?

    public init(_ text: String, language: String? = nil) {
        self.text = text
        self.language = language
    }
}

/// The reading of an answer in words.
public enum ReadAs: String, Sendable, Hashable, CaseIterable {
    /// Agreement. Only whole utterances of a closed list are read so: see ``PhraseBook``.
    case yes
    case no
    /// None of the options.
    case noneOfThese = "none"
    /// Go on without a value.
    case skip
    /// Cancel the request.
    case cancel
    /// One of the options.
    case option
    /// A value in words, for the resolver of the parameter or for the phase that asked.
    case value
    /// At a confirmation, neither a yes nor a no: the resolver reads a change of the intent in them, or the person is asked again.
    case change
    /// Say the prompt again.
    case `repeat`
    /// Say what can be answered.
    case help
    /// Nothing that answers the prompt, or one of several things.
    case unclear
}

/// The reading of an answer in words, for the person's side: told before anything comes of the answer.
public struct ReadAnswer: Sendable, Hashable {
    public var prompt: Identifier
    public var readAs: ReadAs
    /// The id of the option that was meant.
    public var option: String?
    /// The dialog if the words do not answer the prompt, which stays open: the question again, the answers that fit, or the options that
    /// may be meant.
    public var dialog: String?

    public init(prompt: Identifier, readAs: ReadAs, option: String? = nil, dialog: String? = nil) {
        self.prompt = prompt
        self.readAs = readAs
        self.option = option
        self.dialog = dialog
    }
}
