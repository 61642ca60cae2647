public import ArgumentParser
public import IntentModel

/// Parses a name in an option or argument of a command.
extension Identifier: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}
