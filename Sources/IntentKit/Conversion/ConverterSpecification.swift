/// Converters in the order in which they are tried: App Intents' type of the same name.
public struct ConverterSpecification: Sendable {
    let steps: [ConverterStep]

    /// None: the type's own and the ones shipped are there without saying so.
    public init() { steps = [] }

    public init(@ConverterSpecificationBuilder _ converters: () -> ConverterSpecification) { self = converters() }

    init(steps: [ConverterStep]) { self.steps = steps }

    public var isEmpty: Bool { steps.isEmpty }
}

/// Builds a ``ConverterSpecification`` of converters, one below the other.
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
