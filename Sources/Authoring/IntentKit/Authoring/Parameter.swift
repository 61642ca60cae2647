/// A parameter of an intent: App Intents' `@Parameter`.
///
/// A parameter of a non-optional type is required: the person is asked for the value. A parameter of an optional type
/// is optional.
///
/// Each copy of a parameter has its own value. All copies share the declaration, which never changes.
@propertyWrapper
public struct Parameter<Value: ParameterType>: Sendable {
    @usableFromInline package let definition: ParameterSpecification<Value.Base>

    /// The value, if there is one. Read this property where a required parameter may still have no value, such as in
    /// the resolution of another parameter.
    public var value: Value.Base?
    @usableFromInline package var isOmitted = false

    /// Creates a parameter with an existing declaration.
    @usableFromInline package init(_ definition: ParameterSpecification<Value.Base>, _ value: Value.Base? = nil) {
        self.definition = definition
        self.value = value
    }

    /// Creates a parameter.
    ///
    /// ```swift
    /// @Parameter(title: "Drop-off", requestValueDialog: "Where are you going?") var dropOff: Place
    /// @Parameter(title: "People", .inclusiveRange(1...6)) var partySize: Int = 1
    /// ```
    /// - Parameters:
    ///   - title: The name of the parameter for people.
    ///   - description: The purpose of the parameter, for readers of the catalogue.
    ///   - default: The value if the request gives none. Write a constant as the property's own value: `= 1`.
    ///   - size: The number of values that a list may have.
    ///   - inputOptions: Hints for text input on the person's side.
    ///   - requestValueDialog: The question if a value is needed. Defaults to a text that the coordinator derives from
    ///     the title.
    ///   - requestDisambiguationDialog: The question if one of several values has to be chosen. Defaults to
    ///     `requestValueDialog`.
    ///   - requestConfirmationDialog: The question if a value has to be confirmed.
    ///   - optionsProvider: The permitted values, if they are known only at run time. For an entity, also a query that
    ///     replaces the default query.
    ///   - traits: Properties that App Intents does not have or that only some types can have; see ``ParameterTrait``.
    ///   - converters: Converters from other types, and checks of values. These converters take precedence over
    ///     converters that are found by type.
    @inlinable public init(
        title: LocalizedText, description: LocalizedText? = nil, default: ParameterDefault<Value.Base>? = nil,
        size: ParameterSize<Value.Base>? = nil, inputOptions: ParameterInputOptions<Value.Base.ListItem>? = nil,
        requestValueDialog: LocalizedText? = nil, requestDisambiguationDialog: LocalizedText? = nil,
        requestConfirmationDialog: LocalizedText? = nil,
        optionsProvider: (any DynamicOptionsProvider<Value.Base.ListItem>)? = nil,
        _ traits: ParameterTrait<Value.Base>...,
        @ConverterSpecificationBuilder converters: () -> ConverterSpecification = { ConverterSpecification() }
    ) {
        self.init(
            ParameterSpecification(
                title: title, description: description,
                prompts: ParameterPrompts(
                    value: requestValueDialog, choice: requestDisambiguationDialog,
                    confirmation: requestConfirmationDialog),
                default: `default`, options: optionsProvider,
                traits: ParameterTrait.Traits(traits, size: size, inputOptions: inputOptions).withReader(),
                converters: converters()))
    }

    /// Creates a parameter with a constant default, written as the property's own value: `var partySize: Int = 1`.
    ///
    /// - Parameter wrappedValue: The value if the request gives none. Pass a default that is found at run time as
    ///   `default:` of the other initializer.
    @inlinable public init(
        wrappedValue: Value, title: LocalizedText, description: LocalizedText? = nil,
        size: ParameterSize<Value.Base>? = nil,
        inputOptions: ParameterInputOptions<Value.Base.ListItem>? = nil, requestValueDialog: LocalizedText? = nil,
        requestDisambiguationDialog: LocalizedText? = nil, requestConfirmationDialog: LocalizedText? = nil,
        optionsProvider: (any DynamicOptionsProvider<Value.Base.ListItem>)? = nil,
        _ traits: ParameterTrait<Value.Base>...,
        @ConverterSpecificationBuilder converters: () -> ConverterSpecification = { ConverterSpecification() }
    ) {
        self.init(
            ParameterSpecification(
                title: title, description: description,
                prompts: ParameterPrompts(
                    value: requestValueDialog, choice: requestDisambiguationDialog,
                    confirmation: requestConfirmationDialog),
                default: wrappedValue.parameterValue.map(ParameterDefault.constant), options: optionsProvider,
                traits: ParameterTrait.Traits(traits, size: size, inputOptions: inputOptions).withReader(),
                converters: converters()))
    }

    /// The value, or else the constant default. Reading a required parameter that has neither is a programming error
    /// and traps. Confirm and handle are never called without a required value; a resolution reads ``value`` instead.
    public var wrappedValue: Value {
        get {
            guard let value = Value(parameterValue: value ?? (isOmitted ? nil : definition.default?.constant))
            else {
                fatalError(
                    "the required parameter '\(definition.title.original)' has no value yet; read '$parameter.value' if it may have none"
                )
            }
            return value
        }
        set { value = newValue.parameterValue }
    }

    @inlinable public var projectedValue: Self {
        get { self }
        set { self = newValue }
    }
}
