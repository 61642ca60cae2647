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

@resultBuilder
public enum ResolutionBuilder<IntentType: Intent> {
    public static func buildExpression<Value>(_ step: Resolve<IntentType, Value>) -> ResolutionSteps<IntentType> { step.steps }

    public static func buildBlock(_ steps: ResolutionSteps<IntentType>...) -> ResolutionSteps<IntentType> {
        if steps.count == 1 { return steps[0] }
        var all: [any ResolutionStep<IntentType>] = []
        all.reserveCapacity(steps.count)
        for index in 0..<steps.count { all += steps[index].all }
        return ResolutionSteps(all: all)
    }
}

/// The parts of a ``Resolution``, and one themselves.
public struct ResolutionSteps<IntentType: Intent>: Resolution {
    package let all: [any ResolutionStep<IntentType>]

    package init(all: [any ResolutionStep<IntentType>]) { self.all = all }

    public var steps: Self { self }
}

/// One ``Resolve`` with its value's type put away.
package protocol ResolutionStep<IntentType>: Sendable {
    associatedtype IntentType: Intent
    func identity(in intent: IntentType) -> ObjectIdentifier
    var hasDependencies: Bool { get }
    /// The parameters that have to be resolved before.
    func dependencies(in intent: IntentType) -> [ObjectIdentifier]
}
