/// Makes a value of one type of a value of another: App Intents' protocol of the same name.
///
/// ```swift
/// struct TableFromNumber: ValueConverter {
///     func convert(from number: Int, context: Context) async throws -> Table? { Table.all.first { $0.number == number } }
/// }
/// @Parameter(title: "Table", converters: { TableFromNumber() }) var table: Table
/// ```
/// Converters are chained by their types: with the one above, the text "three" becomes a number and then a table. One whose input and output are
/// of the same type checks, or adjusts, every value of that type that comes by, the parameter's own included.
public protocol ValueConverter<Input, Output>: Sendable {
    associatedtype Input: ParameterValue
    associatedtype Output: ParameterValue

    /// - Returns: `nil` if there is no conversion: another chain is tried then.
    /// - Throws: ``UnsupportedValue`` if it is clear what is meant but it can't be had: nothing else is tried, and the person is told why. Any other
    ///   error is a failure of the phase, as in a handler.
    func convert(from input: Input, context: Context) async throws -> Output?
}

/// A converter that needs nothing but its input: the shipped ones are, so that a plain parameter is read without waiting.
public protocol InstantConverter<Input, Output>: ValueConverter {
    // Said again so that the compiler finds them by the method below.
    associatedtype Input
    associatedtype Output

    /// - Returns: `nil` if there is no conversion.
    func convert(from input: Input) -> Output?
}

extension InstantConverter {
    public func convert(from input: Input, context: Context) async throws -> Output? { convert(from: input) }
}
