/// The reason for which an agent's call fails.
package struct AgentProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// A description of the problem and how to fix it.
    package var message: String

    package init(_ message: String) { self.message = message }

    package var description: String { message }
}
