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

    /// Creates a parameter.
    ///
    /// ```swift
    /// @Parameter(title: "Drop-off", requestValueDialog: "Where are you going?") var dropOff: Place
    /// @Parameter(title: "Riders", .inclusiveRange(1...6)) var partySize: Int = 1
    /// ```
    /// - Parameters:
    ///   - title: The parameter's name for people.
    ///   - description: What it is for, for readers of the catalogue.
    ///   - default: The value if none is given. Write a constant as the property's own: `= 1`.
    ///   - size: The number of values that a list may have.
    ///   - inputOptions: Hints for text input on the person's side.
    ///   - requestValueDialog: What the person is asked if a value is needed. Defaults to a text that the coordinator makes of the title.
    ///   - requestDisambiguationDialog: What the person is asked if one of several values has to be chosen. Defaults to `requestValueDialog`.
    ///   - requestConfirmationDialog: What the person is asked if a value has to be confirmed.
    ///   - optionsProvider: The permitted values, known only at run time; for an entity, also a query that replaces its default one.
    ///   - traits: What App Intents does not have, and what not every type can have: see ``ParameterTrait``.
    ///   - converters: Converters from other types, and checks of values, which take precedence over those that are found by type.
    public init(
        title: LocalizedText, description: LocalizedText? = nil, default: ParameterDefault<Value.Base>? = nil,
        size: ParameterSize<Value.Base>? = nil, inputOptions: ParameterInputOptions<Value.Base.ListItem>? = nil,
        requestValueDialog: LocalizedText? = nil, requestDisambiguationDialog: LocalizedText? = nil,
        requestConfirmationDialog: LocalizedText? = nil, optionsProvider: (any DynamicOptionsProvider<Value.Base.ListItem>)? = nil,
        _ traits: ParameterTrait<Value.Base>...,
        @ConverterSpecificationBuilder converters: () -> ConverterSpecification = { ConverterSpecification() }
    ) {
        definition = ParameterSpecification(
            title: title, description: description,
            prompts: ParameterPrompts(
                value: requestValueDialog, choice: requestDisambiguationDialog, confirmation: requestConfirmationDialog),
            default: `default`, size: size, inputOptions: inputOptions, options: optionsProvider, traits: traits,
            converters: converters())
    }

    /// Creates a parameter with a constant default, written as the property's own value: `var partySize: Int = 1`.
    ///
    /// - Parameter wrappedValue: The value if none is given. A default that is found at run time goes into `default:` of the other initializer.
    public init(
        wrappedValue: Value, title: LocalizedText, description: LocalizedText? = nil, size: ParameterSize<Value.Base>? = nil,
        inputOptions: ParameterInputOptions<Value.Base.ListItem>? = nil, requestValueDialog: LocalizedText? = nil,
        requestDisambiguationDialog: LocalizedText? = nil, requestConfirmationDialog: LocalizedText? = nil,
        optionsProvider: (any DynamicOptionsProvider<Value.Base.ListItem>)? = nil, _ traits: ParameterTrait<Value.Base>...,
        @ConverterSpecificationBuilder converters: () -> ConverterSpecification = { ConverterSpecification() }
    ) {
        definition = ParameterSpecification(
            title: title, description: description,
            prompts: ParameterPrompts(
                value: requestValueDialog, choice: requestDisambiguationDialog, confirmation: requestConfirmationDialog),
            default: wrappedValue.parameterValue.map(ParameterDefault.constant), size: size, inputOptions: inputOptions,
            options: optionsProvider, traits: traits, converters: converters())
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
