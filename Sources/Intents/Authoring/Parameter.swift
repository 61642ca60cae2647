/// One thing an intent needs to know: App Intents' `@Parameter`.
///
/// A non-optional type makes the parameter required: the person is asked for it. An optional type makes it optional.
///
/// A copy has its own value; all copies share the declaration, which never changes.
@propertyWrapper
public struct Parameter<Value: ParameterType>: Sendable {
    let definition: ParameterDefinition<Value.Base>

    /// The value, if there is one: what to read where a required parameter may still be open, as in another parameter's resolution.
    public var value: Value.Base?

    /// - Parameters:
    ///   - title: How a person is told of the parameter.
    ///   - prompt: What the person is asked when there has to be a value. Unless given, the coordinator words it from the title.
    ///   - default: What it is when nothing was said.
    ///   - options: The values it may have, known only at run time.
    public init(
        title: LocalizedText, description: LocalizedText? = nil, prompt: LocalizedText? = nil,
        default: ParameterDefault<Value.Base>? = nil, options: (any DynamicOptionsProvider<Value.Base>)? = nil
    ) {
        definition = ParameterDefinition(
            title: title, description: description, prompt: prompt, default: `default`, range: nil, options: options)
    }

    /// - Parameter range: What lies outside is answered with `unsupported`, reason `belowMinimum` or `aboveMaximum`.
    public init(
        title: LocalizedText, description: LocalizedText? = nil, prompt: LocalizedText? = nil, range: ClosedRange<Value.Base>,
        default: ParameterDefault<Value.Base>? = nil, options: (any DynamicOptionsProvider<Value.Base>)? = nil
    ) where Value.Base: Comparable {
        definition = ParameterDefinition(
            title: title, description: description, prompt: prompt, default: `default`, range: ParameterRange(range), options: options)
    }

    /// The value, or else its default. Reading a required parameter that has neither is a programmer's error and traps: confirm and handle
    /// are never called so, and a resolution reads ``value`` instead.
    public var wrappedValue: Value {
        get {
            guard let value = Value(parameterValue: value ?? definition.default?.value) else {
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
protocol AnyParameter {
    var identity: ObjectIdentifier { get }
}

extension Parameter: AnyParameter {
    /// Which declaration this is a copy of.
    var identity: ObjectIdentifier { ObjectIdentifier(definition) }
}
