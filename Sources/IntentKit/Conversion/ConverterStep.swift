/// A converter with its types put away: one edge of the graph of conversions.
struct ConverterStep: Sendable {
    let input: ObjectIdentifier
    let output: ObjectIdentifier
    /// Whether it is what the type makes of text by itself.
    let isReading: Bool
    /// Without waiting; `nil` if it has to wait.
    let now: (@Sendable (any ParameterValue) -> (any ParameterValue)?)?
    let later: @Sendable (any ParameterValue, Context) async throws -> (any ParameterValue)?

    init<Conversion: ValueConverter>(_ converter: Conversion) {
        input = ObjectIdentifier(Conversion.Input.self)
        output = ObjectIdentifier(Conversion.Output.self)
        isReading = converter is FromText<Conversion.Output>
        now = (converter as? any InstantConverter)?.erased
        later = { value, context in
            guard let value = value as? Conversion.Input else { return nil }
            return try await converter.convert(from: value, context: context)
        }
    }
}

extension InstantConverter {
    fileprivate var erased: @Sendable (any ParameterValue) -> (any ParameterValue)? {
        { value in (value as? Input).flatMap { convert(from: $0) } }
    }
}
