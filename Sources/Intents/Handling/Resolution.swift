/// How a handler resolves parameters; built from ``Resolve``.
public protocol Resolution<IntentType>: Sendable {
    associatedtype IntentType: Intent
    var steps: ResolutionSteps<IntentType> { get }
}

/// No parameter needs more than its declaration says.
public struct NoResolution<IntentType: Intent>: Resolution {
    public init() {}
    public var steps: ResolutionSteps<IntentType> { ResolutionSteps(all: []) }
}

/// The parts of a ``Resolution``, and one themselves.
public struct ResolutionSteps<IntentType: Intent>: Resolution {
    let all: [any ResolutionStep<IntentType>]
    public var steps: Self { self }
}

/// One ``Resolve`` with its value's type put away.
protocol ResolutionStep<IntentType>: Sendable {
    associatedtype IntentType: Intent
    func identity(in intent: IntentType) -> ObjectIdentifier
}

@resultBuilder
public enum ResolutionBuilder<IntentType: Intent> {
    public static func buildExpression<Value>(_ step: Resolve<IntentType, Value>) -> ResolutionSteps<IntentType> { step.steps }

    public static func buildBlock(_ steps: ResolutionSteps<IntentType>...) -> ResolutionSteps<IntentType> {
        ResolutionSteps(all: steps.flatMap(\.all))
    }
}
