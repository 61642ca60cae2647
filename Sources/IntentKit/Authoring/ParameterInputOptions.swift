/// How the person's side should take a text in. Written `String.IntentInputOptions(capitalizationType: .words)`, as in App Intents.
///
/// These are hints: no text is refused for them.
public struct ParameterInputOptions<Value: ParameterValue>: Sendable, Hashable {
    public enum KeyboardType: String, Sendable, Hashable, CaseIterable {
        case `default`, asciiCapable, numbersAndPunctuation, url, numberPad, phonePad, namePhonePad, emailAddress, decimalPad, webSearch
    }

    public enum CapitalizationType: String, Sendable, Hashable, CaseIterable {
        case none, words, sentences, allCharacters
    }

    public let keyboardType: KeyboardType
    public let capitalizationType: CapitalizationType
    /// Whether the text may have several lines.
    public let multiline: Bool
    public let autocorrect: Bool
    public let smartQuotes: Bool
    public let smartDashes: Bool

    public init(
        keyboardType: KeyboardType = .default, capitalizationType: CapitalizationType = .sentences, multiline: Bool = false,
        autocorrect: Bool = true, smartQuotes: Bool = true, smartDashes: Bool = true
    ) where Value == String {
        self.keyboardType = keyboardType
        self.capitalizationType = capitalizationType
        self.multiline = multiline
        self.autocorrect = autocorrect
        self.smartQuotes = smartQuotes
        self.smartDashes = smartDashes
    }
}

extension String {
    public typealias IntentInputOptions = ParameterInputOptions<String>
}
