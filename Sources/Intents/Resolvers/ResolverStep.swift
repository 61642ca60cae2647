/// A resolver with its types put away: one edge of the graph of conversions.
struct ResolverStep: Sendable {
    let input: ObjectIdentifier
    let output: ObjectIdentifier
    /// Whether it is what the type makes of text by itself.
    let isReading: Bool
    /// Without waiting; `nil` if it has to wait.
    let now: (@Sendable (any ParameterValue) -> (any ParameterValue)?)?
    let later: @Sendable (any ParameterValue, Context) async throws -> (any ParameterValue)?

    init<Conversion: Resolver>(_ resolver: Conversion) {
        input = ObjectIdentifier(Conversion.Input.self)
        output = ObjectIdentifier(Conversion.Output.self)
        isReading = resolver is FromText<Conversion.Output>
        now = (resolver as? any InstantResolver)?.erased
        later = { value, context in
            guard let value = value as? Conversion.Input else { return nil }
            return try await resolver.resolve(from: value, context: context)
        }
    }
}

extension InstantResolver {
    fileprivate var erased: @Sendable (any ParameterValue) -> (any ParameterValue)? {
        { value in (value as? Input).flatMap { resolve(from: $0) } }
    }
}
