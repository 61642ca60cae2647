/// Resolvers in the order in which they are tried: App Intents' type of the same name.
public struct ResolverSpecification: Sendable {
    let steps: [ResolverStep]

    /// None: the type's own and the ones shipped are there without saying so.
    public init() { steps = [] }

    public init(@ResolverSpecificationBuilder _ resolvers: () -> ResolverSpecification) { self = resolvers() }

    init(steps: [ResolverStep]) { self.steps = steps }

    public var isEmpty: Bool { steps.isEmpty }
}

/// Builds a ``ResolverSpecification`` of resolvers, one below the other.
@resultBuilder
public enum ResolverSpecificationBuilder {
    public static func buildExpression(_ resolver: some Resolver) -> ResolverSpecification {
        ResolverSpecification(steps: [ResolverStep(resolver)])
    }
    public static func buildExpression(_ specification: ResolverSpecification) -> ResolverSpecification { specification }
    public static func buildBlock(_ parts: ResolverSpecification...) -> ResolverSpecification { buildArray(parts) }
    public static func buildOptional(_ part: ResolverSpecification?) -> ResolverSpecification { part ?? ResolverSpecification() }
    public static func buildEither(first part: ResolverSpecification) -> ResolverSpecification { part }
    public static func buildEither(second part: ResolverSpecification) -> ResolverSpecification { part }
    public static func buildArray(_ parts: [ResolverSpecification]) -> ResolverSpecification {
        ResolverSpecification(steps: parts.flatMap(\.steps))
    }
}
