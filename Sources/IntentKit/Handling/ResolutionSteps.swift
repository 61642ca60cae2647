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
