/// The parameter resolution of a handler, built from ``Resolve``.
public protocol Resolution<IntentType>: Sendable {
    associatedtype IntentType: Intent
    var steps: ResolutionSteps<IntentType> { get }
}

/// A resolution that uses only the declarations of the parameters.
public struct NoResolution<IntentType: Intent>: Resolution {
    public init() {}
    public var steps: ResolutionSteps<IntentType> { ResolutionSteps(all: []) }
}

@resultBuilder
public enum ResolutionBuilder<IntentType: Intent> {
    public static func buildExpression<Value>(_ step: Resolve<IntentType, Value>) -> ResolutionSteps<IntentType> {
        step.steps
    }

    public static func buildBlock(_ steps: ResolutionSteps<IntentType>...) -> ResolutionSteps<IntentType> {
        if steps.count == 1 { return steps[0] }
        var all: [any ResolutionStep<IntentType>] = []
        all.reserveCapacity(steps.count)
        for index in 0..<steps.count { all += steps[index].all }
        return ResolutionSteps(all: all)
    }
}

/// The steps of a ``Resolution``, which are a resolution themselves.
public struct ResolutionSteps<IntentType: Intent>: Resolution {
    package let all: [any ResolutionStep<IntentType>]

    package init(all: [any ResolutionStep<IntentType>]) { self.all = all }

    public var steps: Self { self }
}

/// A type-erased ``Resolve``.
package protocol ResolutionStep<IntentType>: Sendable {
    associatedtype IntentType: Intent
    func identity(in intent: IntentType) -> ObjectIdentifier
    var hasDependencies: Bool { get }
    /// Returns the parameters that have to be resolved first.
    func dependencies(in intent: IntentType) -> [ObjectIdentifier]
}
