/// Why an agent does not get what it has asked for.
package struct AgentProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, and what to do about it.
    package var message: String

    package init(_ message: String) { self.message = message }

    package var description: String { message }
}
