/// Converts a value of one type into a value of another: App Intents' protocol of the same name.
///
/// ```swift
/// struct TableFromNumber: ValueConverter {
///     func convert(from number: Int, context: Context) async throws -> Table? { Table.all.first { $0.number == number } }
/// }
/// @Parameter(title: "Table", converters: { TableFromNumber() }) var table: Table
/// ```
/// Converters are chained by their types: with the one above, the text "three" becomes a number and then a table. A converter whose input and output
/// have the same type checks or adjusts every value of that type on the way, including the parameter's own.
public protocol ValueConverter<Input, Output>: Sendable {
    associatedtype Input: ParameterValue
    associatedtype Output: ParameterValue

    /// - Returns: `nil` if there is no conversion: another chain is tried then.
    /// - Throws: ``UnsupportedValue`` if the value is understood but not available: nothing else is tried, and the person is told why. Any other
    ///   error is a failure of the phase, as in a handler.
    func convert(from input: Input, context: Context) async throws -> Output?
}

/// A synchronous converter. The shipped ones are, so that a plain parameter is read without `await`.
public protocol InstantConverter<Input, Output>: ValueConverter {
    // Repeated so that the compiler infers them from the method below.
    associatedtype Input
    associatedtype Output

    /// - Returns: `nil` if there is no conversion.
    func convert(from input: Input) -> Output?
}

extension InstantConverter {
    public func convert(from input: Input, context: Context) async throws -> Output? { convert(from: input) }
}

/// Converters in the order in which they are tried: App Intents' type of the same name.
public struct ConverterSpecification: Sendable {
    let steps: [ConverterStep]

    /// An empty list: the type's own converters and the shipped ones are always available.
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
    public static func buildExpression(_ specification: ConverterSpecification) -> ConverterSpecification { specification }
    public static func buildBlock(_ parts: ConverterSpecification...) -> ConverterSpecification { buildArray(parts) }
    public static func buildOptional(_ part: ConverterSpecification?) -> ConverterSpecification { part ?? ConverterSpecification() }
    public static func buildEither(first part: ConverterSpecification) -> ConverterSpecification { part }
    public static func buildEither(second part: ConverterSpecification) -> ConverterSpecification { part }
    public static func buildArray(_ parts: [ConverterSpecification]) -> ConverterSpecification {
        ConverterSpecification(steps: parts.flatMap(\.steps))
    }
}

/// The result of converting a parameter's JSON into its type.
public enum Conversion<Value: ParameterValue>: Sendable, Hashable {
    case value(Value)
    /// The JSON is not a value of the type; the parameter's reason is then `invalidValue`.
    case noConversion
    /// The value is understood but not available: `belowMinimum`, `aboveMaximum`, or the reason of the author's ``ValueConverter``.
    case notSupported(reason: String, dialog: String?)
}

/// The error of a ``ValueConverter`` for a value that it understands but that is not available, as opposed to one that it can't convert.
///
/// The parameter is resolved as `unsupported` with this reason; the person is told and asked for another value.
public struct UnsupportedValue: Error, Sendable, Hashable, CustomStringConvertible {
    /// One of SiriKit's reasons if there is one, such as `belowMinimum`.
    public var reason: String
    /// What the person is told; defaults to a text of the coordinator.
    public var dialog: String?

    public init(reason: String, dialog: String? = nil) {
        self.reason = reason
        self.dialog = dialog
    }

    public var description: String { dialog ?? "the value is not supported: \(reason)" }
}
