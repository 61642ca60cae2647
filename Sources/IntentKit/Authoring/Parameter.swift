/// A parameter of an intent: App Intents' `@Parameter`.
///
/// A non-optional type makes the parameter required: the person is asked for it. An optional type makes it optional.
///
/// A copy has its own value; all copies share the declaration, which never changes.
@propertyWrapper
public struct Parameter<Value: ParameterType>: Sendable {
    package let definition: ParameterSpecification<Value.Base>

    /// The value, if there is one. Read this if a required parameter may still have none, as in another parameter's resolution.
    public var value: Value.Base?
    /// Whether the intent continues without it, so that its default does not apply either.
    package var isGoneWithout = false

    /// Creates a parameter with a declaration from elsewhere.
    package init(_ definition: ParameterSpecification<Value.Base>, _ value: Value.Base?) {
        self.definition = definition
        self.value = value
    }

    /// - Parameters:
    ///   - title: The parameter's name for people.
    ///   - description: What it is for, for readers of the catalogue.
    ///   - prompt: What the person is asked if a value is needed (App Intents: `requestValueDialog`). Defaults to a text that the coordinator makes
    ///     of the title.
    ///   - requestDisambiguationDialog: What the person is asked if one of several values has to be chosen. Defaults to the prompt.
    ///   - requestConfirmationDialog: What the person is asked if a value has to be confirmed.
    ///   - default: The value if none is given.
    ///   - size: The number of values that a list may have.
    ///   - inputOptions: Hints for text input on the person's side.
    ///   - options: The permitted values, known only at run time; for an entity, also a query that replaces its default one.
    ///   - sensitivity: Who may see the value.
    ///   - memory: The scope in which the session remembers the value.
    ///   - noneWords: What a person says who wants none in particular, such as "no preference"; case is ignored. An optional parameter is then
    ///     `notRequired`, whatever its default is; for a required parameter they are words like any other.
    ///   - converters: Converters from other types, and checks of values, which take precedence over those that are found by type.
    public init(
        title: LocalizedText, description: LocalizedText? = nil, prompt: LocalizedText? = nil,
        requestDisambiguationDialog: LocalizedText? = nil, requestConfirmationDialog: LocalizedText? = nil,
        default: ParameterDefault<Value.Base>? = nil, size: ParameterSize<Value.Base>? = nil,
        inputOptions: ParameterInputOptions<Value.Base.ListItem>? = nil,
        options: (any DynamicOptionsProvider<Value.Base.ListItem>)? = nil, sensitivity: ParameterSensitivity = .private,
        memory: ParameterMemory = .none, noneWords: [String] = [],
        @ConverterSpecificationBuilder converters: () -> ConverterSpecification = { ConverterSpecification() }
    ) {
        definition = ParameterSpecification(
            title: title, description: description,
            prompts: ParameterPrompts(value: prompt, choice: requestDisambiguationDialog, confirmation: requestConfirmationDialog),
            default: `default`, range: nil, size: size, inputOptions: inputOptions, options: options, sensitivity: sensitivity,
            memory: memory, noneWords: noneWords, converters: converters())
    }

    /// Creates a parameter with a range.
    ///
    /// - Parameter range: Values outside of it are `unsupported`, with the reason `belowMinimum` or `aboveMaximum`. For a list, the range of each
    ///   value.
    public init(
        title: LocalizedText, description: LocalizedText? = nil, prompt: LocalizedText? = nil,
        requestDisambiguationDialog: LocalizedText? = nil, requestConfirmationDialog: LocalizedText? = nil,
        range: ClosedRange<Value.Base.ListItem>, default: ParameterDefault<Value.Base>? = nil, size: ParameterSize<Value.Base>? = nil,
        inputOptions: ParameterInputOptions<Value.Base.ListItem>? = nil,
        options: (any DynamicOptionsProvider<Value.Base.ListItem>)? = nil, sensitivity: ParameterSensitivity = .private,
        memory: ParameterMemory = .none, noneWords: [String] = [],
        @ConverterSpecificationBuilder converters: () -> ConverterSpecification = { ConverterSpecification() }
    ) where Value.Base.ListItem: Comparable {
        definition = ParameterSpecification(
            title: title, description: description,
            prompts: ParameterPrompts(value: prompt, choice: requestDisambiguationDialog, confirmation: requestConfirmationDialog),
            default: `default`, range: ParameterRange(range), size: size, inputOptions: inputOptions, options: options,
            sensitivity: sensitivity,
            memory: memory, noneWords: noneWords, converters: converters())
    }

    /// Creates a parameter with a range as in App Intents: `inclusiveRange: (1, 6)`.
    ///
    /// - Parameter inclusiveRange: The lowest and the highest value, in either order.
    public init(
        title: LocalizedText, description: LocalizedText? = nil, prompt: LocalizedText? = nil,
        requestDisambiguationDialog: LocalizedText? = nil, requestConfirmationDialog: LocalizedText? = nil,
        inclusiveRange: (lowerBound: Value.Base.ListItem, upperBound: Value.Base.ListItem), default: ParameterDefault<Value.Base>? = nil,
        size: ParameterSize<Value.Base>? = nil, options: (any DynamicOptionsProvider<Value.Base.ListItem>)? = nil,
        sensitivity: ParameterSensitivity = .private, memory: ParameterMemory = .none, noneWords: [String] = [],
        @ConverterSpecificationBuilder converters: () -> ConverterSpecification = { ConverterSpecification() }
    ) where Value.Base.ListItem: Comparable {
        let (a, b) = inclusiveRange
        self.init(
            title: title, description: description, prompt: prompt, requestDisambiguationDialog: requestDisambiguationDialog,
            requestConfirmationDialog: requestConfirmationDialog, range: min(a, b)...max(a, b), default: `default`, size: size,
            options: options, sensitivity: sensitivity, memory: memory, noneWords: noneWords, converters: converters)
    }

    /// The value, or else its constant default. Reading a required parameter that has neither is a programming error and traps: confirm and handle
    /// are never called in that state, and a resolution reads ``value`` instead.
    public var wrappedValue: Value {
        get {
            guard let value = Value(parameterValue: value ?? (isGoneWithout ? nil : definition.default?.constant)) else {
                fatalError(
                    "the required parameter '\(definition.title.original)' has no value yet; read '$parameter.value' if it may have none")
            }
            return value
        }
        set { value = newValue.parameterValue }
    }

    public var projectedValue: Self {
        get { self }
        set { self = newValue }
    }
}

/// Lets reflection over an intent find its parameters without knowing their types.
package protocol AnyParameter {
    var identity: ObjectIdentifier { get }
}

extension Parameter: AnyParameter {
    /// Identifies the declaration, which all copies share.
    package var identity: ObjectIdentifier { ObjectIdentifier(definition) }
}
