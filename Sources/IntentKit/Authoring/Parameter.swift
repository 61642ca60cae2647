/// One thing an intent needs to know: App Intents' `@Parameter`.
///
/// A non-optional type makes the parameter required: the person is asked for it. An optional type makes it optional.
///
/// A copy has its own value; all copies share the declaration, which never changes.
@propertyWrapper
public struct Parameter<Value: ParameterType>: Sendable {
    package let definition: ParameterSpecification<Value.Base>

    /// The value, if there is one: what to read where a required parameter may still be open, as in another parameter's resolution.
    public var value: Value.Base?
    /// The intent goes on without it, so that its default is not what it is either.
    package var isGoneWithout = false

    /// One with a declaration that was made elsewhere.
    package init(_ definition: ParameterSpecification<Value.Base>, _ value: Value.Base?) {
        self.definition = definition
        self.value = value
    }

    /// - Parameters:
    ///   - title: How a person is told of the parameter.
    ///   - description: What it is for, for whoever reads the catalogue.
    ///   - prompt: What the person is asked when there has to be a value (App Intents: `requestValueDialog`). Unless given, the coordinator
    ///     words it from the title.
    ///   - requestDisambiguationDialog: What the person is asked when one of several has to be chosen. Unless given, the prompt.
    ///   - requestConfirmationDialog: What the person is asked when a value has to be confirmed.
    ///   - default: What it is when nothing was said.
    ///   - size: How many values a list may have.
    ///   - inputOptions: How the person's side should take a text in.
    ///   - options: The values it may have, known only at run time; for an entity also another query than its default one.
    ///   - sensitivity: Who may see the value.
    ///   - memory: For what the session remembers the value.
    ///   - noneWords: What a person says who wants none in particular, such as "no preference", letter case aside. An optional parameter is then gone
    ///     without, whatever its default is; for a required one they are words like any other.
    ///   - converters: What turns other values into the type, or checks those that come, before the ones that are found by type.
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

    /// The same with a range.
    ///
    /// - Parameter range: What lies outside is answered with `unsupported`, reason `belowMinimum` or `aboveMaximum`. For a list it is about
    ///   each value.
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

    /// The same with a range as App Intents spells it: `inclusiveRange: (1, 6)`.
    ///
    /// - Parameter inclusiveRange: The lowest and the highest value. The wrong way round they are taken the right way round.
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

    /// The value, or else its constant default. Reading a required parameter that has neither is a programmer's error and traps: confirm and handle
    /// are never called so, and a resolution reads ``value`` instead.
    public var wrappedValue: Value {
        get {
            guard let value = Value(parameterValue: value ?? (isGoneWithout ? nil : definition.default?.constant)) else {
                fatalError(
                    "the required parameter '\(definition.title.original)' has no value yet; read '$parameter.value' where it may be open")
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
    /// Which declaration this is a copy of.
    package var identity: ObjectIdentifier { ObjectIdentifier(definition) }
}
