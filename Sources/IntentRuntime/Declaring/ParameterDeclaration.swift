public import IntentKit

/// One parameter of an ``IntentDeclaration``: what `@Parameter` declares, as a value.
public struct ParameterDeclaration: Sendable, Hashable {
    /// What it is when nothing was said; the first of several that there is counts.
    public enum Default: Sendable, Hashable {
        /// Always this, in wire form or in words that the type understands.
        case constant(JSON)
        /// The session's attribute of that name.
        case attribute(String)
        /// What this session said last, under the parameter's ``memory``, which is its intent unless given.
        case remembered
    }

    /// Inclusive, in wire form or in words that the type understands. Of a list it is about each value.
    public struct Bounds: Sendable, Hashable {
        public var lower: JSON
        public var upper: JSON

        public init(_ lower: JSON, _ upper: JSON) {
            self.lower = lower
            self.upper = upper
        }
    }

    /// What it is called in events: a letter, and up to 79 letters, digits and `_`.
    public var name: String
    public var type: DeclaredType
    /// How a person is told of it.
    public var title: LocalizedText
    public var description: LocalizedText?
    /// The person is asked for it, unless it has a default.
    public var isRequired: Bool
    /// What the person is asked when there has to be a value.
    public var prompt: LocalizedText?
    /// What the person is asked when one of several has to be chosen; unless given, the prompt.
    public var disambiguationPrompt: LocalizedText?
    /// What the person is asked when a value has to be confirmed.
    public var confirmationPrompt: LocalizedText?
    public var defaults: [Default]
    public var range: Bounds?
    /// How many values a list may have.
    public var size: ClosedRange<Int>?
    /// Hints for how a text is taken in.
    public var inputOptions: String.IntentInputOptions?
    /// The only values that it may have, in wire form or in words that the type understands; empty for any. Texts with titles are an
    /// ``EnumerationDeclaration``.
    public var options: [JSON]
    public var sensitivity: ParameterSensitivity
    public var memory: ParameterMemory
    /// What a person says who wants none in particular, such as "no preference", letter case aside: it is gone without then, whatever its default
    /// is. Only of one that is not required.
    public var noneWords: [String] = []
    /// The fulfilment decides about its value, after the declaration's own rules.
    public var isResolvedByFulfilment: Bool
    /// Parameters that are resolved before this one, and whose change makes the fulfilment decide anew. Only with ``isResolvedByFulfilment``.
    public var after: [String]

    public init(
        _ name: String, _ type: DeclaredType, title: LocalizedText, description: LocalizedText? = nil, isRequired: Bool = true,
        prompt: LocalizedText? = nil, disambiguationPrompt: LocalizedText? = nil, confirmationPrompt: LocalizedText? = nil,
        defaults: [Default] = [], range: Bounds? = nil, size: ClosedRange<Int>? = nil, inputOptions: String.IntentInputOptions? = nil,
        options: [JSON] = [], sensitivity: ParameterSensitivity = .private, memory: ParameterMemory = .none,
        isResolvedByFulfilment: Bool = false, after: [String] = []
    ) {
        self.name = name
        self.type = type
        self.title = title
        self.description = description
        self.isRequired = isRequired
        self.prompt = prompt
        self.disambiguationPrompt = disambiguationPrompt
        self.confirmationPrompt = confirmationPrompt
        self.defaults = defaults
        self.range = range
        self.size = size
        self.inputOptions = inputOptions
        self.options = options
        self.sensitivity = sensitivity
        self.memory = memory
        self.isResolvedByFulfilment = isResolvedByFulfilment
        self.after = after
    }
}
