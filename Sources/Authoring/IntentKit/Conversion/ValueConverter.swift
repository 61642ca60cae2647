/// A converter of values of one type into values of another: App Intents' protocol of the same name.
///
/// ```swift
/// struct TableFromNumber: ValueConverter {
///     func convert(from number: Int, context: Context) async throws -> Table? {
///         Table.all.first { $0.number == number }
///     }
/// }
/// @Parameter(title: "Table", converters: { TableFromNumber() }) var table: Table
/// ```
/// Converters are chained by their types: with the converter above, the text "three" becomes a number and then a table.
/// A converter whose input and output have the same type checks or adjusts every value of that type on the way,
/// including the final value of the parameter.
public protocol ValueConverter<Input, Output>: Sendable {
    associatedtype Input: ParameterValue
    associatedtype Output: ParameterValue

    /// Converts a value.
    ///
    /// - Returns: The converted value; `nil` if there is no conversion, in which case another chain is tried.
    /// - Throws: ``UnsupportedValue`` if the value is understood but not available. No other chain is tried, and the
    ///   person is asked for another value with the reason. Any other error is a failure of the phase, as in a handler.
    func convert(from input: Input, context: Context) async throws -> Output?
}

/// A synchronous converter. All built-in converters are synchronous, so that a plain parameter is read without `await`.
public protocol InstantConverter<Input, Output>: ValueConverter {
    // The associated types are repeated so that the compiler infers them from the method below.
    associatedtype Input
    associatedtype Output

    /// Converts a value.
    ///
    /// - Returns: The converted value; `nil` if there is no conversion.
    func convert(from input: Input) -> Output?
}

extension InstantConverter {
    public func convert(from input: Input, context: Context) async throws -> Output? { convert(from: input) }
}

/// Converters in the order in which they are tried: App Intents' type of the same name.
public struct ConverterSpecification: Sendable {
    let steps: [ConverterStep]

    /// Creates an empty list. The type's own converters and the built-in converters are always available.
    public init() { steps = [] }

    public init(@ConverterSpecificationBuilder _ converters: () -> ConverterSpecification) { self = converters() }

    init(steps: [ConverterStep]) { self.steps = steps }

    public var isEmpty: Bool { steps.isEmpty }
}

/// Builds a ``ConverterSpecification`` from a block of converters.
@resultBuilder
public enum ConverterSpecificationBuilder {
    public static func buildExpression(_ converter: some ValueConverter) -> ConverterSpecification {
        ConverterSpecification(steps: [ConverterStep(converter)])
    }
    public static func buildExpression(_ specification: ConverterSpecification) -> ConverterSpecification {
        specification
    }
    public static func buildBlock(_ parts: ConverterSpecification...) -> ConverterSpecification { buildArray(parts) }
    public static func buildOptional(_ part: ConverterSpecification?) -> ConverterSpecification {
        part ?? ConverterSpecification()
    }
    public static func buildEither(first part: ConverterSpecification) -> ConverterSpecification { part }
    public static func buildEither(second part: ConverterSpecification) -> ConverterSpecification { part }
    public static func buildArray(_ parts: [ConverterSpecification]) -> ConverterSpecification {
        ConverterSpecification(steps: parts.flatMap(\.steps))
    }
}

/// The result of converting a parameter's JSON into its type.
public enum Conversion<Value: ParameterValue>: Sendable, Hashable {
    case value(Value)
    /// The JSON is not a value of the type. The reason of the parameter is then `invalidValue`.
    case noConversion
    /// The value is understood but not available: `belowMinimum`, `aboveMaximum`, or the reason of the author's
    /// ``ValueConverter``.
    case notSupported(reason: String, dialog: String?)
}

/// The error of a ``ValueConverter`` for a value that the converter understands but that is not available, as opposed
/// to a value that it can't convert.
///
/// The parameter is resolved as `unsupported` with this reason, and the person is asked for another value.
public struct UnsupportedValue: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason, which is one of SiriKit's reasons if one fits, such as `belowMinimum`.
    public var reason: String
    /// The text for the person. Defaults to a text of the coordinator.
    public var dialog: String?

    public init(reason: String, dialog: String? = nil) {
        self.reason = reason
        self.dialog = dialog
    }

    public var description: String { dialog ?? "the value is not supported: \(reason)" }
}
