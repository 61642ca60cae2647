/// What a `@Parameter` can be declared as: a ``ParameterValue`` (required) or an optional one (optional).
///
/// Conform to ``ParameterValue``; this protocol only lets the wrapper tell the two apart.
public protocol ParameterType: Sendable {
    /// The type of the value that is there when one is there.
    associatedtype Base: ParameterValue
    /// Whether the intent can't go on without a value, as in App Intents: a non-optional type is required.
    static var isRequired: Bool { get }
    /// `nil` if the type is required and there is no value.
    init?(parameterValue: Base?)
    var parameterValue: Base? { get }
}

extension ParameterValue {
    public static var isRequired: Bool { true }

    public init?(parameterValue: Self?) {
        guard let parameterValue else { return nil }
        self = parameterValue
    }

    public var parameterValue: Self? { self }
}

extension Optional: ParameterType where Wrapped: ParameterValue {
    public typealias Base = Wrapped

    public static var isRequired: Bool { false }

    public init?(parameterValue: Wrapped?) { self = parameterValue }

    public var parameterValue: Wrapped? { self }
}
