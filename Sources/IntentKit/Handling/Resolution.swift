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
