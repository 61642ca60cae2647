public import IntentKit

/// One parameter of an ``IntentDeclaration``: the arguments of `@Parameter`, as a value.
public struct ParameterDeclaration: Sendable, Hashable {
    /// The value if none is given. If there are several defaults, the first default with a value counts.
    public enum Default: Sendable, Hashable {
        /// A fixed value, in wire form or in words that the type understands.
        case constant(JSON)
        /// The request's attribute with this name.
        case attribute(String)
        /// The last remembered value, of the session or of the person, as ``memory`` defines. Without a scope, the
        /// session remembers the value for this parameter of this intent.
        case remembered
    }

    /// The bounds of a value, both included, in wire form or in words that the type understands. For a list, the bounds
    /// of each value.
    public struct Bounds: Sendable, Hashable {
        public var lower: JSON
        public var upper: JSON

        public init(_ lower: JSON, _ upper: JSON) {
            self.lower = lower
            self.upper = upper
        }
    }

    /// The parameter's name in events: a letter, and up to 79 letters, digits and `_`.
    public var name: String
    public var type: DeclaredType
    /// The parameter's name for people.
    public var title: LocalizedText
    public var description: LocalizedText?
    /// `true` if the person is asked for the parameter when it has neither a value nor a default.
    public var isRequired: Bool
    /// The question for the person if a value is needed.
    public var prompt: LocalizedText?
    /// The question for the person if one of several values has to be chosen. Defaults to the prompt.
    public var disambiguationPrompt: LocalizedText?
    /// The question for the person if a value has to be confirmed.
    public var confirmationPrompt: LocalizedText?
    public var defaults: [Default]
    public var range: Bounds?
    /// The number of values that a list may have.
    public var size: ClosedRange<Int>?
    /// Hints for text input.
    public var inputOptions: String.IntentInputOptions?
    /// The only permitted values, in wire form or in words that the type understands. If empty, any value is permitted.
    /// For texts with titles, use an ``EnumerationDeclaration``.
    public var options: [JSON]
    public var sensitivity: ParameterSensitivity = .private
    public var memory: ParameterMemory = .none
    /// The words of a person who wants no particular value, such as "no preference"; case is ignored. The parameter is
    /// then `notRequired`, whatever its default is. Only for parameters that are not required.
    public var noneWords: [String] = []
    /// `true` if the fulfilment resolves the value, after the declaration's own rules.
    public var isResolvedByFulfilment = false
    /// The parameters that are resolved before this one. If one of them changes, the fulfilment resolves this parameter
    /// again. Only with ``isResolvedByFulfilment``.
    public var after: [String] = []

    public init(
        _ name: String, _ type: DeclaredType, title: LocalizedText, isRequired: Bool = true,
        prompt: LocalizedText? = nil, defaults: [Default] = [], size: ClosedRange<Int>? = nil, options: [JSON] = []
    ) {
        self.name = name
        self.type = type
        self.title = title
        self.isRequired = isRequired
        self.prompt = prompt
        self.defaults = defaults
        self.size = size
        self.options = options
    }
}
